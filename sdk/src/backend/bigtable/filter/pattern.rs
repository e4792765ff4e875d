//! RE2 patterns on bytes. Bigtable matches such a pattern against a whole row key, family name,
//! qualifier or value.
//!
//! A pattern for families must not contain `:`, so the patterns that are made here have only
//! numbered groups.

use std::fmt::Write;

use bytes::Bytes;

use super::byte_ranges::ByteRanges;
use crate::request::filter::{class_of_bits, pattern_of_bits};

/// The pattern of any number of any bytes. A `.` would not match a byte that ends a line.
pub(super) const ANY: &str = "\\C*";

/// The maximum length in bytes of a string that a pattern compares with. The groups of the pattern
/// are nested as deep as the string is long, and RE2 accepts a depth of 1,000.
const MAX_BYTES: usize = 900;

/// A set of strings, stored as ranges where that is possible, and otherwise as a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StringSet {
    Ranges(ByteRanges),
    /// The strings that match `pattern`, or if `negated` is true, the strings that do not match it.
    Regex {
        pattern: String,
        negated: bool,
    },
    /// The strings that are as long as `mask` and have all of its bits; if `negated` is true, all
    /// other strings.
    Bits {
        mask: Bytes,
        negated: bool,
    },
}

impl StringSet {
    pub(super) fn regex(pattern: String) -> Self {
        Self::Regex { pattern, negated: false }
    }

    pub(super) fn complement(self) -> Self {
        match self {
            Self::Ranges(ranges) => Self::Ranges(ranges.complement()),
            Self::Regex { pattern, negated } => Self::Regex { pattern, negated: !negated },
            Self::Bits { mask, negated } => Self::Bits { mask, negated: !negated },
        }
    }

    /// Returns one pattern that matches exactly the strings of this set; `None` for a negated
    /// pattern, for an empty set, and for ranges whose bounds are too long.
    pub(super) fn to_regex(&self) -> Option<String> {
        match self {
            Self::Ranges(ranges) => of_ranges(ranges),
            Self::Regex { pattern, negated: false } => Some(pattern.clone()),
            Self::Regex { negated: true, .. } => None,
            Self::Bits { mask, negated: false } => Some(pattern_of_bits(mask)),
            Self::Bits { mask, negated: true } => Some(without_bits(mask)),
        }
    }
}

/// Returns the pattern of any `count` bytes. A single repetition in a pattern can have a count of
/// at most 1,000.
pub(super) fn any_bytes(count: usize) -> String {
    let thousands = "\\C{1000}".repeat((count / 1_000).min(20_000));
    match count % 1_000 {
        0 => thousands,
        rest => format!("{thousands}\\C{{{rest}}}"),
    }
}

/// Returns the pattern of the strings that are longer or shorter than a mask, or lack one of its
/// bits.
fn without_bits(mask: &[u8]) -> String {
    let shorter = (0..mask.len()).map(any_bytes).map(|bytes| match bytes.is_empty() {
        true => "()".to_owned(),
        false => bytes,
    });
    let lacks = mask.iter().enumerate().filter_map(|(at, mask)| {
        let class = class_of_bits(*mask, false)?;
        Some(format!("{}[{class}]{ANY}", any_bytes(at)))
    });
    any_of(shorter.chain(lacks).chain([any_bytes(mask.len()) + "\\C" + ANY]))
}

/// Returns the pattern that matches exactly these bytes.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut pattern = String::with_capacity(bytes.len());
    bytes.iter().for_each(|byte| push_quoted_byte(&mut pattern, *byte));
    pattern
}

/// Returns the pattern that matches every string that any of these patterns matches.
pub(super) fn any_of(patterns: impl IntoIterator<Item = String>) -> String {
    let patterns: Vec<String> = patterns.into_iter().collect();
    match &patterns[..] {
        [only] => only.clone(),
        _ => format!("({})", patterns.join("|")),
    }
}

