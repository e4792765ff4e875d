//! `Scan`: a range of rows, and what is read of them.

mod cell_extent;
mod extent;
mod hash;
mod order;
mod pace;
mod page_token;
mod partial_rows;
mod position;
mod row_parts;

pub use page_token::PageToken;

pub(crate) use cell_extent::CellExtent;
pub(crate) use extent::Extent;
pub(crate) use order::ScanOrder;
pub(crate) use position::Position;
pub(crate) use row_parts::RowParts;

use std::ops::{Bound, RangeBounds};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::call_options::CallOptions;
use super::filter::{Filter, Use};
use super::selection::{self, selection_methods};
use crate::key::{RowBuf, RowRange};
use crate::model::columns::Columns;

/// Reads the rows of a range of row keys, in order.
///
/// The start of a range is its lower end and the stop its upper one, also if the rows come
/// [`reversed`](Scan::reversed).
///
/// ```
/// use tallrow::{Scan, Timestamp};
///
/// let all = Scan::all();
/// let some = Scan::range("a".."c").family("d").limit(10);
/// let newest_first = Scan::prefix("user7|").reversed().versions(3).time_range(Timestamp::from_millis(5)..);
/// assert_eq!(Scan::range::<&str>(..), all);
/// # let _ = (some, newest_first);
/// ```
///
/// | function | what it sets | by default | of HBase's `Scan` |
/// |---|---|---|---|
/// | [`all`](Self::all), [`range`](Self::range), [`prefix`](Self::prefix) | the rows | | `withStartRow`, `withStopRow`, `setStartStopRowForPrefixScan` |
/// | [`family`](Self::family), [`column`](Self::column) | the cells of each row | all families | `addFamily`, `addColumn` |
/// | [`versions`](Self::versions) | how many versions of a cell | 1 | `readVersions` |
/// | [`time_range`](Self::time_range) | which versions of a cell | all | `setTimeRange` |
/// | [`filter`](Self::filter) | which of these are returned | all | `setFilter` |
/// | [`reversed`](Self::reversed) | the last row first | no | `setReversed` |
/// | [`limit`](Self::limit) | the largest number of rows | none | `setLimit` |
/// | [`after`](Self::after), [`resume`](Self::resume) | where it starts within its range | at the first row | `withStartRow(.., false)` |
/// | [`keys_only`](Self::keys_only) | no values, one cell of a row | no | `FirstKeyOnlyFilter`, `KeyOnlyFilter` |
/// | [`raw`](Self::raw) | delete markers too | no | `setRaw` |
/// | [`cells_per_family`](Self::cells_per_family) | how many cells of each family of a row | all | `setMaxResultsPerColumnFamily` |
/// | [`cell_offset`](Self::cell_offset) | how many cells of each family are left out before these | 0 | `setRowOffsetPerColumnFamily` |
/// | [`batch`](Self::batch) | how many cells each part of a row has | whole rows | `setBatch` |
/// | [`partial_rows`](Self::partial_rows) | rows in the parts that servers send | whole rows | `setAllowPartialResults` |
/// | [`page_bytes`](Self::page_bytes) | the size of a response | 2 MiB | `setMaxResultSize` |
/// | [`rows_per_call`](Self::rows_per_call) | the rows of a response | as many as fit | `setCaching` |
/// | [`end_page_at_bytes`](Self::end_page_at_bytes), [`end_page_after`](Self::end_page_after) | what ends a [`Page`](crate::Page) besides its rows | nothing | |
/// | [`parallel`](Self::parallel) | how many regions are read at the same time | one | |
/// | [`unordered`](Self::unordered) | rows as they come | in order | |
/// | [`cursors`](Self::cursors) | signs of progress where no row is found | no | `setNeedCursorResult` |
/// | [`server_metrics`](Self::server_metrics) | what the servers count | no | `setScanMetricsEnabled` |
///
/// A response ends at its size, and the rows of the next one are fetched while a program works on this one. So there is
/// seldom a reason to set `rows_per_call`.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a scan does nothing until it is given to a table"]
pub struct Scan {
    pub(crate) range: RowRange,
    pub(crate) columns: Columns,
    pub(crate) reversed: bool,
    pub(crate) limit: Option<u64>,
    pub(crate) raw: bool,
    pub(crate) page_bytes: Option<usize>,
    pub(crate) end_page_at_bytes: Option<usize>,
    pub(crate) end_page_after: Option<Duration>,
    pub(crate) filter: Option<Filter>,
    pub(crate) position: Option<Position>,
    pub(crate) parts: RowParts,
    pub(crate) cells_per_family: Option<u32>,
    pub(crate) cell_offset: u32,
    pub(crate) rows_per_call: Option<u32>,
    /// How many regions are read at a time.
    pub(crate) parallel: Option<usize>,
    pub(crate) unordered: bool,
    pub(crate) cursors: bool,
    pub(crate) server_metrics: bool,
    /// Whether only the keys of its rows matter.
    pub(crate) keys_only: bool,
    pub(crate) options: Option<Arc<CallOptions>>,
}

