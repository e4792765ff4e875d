//! Guesses text fields, which end at a separator or at the end of the row key.

use super::candidate::Candidate;

/// The characters with which programs separate texts, most common first.
const SEPARATORS: &[u8] = b"|:#;,/~!_-. ";

/// Returns the text fields with which all keys may start.
pub(super) fn candidates(rests: &[&[u8]]) -> Vec<Candidate> {
    let mut all = Vec::new();
    all.extend(ended(rests, "escaped", "00 01", 9, |rest| {
        rest.windows(2).position(|pair| pair == [0, 1]).map(|at| (at, 2))
    }));
    all.extend(ended(rests, "nul_terminated", "00", 7, |rest| {
        rest.iter().position(|byte| *byte == 0).map(|at| (at, 1))
    }));
    for (index, separator) in SEPARATORS.iter().enumerate() {
        let attribute = format!("sep = 0x{separator:02x}");
        let end = format!("'{}'", char::from(*separator));
        let score = 6 - i32::try_from(index / 4).unwrap_or(0);
        // A separator occurs equally often in all keys; a character inside of texts does not.
        if same_count(rests, *separator) {
            let at = |rest: &[u8]| rest.iter().position(|b| b == separator).map(|at| (at, 1));
            all.extend(ended(rests, &attribute, &end, score, at));
        }
    }
    all.extend(to_the_end(rests));
    all
}

/// Returns a candidate for texts that end where `end` says. For the rest of a key, `end` returns
/// the position where the text ends, and the number of bytes that mark the end.
fn ended(
    rests: &[&[u8]],
    attribute: &str,
    shown: &str,
    score: i32,
    end: impl Fn(&[u8]) -> Option<(usize, usize)>,
) -> Option<Candidate> {
    let ends: Option<Vec<_>> = rests.iter().map(|rest| end(rest)).collect();
    let ends = ends?;
    let mut texts =
        rests.iter().zip(&ends).map(|(rest, (at, _))| rest.get(..*at).unwrap_or_default());
    if !texts.all(is_text) {
        return None;
    }
    let texts: Vec<&[u8]> = rests
        .iter()
        .zip(&ends)
        .map(|(rest, (at, _))| rest.get(..*at).unwrap_or_default())
        .collect();
    Some(Candidate {
        kind: "text",
        encoding: format!("text, {attribute}"),
        reason: format!("printable up to {shown} in every key{}", digits(&texts)),
        score,
        widths: ends.iter().map(|(at, len)| at + len).collect(),
    })
}

fn to_the_end(rests: &[&[u8]]) -> Option<Candidate> {
    rests.iter().all(|rest| is_text(rest)).then(|| Candidate {
        kind: "text",
        encoding: "text".into(),
        reason: format!("printable up to the end of every key{}", digits(rests)),
        score: 4,
        widths: rests.iter().map(|rest| rest.len()).collect(),
    })
}

/// Returns words that say what texts of digits probably are; empty for other texts.
fn digits(texts: &[&[u8]]) -> &'static str {
    let all = |len: usize| {
        texts.iter().all(|text| text.len() == len && text.iter().all(u8::is_ascii_digit))
    };
    if all(13) {
        "; 13 digits, as of milliseconds since 1970"
    } else if all(10) {
        "; 10 digits, as of seconds since 1970"
    } else if all(19) && texts.iter().all(|text| text.starts_with(b"92233")) {
        "; 19 digits, as of Long.MAX_VALUE minus a time"
    } else {
        ""
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    !bytes.is_empty() && text.is_ok_and(|text| !text.chars().any(char::is_control))
}

fn same_count(rests: &[&[u8]], byte: u8) -> bool {
    let count = |rest: &&[u8]| rest.iter().filter(|b| **b == byte).count();
    let counts: Vec<_> = rests.iter().map(count).collect();
    counts.first().is_some_and(|first| *first > 0 && counts.iter().all(|count| count == first))
}