pub(super) fn push_quoted_byte(pattern: &mut String, byte: u8) {
    match byte {
        b'_' | b'-' => pattern.push(char::from(byte)),
        _ if byte.is_ascii_alphanumeric() => pattern.push(char::from(byte)),
        _ => {
            let _ = write!(pattern, "\\x{byte:02x}");
        }
    }
}

/// Returns the pattern of a set; `None` if the set is empty, or if a bound of its ranges is too
/// long.
fn of_ranges(ranges: &ByteRanges) -> Option<String> {
    let long = |bytes: &[u8]| bytes.len() > MAX_BYTES;
    if let Some(bytes) = ranges.as_single() {
        return Some(quote(bytes));
    }
    let too_long = |(start, end): (&[u8], Option<&[u8]>)| long(start) || end.is_some_and(long);
    if ranges.is_empty() || ranges.iter().any(too_long) {
        return None;
    }
    Some(any_of(ranges.iter().filter_map(|(start, end)| between(Some(start), end))))
}

/// Returns the pattern of the strings from `start` to before `end`; `None` if there are no such
/// strings.
fn between(start: Option<&[u8]>, end: Option<&[u8]>) -> Option<String> {
    // The empty string is the first of all strings: an empty `start` excludes nothing, nothing is
    // before an empty `end`, and only the empty string is before "\0".
    let (low, start_rest) = match start.and_then(<[u8]>::split_first) {
        Some((low, rest)) => (Some(*low), Some(rest)),
        None => (None, None),
    };
    let mut parts: Vec<String> = Vec::new();
    let (high, end_rest) = match end.map(<[u8]>::split_first) {
        Some(None) => return None,
        Some(Some((high, rest))) => (Some(*high), Some(rest)),
        None => (None, None),
    };
    let part = |byte: u8, rest: Option<String>| {
        rest.map(|rest| {
            let mut part = String::new();
            push_quoted_byte(&mut part, byte);
            part.push_str(&rest);
            part
        })
    };
    // Whether all strings that begin with `low` are in the range: `start` has only this byte, and
    // `end` begins with another byte.
    let whole = low != high && start_rest.is_some_and(<[u8]>::is_empty);
    let from = low.map_or(Some(0), |low| if whole { Some(low) } else { low.checked_add(1) });
    let to = high.map_or(Some(0xFF), |high| high.checked_sub(1));
    let all_between = match (from, to) {
        (Some(from), Some(to)) if from <= to => Some(byte_class(from, to) + ANY),
        _ => None,
    };
    match (low, high) {
        (Some(low), Some(high)) if low == high => {
            parts.extend(part(low, between(start_rest, end_rest)));
        }
        _ => {
            let low = low.filter(|_| !whole);
            parts.extend(low.and_then(|low| part(low, between(start_rest, None))));
            parts.extend(all_between);
            parts.extend(high.and_then(|high| part(high, between(None, end_rest))));
        }
    }
    let with_empty = low.is_none();
    match (parts.is_empty(), with_empty) {
        (true, false) => None,
        (true, true) => Some(String::new()),
        (false, true) if low.is_none() && high.is_none() => Some(ANY.to_owned()),
        (false, true) => Some(format!("({})?", parts.join("|"))),
        (false, false) => Some(any_of(parts)),
    }
}

