//! Joins, which read a row of a table for each row of a stream.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use futures_util::stream::Fuse;
use futures_util::{StreamExt, TryStreamExt};

use super::{Table, TypedTable};
use crate::key::RowKey;
use crate::{Error, Get, RawTable, Result, Row};

impl<T: Table> TypedTable<T> {
    /// Joins a stream with this table: for each row of the stream, reads the row of this table
    /// whose key the function `key` returns.
    ///
    /// Rows are read in batches of 100, by gets that share calls; a key that occurs several times
    /// in a batch is read once. Every row of the stream is returned, in the order of the stream:
    /// with `None` if `key` returns no key for the row, or if this table has no row with the key.
    /// Reading n rows with different keys costs n gets, so a scan is cheaper if nearly all rows of
    /// this table are needed.
    ///
    /// The two rows of a pair are read one after the other, so they need not have existed at the
    /// same time.
    ///
    /// ```
    /// use tallrow::{Client, RowKey, Table};
    ///
    /// #[derive(RowKey, Clone)] struct CustomerId { id: u32 }
    /// #[derive(RowKey)] struct OrderId { id: u32 }
    ///
    /// #[derive(Table)] #[table(name = "customers")] #[family("c")]
    /// struct Customer { #[key] id: CustomerId, #[cell("c:n")] name: String }
    ///
    /// #[derive(Table)] #[table(name = "orders")] #[family("o")]
    /// struct Order { #[key] id: OrderId, #[cell("o:c")] customer: u32 }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// client.admin().create::<Customer>().await?;
    /// client.admin().create::<Order>().await?;
    /// let (customers, orders) = (client.table::<Customer>(), client.table::<Order>());
    /// customers.put(&Customer { id: CustomerId { id: 7 }, name: "Ada".into() }).await?;
    /// for (id, customer) in [(1, 7), (2, 8), (3, 7)] {
    ///     orders.put(&Order { id: OrderId { id }, customer }).await?;
    /// }
    ///
    /// let all = orders.scan(OrderId::scan()).rows();
    /// let mut joined = customers.join(all, |order| Some(CustomerId { id: order.customer }));
    /// let mut names = Vec::new();
    /// while let Some((order, customer)) = joined.next_row().await? {
    ///     names.push((order.id.id, customer.map(|customer| customer.name)));
    /// }
    /// assert_eq!(names, [(1, Some("Ada".into())), (2, None), (3, Some("Ada".into()))]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn join<L, S, F>(&self, rows: S, key: F) -> Join<L, T, S, F>
    where
        S: Stream<Item = Result<L>> + Unpin,
        F: FnMut(&L) -> Option<T::Key>,
    {
        Join {
            table: self.clone(),
            rows: rows.fuse(),
            key,
            batch_size: 100,
            batch: Vec::new(),
            reading: None,
            failed: None,
            ready: VecDeque::new(),
        }
    }
}

/// A stream of pairs: each row of another stream with the row that was read for it from a table.
///
/// See [`TypedTable::join`] for an example.
#[must_use = "no row is read until it is requested"]
pub struct Join<L, T: Table, S, F> {
    table: TypedTable<T>,
    rows: Fuse<S>,
    key: F,
    batch_size: usize,
    /// The rows of the stream in the current batch, each with the key that is to be read for it.
    batch: Vec<(L, Option<Bytes>)>,
    /// The read of the batch from the table, while it is running.
    reading: Option<Reading>,
    /// The error that ended the last batch.
    failed: Option<Error>,
    ready: VecDeque<(L, Option<Row>)>,
}

/// A future that returns the table's rows for the keys of a batch; each key is read once.
type Reading = Pin<Box<dyn Future<Output = Result<HashMap<Bytes, Option<Row>>>> + Send>>;

fn reading(table: RawTable, keys: Vec<Bytes>, gets: Vec<Get>) -> Reading {
    Box::pin(async move {
        let found = table.get_all(gets).await.into_result()?;
        Ok(keys.into_iter().zip(found).collect())
    })
}

