//! RE2's regular expressions on bytes.
//!
//! A pattern must match the whole value. A `.` does not match `\n`, and `\C` matches any byte. The
//! crate regex has almost the same language; the differences are translated here.

use std::fmt::Write;

use regex::bytes::{Regex, RegexBuilder};

use crate::bigtable::status::{StatusResult, invalid};

/// A pattern that must match a whole value.
#[derive(Debug)]
pub(in crate::bigtable) enum Pattern {
    /// A pattern that matches only itself, as in most filters for one family or column. Compiling
    /// it as a regular expression would take longer than reading a row.
    Literal(Vec<u8>),
    Regex(Regex),
}

impl Pattern {
    /// Compiles the pattern of a field.
    pub(in crate::bigtable) fn new(field: &str, pattern: &[u8]) -> StatusResult<Self> {
        if pattern.iter().all(is_literal) {
            return Ok(Self::Literal(pattern.to_vec()));
        }
        let translated = format!("^(?:{})$", translate(pattern));
        let regex = RegexBuilder::new(&translated).unicode(false).octal(true).build();
        regex.map(Self::Regex).map_err(|e| {
            // The last line of the error says what is wrong; the lines before show the translated
            // pattern.
            let text = e.to_string();
            let reason = text.lines().last().unwrap_or_default().trim();
            let reason = reason.strip_prefix("error: ").unwrap_or(reason);
            invalid(format!(
                "Error in field '{field}' : Invalid regular expression \"{}\": {reason}",
                pattern.escape_ascii()
            ))
        })
    }

    /// Returns whether the whole value matches.
    pub(super) fn matches(&self, value: &[u8]) -> bool {
        match self {
            Self::Literal(literal) => literal == value,
            Self::Regex(regex) => regex.is_match(value),
        }
    }
}

/// Returns whether a byte matches only itself, outside of classes and repetitions.
fn is_literal(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'/')
}

/// Translates a pattern into the language of the crate regex.
fn translate(pattern: &[u8]) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    let mut in_class = false;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match (byte, rest.first()) {
            (b'\\', Some(b'C')) if !in_class => {
                out.push_str("(?s:.)");
                rest = rest.get(1..).unwrap_or_default();
            }
            (b'\\', Some(b'Q')) => {
                let quoted = rest.get(1..).unwrap_or_default();
                let end = quoted.windows(2).position(|w| w == b"\\E").unwrap_or(quoted.len());
                let (quoted, after) = quoted.split_at(end);
                quoted.iter().for_each(|byte| push_literal(&mut out, *byte));
                rest = after.get(2..).unwrap_or_default();
            }
            // An escape of a byte that is not ASCII is an error, as in RE2.
            (b'\\', Some(next)) => {
                out.push('\\');
                out.push(char::from(*next));
                rest = rest.get(1..).unwrap_or_default();
            }
            (b'[', Some(b':')) if in_class => {
                let end = rest.windows(2).position(|w| w == b":]").map(|at| at + 2);
                let (name, after) = rest.split_at(end.unwrap_or(0));
                out.push('[');
                name.iter().for_each(|byte| out.push(char::from(*byte)));
                rest = after;
            }
            (b'[', _) if !in_class => {
                in_class = true;
                out.push('[');
                if let Some(b'^') = rest.first() {
                    out.push('^');
                    rest = rest.get(1..).unwrap_or_default();
                }
                // A `]` that is the first byte of a class is a literal.
                if let Some(b']') = rest.first() {
                    out.push_str("\\]");
                    rest = rest.get(1..).unwrap_or_default();
                }
            }
            (b']', _) if in_class => {
                in_class = false;
                out.push(']');
            }
            (b'[' | b'&' | b'~', _) if in_class => push_literal(&mut out, *byte),
            (b'{', _) if !in_class && !is_repetition(rest) => out.push_str("\\{"),
            (byte, _) if byte.is_ascii() => out.push(char::from(*byte)),
            (byte, _) => push_literal(&mut out, *byte),
        }
    }
    out
}

fn push_literal(out: &mut String, byte: u8) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\\x{byte:02X}");
}

/// Returns whether a brace begins a repetition, by the bytes after it: `2}`, `2,}`, `2,3}`.
fn is_repetition(after: &[u8]) -> bool {
    let Some(end) = after.iter().position(|b| *b == b'}') else { return false };
    let (bounds, _) = after.split_at(end);
    let mut parts = bounds.splitn(2, |b| *b == b',');
    let number = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(|min| !min.is_empty() && number(min))
        && parts.next().is_none_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &[u8], value: &[u8]) -> bool {
        Pattern::new("f", pattern).unwrap().matches(value)
    }

    #[test]
    fn the_whole_value_matches_byte_by_byte() {
        assert!(matches(b"a|bc", b"bc") && !matches(b"a|bc", b"abc"));
        assert!(matches(b"a.c", b"a\xffc") && !matches(b"a.c", b"a\nc"));
        assert!(matches(b"a\\Cc", b"a\nc") && matches(b"(?s)a.c", b"a\nc"));
        assert!(matches(b"\\C*", b"\0\xff\n") && matches(b"", b"") && !matches(b"", b"a"));
        assert!(matches("ü+".as_bytes(), b"\xc3\xbc\xbc") && matches(b"[\xf0-\xff]", b"\xf5"));
        assert!(matches(b"(?i)AB", b"ab") && matches(b"\\x41\\101", b"AA"));
    }

    #[test]
    fn a_literal_matches_itself_alone() {
        assert!(matches!(Pattern::new("f", b"a-1_b:c/d"), Ok(Pattern::Literal(_))));
        assert!(matches!(Pattern::new("f", b"a.b"), Ok(Pattern::Regex(_))));
        assert!(matches(b"a-1_b:c/d", b"a-1_b:c/d") && !matches(b"ab", b"abc"));
        for byte in (0..=u8::MAX).filter(is_literal) {
            let regex = Pattern::new("f", &[b'(', byte, b')']).unwrap();
            assert!((0..=u8::MAX).all(|other| regex.matches(&[other]) == (other == byte)));
        }
    }

    #[test]
    fn what_re2_writes_differently_is_translated() {
        assert!(matches(b"\\Qa.b\\E+", b"a.bb") && !matches(b"\\Qa.b\\E", b"axb"));
        assert!(matches(b"{a}", b"{a}") && matches(b"a{2}", b"aa") && matches(b"a{1,}b", b"aab"));
        assert!(matches(b"[a&&b]", b"&") && matches(b"[[]", b"[") && matches(b"[]a]+", b"]a"));
        assert!(matches(b"[[:digit:]x]+", b"1x") && matches(b"[^]a]", b"b"));
        assert!(matches(b"\\d+\\.\\d", b"12.3"));
    }

    #[test]
    fn a_pattern_that_is_none_is_refused() {
        Pattern::new("f", b"a\\\xff").unwrap_err();
        let status = Pattern::new("value_regex_filter", b"a(").unwrap_err();
        assert_eq!(
            status.message,
            "Error in field 'value_regex_filter' : Invalid regular expression \"a(\": unclosed \
             group"
        );
        for bad in [&b"*"[..], b"[a", b"\\", b"\\Q\xff\\E(", b"(?<", b"a{1001,2}"] {
            assert!(Pattern::new("f", bad).is_err(), "{}", bad.escape_ascii());
        }
    }
}
