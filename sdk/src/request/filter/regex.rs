//! Patterns of `java.util.regex` for comparators, with their flags and the encoding of the text.

use std::fmt;

/// A pattern of `java.util.regex`, for [`Comparator::regex`](crate::filter::Comparator::regex).
///
/// The pattern may match anywhere in the text, which is UTF-8 by default; `.` matches every
/// character.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{Comparator, CompareOperator, RegexPattern},
/// };
///
/// let ends_in_a_year = Filter::row(CompareOperator::Equal, Comparator::regex("[0-9]{4}$"));
/// let any_case =
///     Filter::row(CompareOperator::Equal, Comparator::regex(RegexPattern::new("^ada").ignore_case()));
/// assert_eq!(format!("{any_case:?}"), r#"RowFilter(= regex "^ada" ignoring case)"#);
/// # let _ = ends_in_a_year;
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RegexPattern {
    pub(crate) pattern: String,
    pub(crate) ignore_case: LetterCase,
    pub(crate) latin_1: bool,
}

/// Which letters match in either case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetterCase {
    Exact,
    AnyAscii,
    Any,
}

impl RegexPattern {
    /// Makes a pattern that is matched against text in UTF-8.
    ///
    /// See [`RegexPattern`] for an example of this and `ignore_case`.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self { pattern: pattern.into(), ignore_case: LetterCase::Exact, latin_1: false }
    }

    /// Matches letters in either case.
    pub fn ignore_case(mut self) -> Self {
        self.ignore_case = LetterCase::Any;
        self
    }

    /// Matches ASCII letters in either case, as `regexstringnocase` does in a [filter
    /// string](crate::Filter::parse).
    ///
    /// ```
    /// use tallrow::{
    ///     Filter,
    ///     filter::{Comparator, CompareOperator, RegexPattern},
    /// };
    /// let ada = Filter::row(
    ///     CompareOperator::Equal,
    ///     Comparator::regex(RegexPattern::new("^ada").ignore_ascii_case()),
    /// );
    /// assert_eq!(Filter::parse("RowFilter(=, 'regexstringnocase:^ada')")?, ada);
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    pub fn ignore_ascii_case(mut self) -> Self {
        self.ignore_case = LetterCase::AnyAscii;
        self
    }

    /// Treats each byte as one character, U+0000 to U+00FF. The pattern can then be matched against
    /// any bytes.
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator, RegexPattern}};
    /// let eight_bytes = RegexPattern::new("^.{8}$").latin_1();
    /// let wide = Filter::value(CompareOperator::Equal, Comparator::regex(eight_bytes));
    /// assert_eq!(format!("{wide:?}"), r#"ValueFilter(= regex "^.{8}$" on bytes)"#);
    /// ```
    pub fn latin_1(mut self) -> Self {
        self.latin_1 = true;
        self
    }

    /// Makes a pattern that finds these bytes anywhere; no character in them has a special meaning.
    /// Unlike [`Comparator::substring`](crate::filter::Comparator::substring), it does not ignore
    /// case. For equality use [`Comparator::binary`](crate::filter::Comparator::binary).
    ///
    /// ```
    /// use tallrow::{Filter, filter::{Comparator, CompareOperator, RegexPattern}};
    /// let found = Filter::value(CompareOperator::Equal, Comparator::regex(RegexPattern::quote("1.5")));
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
}

impl<P: Into<String>> From<P> for RegexPattern {
    fn from(pattern: P) -> Self {
        Self::new(pattern)
    }
}

impl fmt::Debug for RegexPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let case = match self.ignore_case {
            LetterCase::Exact => "",
            LetterCase::AnyAscii => " ignoring case of ASCII letters",
            LetterCase::Any => " ignoring case",
        };
        let bytes = if self.latin_1 { " on bytes" } else { "" };
        write!(f, "regex {:?}{case}{bytes}", self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_a_pattern_of_themselves() {
        assert_eq!(RegexPattern::quote(b"a.\\E\xff\n").pattern, "a\\x2e\\x5cE\\xff\\x0a");
    }
}
