//! `Scan`: a range of rows, which cells of these rows are read, and how they are read. To add an
//! option, add a field, a method and a line of the table.

mod cell_scan_extent;
mod extent;
mod hash;
mod order;
mod page_token;
mod partial_rows;
mod position;
mod range;
mod row_parts;

pub use page_token::PageToken;

pub(crate) use cell_scan_extent::CellScanExtent;
pub(crate) use extent::Extent;
pub(crate) use order::ScanOrder;
pub(crate) use position::Position;
pub(crate) use row_parts::RowParts;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::call_options::CallOptions;
use super::filter::{Filter, ReadKind};
use super::selection::{self, selection_methods};
use crate::key::RowRange;
use crate::model::columns::CellSelection;

/// Reads the rows of a range of row keys, in order.
///
/// The start of a range is its lower end and the stop is its upper end, even if the rows are
/// returned [`reversed`](Scan::reversed).
///
/// ```
/// use tallrow::{Scan, Timestamp};
///
/// let all = Scan::all();
/// let some = Scan::range("a".."c").family("d").limit(10);
/// let newest_first =
///     Scan::prefix("user7|").reversed().versions(3).time_range(Timestamp::from_millis(5)..);
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
/// | [`bytes_per_call`](Self::bytes_per_call) | the size of a response | 2 MiB | `setMaxResultSize` |
/// | [`rows_per_call`](Self::rows_per_call) | the rows of a response | as many as fit | `setCaching` |
/// | [`cache_blocks`](Self::cache_blocks) | whether what is read stays in the cache of the servers | yes | `setCacheBlocks` |
/// | [`end_page_at_bytes`](Self::end_page_at_bytes), [`end_page_after`](Self::end_page_after) | what ends a [`Page`](crate::Page) besides its rows | nothing | |
/// | [`parallel`](Self::parallel) | how many regions are read at the same time | one | |
/// | [`unordered`](Self::unordered) | rows as they come | in order | |
/// | [`cursors`](Self::cursors) | signs of progress where no row is found | no | `setNeedCursorResult` |
/// | [`server_metrics`](Self::server_metrics) | what the servers count | no | `setScanMetricsEnabled` |
///
/// A response ends when it reaches the size `bytes_per_call`, and the rows of the next response are
/// fetched while the program works on the rows of the current one, so there is seldom a reason to
/// set `rows_per_call`.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a scan does nothing until it is given to a table"]
pub struct Scan {
    pub(crate) range: RowRange,
    pub(crate) columns: CellSelection,
    pub(crate) reversed: bool,
    pub(crate) limit: Option<u64>,
    pub(crate) bytes_per_call: Option<usize>,
    pub(crate) end_page_at_bytes: Option<usize>,
    pub(crate) end_page_after: Option<Duration>,
    pub(crate) filter: Option<Box<Filter>>,
    pub(crate) position: Option<Position>,
    pub(crate) parts: RowParts,
    pub(crate) cells_per_family: Option<u32>,
    pub(crate) cell_offset: u32,
    /// How many regions are read concurrently.
    pub(crate) parallel: Option<usize>,
    pub(crate) unordered: bool,
    pub(crate) cursors: bool,
    /// Whether only the row keys are read.
    pub(crate) keys_only: bool,
    pub(crate) server_metrics: bool,
    pub(crate) hbase: HBaseOptions,
    pub(crate) options: Option<Arc<CallOptions>>,
}

/// The options that only HBase's servers have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HBaseOptions {
    pub(crate) raw: bool,
    pub(crate) rows_per_call: Option<u32>,
    pub(crate) cache_blocks: Option<bool>,
}

impl HBaseOptions {
    /// Returns the name of an option that is set and that stores other than HBase have to refuse: a
    /// scan without it would return less than was requested. The other options change only the cost
    /// of a scan.
    #[cfg(feature = "bigtable")]
    pub(crate) fn unsupported_on_bigtable(&self) -> Option<&'static str> {
        let Self { raw, rows_per_call: _, cache_blocks: _ } = self;
        raw.then_some("raw scans")
    }
}

