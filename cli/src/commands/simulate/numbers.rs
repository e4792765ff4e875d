//! Writes numbers in a readable form.

/// Formats a count with three digits: `12.3 M`.
pub(super) fn short(count: u64) -> String {
    scaled(count as f64, 1_000.0, &["", "k", "M", "G", "T", "P", "E"])
}

/// Formats a number of bytes: `1.5 GiB`.
pub(super) fn bytes(count: u64) -> String {
    scaled(count as f64, 1_024.0, &["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])
}

/// Formats a count in groups of three digits: `12,345,678`.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a share, 0 to 1, in per cent.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 9.95 && percent > 0.0 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

fn scaled(count: f64, step: f64, units: &[&str]) -> String {
    let (mut count, mut unit) = (count, 0);
    while count >= step && unit + 1 < units.len() {
        count /= step;
        unit += 1;
    }
    // The limits are such that rounding does not add a digit.
    let digits = match count {
        _ if unit == 0 => 0,
        count if count < 9.995 => 2,
        count if count < 99.95 => 1,
        _ => 0,
    };
    let unit = units.get(unit).copied().unwrap_or_default();
    format!("{count:.digits$} {unit}").trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_or_groups_of_three() {
        let shorts = [(0, "0"), (999, "999"), (1_000, "1.00 k"), (12_345_678, "12.3 M")];
        for (count, text) in shorts {
            assert_eq!(short(count), text);
        }
        assert_eq!(bytes(1_536 << 20), "1.50 GiB");
        assert_eq!([7, 1_000, 12_345_678].map(grouped), ["7", "1,000", "12,345,678"]);
        assert_eq!([0.0, 0.0625, 1.0].map(percent), ["0 %", "6.2 %", "100 %"]);
    }
}
