use std::fmt;

use bytes::Bytes;

use super::Filter;
use crate::RowRange;
use crate::key::schema;
use crate::op::Compare;
use crate::wire::proto;

/// A row key of which some bytes do not matter, for [`Filter::fuzzy_rows`](crate::Filter::fuzzy_rows).
///
/// ```
/// use tallrow::{Filter, FuzzyRow};
///
/// // Any 4 bytes, then "|7": the mask is 0 where the byte counts and 1 where it does not.
/// let row = FuzzyRow::new("????|7", [1, 1, 1, 1, 0, 0]);
/// assert_eq!(format!("{:?}", Filter::fuzzy_rows([row])), r#"FuzzyRowFilter("????|7" mask 111100)"#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FuzzyRow {
    key: Bytes,
    mask: Bytes,
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

    pub(super) fn to_proto(&self) -> proto::BytesBytesPair {
        let part = |(key, mask): (&u8, &u8)| if *mask == 0 { *key } else { 0 };
        proto::BytesBytesPair {
            first: self.key.iter().zip(&self.mask).map(part).collect(),
            // -1 is fixed, 2 is not: the form the server itself uses, and the flag says so.
            second: self.mask.iter().map(|m| if *m == 0 { 0xFF } else { 2 }).collect(),
        }
    }
}

impl From<schema::FuzzyRow> for FuzzyRow {
    fn from(fuzzy: schema::FuzzyRow) -> Self {
        Self { key: fuzzy.row.into(), mask: fuzzy.mask.into() }
    }
}

impl From<schema::Matching> for Filter {
    /// The filter that keeps the rows in which some fields of the key have given values, in a scan of the whole table.
    /// A scan of the ranges needs the mask alone.
    ///
    /// ```
    /// use tallrow::Filter;
    /// use tallrow::key::schema::{Schema, Value};
    ///
    /// let schema = Schema::parse("row key Log\nhost: u16\nevent: u16\nat: u64\n")?;
    /// let event_7 = Filter::from(schema.matching(&[("event", Value::from(7))])?);
    /// assert_eq!(format!("{event_7:?}"), r#"FuzzyRowFilter("\x00\x00\x00\x07" mask 1100)"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from(matching: schema::Matching) -> Self {
        let whole = matching.ranges.contains(&RowRange::all());
        let ranges = (!whole).then(|| Self::row_ranges(matching.ranges));
        match (ranges, matching.fuzzy) {
            (Some(ranges), Some(fuzzy)) => ranges.and(Self::fuzzy_rows([fuzzy])),
            (Some(ranges), None) => ranges,
            (None, Some(fuzzy)) => Self::fuzzy_rows([fuzzy]),
            // Every row key is the empty one or greater.
            (None, None) => Self::row(Compare::GreaterOrEqual, ""),
        }
    }
}

impl fmt::Debug for FuzzyRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" mask ", self.key.escape_ascii())?;
        self.mask.iter().try_for_each(|m| write!(f, "{m}"))
    }
}

pub(super) fn range_to_proto(range: &RowRange) -> proto::RowRange {
    let copy = |bytes: &[u8]| Some(Bytes::copy_from_slice(bytes));
    proto::RowRange {
        start_row: copy(range.start()),
        start_row_inclusive: Some(true),
        stop_row: copy(range.stop().unwrap_or_default()),
        stop_row_inclusive: Some(false),
    }
}
