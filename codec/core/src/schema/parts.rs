//! The parts of a row: the bytes of each field and of the key prefix or tag.

use core::fmt;
use core::ops::Range;

use tallrow_layout::{Field, RecordVariant, SaltOrHash};

use super::value::Value;

/// A part of a row: a field, or the bytes before or between the fields.
/// [`Schema::parts`](super::Schema::parts) returns them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RowPart<'s> {
    /// The name of the field, or `salt`, `hash` or `tag`.
    pub name: &'s str,
    /// The position of the part in the row, including the bytes that end or pad it.
    pub bytes: Range<usize>,
    /// The value of the part; `None` for a salt or hash that is computed from the fields.
    pub value: Option<Value>,
    /// The part of the layout that determines these bytes.
    pub layout: PartLayout<'s>,
}

/// The part of a layout that determines the bytes of a [`RowPart`].
///
/// Displays as its line in the text of the schema:
///
/// ```
/// use tallrow_codec::schema::Schema;
///
/// let schema = Schema::parse(
///     "row key Event\nsalt of user: buckets = 4, width = 1, hash = crc32\nuser: u16, desc\n",
/// )?;
/// let lines: Vec<_> =
///     schema.parts(b"\x03\xff\xf8")?.iter().map(|part| part.layout.to_string()).collect();
/// assert_eq!(lines, ["salt of user: buckets = 4, width = 1, hash = crc32", "user: u16, desc"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartLayout<'s> {
    /// The salt or hash before the fields.
    KeyPrefix(&'s SaltOrHash),
    /// The record variant of the row, and the number of bytes of its tag.
    Tag(&'s RecordVariant, usize),
    /// A field.
    Field(&'s Field),
}

impl fmt::Display for PartLayout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyPrefix(prefix) => prefix.fmt(f),
            Self::Tag(record, width) => f.write_str(record.line(*width).trim_end()),
            Self::Field(field) => field.fmt(f),
        }
    }
}
