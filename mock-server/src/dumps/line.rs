//! A line of a dump as words, numbers and bytes in quotes, and the error that names a place in a
//! dump.

use std::fmt;
use std::ops::RangeInclusive;

use bytes::Bytes;

use crate::base::to_string_binary;

/// The maximum number of characters of the text that an error shows.
const SHOWN_CHARS: usize = 40;

/// A line of which the start has been read.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The number of the line, from 1.
    pub(super) number: usize,
    text: &'a str,
    rest: &'a str,
}

impl<'a> Line<'a> {
    /// Starts to read a line.
    pub(super) fn new(number: usize, text: &'a str) -> Self {
        Self { number, text, rest: text.trim_start() }
    }

    /// Whether nothing but a comment follows.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('#')
    }

    /// The column of what follows, from 1.
    pub(super) fn column(&self) -> usize {
        let read = self.text.len() - self.rest.len();
        self.text.get(..read).map_or(1, |read| read.chars().count() + 1)
    }

    /// Makes the error for a line whose next word is not what is expected.
    pub(super) fn unexpected(&self, expected: &str) -> DumpError {
        let found = match self.rest.split_whitespace().next() {
            None => "the end of the line".to_owned(),
            Some(word) => {
                let mut shown: String = word.chars().take(SHOWN_CHARS).collect();
                if shown.len() < word.len() {
                    shown.push_str("..");
                }
                shown
            }
        };
        DumpError::new(self.number, self.column(), format!("found {found}, expected {expected}"))
    }

    /// Returns the next word, without reading it.
    pub(super) fn peek(&self) -> &'a str {
        self.rest.split(char::is_whitespace).next().unwrap_or_default()
    }

    /// Reads the next word.
    pub(super) fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.skip(word.len());
        word
    }

    /// Reads a whole number within these bounds.
    pub(super) fn number(
        &mut self,
        bounds: RangeInclusive<i64>,
        expected: &str,
    ) -> Result<i64, DumpError> {
        let number = self.peek().parse().ok().filter(|number| bounds.contains(number));
        let number = number.ok_or_else(|| self.unexpected(expected))?;
        self.word();
        Ok(number)
    }

    /// Reads bytes in quotes, in the notation of HBase's shell: `\x00` is a byte. A quote is
    /// `\x22`, and a backslash is `\x5C`.
    pub(super) fn bytes(&mut self, what: &str) -> Result<Bytes, DumpError> {
        let Some(mut inner) = self.rest.strip_prefix('"') else {
            return Err(self.unexpected(&format!("{what} in quotes")));
        };
        let mut bytes = Vec::new();
        loop {
            let plain = inner.find(['"', '\\']).unwrap_or(inner.len());
            bytes.extend_from_slice(inner.get(..plain).unwrap_or_default().as_bytes());
            inner = inner.get(plain..).unwrap_or_default();
            if let Some(after) = inner.strip_prefix('"') {
                if !after.is_empty() && !after.starts_with(char::is_whitespace) {
                    self.rest = after;
                    return Err(self.unexpected("a space; a quote inside quotes is \\x22"));
                }
                self.skip(self.rest.len() - after.len());
                return Ok(bytes.into());
            }
            if inner.is_empty() {
                self.rest = inner;
                return Err(self.unexpected(&format!("a quote that ends {what}")));
            }
            let digits = inner.strip_prefix("\\x").and_then(|rest| rest.get(..2));
            let is_byte = |text: &&str| text.bytes().all(|b| b.is_ascii_hexdigit());
            let byte = digits.filter(is_byte).and_then(|text| u8::from_str_radix(text, 16).ok());
            let Some(byte) = byte else {
                self.rest = inner;
                return Err(self.unexpected("a byte such as \\x00, and \\x5C for a backslash"));
            };
            bytes.push(byte);
            inner = inner.get(4..).unwrap_or_default();
        }
    }

    /// Reads text in quotes.
    pub(super) fn text(&mut self, what: &str) -> Result<String, DumpError> {
        let column = self.column();
        String::from_utf8(self.bytes(what)?.into()).map_err(|_| {
            DumpError::new(self.number, column, format!("{what} is not text in UTF-8"))
        })
    }

    /// Checks that nothing but a comment follows.
    pub(super) fn finish(&self) -> Result<(), DumpError> {
        match self.is_at_end() {
            true => Ok(()),
            false => Err(self.unexpected("the end of the line")),
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default().trim_start();
    }
}

/// Appends bytes in quotes, as [`Line::bytes`] reads them.
pub(super) fn push_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    out.push_str(&to_string_binary(bytes).replace('"', "\\x22"));
    out.push('"');
}

/// Where a dump is wrong, what was found there, and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DumpError {
    line: usize,
    column: usize,
    text: String,
}

impl DumpError {
    /// Makes the error for a place; lines and columns are counted from 1.
    pub(super) fn new(line: usize, column: usize, text: impl Into<String>) -> Self {
        Self { line, column, text: text.into() }
    }
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_read_as_they_are_written() {
        let all: Vec<u8> = (0..=255).collect();
        let mut text = String::new();
        push_bytes(&mut text, &all);
        assert!(text.is_ascii());
        let mut line = Line::new(1, &text);
        assert_eq!(line.bytes("a row").unwrap(), all);
        line.finish().unwrap();
        assert_eq!(Line::new(1, "\"\u{e9}\" # e").bytes("a row").unwrap(), "\u{e9}".as_bytes());
    }

    #[test]
    fn an_error_names_the_column_in_characters() {
        let error = |text: &str| Line::new(7, text).bytes("a row").unwrap_err().to_string();
        assert_eq!(
            error("  \"\u{e9}\\y\""),
            "line 7, column 5: found \\y\", expected a byte such as \\x00, and \\x5C for a \
             backslash"
        );
        assert_eq!(
            error("\"ab"),
            "line 7, column 4: found the end of the line, expected a quote that ends a row"
        );
        assert_eq!(error("ab"), "line 7, column 1: found ab, expected a row in quotes");
        assert_eq!(
            error("\"a\"b\""),
            "line 7, column 4: found b\", expected a space; a quote inside quotes is \\x22"
        );
    }
}
