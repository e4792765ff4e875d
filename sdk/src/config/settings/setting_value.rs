//! The values of settings as text: the form in files and addresses, and the form in a report.

use std::time::Duration;

use crate::config::host_overrides::HostOverrides;
use crate::request::consistency::{Consistency, HedgedReadBudget};
use crate::runtime::deadline::clamp;
use crate::{DeliveryGuarantee, RetryBudget, RowKeyDisplay};

/// A type of values that settings can have.
pub(super) trait SettingValue: Sized {
    /// The description of such values, for documentation.
    const NAME: &'static str;

    fn read(text: &str) -> Result<Self, String>;

    fn show(&self) -> String;

    /// Whether the value is 0, or an empty text.
    fn is_zero_or_empty(&self) -> bool {
        false
    }
}

pub(super) const NOT_BOOLEAN: &str = "it is neither true nor false";

/// Reads a boolean as `Configuration.getBoolean` does; `None` for other texts, for which Java uses
/// the default.
pub(super) fn parse_boolean(text: &str) -> Option<bool> {
    [("true", true), ("false", false)]
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text.trim()))
        .map(|(_, yes)| yes)
}

/// Reads a whole number as Java's `Configuration.getLong` does.
fn number(text: &str) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Splits a text into a number and the unit after it.
fn parts(text: &str) -> (&str, &str) {
    if text.starts_with("0x") || text.starts_with("0X") {
        return (text, "");
    }
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '+').unwrap_or(text.len());
    text.split_at(at)
}

impl SettingValue for Duration {
    const NAME: &'static str = "time";

    /// Reads a time as `Configuration.getTimeDuration` does; a number without a unit is in ms.
    fn read(text: &str) -> Result<Self, String> {
        let (digits, unit) = parts(text);
        let nanos: u64 = match unit.trim() {
            "ns" => 1,
            "us" => 1_000,
            "" | "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            "d" => 86_400_000_000_000,
            _ => 0,
        };
        let per_second = 1_000_000_000;
        let time =
            number(digits).filter(|n| nanos > 0 && *n > 0).map(|n| match nanos >= per_second {
                true => Self::from_secs(n.saturating_mul(nanos / per_second)),
                false => {
                    Self::from_nanos(nanos).saturating_mul(u32::try_from(n).unwrap_or(u32::MAX))
                }
            });
        time.map(clamp).ok_or_else(|| {
            "it is not a time of at least 1; write a number of ms, or one with ns, us, ms, s, m, h or d, as in 30s".into()
        })
    }