/// The options that scans of raw rows and scans of typed rows share, for a type that is a [`Scan`]
/// or has one in the given field. The caller passes the docs of the options that read regions
/// concurrently, because these docs differ.
macro_rules! scan_options {
    ($($scan:ident)?; $(#[$parallel:meta])* parallel; $(#[$unordered:meta])* unordered;) => {
        /// Reads at most `rows` rows in all.
        ///
        /// See [`reversed`](Self::reversed) for an example.
        pub fn limit(mut self, rows: u64) -> Self {
            self.$($scan.)?limit = Some(rows);
            self
        }

        /// Returns the rows in reverse order, the last row first.
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
            self.$($scan.)?reversed = true;
            self
        }

        /// Starts the scan after the end of a page, or at the first row if there is no token. The
        /// [`limit`](Self::limit) counts the rows of all pages.
        ///
        /// The ranges and the direction must be those of the scan that returned the token; filters
        /// and the columns that are read may differ.
        ///
        /// See [`PageToken`](crate::PageToken) for an example.
        pub fn resume<'t>(mut self, token: impl Into<Option<&'t $crate::PageToken>>) -> Self {
            self.$($scan.)?position = token.into().cloned().map($crate::request::scan::Position::Token);
            self
        }

        /// Sets how many bytes of cells one response of a server should return, for each of the
        /// ranges that are read concurrently. The default is a share of
        /// [`prefetch_bytes`](crate::Config::prefetch_bytes): half of it for a single range.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Scan, TableDescriptor};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// let plan = table.explain(Scan::all().bytes_per_call(4_096)).await?;
        /// assert_eq!(plan.bytes_per_call, 4_096);
        /// # Ok(())
        /// # }
        /// ```
        pub fn bytes_per_call(mut self, bytes: usize) -> Self {
            self.$($scan.)?bytes_per_call = Some(bytes);
            self
        }

        /// Sets how many rows one response of a server should return at most (`setCaching`). The
        /// default is as many as fit into [`bytes_per_call`](Self::bytes_per_call).
        ///
        /// This changes how often servers are called, and not which rows are found:
        /// [`limit`](Self::limit) sets the largest number of rows in all. A response with fewer
        /// rows arrives sooner if the server takes long to find each row. With
        /// [`batch`](crate::Scan::batch), parts of rows are counted.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
        /// assert_eq!(table.count(Scan::all().rows_per_call(1)).await?, 3);
        /// # Ok(())
        /// # }
        /// ```
        pub fn rows_per_call(mut self, rows: u32) -> Self {
            self.$($scan.)?hbase.rows_per_call = Some(rows);
            self
        }

        /// Sets whether the blocks that the servers read for the scan stay in their cache
        /// (`setCacheBlocks`), as they do by default.
        ///
        /// With `false`, a scan of a large table does not fill the cache, which stays free for
        /// other reads; blocks that are in the cache already are still used. Stores other than
        /// HBase manage their caches themselves.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
        /// assert_eq!(table.count(Scan::all().cache_blocks(false)).await?, 3);
        /// # Ok(())
        /// # }
        /// ```
        pub fn cache_blocks(mut self, yes: bool) -> Self {
            self.$($scan.)?hbase.cache_blocks = Some(yes);
            self
        }

        /// Ends a [page](crate::Page) with the row at which the cells of the page take `bytes`
        /// bytes or more, even if the page has fewer rows than were requested. This bounds the
        /// memory of a program, however large rows are. A page has at least one row.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor, scan::PageEnd};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", vec![7; 5_000])).await?; }
        /// let page = table.scan_page(Scan::all().end_page_at_bytes(10_000), 100).await?;
        /// assert_eq!((page.rows.len(), page.ended_by), (2, PageEnd::Bytes));
        /// let page = table.scan_page(Scan::all().resume(page.next.as_ref()), 100).await?;
        /// assert_eq!((page.rows.len(), page.ended_by), (1, PageEnd::End));
        /// # Ok(())
        /// # }
        /// ```
        pub fn end_page_at_bytes(mut self, bytes: usize) -> Self {
            self.$($scan.)?end_page_at_bytes = Some(bytes);
            self
        }

        /// Ends a [page](crate::Page) when `time` has passed, even if the page has fewer rows than
        /// were requested: for example to answer a request in time although few rows of a large
        /// range are found. Every page except the last has at least one row, so each page makes
        /// progress; for the first row of a page, the scan waits as long as without this option.
        ///
        /// ```
        /// # use std::time::Duration;
        /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor, scan::PageEnd};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
        /// # let table = client.raw_table("t")?;
        /// # for row in ["a", "b", "c"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
        /// let at_once = Scan::all().end_page_after(Duration::ZERO);
        /// let page = table.scan_page(at_once, 100).await?;
        /// assert_eq!((page.rows.len(), page.ended_by), (1, PageEnd::Time));
        /// assert!(page.next.is_some());
        /// # Ok(())
        /// # }
        /// ```
        pub fn end_page_after(mut self, time: std::time::Duration) -> Self {
            self.$($scan.)?end_page_after = Some($crate::runtime::deadline::clamp(time));
            self
        }

        $(#[$parallel])*
        pub fn parallel(mut self, regions: usize) -> Self {
            self.$($scan.)?parallel = Some(regions);
            self
        }

        $(#[$unordered])*
        pub fn unordered(mut self) -> Self {
            self.$($scan.)?unordered = true;
            self
        }

        /// Asks the servers for their own counts, such as the rows that they read, the rows that a
        /// filter dropped and the bytes of blocks (`setScanMetricsEnabled`; on Bigtable
        /// `request_stats_view`). These counts are then part of the metrics of the scan:
        /// [`server_counts`](crate::scan::ScanMetrics::server_counts), and for Bigtable also
        /// [`request_stats`](crate::scan::ScanMetrics::request_stats).
        ///
        /// See [`ScanMetrics`](crate::scan::ScanMetrics) for an example.
        pub fn server_metrics(mut self) -> Self {
            self.$($scan.)?server_metrics = true;
            self
        }
    };
}
pub(crate) use scan_options;

