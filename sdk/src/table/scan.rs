//! `TableScan`: a scan of typed rows that is being built.

use std::fmt;
use std::ops::RangeBounds;

use super::Table;
use super::hook::{Hooks, read_row};
use super::names::same;
use super::rows::{Source, TableKeys, TableRows};
use crate::key::{DecodeRowKey, RowKey, RowRange, RowRanges};
use crate::model::columns::CellSelection;
use crate::raw_table::first_row;
use crate::reading::{FirstRow, ScanPlan, ScanRows};
use crate::request::scan::{Extent, ScanOrder, scan_options};
use crate::table::column::Condition;
use crate::{Error, Page, RawTable, Result, Row, Scan, TableName, Timestamp};

/// A scan of a [`TypedTable`](crate::TypedTable) that is being built.
///
/// ```
/// # use tallrow::{Client, RowKey, Table, TableDescriptor};
/// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
/// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
/// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
/// # let books = client.table::<Book>();
/// # for number in 1..=3 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
/// let mut last = books.scan(Isbn::scan()).reversed().limit(2).rows();
/// assert_eq!(last.next_row().await?.unwrap().isbn, Isbn { number: 3 });
/// assert_eq!(last.next_row().await?.unwrap().isbn, Isbn { number: 2 });
/// assert_eq!(last.next_row().await?, None);
/// # Ok(())
/// # }
/// ```
#[must_use = "a scan does nothing until its rows are requested"]
pub struct TableScan<T: Table> {
    raw: Result<RawTable>,
    ranges: Result<Vec<RowRange>>,
    salt_len: usize,
    /// The scan without its ranges.
    pub(super) scan: Scan,
    hooks: Hooks<T>,
}

impl<T: Table> TableScan<T> {
    /// Creates a scan that has no ranges yet.
    pub(super) fn new(raw: Result<RawTable>, columns: CellSelection, hooks: Hooks<T>) -> Self {
        let scan = Scan { columns, ..Scan::all() };
        Self { raw, ranges: Ok(Vec::new()), salt_len: 0, scan, hooks }
    }

    scan_options! {
        scan;
        /// Reads `regions` regions concurrently, like [`Scan::parallel`](crate::Scan::parallel).
        /// The rows are still returned in order.
        ///
        /// All buckets of a salted key are read concurrently in any case, unless the scan is
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
        /// let scan = books.scan(Isbn::scan()).parallel(3);
        /// let scan = scan.bytes_per_call(64 << 10).rows_per_call(100);
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
        parallel;

        /// Returns rows as they arrive, without merging the buckets of a salted key. Eight buckets
        /// are read concurrently or, if [`parallel`](Self::parallel) is set, as many regions of the
        /// buckets as it says.
        ///
        /// This is for a program that needs all rows in any order: keys are not compared, and no
        /// row waits for the slowest bucket. A [page](TableScan::page) of such a scan is an error,
        /// because a page needs the order to continue at its end.
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
        unordered;
    }

    /// Starts after the row with this key, in the order of the scan: a
    /// [`reversed`](TableScan::reversed) scan returns the rows with smaller keys. The row need not
    /// exist; a key outside the ranges of the scan is an error.
    ///
    /// If the key is salted, each bucket is read from the place of this key in the order without
    /// the salt.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Clone, Debug, PartialEq)] #[row_key(salt(buckets = 4))]
    /// # struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=5 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let three = Isbn { number: 3 };
    /// let mut rows = books.scan(Isbn::scan()).after(&three).rows();
    /// assert_eq!(rows.next_row().await?.unwrap().isbn, Isbn { number: 4 });
    /// let mut rows = books.scan(Isbn::scan()).reversed().after(&three).rows();
    /// assert_eq!(rows.next_row().await?.unwrap().isbn, Isbn { number: 2 });
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(mut self, key: &T::Key) -> Self {
        match key.encode_key() {
            Ok(row) => self.scan = self.scan.after(row),
            Err(error) => self.ranges = Err(error.into()),
        }
        self
    }