/// Returns the pattern of one byte in the range from `from` to `to`, both included.
pub(super) fn byte_class(from: u8, to: u8) -> String {
    if from == to {
        return quote(&[from]);
    }
    if (from, to) == (0, 0xFF) {
        return "\\C".into();
    }
    format!("[\\x{from:02x}-\\x{to:02x}]")
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::*;
    use crate::request::filter::CompareOperator;

    fn shown(ranges: ByteRanges) -> String {
        StringSet::Ranges(ranges).to_regex().unwrap_or_else(|| "nothing".into())
    }

    #[test]
    fn ranges_are_patterns() {
        assert_eq!(shown(ByteRanges::exactly(b"a.b:\xff_-")), "a\\x2eb\\x3a\\xff_-");
        assert_eq!(shown(ByteRanges::prefix(b"ab")), "ab\\C*");
        assert_eq!(shown(ByteRanges::all()), "\\C*");
        assert_eq!(shown(ByteRanges::empty()), "nothing");
        assert_eq!(
            shown(ByteRanges::where_compare(CompareOperator::Less, b"b")),
            "([\\x00-\\x61]\\C*)?"
        );
        assert_eq!(
            shown(ByteRanges::where_compare(CompareOperator::LessOrEqual, b"b")),
            "([\\x00-\\x61]\\C*|b)?"
        );
        assert_eq!(
            shown(ByteRanges::where_compare(CompareOperator::Greater, b"b")),
            "(b\\C\\C*|[\\x63-\\xff]\\C*)"
        );
        assert_eq!(shown(ByteRanges::where_compare(CompareOperator::GreaterOrEqual, b"")), "\\C*");
        assert_eq!(shown(ByteRanges::where_compare(CompareOperator::Less, b"")), "nothing");
        assert_eq!(
            shown(ByteRanges::between(Bound::Included(b"ab"), Bound::Excluded(b"ad"))),
            "a[\\x62-\\x63]\\C*"
        );
        assert_eq!(shown(ByteRanges::exactly(&[b'a'; 5_000])).len(), 5_000);
        assert_eq!(shown(ByteRanges::prefix(&[b'a'; 5_000])), "nothing");
    }

    /// Returns whether a pattern matches all of these bytes. The crate `regex_lite` has no `\C`, so
    /// the pattern is matched against one character for each byte.
    fn matches(pattern: &str, bytes: &[u8]) -> bool {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let pattern = format!("^({})$", pattern.replace("\\C", "(?s:.)"));
        regex_lite::Regex::new(&pattern).unwrap().is_match(&text)
    }

    #[test]
    fn a_mask_matches_the_values_of_its_length_with_its_bits() {
        for mask in [&b"\x05"[..], b"\0", b"\x80\0\x01"] {
            let mask = Bytes::from_static(mask);
            let has = StringSet::Bits { mask: mask.clone(), negated: false };
            let (has, lacks) = (has.to_regex().unwrap(), has.complement().to_regex().unwrap());
            for value in [&b""[..], b"\0", b"\x04", b"\x05", b"\xff", b"\n", b"\x05\x05"]
                .into_iter()
                .chain([
                    &b"\x80\0\x01"[..],
                    b"\x80\0\0",
                    b"\0\0\x01",
                    b"\xff\n\xff",
                    b"\xff\xff\xff\xff",
                ])
            {
                let bits = value.len() == mask.len()
                    && value.iter().zip(&mask[..]).all(|(byte, mask)| byte & mask == *mask);
                assert_eq!(matches(&has, value), bits, "{value:?} {mask:?} {has}");
                assert_eq!(matches(&lacks, value), !bits, "{value:?} {mask:?} {lacks}");
            }
        }
    }

    #[test]
    fn a_pattern_matches_what_is_in_its_range() {
        let all =
            [&b""[..], b"\0", b"\0\0", b"a", b"a\0", b"aa", b"ab\xff", b"b", b"\xff", b"\xff\xff"];
        for start in all {
            for end in all.map(Some).into_iter().chain([None]) {
                let to = end.map_or(Bound::Unbounded, Bound::Excluded);
                let ranges = ByteRanges::between(Bound::Included(start), to);
                for bytes in all {
                    let inside = start <= bytes && end.is_none_or(|end| bytes < end);
                    let pattern = StringSet::Ranges(ranges.clone()).to_regex();
                    let found = pattern.as_ref().is_some_and(|p| matches(p, bytes));
                    assert_eq!(found, inside, "{bytes:?} in {start:?}..{end:?}: {pattern:?}");
                }
            }
        }
    }
}
