//! The rows of a typed scan, or only their keys, as a stream.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::Table;
use super::derived::read_key;
use super::hook::{Hooks, read_row};
use crate::key::DecodeRowKey;
use crate::reading::{ScanMetrics, ScanRows};
use crate::{Error, Result, Row, TableName};

/// The rows of a [`TableScan`](super::TableScan), in order, fetched a little ahead of their reader.
///
/// See [`TableScan`](super::TableScan) for an example.
#[must_use = "no row is read until it is requested"]
pub struct TableRows<T: Table> {
    source: Source,
    hooks: Hooks<T>,
    is_last_row_stale: bool,
}

impl<T: Table> TableRows<T> {
    pub(super) fn new(source: Source, hooks: Hooks<T>) -> Self {
        Self { source, hooks, is_last_row_stale: false }
    }

    /// Returns the next row; `None` at the end. The future may be dropped before it is done; no row
    /// is lost by that.
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::reading::RowStream::next_row); and
    /// [`Decode`](crate::ErrorKind::Decode) for a row that does not match the type. The rows after
    /// it can still be read.
    pub async fn next_row(&mut self) -> Result<Option<T>> {
        std::future::poll_fn(|cx| self.poll_typed(cx)).await.transpose()
    }

    /// Collects all remaining rows in a `Vec` or another collection.
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
    /// let newer: Vec<Book> = books.scan(Isbn::scan().number(2..)).rows().try_collect().await?;
    /// assert_eq!(newer.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// All these rows are in memory at once. To avoid this, use [`next_row`](Self::next_row), or
    /// the functions of `futures`, which accept this type because it is a `Stream`.
    ///
    /// # Errors
    /// The error of the first row that cannot be read, as from [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<T>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// What the scan has cost so far.
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
    /// let mut rows = books.scan(Isbn::scan().number(2..)).rows();
    /// while rows.next_row().await?.is_some() {}
    /// assert_eq!((rows.metrics().calls, rows.metrics().rows), (1, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn metrics(&self) -> ScanMetrics {
        self.source.metrics()
    }

    /// Whether the row that was returned last was read from a secondary replica and may therefore
    /// be stale: see [`Consistency`](crate::op::Consistency). [`ScanMetrics::stale_rows`] counts
    /// such rows.
    ///
    /// ```
    /// # use tallrow::op::{CallOptions, Consistency};
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(Table, Debug, PartialEq)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?.region_replication(2)).await?;
    /// # let books = client.table::<Book>();
    /// # for number in 1..=3 { books.put(&Book { isbn: Isbn { number }, title: "HBase".into() }).await?; }
    /// let any = books.with_options(CallOptions::new().consistency(Consistency::Timeline));
    /// let mut rows = any.scan(Isbn::scan()).rows();
    /// assert!(rows.next_row().await?.is_some());
    /// assert!(!rows.is_last_row_stale(), "the primary replica has answered");
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_last_row_stale(&self) -> bool {
        self.is_last_row_stale
    }

    fn poll_typed(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let (hooks, is_last_row_stale) = (&self.hooks, &mut self.is_last_row_stale);
        self.source.poll(cx, |row| {
            *is_last_row_stale = row.is_stale();
            read_row(row, hooks)
        })
    }
}

impl<T: Table> Stream for TableRows<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_typed(cx)
    }
}

/// The keys of the rows of a [`TableScan`](super::TableScan), in order, fetched a little ahead of
/// their reader.
///
/// See [`TableScan::keys`](super::TableScan::keys) for an example.
#[must_use = "no key is read until it is requested"]
pub struct TableKeys<K> {
    source: Source,
    key: PhantomData<fn() -> K>,
}

impl<K: DecodeRowKey> TableKeys<K> {
    pub(super) fn new(source: Source) -> Self {
        Self { source, key: PhantomData }
    }

    /// Returns the key of the next row; `None` at the end. The future may be dropped before it is
    /// done; no key is lost by that.
    ///
    /// # Errors
    /// The errors of [`TableRows::next_row`].
    pub async fn next_key(&mut self) -> Result<Option<K>> {
        std::future::poll_fn(|cx| self.source.poll(cx, read_key)).await.transpose()
    }

    /// Collects all remaining keys in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`] for an example.
    ///
    /// # Errors
    /// The error of the first key that cannot be read, as from [`next_key`](Self::next_key).
    pub async fn try_collect<C: Default + Extend<K>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// What the scan has cost so far.
    ///
    /// See [`TableRows::metrics`] for an example.
    pub fn metrics(&self) -> ScanMetrics {
        self.source.metrics()
    }
}

impl<K: DecodeRowKey> Stream for TableKeys<K> {
    type Item = Result<K>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.source.poll(cx, read_key)
    }
}

/// The rows of a valid scan, or the error that says why the scan is not valid.
pub(super) enum Source {
    Rows(ScanRows, TableName),
    Failed(Option<Error>),
}

impl Source {
    pub(super) fn new(rows: Result<(ScanRows, TableName)>) -> Self {
        match rows {
            Ok((rows, table)) => Self::Rows(rows, table),
            Err(error) => Self::Failed(Some(error)),
        }
    }

    fn metrics(&self) -> ScanMetrics {
        match self {
            Self::Rows(rows, _) => rows.metrics(),
            Self::Failed(_) => ScanMetrics::default(),
        }
    }

    #[inline]
    fn poll<V>(
        &mut self,
        cx: &mut Context<'_>,
        read: impl FnOnce(&Row) -> Result<V>,
    ) -> Poll<Option<Result<V>>> {
        match self {
            Self::Failed(error) => Poll::Ready(error.take().map(Err)),
            Self::Rows(rows, table) => rows.poll_row(cx).map(|row| {
                row.map(|row| row.and_then(|row| read(&row).map_err(|e| e.on_table(table))))
            }),
        }
    }
}
