//! How a typed scan is read, which changes what it costs and not what it finds.

use std::time::Duration;

use super::{Table, TableScan};
use crate::Result;
use crate::reading::ScanPlan;

impl<T: Table> TableScan<T> {
    /// How many bytes of cells one response of a server should return, for each of the ranges that are read at the same
    /// time; a share of [`prefetch_bytes`](crate::Config::prefetch_bytes) by default.
    ///
    /// See [`parallel`](Self::parallel) for an example of this and [`rows_per_call`](Self::rows_per_call).
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.scan = self.scan.page_bytes(bytes);
        self
    }

    /// How many rows one response of a server should return at most (`setCaching`), like
    /// [`Scan::rows_per_call`](crate::Scan::rows_per_call).
    pub fn rows_per_call(mut self, rows: u32) -> Self {
        self.scan = self.scan.rows_per_call(rows);
        self
    }

    /// Ends a [page](TableScan::page) with the row with which its cells take `bytes` bytes or more,
    /// like [`Scan::end_page_at_bytes`](crate::Scan::end_page_at_bytes).
    pub fn end_page_at_bytes(mut self, bytes: usize) -> Self {
        self.scan = self.scan.end_page_at_bytes(bytes);
        self
    }

    /// Ends a [page](TableScan::page) when `time` has passed, like
    /// [`Scan::end_page_after`](crate::Scan::end_page_after).
    pub fn end_page_after(mut self, time: Duration) -> Self {
        self.scan = self.scan.end_page_after(time);
        self
    }

    /// Reads `regions` regions at the same time, like [`Scan::parallel`](crate::Scan::parallel).
    /// The rows still come in order.
    ///
    /// The buckets of a salted key are read at the same time in any case, all of them, unless the scan is
    /// [`unordered`](Self::unordered).
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let splits = [Isbn { number: 4 }.encode(), Isbn { number: 7 }.encode()];
    /// client.admin().create_table(&TableDescriptor::of::<Book>()?.splits(splits)).await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=9 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let scan = books.scan(Isbn::scan()).parallel(3).page_bytes(64 << 10).rows_per_call(100);
    /// let mut rows = scan.rows();
    /// let mut numbers = Vec::new();
    /// while let Some(book) = rows.next_row().await? {
    ///     numbers.push(book.isbn.number);
    /// }
    /// assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// assert_eq!(rows.metrics().regions, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn parallel(mut self, regions: usize) -> Self {
        self.scan = self.scan.parallel(regions);
        self
    }

    /// Returns rows as they come, without merging the buckets of a salted key; eight buckets are read at the same time, or
    /// as many regions of them as [`parallel`](Self::parallel) says.
    ///
    /// A program that needs all rows and not their order saves the comparisons and never waits for the slowest bucket. A
    /// [page](TableScan::page) needs the order.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Debug, PartialEq)] #[row_key(salt(buckets = 16))]
    /// # struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=25 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let mut rows = books.scan(Isbn::scan()).unordered().rows();
    /// let mut numbers = Vec::new();
    /// while let Some(book) = rows.next_row().await? {
    ///     numbers.push(book.isbn.number);
    /// }
    /// numbers.sort();
    /// assert_eq!(numbers, (1..=25).collect::<Vec<_>>());
    /// # Ok(())
    /// # }
    /// ```
    pub fn unordered(mut self) -> Self {
        self.scan = self.scan.unordered();
        self
    }

    /// Asks the servers what they count (`setScanMetricsEnabled`), which is then in the
    /// [metrics](super::TableRows::metrics) of the rows.
    ///
    /// See [`ScanMetrics`](crate::scan::ScanMetrics) for an example.
    pub fn server_metrics(mut self) -> Self {
        self.scan = self.scan.server_metrics();
        self
    }

    /// What the scan will do: its ranges, one for each bucket of a salted key, their regions and calls, and what the
    /// servers do of it. Regions that are not known yet are looked up; no row is read.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Debug, PartialEq)] #[row_key(salt(buckets = 4))]
    /// # struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String, #[cell("b:p")] price: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// let dear = books.scan(Isbn::scan()).filter(Book::PRICE.gt(90.0)).limit(10);
    /// let plan = dear.explain().await?;
    /// assert_eq!((plan.ranges.len(), plan.min_calls), (4, 4));
    /// assert!(plan.pushed_down.iter().any(|part| part.starts_with("filter ")));
    /// assert!(plan.to_string().contains("merge of 4 ranges"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An invalid scan; the errors of [`RawTable::get`](crate::RawTable::get) when regions are
    /// looked up.
    pub async fn explain(self) -> Result<ScanPlan> {
        let (raw, extent, scan) = self.parts()?;
        raw.plan_of(&extent, scan).await
    }
}
