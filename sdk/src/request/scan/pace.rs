//! The methods of `Scan` that set how rows are fetched: the size of responses and pages, and how
//! many regions are read at once.

use std::time::Duration;

use super::Scan;
use crate::runtime::deadline::bounded;

impl Scan {
    /// How many bytes of cells one response of a server should return; half of
    /// [`prefetch_bytes`](crate::Config::prefetch_bytes) by default.
    ///
    /// ```
    /// # use tallrow::Scan;
    /// assert_ne!(Scan::all().page_bytes(4_096), Scan::all());
    /// ```
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.page_bytes = Some(bytes);
        self
    }

    /// Ends a [page](crate::RawTable::scan_page) with the row with which its cells take `bytes`
    /// bytes or more, even if fewer rows were asked for: what a program holds at a time is bounded,
    /// however large rows are. A page has at least one row.
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
        self.end_page_at_bytes = Some(bytes);
        self
    }

    /// Ends a [page](crate::RawTable::scan_page) when `time` has passed, even if fewer rows were
    /// asked for: to answer a request in time, for example, where few rows of a large range are
    /// found. Every page except the last has at least one row, so that a program gets further with
    /// each; for the first row it waits as long as without this.
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
    pub fn end_page_after(mut self, time: Duration) -> Self {
        self.end_page_after = Some(bounded(time));
        self
    }

    /// How many rows one response of a server should return at most (`setCaching`); as many as fit into
    /// [`page_bytes`](Self::page_bytes) by default.
    ///
    /// It changes how often servers are called and not what is found: the largest number of rows in all is the
    /// [`limit`](Self::limit). Fewer rows in a response come sooner, where each takes the server long to find. With
    /// [`batch`](Self::batch) it counts parts of rows.
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
        self.rows_per_call = Some(rows);
        self
    }

    /// Reads `regions` regions at the same time.
    ///
    /// The range is divided at the regions of the table, which are looked up when the first row is requested. The rows still
    /// come in order, unless the scan is [`unordered`](Self::unordered): while those of one region are read, the next regions
    /// fetch theirs, up to their share of [`prefetch_bytes`](crate::Config::prefetch_bytes). A [`limit`](Self::limit)
    /// is one of all rows, and of those that each region sends.
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
    pub fn parallel(mut self, regions: usize) -> Self {
        self.parallel = Some(regions);
        self
    }

    /// Returns rows as they come: those of one region or bucket are in order, and those of others are in between.
    ///
    /// With [`parallel`](Self::parallel), no region waits for its turn. The buckets of a salted key are not merged, and
    /// eight of them are read at the same time, or as many as `parallel` says.
    ///
    /// See [`TableScan::unordered`](crate::table::TableScan::unordered) for an example.
    pub fn unordered(mut self) -> Self {
        self.unordered = true;
        self
    }

    /// Asks the servers what they count: rows that they read and that a filter left out, bytes of blocks and others
    /// (`setScanMetricsEnabled`).
    ///
    /// See [`ScanMetrics`](crate::scan::ScanMetrics) for an example.
    pub fn server_metrics(mut self) -> Self {
        self.server_metrics = true;
        self
    }

    /// What is wrong with its pace, if anything.
    pub(super) fn pace_problem(&self) -> Option<String> {
        if self.rows_per_call == Some(0) {
            return Some("calls for 0 rows each; they need at least one".into());
        }
        let none = self.parallel == Some(0);
        none.then(|| "0 regions at the same time; it needs at least one".into())
    }
}
