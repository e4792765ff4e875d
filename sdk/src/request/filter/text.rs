//! The text of a filter string, read from left to right.

use bytes::Bytes;

/// A text, and how far it has been read.
pub(super) struct FilterStringReader<'t> {
    bytes: &'t [u8],
    at: usize,
}

/// The text of a parse error, which says what is wrong, and where.
pub(super) type ParseErrorText = String;

/// One argument of a filter, in quotes or not, and where it starts.
pub(super) struct ArgumentText<'t> {
    pub(super) at: usize,
    pub(super) quoted: Option<Bytes>,
    pub(super) bare: &'t [u8],
}

impl<'t> FilterStringReader<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Reads an argument, up to the comma, space or parenthesis after it.
    pub(super) fn argument(&mut self) -> Result<ArgumentText<'t>, ParseErrorText> {
        let at = self.at;
        if !self.take(b'\'') {
            let bare = self.take_while(|byte| !matches!(byte, b' ' | b',' | b')' | b'(' | b'\''));
            return match bare {
                [] => Err(self.fault(at, "an argument")),
                _ => Ok(ArgumentText { at, quoted: None, bare }),
            };
        }
        let mut quoted = Vec::new();
        loop {
            quoted.extend_from_slice(self.take_while(|byte| byte != b'\''));
            if !self.take(b'\'') {
                return Err(format!("at byte {at}: the quote that starts here has no end"));
            }
            if !self.take(b'\'') {
                return Ok(ArgumentText { at, quoted: Some(quoted.into()), bare: b"" });
            }
            quoted.push(b'\'');
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes an operator if it is next; a space, a tab or an opening parenthesis must follow it.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let after = rest.strip_prefix(word.as_bytes()).and_then(<[u8]>::first);
        let found = matches!(after, Some(b' ' | b'\t' | b'('));
        self.at += if found { word.len() } else { 0 };
        found
    }

    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    pub(super) fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| belongs(**byte)).count();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Returns the text of an error that says what was expected at byte `at`, and what is there
    /// instead.
    pub(super) fn fault(&self, at: usize, expected: &str) -> ParseErrorText {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b',' | b'(' | b')');
        let length = rest.iter().position(ends).unwrap_or(rest.len()).clamp(1, 32);
        match rest.get(..length).unwrap_or(rest) {
            [] => format!("at byte {at}: expected {expected}, found the end"),
            found => format!("at byte {at}: expected {expected}, found {}", found.escape_ascii()),
        }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }
}