impl Scan {
    /// Reads every row.
    ///
    /// See [`Scan`] for an example of this and the other functions.
    pub fn all() -> Self {
        Self::of(RowRange::all())
    }

    /// Reads the rows of this range of row keys.
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

    /// Reads the rows whose keys have this prefix.
    ///
    /// All keys that start with these bytes, also such as `user70`: end it with what separates the fields.
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

    pub(crate) fn of(range: RowRange) -> Self {
        Self {
            range,
            columns: Columns::default(),
            reversed: false,
            limit: None,
            raw: false,
            page_bytes: None,
            end_page_at_bytes: None,
            end_page_after: None,
            filter: None,
            position: None,
            parts: RowParts::Whole,
            cells_per_family: None,
            cell_offset: 0,
            rows_per_call: None,
            parallel: None,
            unordered: false,
            cursors: false,
            server_metrics: false,
            keys_only: false,
            options: None,
        }
    }

    /// How its calls are sent, over what its table says.
    ///
    /// See [`CallOptions`] for an example.
    pub fn options(self, options: CallOptions) -> Self {
        Self { options: Some(Arc::new(options)), ..self }
    }

    selection_methods! {
        /// Also reads this column; rows that have none of the columns are left out.
        ///
        /// ```
        /// # use tallrow::Scan;
        /// assert_ne!(Scan::all().column("d", "q"), Scan::all());
        /// ```
        column;

        /// Only what this filter keeps; with another filter, what both keep. The [`limit`](Scan::limit) counts rows
        /// of which something is left.
        ///
        /// See [`Filter`] for an example.
        filter;
    }

    /// The last row first.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// for row in ["a", "b", "c"] {
    ///     table.put(Put::new(row).cell("d", "q", "v")).await?;
    /// }
    /// let last = Scan::range(.."c").reversed().limit(1);
    /// assert_eq!(table.scan(last)?.next_row().await?.unwrap().key(), b"b");
    /// # Ok(())
    /// # }
    /// ```
    pub fn reversed(mut self) -> Self {
        self.reversed = true;
        self
    }

    /// Reads at most `rows` rows in all.
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Also returns delete markers, and the cells that they hide. The server rejects it together with
    /// single columns.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// let history = Scan::prefix("row1").versions(100).raw();
    /// assert_ne!(history, Scan::prefix("row1").versions(100));
    /// ```
    pub fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Starts after the row with this key, in the order of the scan: with the rows before it if it is
    /// [`reversed`](Scan::reversed). The row need not exist; a key outside the range is an error.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// assert_eq!(table.scan(Scan::all().after("b"))?.next_row().await?.unwrap().key(), b"c");
    /// assert_eq!(table.scan(Scan::all().reversed().after("b"))?.next_row().await?.unwrap().key(), b"a");
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, row: impl AsRef<[u8]>) -> Self {
        self.position = Some(Position::After(Bytes::copy_from_slice(row.as_ref())));
        self
    }

    /// Starts where a page ended; at the first row without a token. The [`limit`](Scan::limit) counts the rows of all pages.
    ///
    /// See [`PageToken`] for an example.
    pub fn resume<'t>(mut self, token: impl Into<Option<&'t PageToken>>) -> Self {
        self.position = token.into().cloned().map(Position::Token);
        self
    }

    /// Reads row keys only: the server sends one cell of each row, without its value. If a filter depends on cells, it
    /// sends all cells that the filter keeps, without their values.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// table.put(Put::new("a").cell("d", "x", "long").cell("d", "y", "longer")).await?;
    /// let row = table.scan(Scan::all().keys_only())?.next_row().await?.unwrap();
    /// assert_eq!(row.key(), b"a");
    /// assert_eq!(row.cells().len(), 1);
    /// assert_eq!(row.cells()[0].value(), b"");
    /// # Ok(())
    /// # }
    /// ```
    pub fn keys_only(mut self) -> Self {
        self.keys_only = true;
        self
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let in_parts = matches!(self.parts, RowParts::Batch(_));
        let used = Use::Scan { reversed: self.reversed, in_parts };
        selection::problem(&self.columns, self.filter.as_ref(), used)
            .or_else(|| self.parts_problem())
            .or_else(|| self.pace_problem())
    }
}

/// The rows in a Rust range.
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