impl Scan {
    pub(crate) fn of(range: RowRange) -> Self {
        Self {
            range,
            columns: CellSelection::default(),
            reversed: false,
            limit: None,
            bytes_per_call: None,
            end_page_at_bytes: None,
            end_page_after: None,
            filter: None,
            position: None,
            parts: RowParts::Whole,
            cells_per_family: None,
            cell_offset: 0,
            parallel: None,
            unordered: false,
            cursors: false,
            keys_only: false,
            server_metrics: false,
            hbase: HBaseOptions::default(),
            options: None,
        }
    }

    /// Sets how the calls of the scan are sent; these options take precedence over those of its
    /// table.
    ///
    /// See [`CallOptions`] for an example.
    pub fn options(self, options: CallOptions) -> Self {
        Self { options: Some(Arc::new(options)), ..self }
    }

    scan_options! {
        ;
        /// Reads `regions` regions concurrently.
        ///
        /// The range is divided at the regions of the table, which are looked up when the first row
        /// is requested. The rows are still returned in order, unless the scan is
        /// [`unordered`](Self::unordered): while the rows of one region are read, those of the next
        /// regions are fetched, up to their share of
        /// [`prefetch_bytes`](crate::Config::prefetch_bytes). A [`limit`](Self::limit) applies to
        /// all rows together, and also to the rows that each region sends.
        ///
        /// ```
        /// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() -> tallrow::Result<()> {
        /// # let client = Client::connect("mock:").await?;
        /// # let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["h", "q"]);
        /// # client.admin().create_table(&table).await?;
        /// # let table = client.raw_table("t")?;
        /// # for row in ["a", "b", "i", "j", "z"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
        /// let mut rows = table.scan(Scan::range("b"..).parallel(3))?;
        /// let mut keys = Vec::new();
        /// while let Some(row) = rows.next_row().await? {
        ///     keys.push(row.key().to_vec());
        /// }
        /// assert_eq!(keys, [b"b", b"i", b"j", b"z"]);
        /// assert_eq!(rows.metrics().regions, 3);
        /// # Ok(())
        /// # }
        /// ```
        parallel;

        /// Returns rows as they arrive: the rows of one region or bucket are in order, and rows of
        /// other regions or buckets may be between them.
        ///
        /// With [`parallel`](Self::parallel), no region waits for its turn. The buckets of a salted
        /// key are not merged, and eight of them are read concurrently, or as many as `parallel`
        /// says.
        ///
        /// See [`TableScan::unordered`](crate::table::TableScan::unordered) for an example.
        unordered;
    }