    fn show(&self) -> String {
        let nanos = self.as_nanos();
        let units = [(86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min")];
        let small = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns")];
        let unit = units
            .into_iter()
            .chain(small)
            .find(|(size, _)| nanos > 0 && nanos.is_multiple_of(*size));
        unit.map_or_else(|| "0".into(), |(size, name)| format!("{} {name}", nanos / size))
    }

    fn is_zero_or_empty(&self) -> bool {
        self.is_zero()
    }
}

/// Reads a time that Java's client reads as a plain number of microseconds.
pub(super) fn parse_micros(text: &str) -> Result<Duration, String> {
    let micros = number(text).filter(|n| *n > 0 && *n <= i32::MAX as u64);
    let time = micros.map(Duration::from_micros);
    time.ok_or_else(|| "it is not a whole number of microseconds of at least 1".into())
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bytes(pub(super) usize);

impl SettingValue for Bytes {
    const NAME: &'static str = "bytes";

    /// Reads a size as `Configuration.getLongBytes` does.
    fn read(text: &str) -> Result<Self, String> {
        let (digits, unit) = parts(text);
        let shift = match unit.trim().to_ascii_lowercase().as_str() {
            "" => Some(0),
            "k" => Some(10),
            "m" => Some(20),
            "g" => Some(30),
            "t" => Some(40),
            "p" => Some(50),
            "e" => Some(60),
            _ => None,
        };
        let bytes = number(digits).zip(shift).and_then(|(n, shift)| n.checked_mul(1 << shift));
        bytes.and_then(|bytes| usize::try_from(bytes).ok()).map(Self).ok_or_else(|| {
            "it is not a number of bytes; write a number, or one with k, m, g, t, p or e, as in 4m".into()
        })
    }

    fn show(&self) -> String {
        let bytes = self.0;
        let unit = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
            .into_iter()
            .find(|(shift, _)| bytes > 0 && bytes.is_multiple_of(1_usize << shift));
        match unit {
            _ if bytes == usize::MAX => "no limit".into(),
            Some((shift, name)) => format!("{} {name}", bytes >> shift),
            None => bytes.to_string(),
        }
    }

    fn is_zero_or_empty(&self) -> bool {
        self.0 == 0
    }
}

impl SettingValue for usize {
    const NAME: &'static str = "number";

    fn read(text: &str) -> Result<Self, String> {
        let count = number(text).and_then(|n| Self::try_from(n).ok());
        count.ok_or_else(|| "it is not a whole number of at least 0".into())
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn is_zero_or_empty(&self) -> bool {
        *self == 0
    }
}

impl SettingValue for String {
    const NAME: &'static str = "text";

    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }

    fn is_zero_or_empty(&self) -> bool {
        self.is_empty()
    }
}

impl SettingValue for bool {
    const NAME: &'static str = "true or false";

    fn read(text: &str) -> Result<Self, String> {
        parse_boolean(text).ok_or_else(|| NOT_BOOLEAN.into())
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl SettingValue for RetryBudget {
    const NAME: &'static str = "unlimited, or percent and number a second, as in 20%+250";

    fn read(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(Self::unlimited());
        }
        let parts = text.split_once("%+");
        let parts =
            parts.and_then(|(percent, more)| Some((percent.parse().ok()?, more.parse().ok()?)));
        let (percent, per_second) =
            parts.ok_or_else(|| format!("it is no budget for retries; write {}", Self::NAME))?;
        Ok(Self::new(percent, per_second))
    }

    fn show(&self) -> String {
        match self.unlimited {
            true => "unlimited".into(),
            false => format!("{}%+{}", self.percent, self.per_second),
        }
    }
}

impl SettingValue for HostOverrides {
    const NAME: &'static str = "server=address, or several with commas between them";

    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }

    fn show(&self) -> String {
        match self.to_string() {
            text if text.is_empty() => "none".into(),
            text => text,
        }
    }
}

impl<F: SettingValue> SettingValue for Option<F> {
    const NAME: &'static str = F::NAME;

    fn read(text: &str) -> Result<Self, String> {
        F::read(text).map(Some)
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".into(), F::show)
    }

    fn is_zero_or_empty(&self) -> bool {
        self.as_ref().is_some_and(F::is_zero_or_empty)
    }
}

impl SettingValue for DeliveryGuarantee {
    const NAME: &'static str = "at_most_once, at_least_once or idempotent";

    fn read(text: &str) -> Result<Self, String> {
        match text {
            "at_most_once" => Ok(Self::AtMostOnce),
            "at_least_once" => Ok(Self::AtLeastOnce),
            "idempotent" => Ok(Self::Idempotent),
            _ => Err(format!("it is none of {}", Self::NAME)),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::AtMostOnce => "at_most_once".into(),
            Self::AtLeastOnce => "at_least_once".into(),
            Self::Idempotent => "idempotent".into(),
        }
    }
}

impl SettingValue for Consistency {
    const NAME: &'static str = "strong or timeline";

    fn read(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "strong" => Ok(Self::Strong),
            "timeline" => Ok(Self::Timeline),
            _ => Err(format!("it is none of {}", Self::NAME)),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Strong => "strong".into(),
            Self::Timeline => "timeline".into(),
        }
    }
}

impl SettingValue for HedgedReadBudget {
    const NAME: &'static str = "share and rate";

    fn read(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(Self::unlimited());
        }
        let limit = text.split_once(',').and_then(|(percent, per_second)| {
            let percent = percent.trim().strip_suffix('%')?.trim().parse().ok()?;
            let per_second = per_second.trim().strip_suffix("/s")?.trim().parse().ok()?;
            Some(Self::new(percent, per_second))
        });
        limit.ok_or_else(|| {
            "it is not a share of the reads and a number a second; write them as in 10%,50/s, or unlimited".into()
        })
    }

    fn show(&self) -> String {
        match self.unlimited {
            true => "unlimited".into(),
            false => format!("{} %, {}/s", self.percent, self.per_second),
        }
    }
}

impl SettingValue for RowKeyDisplay {
    const NAME: &'static str = "shown, hashed or hidden";

