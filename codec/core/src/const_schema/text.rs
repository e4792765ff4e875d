//! A writer of text that runs while a key is compiled.

use tallrow_layout::fingerprint::first_line;

/// The length of the last line of a schema.
pub(super) const FINGERPRINT_LINE_LEN: usize = FINGERPRINT_WORD.len() + 16 + 1;

pub(super) const FINGERPRINT_WORD: &[u8] = b"fingerprint ";

/// A writer of text into a buffer; text that does not fit is counted but not written.
pub(super) struct TextWriter<'a> {
    buffer: &'a mut [u8],
    len: usize,
}

impl<'a> TextWriter<'a> {
    pub(super) const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, len: 0 }
    }

    /// Returns the length of everything written, whether it fits or not.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn put(&mut self, bytes: &[u8]) {
        let start = self.len;
        self.len += bytes.len();
        if self.len <= self.buffer.len() {
            let (_, rest) = self.buffer.split_at_mut(start);
            // Copied in one step, because the compiler interprets each step.
            rest.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        }
    }

    pub(super) const fn put_number(&mut self, number: usize) {
        if number >= 10 {
            self.put_number(number / 10);
        }
        self.put(&[b'0' + (number % 10) as u8]);
    }

    pub(super) const fn put_spaces(&mut self, mut count: usize) {
        while count > 0 {
            self.put(b" ");
            count -= 1;
        }
    }

    /// Writes lines, each indented by `indent` more spaces.
    pub(super) const fn put_lines(&mut self, lines: &str, indent: usize) {
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let line;
            (line, rest) = first_line(rest);
            self.put_spaces(indent);
            self.put(line);
            self.put(b"\n");
        }
    }
}
