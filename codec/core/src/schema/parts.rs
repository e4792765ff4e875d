//! Which bytes of a row are which field.

use core::fmt;
use core::ops::Range;

use tallrow_layout::{Field, RecordVariant, SaltOrHash};

use super::value::Value;

/// A field of a row, or what is before or between the fields; from
/// [`Schema::parts`](super::Schema::parts).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RowPart<'s> {
    /// The name of the field, `salt`, `hash` or `tag`.
    pub name: &'s str,
    /// Where it is in the row, with the bytes that end or pad it.
    pub bytes: Range<usize>,
    /// Its value; none for a salt or hash that is computed from the fields.
    pub value: Option<Value>,
    /// What determines its bytes.
    pub layout: PartLayout<'s>,
}

/// What determines the bytes of a [`RowPart`].
///
/// Shows as the line in the text of the schema:
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
    /// A tag of this number of bytes, which says which record variant the row is.
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