    fn read(text: &str) -> Result<Self, String> {
        match text {
            "shown" => Ok(Self::Shown),
            "hashed" => Ok(Self::Hashed),
            "hidden" => Ok(Self::Hidden),
            _ => Err(format!("it is none of {}", Self::NAME)),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Shown => "shown".into(),
            Self::Hashed => "hashed".into(),
            Self::Hidden => "hidden".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_javas_units() {
        for (text, millis, shown) in [
            ("60000", 60_000, "1 min"),
            ("250ms", 250, "250 ms"),
            ("30s", 30_000, "30 s"),
            ("2m", 120_000, "2 min"),
            ("0x10", 16, "16 ms"),
            ("1d", 86_400_000, "1 d"),
            ("90 s", 90_000, "90 s"),
        ] {
            let time = Duration::read(text).unwrap();
            assert_eq!((time.as_millis(), time.show().as_str()), (millis, shown), "{text}");
        }
        assert_eq!(Duration::read("20us").unwrap().show(), "20 us");
        assert_eq!(parse_micros("10000").unwrap().show(), "10 ms");
        for wrong in ["", "0", "10ms", "-1", "2147483648"] {
            parse_micros(wrong).unwrap_err();
        }
        assert_eq!(Duration::read("18446744073709551615d"), Ok(clamp(Duration::MAX)));
        for wrong in ["", "0", "-1", "s", "1.5s", "60 parsecs", "1 0", "1S", "ten"] {
            Duration::read(wrong).unwrap_err();
        }
    }

    #[test]
    fn a_limit_of_hedged_reads_is_a_share_and_a_rate() {
        for (text, shown) in
            [("10%,50/s", "10 %, 50/s"), ("0 %, 3 /s", "0 %, 3/s"), ("unlimited", "unlimited")]
        {
            let limit = HedgedReadBudget::read(text).unwrap();
            assert_eq!(limit.show(), shown);
            assert_eq!(HedgedReadBudget::read(shown), Ok(limit));
        }
        for wrong in ["", "10%", "50/s", "10,50", "50/s,10%", "-1%,50/s"] {
            HedgedReadBudget::read(wrong).unwrap_err();
        }
    }

    #[test]
    fn sizes_have_javas_prefixes() {
        for (text, bytes, shown) in [
            ("2097152", 2 << 20, "2 MiB"),
            ("64k", 64 << 10, "64 KiB"),
            ("1G", 1 << 30, "1 GiB"),
            ("10", 10, "10"),
            ("0", 0, "0"),
        ] {
            assert_eq!(Bytes::read(text), Ok(Bytes(bytes)));
            assert_eq!(Bytes(bytes).show(), shown);
        }
        for wrong in ["", "-1", "2mb", "many", "999999999999e"] {
            Bytes::read(wrong).unwrap_err();
        }
        assert_eq!(RetryBudget::read("20%+250"), Ok(RetryBudget::default()));
        assert_eq!(
            RetryBudget::read(&RetryBudget::unlimited().show()),
            Ok(RetryBudget::unlimited())
        );
        for wrong in ["20", "20%", "-1%+2", "20% + 250", ""] {
            RetryBudget::read(wrong).unwrap_err();
        }
        usize::read("-1").unwrap_err();
        usize::read("2k").unwrap_err();
    }
}
