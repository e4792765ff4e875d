//! The text of a schema, put together while the key is compiled.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "runs while a key is compiled; what fails here stops the build"
)]

use super::kind::Kind;
use crate::fingerprint::{fingerprint, first_line, hex};

/// The length of the last line of a schema.
pub(super) const FINGERPRINT_LEN: usize = FINGERPRINT.len() + 16 + 1;

const FINGERPRINT: &[u8] = b"fingerprint ";

/// One line of a schema.
#[derive(Clone, Copy, Debug)]
pub enum Line {
    /// Words the derive knows, line ends included.
    Words(&'static str),
    /// A field and, behind it, the fields of a key nested in it.
    Field {
        /// How many spaces stand in front.
        indent: usize,
        /// The name of the field.
        name: &'static str,
        /// Its type.
        kind: Kind,
        /// Its form, with a comma in front of each part.
        form: &'static str,
    },
}

/// Text while it is written; what does not fit is only counted.
pub(super) struct Text<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl Text<'_> {
    pub(super) const fn put(&mut self, bytes: &[u8]) {
        let start = self.len;
        self.len += bytes.len();
        if self.len <= self.room.len() {
            let (_, rest) = self.room.split_at_mut(start);
            // In one step, each of which the compiler interprets.
            rest.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        }
    }

    pub(super) const fn put_number(&mut self, number: usize) {
        if number >= 10 {
            self.put_number(number / 10);
        }
        self.put(&[b'0' + (number % 10) as u8]);
    }

    const fn put_spaces(&mut self, mut count: usize) {
        while count > 0 {
            self.put(b" ");
            count -= 1;
        }
    }

    /// Writes lines, each so many spaces further in.
    const fn put_lines(&mut self, lines: &str, indent: usize) {
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

const fn write(lines: &[Line], room: &mut [u8]) -> usize {
    let mut text = Text { room, len: 0 };
    let mut at = 0;
    while at < lines.len() {
        match lines[at] {
            Line::Words(words) => text.put(words.as_bytes()),
            Line::Field { indent, name, kind, form } => {
                text.put_spaces(indent);
                text.put(name.as_bytes());
                text.put(b": ");
                let below = kind.write(&mut text);
                text.put(form.as_bytes());
                text.put(b"\n");
                text.put_lines(below, indent + 2);
            }
        }
        at += 1;
    }
    text.len
}

/// Returns how long the text of a schema is.
pub const fn schema_len(lines: &[Line]) -> usize {
    write(lines, &mut []) + FINGERPRINT_LEN
}

/// Returns the text of a schema, the fingerprint in its last line.
pub const fn schema_text<const N: usize>(lines: &[Line]) -> [u8; N] {
    let mut text = [b'\n'; N];
    let len = write(lines, &mut text);
    let (body, end) = text.split_at_mut(len);
    let mut end = Text { room: end, len: 0 };
    end.put(FINGERPRINT);
    end.put(&hex(fingerprint(body)));
    text
}

/// Returns the bytes of a schema as the text they are.
pub const fn schema_str(text: &'static [u8]) -> &'static str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => panic!("names and forms are text"),
    }
}

/// Returns the number in the last line of a schema.
pub const fn schema_fingerprint(schema: &str) -> u64 {
    let mut digits = schema.as_bytes().split_at(schema.len() - 17).1;
    let mut number = 0;
    while let [digit, rest @ .., _] = digits {
        let value = if *digit < b'a' { *digit - b'0' } else { *digit - b'a' + 10 };
        number = number << 4 | value as u64;
        digits = digits.split_at(1).1;
        if rest.is_empty() {
            break;
        }
    }
    number
}
