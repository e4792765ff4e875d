use std::fmt;
use std::ops::RangeBounds;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::key::{RowRange, RowRanges};
use futures_core::Stream;

use super::Table;
use super::names::same;
use super::{hook::Hooks, hook::read_row};
use crate::column::Condition;
use crate::columns::Columns;
use crate::scan::{Merge, RowStream};
use crate::{RawTable, Result, Row, Scan, Timestamp};

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
    /// Everything but its range.
    scan: Scan,
    hooks: Hooks<T>,
}

impl<T: Table> TableScan<T> {
    pub(super) fn new<R: RowRanges>(
        raw: Result<RawTable>,
        columns: Columns,
        hooks: Hooks<T>,
        ranges: R,
    ) -> Self {
        let ranges = ranges.row_ranges().map(|r| r.into_iter().collect()).map_err(Into::into);
        let scan = Scan { columns, ..Scan::all() };
        Self { raw, ranges, salt_len: R::SALT_LEN, scan, hooks }
    }

    /// At most this many rows in all.
    ///
    /// See [`TableScan`] for an example of this and the other functions.
    pub fn limit(mut self, rows: u64) -> Self {
        self.scan = self.scan.limit(rows);
        self
    }

    /// The last row first.
    pub fn reversed(mut self) -> Self {
        self.scan = self.scan.reversed();
        self
    }

    /// Only rows of which this holds, evaluated by the server; a further condition must hold too.
    ///
    /// The condition may be of another row type of the same table: a projection can be filtered by columns it does not
    /// read. Rows without any column of this row type are still not found.
    ///
    /// See [`Condition`] for an example.
    pub fn filter<U: Table<Key = T::Key>>(mut self, condition: Condition<U>) -> Self {
        const { assert!(same(U::TABLE, T::TABLE), "the condition is on the rows of another table") };
        self.scan = condition.narrow(self.scan);
        self
    }

    /// Only rows whose keys have the values given to [`Schema::select_rows`](crate::key::schema::Schema::select_rows), for
    /// fields that are not the first ones.
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
    /// let mut rows = log.scan(LogKey::scan()).matching(event_7).rows();
    /// assert_eq!(rows.next_row().await?.unwrap().key.host, 1);
    /// assert_eq!(rows.next_row().await?.unwrap().key.host, 2);
    /// assert_eq!(rows.next_row().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn matching(mut self, keys: crate::key::schema::RowSelection) -> Self {
        self.scan = self.scan.filter(keys);
        self
    }

    /// Only cells written in this range of time.
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

    /// The rows as they were at this time: of each cell the newest version written up to then. Cells deleted since then
    /// are found only if their family keeps deleted cells.
    ///
    /// See [`TypedTable::get_at`](crate::TypedTable::get_at) for an example.
    pub fn as_of(self, time: Timestamp) -> Self {
        self.time_range(..=time)
    }

    /// The rows; none is requested yet. An invalid scan is reported in place of the first one.
    pub fn rows(self) -> TableRows<T> {
        let hooks = self.hooks.clone();
        let (source, raw) = match self.source() {
            Ok((source, raw)) => (source, Some(raw)),
            Err(error) => (Source::Failed(Some(error)), None),
        };
        TableRows { source, raw, hooks }
    }

    fn source(self) -> Result<(Source, RawTable)> {
        let raw = self.raw?;
        let ranges = self.ranges.map_err(|e| e.during("scan").on_table(raw.name()))?;
        let prefetch = raw.prefetch_bytes() / ranges.len().max(1);
        let scans = ranges.iter().map(|range| {
            let scan = Scan { range: range.clone(), ..self.scan.clone() };
            raw.scan_with(&scan, prefetch)
        });
        let mut scans = scans.collect::<Result<Vec<_>>>()?;
        let source = match (scans.pop(), scans.is_empty()) {
            (Some(only), true) => Source::One(only),
            (last, _) => {
                scans.extend(last);
                Source::Many(Merge::new(scans, self.salt_len, self.scan.reversed, self.scan.limit))
            }
        };
        Ok((source, raw))
    }
}

impl<T: Table> fmt::Debug for TableScan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableScan").field("ranges", &self.ranges).field("scan", &self.scan).finish()
    }
}

/// The rows of a [`TableScan`], in order, fetched a little ahead of their reader.
///
/// See [`TableScan`] for an example.
#[must_use = "no row is read until it is requested"]
pub struct TableRows<T: Table> {
    source: Source,
    raw: Option<RawTable>,
    hooks: Hooks<T>,
}

enum Source {
    Failed(Option<crate::Error>),
    One(RowStream),
    Many(Merge),
}

impl<T: Table> TableRows<T> {
    /// The next row; `None` at the end. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// As [`RowStream::next_row`](crate::scan::RowStream::next_row); and [`Decode`](crate::ErrorKind::Decode) for a row
    /// that does not match the type. The rows after it can still be read.
    pub async fn next_row(&mut self) -> Result<Option<T>> {
        std::future::poll_fn(|cx| self.poll_typed(cx)).await.transpose()
    }

    fn poll_typed(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let row = match &mut self.source {
            Source::Failed(error) => return Poll::Ready(error.take().map(Err)),
            Source::One(rows) => rows.poll_row(cx),
            Source::Many(merge) => merge.poll_row(cx),
        };
        row.map(|row| row.map(|row| row.and_then(|row| self.read(&row))))
    }

    fn read(&self, row: &Row) -> Result<T> {
        read_row(row, &self.hooks).map_err(|error| match &self.raw {
            Some(raw) => error.on_table(raw.name()),
            None => error,
        })
    }
}

impl<T: Table> Stream for TableRows<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_typed(cx)
    }
}