    /// Returns only rows for which this condition holds; the server evaluates the condition. If
    /// several conditions are set, all of them must hold.
    ///
    /// The condition may be on another row type of the same table, so a projection can be filtered
    /// by columns that it does not read. The scan still does not find rows that have none of the
    /// columns of its own row type.
    ///
    /// See [`Condition`] for an example.
    pub fn filter<U: Table<Key = T::Key>>(mut self, condition: Condition<U>) -> Self {
        const { assert!(same(U::TABLE, T::TABLE), "the condition is on the rows of another table") };
        self.scan = condition.add_to_scan(self.scan);
        self
    }

    /// Returns only rows whose key fields have the values that were given to
    /// [`Schema::select_rows`](crate::key::schema::Schema::select_rows). This is for fields that do
    /// not come first in the key.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// use tallrow::key::schema::{Schema, Value};
    /// # #[derive(RowKey, Debug, PartialEq)] struct LogKey { host: u16, event: u16, at: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "log")] #[family("d")]
    /// # struct Log { #[key] key: LogKey, #[cell("d:t")] text: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Log>()?).await?;
    /// # let log = client.table::<Log>();
    /// # for (host, event) in [(1, 7), (1, 8), (2, 7)] {
    /// #     log.put(&Log { key: LogKey { host, event, at: 1 }, text: "x".into() }).await?;
    /// # }
    /// let event_7 = Schema::parse(LogKey::SCHEMA)?.select_rows(&[("event", Value::from(7))])?;
    /// let mut rows = log.scan(LogKey::scan()).select_keys(event_7).rows();
    /// assert_eq!(rows.next_row().await?.unwrap().key.host, 1);
    /// assert_eq!(rows.next_row().await?.unwrap().key.host, 2);
    /// assert_eq!(rows.next_row().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn select_keys(mut self, keys: crate::key::schema::RowSelection) -> Self {
        self.scan = self.scan.filter(keys);
        self
    }

    /// Reads only cells with timestamps in this range.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Timestamp};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// # books.put(&Book { isbn: Isbn { number: 1 }, title: "HBase".into() }).await?;
    /// let long_ago = ..Timestamp::from_millis(1_000);
    /// assert_eq!(books.scan(Isbn::scan()).time_range(long_ago).rows().next_row().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn time_range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        self.scan = self.scan.time_range(range);
        self
    }

    /// Returns the rows as a stream; no row is requested before the stream is read. If the scan is
    /// invalid, the stream returns the error in place of the first row.
    pub fn rows(self) -> TableRows<T> {
        let hooks = self.hooks.clone();
        TableRows::new(Source::new(self.open()), hooks)
    }

    /// Returns the keys of the rows as a stream; no row is requested before the stream is read. If
    /// the scan is invalid, the stream returns the error in place of the first key.
    ///
    /// No cell values are sent, and hooks are not called, because there are no rows to pass to
    /// them.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=3 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let mut keys = books.scan(Isbn::scan().number(2..)).keys();
    /// assert_eq!(keys.next_key().await?, Some(Isbn { number: 2 }));
    /// assert_eq!(keys.next_key().await?, Some(Isbn { number: 3 }));
    /// assert_eq!(keys.next_key().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn keys(mut self) -> TableKeys<T::Key>
    where
        T::Key: DecodeRowKey,
    {
        self.scan = self.scan.keys_only();
        TableKeys::new(Source::new(self.open()))
    }

    /// Reads a page: up to `size` rows, and a token to continue with, if there are more.
    ///
    /// The next page is read by the same scan, [resumed](TableScan::resume) with the token, in this
    /// process or another one. If a row is written or deleted after a page was read, only the page
    /// to which its key belongs changes: the row appears on it or is missing from it, and no other
    /// row moves to another page.
    ///
    /// ```
    /// # use tallrow::{Client, Page, PageToken, RowKey, Table};
    /// # #[derive(RowKey, Debug, PartialEq)] #[row_key(salt(buckets = 4))]
    /// # struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=25 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let mut sizes = Vec::new();
    /// let mut page_token: Option<PageToken> = None; // such as the parameter of a web page
    /// loop {
    ///     let page: Page<Book> =
    ///         books.scan(Isbn::scan()).resume(page_token.as_ref()).page(10).await?;
    ///     sizes.push(page.rows.len());
    ///     match page.next {
    ///         Some(next) => page_token = Some(next.to_string().parse()?),
    ///         None => break,
    ///     }
    /// }
    /// assert_eq!(sizes, [10, 10, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`TableRows::next_row`] (a row that does not match the type fails the page);
    /// and [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for a token of another scan, or a
    /// `size` of 0.
    pub async fn page(self, size: usize) -> Result<Page<T>> {
        let hooks = self.hooks.clone();
        let (raw, extent, scan) = self.into_parts()?;
        raw.page_of(&extent, scan, size, |row| read_row(&row, &hooks)).await
    }

    /// Counts the rows; no cell values are sent, and no hooks are called.
    ///
    /// The server still reads each row and sends its key, so counting a large table takes a while.
    /// A row that does not match the row type is counted too.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:p")] price: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=3 { books.put(&Book { isbn: Isbn { number }, price: number as f64 }).await?; }
    /// assert_eq!(books.scan(Isbn::scan()).count().await?, 3);
    /// assert_eq!(books.scan(Isbn::scan()).filter(Book::PRICE.gt(1.5)).count().await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`TableRows::next_row`].
    pub async fn count(mut self) -> Result<u64> {
        // The order of rows that are only counted does not matter, unless a limit selects the first
        // of them.
        let any_order = self.scan.limit.is_none();
        self.scan = self.scan.keys_only();
        self.scan.unordered |= any_order;
        self.open()?.0.count().await
    }

    /// Returns what the scan will do: its ranges, one for each bucket of a salted key; the regions
    /// and the calls of these ranges; and which part of the work the servers do. Regions that are
    /// not known yet are looked up; no row is read.
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
        let (raw, extent, scan) = self.into_parts()?;
        raw.plan_of(&extent, scan).await
    }

    /// Returns a scan of `ranges` with the settings of this scan. If the table is not valid, the
    /// first such scan has the error.
    pub(super) fn with_ranges<R: RowRanges>(&mut self, ranges: R) -> Self {
        let raw = match &self.raw {
            Ok(raw) => Ok(raw.clone()),
            Err(_) => {
                let again = Error::invalid("the table was refused when it was first used");
                std::mem::replace(&mut self.raw, Err(again))
            }
        };
        let ranges = ranges.row_ranges().map(|r| r.into_iter().collect()).map_err(Into::into);
        let (scan, hooks) = (self.scan.clone(), self.hooks.clone());
        Self { raw, ranges, salt_len: R::SALT_LEN, scan, hooks }
    }

    /// Returns the first row of the scan.
    pub(super) fn first_row(self) -> FirstRow {
        first_row(self.into_parts())
    }

    /// Decodes a row of the scan.
    pub(super) fn read(&self, row: &Row) -> Result<T> {
        let read = read_row(row, &self.hooks);
        read.map_err(|error| match &self.raw {
            Ok(raw) => error.on_table(raw.name()),
            Err(_) => error,
        })
    }

    fn open(self) -> Result<(ScanRows, TableName)> {
        let (raw, extent, scan) = self.into_parts()?;
        Ok((raw.rows_of(&extent, scan)?, extent.table))
    }

    pub(super) fn into_parts(self) -> Result<(RawTable, Extent, Scan)> {
        let raw = self.raw?;
        let ranges =
            self.ranges.map_err(|e| e.with_operation_if_unset("scan").on_table(raw.name()))?;
        let order = ScanOrder { salt_len: self.salt_len, reversed: self.scan.reversed };
        let layout = <T::Key as RowKey>::FINGERPRINT;
        let extent = Extent { table: raw.name().clone(), layout, ranges, order };
        Ok((raw, extent, self.scan))
    }
}

impl<T: Table> fmt::Debug for TableScan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableScan").field("ranges", &self.ranges).field("scan", &self.scan).finish()
    }
}
