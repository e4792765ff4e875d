use std::fmt;

use bytes::Bytes;

use crate::key::schema;

/// A row key of which some bytes do not matter, for [`Filter::fuzzy_rows`](crate::Filter::fuzzy_rows).
///
/// ```
/// use tallrow::{Filter, filter::FuzzyRow};
///
/// // Any 4 bytes, then "|7": the mask is 0 where the byte counts and 1 where it does not.
/// let row = FuzzyRow::new("????|7", [1, 1, 1, 1, 0, 0]);
/// assert_eq!(format!("{:?}", Filter::fuzzy_rows([row])), r#"FuzzyRowFilter("????|7" mask 111100)"#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FuzzyRow {
    pub(crate) key: Bytes,
    pub(crate) mask: Bytes,
}

impl FuzzyRow {
    /// Row keys that have the bytes of `key` where `mask` is 0, and any where it is 1; they may be longer.
    ///
    /// See [`FuzzyRow`] for an example.
    pub fn new(key: impl AsRef<[u8]>, mask: impl AsRef<[u8]>) -> Self {
        let copy = |bytes: &[u8]| Bytes::copy_from_slice(bytes);
        Self { key: copy(key.as_ref()), mask: copy(mask.as_ref()) }
    }

    pub(super) fn problem(&self) -> Option<String> {
        let (key, mask) = (self.key.len(), self.mask.len());
        if key != mask {
            return Some(format!(
                "a fuzzy row key of {key} bytes has a mask of {mask}; it needs one for each byte"
            ));
        }
        if key == 0 {
            return Some("a fuzzy row key is empty".into());
        }
        let other = self.mask.iter().find(|m| **m > 1)?;
        Some(format!(
            "a mask holds {other}; 0 stands for a byte that counts, 1 for one that does not"
        ))
    }
}

impl From<schema::FuzzyRow> for FuzzyRow {
    fn from(fuzzy: schema::FuzzyRow) -> Self {
        Self { key: fuzzy.row.into(), mask: fuzzy.mask.into() }
    }
}

impl fmt::Debug for FuzzyRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" mask ", self.key.escape_ascii())?;
        self.mask.iter().try_for_each(|m| write!(f, "{m}"))
    }
}
