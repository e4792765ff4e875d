//! The functions that make a scan: of all rows, of a range of row keys, or of the row keys with a
//! prefix.

use std::ops::{Bound, RangeBounds};

use super::Scan;
use crate::key::{RowBuf, RowRange};

impl Scan {
    /// Makes a scan that reads every row.
    ///
    /// See [`Scan`] for an example of this and the other functions.
    pub fn all() -> Self {
        Self::of(RowRange::all())
    }

    /// Makes a scan that reads the rows of this range of row keys.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c", "c1"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// // Rows a, b, c, c1.
    /// assert_eq!(table.count(Scan::range("a".."c")).await?, 2);
    /// assert_eq!(table.count(Scan::range("a"..="c")).await?, 3);
    /// assert_eq!(table.count(Scan::range("b"..)).await?, 3);
    /// assert_eq!(table.count(Scan::prefix("c")).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn range<K: AsRef<[u8]>>(range: impl RangeBounds<K>) -> Self {
        Self::of(row_range(&range))
    }

    /// Makes a scan that reads the rows whose keys have this prefix.
    ///
    /// These are all keys that start with these bytes: the prefix `user7` also finds `user70`, so
    /// end a prefix with the separator of the fields.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["user7|1", "user7|2", "user70|1"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// assert_eq!(table.count(Scan::prefix("user7")).await?, 3);
    /// assert_eq!(table.count(Scan::prefix("user7|")).await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        Self::of(RowRange::prefix(prefix.as_ref()))
    }
}

/// Converts a Rust range of row keys.
fn row_range<K: AsRef<[u8]>>(range: &impl RangeBounds<K>) -> RowRange {
    let copy = |key: &K| RowBuf::from_slice(key.as_ref());
    let after = |key: &K| RowBuf::from_slice(&[key.as_ref(), b"\0"].concat());
    let start = match range.start_bound() {
        Bound::Included(key) => copy(key),
        Bound::Excluded(key) => after(key),
        Bound::Unbounded => RowBuf::new(),
    };
    let stop = match range.end_bound() {
        Bound::Included(key) => Some(after(key)),
        Bound::Excluded(key) => Some(copy(key)),
        Bound::Unbounded => None,
    };
    RowRange::new(start, stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_that_ends_in_ff_has_the_right_end() {
        let stop = |prefix: &[u8]| Scan::prefix(prefix).range.stop().map(<[u8]>::to_vec);
        assert_eq!(stop(b"a\x01").as_deref(), Some(&b"a\x02"[..]));
        assert_eq!(stop(b"a\xff\xff").as_deref(), Some(&b"b"[..]));
        assert_eq!(stop(b"\xff\xff"), None);
        assert_eq!(stop(b""), None);
    }

    #[test]
    fn all_bounds_become_start_and_stop() {
        let range = |start: &[u8], stop: Option<&[u8]>| {
            RowRange::new(RowBuf::from_slice(start), stop.map(RowBuf::from_slice))
        };
        let bounds = row_range::<&str>(&(Bound::Excluded("a"), Bound::Included("b")));
        assert_eq!(bounds, range(b"a\0", Some(b"b\0")));
        assert_eq!(row_range(&("a".."b")), range(b"a", Some(b"b")));
        assert_eq!(row_range::<&str>(&(..)), RowRange::all());
        assert!(row_range(&("b".."a")).is_empty());
    }
}
