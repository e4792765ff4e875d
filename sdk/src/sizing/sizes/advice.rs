//! Advice on what makes a table larger than it needs to be, such as long names and row keys.

use std::fmt;

/// A property of a table, such as a long name or a large value, that costs more than it needs to.
///
/// See [`RowSizes`](crate::sizes::RowSizes) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SchemaAdvice {
    /// More than three families, with their number: each family has its own files, and a flush of
    /// one family flushes all families.
    ManyFamilies(usize),
    /// A family whose name is longer than two bytes, with its name.
    LongFamilyName(String),
    /// A qualifier longer than eight bytes.
    LongQualifier {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: String,
    },
    /// A row key longer than 100 bytes, with the length of the longest row key.
    LongKey(usize),
    /// A field of the row key that may be of any length, with its name.
    UnboundedKeyField(String),
    /// A value larger than 10 MiB; HBase is not made for such values.
    LargeValue {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: String,
        /// The size of the largest value, in bytes.
        bytes: usize,
    },
}

impl SchemaAdvice {
    pub(super) const MAX_FAMILIES: usize = 3;
    pub(super) const MAX_FAMILY_LEN: usize = 2;
    pub(super) const MAX_QUALIFIER_LEN: usize = 8;
    pub(super) const MAX_KEY_LEN: usize = 100;
    pub(super) const MAX_VALUE_LEN: usize = 10 << 20;
}

impl fmt::Display for SchemaAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyFamilies(n) => write!(
                f,
                "{n} families: more than {} cost files, flushes and compactions; keep what is read together in one",
                Self::MAX_FAMILIES
            ),
            Self::LongFamilyName(name) => write!(
                f,
                "family {name}: every cell repeats these {} bytes; one letter does",
                name.len()
            ),
            Self::LongQualifier { family, qualifier } => write!(
                f,
                "column {family}:{qualifier}: every cell repeats a qualifier of {} bytes; a few letters do",
                qualifier.len()
            ),
            Self::LongKey(bytes) => write!(
                f,
                "row keys of {bytes} bytes: every cell of the row repeats it; 10 to {} are usual, 16 or fewer best",
                Self::MAX_KEY_LEN
            ),
            Self::UnboundedKeyField(field) => write!(
                f,
                "field {field} of the row key may be of any length: give it a width, or keep a digest or a number for it"
            ),
            Self::LargeValue { family, qualifier, bytes } => write!(
                f,
                "column {family}:{qualifier}: a value of {bytes} bytes; above {} keep it elsewhere, or in pieces",
                Self::MAX_VALUE_LEN
            ),
        }
    }
}
