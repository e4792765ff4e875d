//! `#[table(compat = "phoenix")]`: the qualifiers that Phoenix uses for its columns.

use proc_macro2::Span;

use super::message;
use crate::kernel::{Entries, Entry, Errors};

/// How a table of Phoenix encodes the qualifiers of its columns: the option `COLUMN_ENCODED_BYTES`
/// of its `CREATE TABLE` statement.
#[derive(Clone, Copy)]
pub(super) struct PhoenixQualifiers {
    /// The number of bytes of a qualifier; 0 if the qualifiers are the names of the columns.
    encoded_bytes: u8,
}

impl PhoenixQualifiers {
    /// Reads `compat = "phoenix"` and `column_encoded_bytes = 2`, and returns the settings with the
    /// span of `compat`.
    pub(super) fn read(all: &mut Entries<'_>) -> Option<(Self, Span)> {
        let compat = all.read("compat", |entry, errors| entry.quoted_word(&["phoenix"], errors));
        let is_phoenix = compat.is_some();
        let bytes = all.read("column_encoded_bytes", |entry, errors| {
            if is_phoenix {
                return encoded_bytes(entry, errors);
            }
            errors.report_at_tokens(&entry.name, message::needs_phoenix("column_encoded_bytes"));
            None
        });
        let encoded_bytes = bytes.map_or(2, |bytes| bytes.value);
        Some((Self { encoded_bytes }, compat?.span))
    }

    /// Returns the qualifier of the column with the number `number`, or the text of an error.
    pub(super) fn qualifier(self, number: u64) -> Result<Vec<u8>, String> {
        let len = usize::from(self.encoded_bytes);
        if len == 0 {
            return Err(message::ENCODED_WITHOUT_COLUMN_ENCODING.into());
        }
        let last = ((1 << (8 * len)) - 1).min(0x7fff_ffff);
        if !(11..=last).contains(&number) {
            return Err(message::column_number_out_of_range(last));
        }
        let mut bytes: Vec<u8> = number.to_be_bytes().into_iter().skip(8 - len).collect();
        // In one or two bytes, Phoenix writes a signed number and inverts its first bit; in three
        // or four bytes, it does not invert this bit.
        if let (1 | 2, Some(first)) = (len, bytes.first_mut()) {
            *first ^= 0x80;
        }
        Ok(bytes)
    }

    /// Returns the qualifier of the empty column, which every row has.
    pub(super) fn empty_column_qualifier(self) -> &'static [u8] {
        if self.encoded_bytes == 0 { b"_0" } else { b"\0\0\0\0" }
    }
}

fn encoded_bytes(entry: &Entry, errors: &mut Errors) -> Option<u8> {
    match u8::try_from(entry.number(errors)?) {
        Ok(bytes) if bytes <= 4 => Some(bytes),
        _ => entry.report_wrong_value("1, 2, 3 or 4, or 0 where columns have their names", errors),
    }
}

#[cfg(test)]
mod tests {
    use super::PhoenixQualifiers;

    /// `PTable.QualifierEncodingScheme` of Phoenix 5.2.1.
    #[test]
    fn columns_have_the_qualifiers_of_phoenix() {
        let qualifier =
            |encoded_bytes, number| PhoenixQualifiers { encoded_bytes }.qualifier(number).ok();
        let is = |bytes: u8, number, expected: &[u8]| {
            assert_eq!(qualifier(bytes, number).as_deref(), Some(expected), "{bytes} {number}");
        };
        is(1, 11, b"\x8b");
        is(1, 128, b"\0");
        is(1, 255, b"\x7f");
        is(2, 11, b"\x80\x0b");
        is(2, 300, b"\x81,");
        is(2, 32_768, b"\0\0");
        is(2, 65_535, b"\x7f\xff");
        is(3, 11, b"\0\0\x0b");
        is(3, 8_388_608, b"\x80\0\0");
        is(4, 11, b"\0\0\0\x0b");
        is(4, 16_777_216, b"\x01\0\0\0");
        for (bytes, number) in [(0, 11), (2, 10), (1, 256), (2, 65_536), (3, 16_777_216)] {
            assert_eq!(qualifier(bytes, number), None, "{bytes} {number}");
        }
    }
}