    selection_methods! {
        /// Also reads this column; a row without any of the requested columns is not returned.
        ///
        /// ```
        /// # use tallrow::Scan;
        /// assert_ne!(Scan::all().column("d", "q"), Scan::all());
        /// ```
        column;

        /// Returns only the cells that this filter keeps; if a filter is set already, only the
        /// cells that both filters keep. The [`limit`](Scan::limit) counts only rows with at least
        /// one kept cell.
        ///
        /// See [`Filter`] for an example.
        filter;
    }

    /// Also returns delete markers, and the cells that they hide. The server rejects this option
    /// together with single columns.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// let history = Scan::prefix("row1").versions(100).raw();
    /// assert_ne!(history, Scan::prefix("row1").versions(100));
    /// ```
    pub fn raw(mut self) -> Self {
        self.hbase.raw = true;
        self
    }

    /// Starts after the row with this key, in the order of the scan: a [`reversed`](Scan::reversed)
    /// scan starts with the row before it. The row need not exist; a key outside the range is an
    /// error.
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
    /// assert_eq!(
    ///     table.scan(Scan::all().reversed().after("b"))?.next_row().await?.unwrap().key(),
    ///     b"a"
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, row: impl AsRef<[u8]>) -> Self {
        self.position = Some(Position::After(Bytes::copy_from_slice(row.as_ref())));
        self
    }

    /// Reads row keys only: the server sends one cell of each row, without its value. If a filter
    /// depends on cells, the server sends all cells that the filter keeps, without their values.
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

    /// Asks servers how far they have read when they have found nothing for a while
    /// (`setNeedCursorResult`).
    ///
    /// A server that finds no row answers with a heartbeat after half of the timeout of a call. A
    /// scan continues after a heartbeat in any case; with cursors,
    /// [`next_step`](crate::scan::RowStream::next_step) also returns after a heartbeat, so that a
    /// program can show its progress, or stop and continue [after](Self::after) the row of the
    /// cursor later.
    ///
    /// ```
    /// # use tallrow::filter::{Comparator, CompareOperator};
    /// # use tallrow::{Client, FamilyDescriptor, Filter, Put, Scan, TableDescriptor, scan::ScanStep};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// # let table = client.raw_table("t")?;
    /// # for row in ["a", "b", "c", "z"] { table.put(Put::new(row).cell("d", "q", "v")).await?; }
    /// # let mock = client.mock_cluster().unwrap();
    /// mock.end_scan_calls_after(2); // as if each row took a server half of the time of a call
    /// let ends_with_z = Filter::row(CompareOperator::Equal, Comparator::regex("z$"));
    /// let mut rows = table.scan(Scan::all().filter(ends_with_z).cursors())?;
    /// let mut steps = Vec::new();
    /// while let Some(step) = rows.next_step().await? {
    ///     steps.push(match step {
    ///         ScanStep::Row(row) => row.key().to_vec(),
    ///         ScanStep::Cursor(row) => [b"at ", &row[..]].concat(),
    ///         _ => unreachable!(),
    ///     });
    /// }
    /// assert_eq!(steps, [&b"at b"[..], b"z"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cursors(mut self) -> Self {
        self.cursors = true;
        self
    }

    /// Returns what is wrong with the scan, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let in_parts = matches!(self.parts, RowParts::Batch(_));
        let used = ReadKind::Scan { reversed: self.reversed, in_parts };
        selection::problem(&self.columns, self.filter.as_deref(), used)
            .or_else(|| self.parts_problem())
            .or_else(|| self.pace_problem())
    }

    /// Returns what is wrong with the number of rows per call or the number of parallel regions, if
    /// anything.
    fn pace_problem(&self) -> Option<String> {
        if self.hbase.rows_per_call == Some(0) {
            return Some("calls for 0 rows each; they need at least one".into());
        }
        let none = self.parallel == Some(0);
        none.then(|| "0 regions at the same time; it needs at least one".into())
    }
}
