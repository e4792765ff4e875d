//! The text of a schema, composed while the key is compiled.
//!
//! # Invariants
//!
//! - A fingerprint changes with every change of the bytes, and with no change of names. Tests:
//!   `codec/tests/golden/schema.rs::a_fingerprint_distinguishes_layouts`,
//!   `codec/tests/golden/schema.rs::a_lock_allows_other_names`.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "runs while a key is compiled; what fails here stops the build"
)]

use tallrow_layout::fingerprint::{fingerprint, hex};

use super::text::{FINGERPRINT_LINE_LEN, FINGERPRINT_WORD, TextWriter};
use super::type_name::TypeName;

/// One line of a schema.
#[derive(Clone, Copy, Debug)]
pub enum SchemaLine {
    /// Text from the derive, including line ends.
    Words(&'static str),
    /// A field and, after it, the fields of a key nested in it.
    Field {
        /// The number of spaces before its line.
        indent: usize,
        /// The name of the field.
        name: &'static str,
        /// The type of the field.
        kind: TypeName,
        /// The attributes of the field, with a comma before each.
        attributes: &'static str,
    },
}

const fn write(lines: &[SchemaLine], buffer: &mut [u8]) -> usize {
    let mut text = TextWriter::new(buffer);
    let mut at = 0;
    while at < lines.len() {
        match lines[at] {
            SchemaLine::Words(words) => text.put(words.as_bytes()),
            SchemaLine::Field { indent, name, kind, attributes } => {
                text.put_spaces(indent);
                text.put(name.as_bytes());
                text.put(b": ");
                let below = kind.write_first_line(&mut text);
                text.put(attributes.as_bytes());
                kind.write_tags(&mut text);
                text.put(b"\n");
                text.put_lines(below, indent + 2);
            }
        }
        at += 1;
    }
    text.len()
}

/// Returns the length of the text of a schema.
pub const fn schema_len(lines: &[SchemaLine]) -> usize {
    write(lines, &mut []) + FINGERPRINT_LINE_LEN
}

/// Returns the text of a schema, with the fingerprint in the last line.
pub const fn schema_text<const N: usize>(lines: &[SchemaLine]) -> [u8; N] {
    let mut text = [b'\n'; N];
    let len = write(lines, &mut text);
    let (body, end) = text.split_at_mut(len);
    let mut end = TextWriter::new(end);
    end.put(FINGERPRINT_WORD);
    end.put(&hex(fingerprint(body)));
    text
}

/// Returns the bytes of a schema as text.
pub const fn schema_str(text: &'static [u8]) -> &'static str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => panic!("names and encodings are text"),
    }
}

/// Returns the fingerprint in the last line of a schema, as a number.
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