impl<L, T, S, F> Join<L, T, S, F>
where
    T: Table,
    S: Stream<Item = Result<L>> + Unpin,
    F: FnMut(&L) -> Option<T::Key>,
{
    /// Sets how many rows of the stream are collected before the table is read for all of them
    /// together. The default is 100.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table};
    /// # #[derive(RowKey, Clone)] struct Id { id: u32 }
    /// # #[derive(Table)] #[table(name = "items")] #[family("d")]
    /// # struct Item { #[key] id: Id, #[cell("d:next")] next: u32 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Item>().await?;
    /// # let items = client.table::<Item>();
    /// for (id, next) in [(1, 2), (2, 1)] {
    ///     items.put(&Item { id: Id { id }, next }).await?;
    /// }
    /// let all = items.scan(Id::scan()).rows();
    /// let mut joined = items.join(all, |item| Some(Id { id: item.next })).batch_size(1_000);
    /// let (first, next) = joined.next_row().await?.unwrap();
    /// assert_eq!((first.id.id, next.unwrap().id.id), (1, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_size(self, rows: usize) -> Self {
        Self { batch_size: rows.max(1), ..self }
    }

    /// Returns the next row of the stream and the row of the table for it; `None` at the end. The
    /// future may be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// The errors of the stream, which are returned after the rows that precede them; a key that
    /// cannot be encoded; and the errors of [`TypedTable::get`]. The rows after a row that cannot
    /// be read can still be read.
    pub async fn next_row(&mut self) -> Result<Option<(L, Option<T>)>> {
        self.try_next().await
    }

    /// Collects all remaining pairs in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`](super::TableRows::try_collect) for an example.
    ///
    /// # Errors
    /// The errors of [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<(L, Option<T>)>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    /// Takes rows of the stream until the batch is full, the stream ends, or a row is an error.
    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.batch.len() < self.batch_size && self.failed.is_none() {
            match ready!(self.rows.poll_next_unpin(cx)) {
                Some(Ok(left)) => match (self.key)(&left).map(|key| key.encode_key()).transpose() {
                    Ok(key) => {
                        let key = key.map(|key| Bytes::copy_from_slice(key.as_ref()));
                        self.batch.push((left, key));
                    }
                    Err(error) => self.failed = Some(error.into()),
                },
                Some(Err(error)) => self.failed = Some(error),
                None => break,
            }
        }
        Poll::Ready(())
    }

    /// Starts to read the rows with the keys of the batch.
    fn read(&self) -> Result<Reading> {
        let raw = self.table.raw()?.clone();
        let mut keys: Vec<_> = self.batch.iter().filter_map(|(_, key)| key.clone()).collect();
        keys.sort_unstable();
        keys.dedup();
        let columns = &self.table.columns;
        let get = |key: &Bytes| Get::with_columns(key, columns.clone());
        let gets: Vec<_> = keys.iter().map(get).collect();
        Ok(reading(raw, keys, gets))
    }
}

impl<L, T, S, F> Stream for Join<L, T, S, F>
where
    T: Table,
    S: Stream<Item = Result<L>> + Unpin,
    F: FnMut(&L) -> Option<T::Key>,
{
    type Item = Result<(L, Option<T>)>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some((left, row)) = this.ready.pop_front() {
                return Poll::Ready(Some(this.table.decode(row).map(|row| (left, row))));
            }
            let found = match &mut this.reading {
                Some(reading) => ready!(reading.as_mut().poll(cx)),
                None => {
                    ready!(this.poll_batch(cx));
                    if this.batch.is_empty() {
                        return Poll::Ready(this.failed.take().map(Err));
                    }
                    match this.read() {
                        Ok(reading) => {
                            this.reading = Some(reading);
                            continue;
                        }
                        Err(error) => Err(error),
                    }
                }
            };
            this.reading = None;
            let batch = this.batch.drain(..);
            match found {
                Ok(found) => this.ready.extend(batch.map(|(left, key)| {
                    let row = key.and_then(|key| found.get(&key).cloned().flatten());
                    (left, row)
                })),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }
}

/// No field is structurally pinned.
impl<L, T: Table, S, F> Unpin for Join<L, T, S, F> {}

impl<L, T: Table, S, F> fmt::Debug for Join<L, T, S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").field("table", &self.table).finish_non_exhaustive()
    }
}
