use std::fmt;

use crate::wire::proto::RegexStringComparator;

/// A pattern of `java.util.regex`, for [`Comparator::regex`](crate::Comparator::regex).
///
/// It is found anywhere in the text, which is UTF-8 unless said; `.` matches every character.
///
/// ```
/// use tallrow::{Compare, Comparator, Filter, RegexString};
///
/// let ends_in_a_year = Filter::row(Compare::Equal, Comparator::regex("[0-9]{4}$"));
/// let any_case = Filter::row(Compare::Equal, Comparator::regex(RegexString::new("^ada").ignore_case()));
/// assert_eq!(format!("{any_case:?}"), r#"RowFilter(= regex "^ada" ignoring case)"#);
/// # let _ = ends_in_a_year;
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RegexString {
    pattern: String,
    ignore_case: bool,
    latin_1: bool,
}

/// `Pattern.DOTALL`, Java's default for these comparators.
const DOTALL: i32 = 32;
/// `Pattern.CASE_INSENSITIVE` and `Pattern.UNICODE_CASE`.
const ANY_CASE: i32 = 2 | 64;

impl RegexString {
    /// This pattern, on text in UTF-8.
    ///
    /// See [`RegexString`] for an example of this and `ignore_case`.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self { pattern: pattern.into(), ignore_case: false, latin_1: false }
    }

    /// Letters match whatever their case.
    pub fn ignore_case(mut self) -> Self {
        self.ignore_case = true;
        self
    }

    /// Each byte is one character, U+0000 to U+00FF: a pattern on any bytes.
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter, RegexString};
    /// let eight_bytes = RegexString::new("^.{8}$").latin_1();
    /// let wide = Filter::value(Compare::Equal, Comparator::regex(eight_bytes));
    /// assert_eq!(format!("{wide:?}"), r#"ValueFilter(= regex "^.{8}$" on bytes)"#);
    /// ```
    pub fn latin_1(mut self) -> Self {
        self.latin_1 = true;
        self
    }

    /// A pattern that is found exactly where these bytes are; [`Comparator::substring`](crate::Comparator::substring)
    /// ignores case, this does not.
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter, RegexString};
    /// let found = Filter::value(Compare::Equal, Comparator::regex(RegexString::quote("1.5")));
    /// assert_eq!(format!("{found:?}"), r#"ValueFilter(= regex "1\\x2e5" on bytes)"#);
    /// ```
    pub fn quote(bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let mut pattern = String::with_capacity(4 * bytes.len());
        for byte in bytes {
            if byte.is_ascii_alphanumeric() {
                pattern.push(char::from(*byte));
            } else {
                pattern.push_str(&format!("\\x{byte:02x}"));
            }
        }
        Self::new(pattern).latin_1()
    }

    pub(super) fn to_proto(&self) -> RegexStringComparator {
        RegexStringComparator {
            pattern: self.pattern.clone(),
            pattern_flags: DOTALL | if self.ignore_case { ANY_CASE } else { 0 },
            charset: if self.latin_1 { "ISO-8859-1" } else { "UTF-8" }.into(),
            engine: Some("JAVA".into()),
        }
    }

    /// What Java would certainly refuse about the pattern, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        let why = problem(&self.pattern)?;
        Some(format!("the regular expression {:?} is not one of Java's: {why}", self.pattern))
    }
}

impl<P: Into<String>> From<P> for RegexString {
    fn from(pattern: P) -> Self {
        Self::new(pattern)
    }
}

impl fmt::Debug for RegexString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let case = if self.ignore_case { " ignoring case" } else { "" };
        let bytes = if self.latin_1 { " on bytes" } else { "" };
        write!(f, "regex {:?}{case}{bytes}", self.pattern)
    }
}

/// Brackets, quantifiers and escapes that do not fit. Anything else is left to the server: it knows its dialect.
fn problem(pattern: &str) -> Option<String> {
    let mut groups = 0_usize;
    // What a quantifier would repeat: nothing at the start of a pattern, of a group, of an alternative.
    let mut repeatable = false;
    let mut rest = pattern.char_indices().peekable();
    while let Some((at, char)) = rest.next() {
        match char {
            '\\' => {
                match rest.next() {
                    None => return Some("it ends in a lone backslash".into()),
                    Some((_, 'Q')) => {
                        let quoted = pattern.get(at + 2..).unwrap_or_default();
                        let end = quoted.find("\\E")? + at + 4;
                        while rest.next_if(|(i, _)| *i < end).is_some() {}
                    }
                    Some(_) => {}
                }
                repeatable = true;
            }
            '[' => {
                let mut depth = 1;
                // A bracket right at the start of a class stands for itself.
                rest.next_if(|(_, c)| *c == '^');
                rest.next_if(|(_, c)| *c == ']');
                while depth > 0 {
                    match rest.next() {
                        None => return Some(format!("the class that opens at {at} is not closed")),
                        Some((_, '\\')) => drop(rest.next()),
                        Some((_, '[')) => depth += 1,
                        Some((_, ']')) => depth -= 1,
                        Some(_) => {}
                    }
                }
                repeatable = true;
            }
            '(' => {
                groups += 1;
                // Flags, names and look-arounds: what follows the question mark is the server's to judge.
                rest.next_if(|(_, c)| *c == '?');
                repeatable = false;
            }
            ')' => {
                let Some(outer) = groups.checked_sub(1) else {
                    return Some(format!("the group that closes at {at} was not opened"));
                };
                groups = outer;
                repeatable = true;
            }
            '|' => repeatable = false,
            '*' | '+' | '?' => {
                if !repeatable {
                    return Some(format!("there is nothing to repeat before the {char} at {at}"));
                }
                // Reluctant or possessive, but not both.
                rest.next_if(|(_, c)| matches!(c, '?' | '+'));
                repeatable = false;
            }
            _ => repeatable = true,
        }
    }
    (groups > 0).then(|| "a group is not closed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_java_refuses_is_refused_before_it_is_sent() {
        for bad in ["(", "a)", "[a", "[^]", "a\\", "*a", "a|+", "(?", "(*)", "a**", "a+?+", "((a)"]
        {
            assert!(problem(bad).is_some(), "{bad}");
        }
        let text = RegexString::new("a(b").problem().unwrap();
        assert_eq!(
            text,
            "the regular expression \"a(b\" is not one of Java's: a group is not closed"
        );
    }

    #[test]
    fn what_java_takes_is_let_through() {
        let good = [
            "",
            "a*",
            "a+?",
            "a*+b",
            "[]a]",
            "[^]a]",
            "[a-z&&[^b]]",
            "(?i)a",
            "(?<n>a)\\k<n>",
            "\\Q(*[\\E+",
            "\\Q*(",
            "a{2,3}?",
            "^$",
            "(a|b)*",
            "\\(",
            "[\\]]",
            "(?=a)b",
            "a|b",
            "}",
            "]",
        ];
        for good in good {
            assert_eq!(problem(good), None, "{good}");
        }
    }

    #[test]
    fn bytes_become_a_pattern_of_themselves() {
        assert_eq!(RegexString::quote(b"a.\\E\xff\n").pattern, "a\\x2e\\x5cE\\xff\\x0a");
    }
}
