//! Scans of an index, which return the rows to which its entries lead, or only the columns that the
//! entries contain.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use futures_util::TryStreamExt;

use super::covered;
use super::definition::{Definition, Index};
use super::entries::{Entry, IndexRow};
use super::handle::IndexedTable;
use super::state::State;
use crate::key::{RowKey, RowRanges};
use crate::model::columns::CellSelection;
use crate::table::{Table, TableRows, TableScan, TypedTable, columns_of};
use crate::{Error, Get, RawTable, Result, Row};

/// How many entries are looked up in the table at once.
const BATCH: usize = 100;

impl<T: Table> IndexedTable<T> {
    /// Returns a scan of the rows whose index keys are in these ranges, in the order of the index
    /// keys.
    ///
    /// See the [module](crate::index) for an example.
    pub fn scan_by<K: RowKey, C, R: RowRanges<Key = K>>(
        &self,
        index: &Index<T, K, C>,
        ranges: R,
    ) -> IndexScan<T, K, C> {
        let table = self.index_table::<K, C>(index);
        let scan = table.map(|table| table.scan(ranges));
        IndexScan { state: self.state.clone(), index: index.clone(), scan, limit: usize::MAX }
    }

    /// Returns the rows with this key in an index: at most one row if the index is unique, unless
    /// the key moves from one row to another while the rows are read.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::{self, Index, IndexedTable}};
    /// # #[derive(RowKey)] struct UserId { id: u64 }
    /// # #[derive(RowKey)] struct ByEmail { email: String }
    /// # #[derive(Table)] #[table(name = "users")] #[family("u")]
    /// # struct User { #[key] id: UserId, #[cell("u:e")] email: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<User>().await?;
    /// # client.admin().create_table(&index::table_descriptor("users_by_email")?).await?;
    /// # let by_email = Index::new("email", client.raw_table("users_by_email")?, |user: &User| {
    /// #     [ByEmail { email: user.email.clone() }]
    /// # }).unique();
    /// # let users = IndexedTable::builder(client.table::<User>()).index(&by_email).build()?;
    /// users.put(&User { id: UserId { id: 7 }, email: "ada@example.org".into() }).await?;
    /// let found = users.get_by(&by_email, &ByEmail { email: "ada@example.org".into() }).await?;
    /// assert_eq!(found[0].id.id, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`IndexRows::next_row`].
    pub async fn get_by<K: RowKey, C>(&self, index: &Index<T, K, C>, key: &K) -> Result<Vec<T>> {
        let table = self.index_table::<K, C>(index)?;
        let row = table.encode_row_key("get", key)?;
        let found = table.raw()?.get(Get::with_columns(row, table.columns().clone())).await?;
        let Some(found) = found else { return Ok(Vec::new()) };
        let found = IndexRow::<K>::decode(&found)?;
        let gets = self.state.gets_of(std::slice::from_ref(&found));
        let rows = self.state.raw.get_all(gets).await.into_result()?;
        self.state.rows_of(&index.definition, &[found], rows).into_iter().collect()
    }

    fn index_table<K: RowKey, C>(&self, index: &Index<T, K, C>) -> Result<TypedTable<IndexRow<K>>> {
        let Definition { name, table, .. } = &index.definition;
        let is_known =
            |known: &Definition<T>| known.name == *name && known.table.name() == table.name();
        if !self.state.indexes.iter().any(is_known) {
            let text = format!("the table was built without the index {name:?}");
            return Err(Error::invalid(text)
                .with_operation_if_unset("scan")
                .on_table(self.state.raw.name()));
        }
        Ok(TypedTable::new(Ok(table.clone())))
    }
}

/// The settings of a scan that finds rows by an index.
///
/// See the [module](crate::index) for an example.
#[must_use = "a scan does nothing until its rows are requested"]
pub struct IndexScan<T: Table, K: RowKey, C = ()> {
    state: Arc<State<T>>,
    index: Index<T, K, C>,
    scan: Result<TableScan<IndexRow<K>>>,
    limit: usize,
}

impl<T: Table, K: RowKey, C> IndexScan<T, K, C> {
    /// Reads at most `rows` rows.
    ///
    /// See [`covered`](IndexScan::covered) for an example of this and `reversed`.
    pub fn limit(self, rows: usize) -> Self {
        Self { limit: rows, ..self }
    }

    /// Reads the rows in the reverse order of their index keys, the last one first.
    pub fn reversed(self) -> Self {
        Self { scan: self.scan.map(TableScan::reversed), ..self }
    }

    /// Returns the rows of the scan as a stream. Nothing is sent before the first row is requested.
    /// If the scan is invalid, the stream returns an error in place of the first row.
    pub fn rows(self) -> IndexRows<T, K> {
        let entries = Entries::new(self.scan, self.limit);
        IndexRows { state: self.state, index: self.index.definition, entries }
    }

    /// Returns the columns that the index entries contain, as a stream. Nothing is sent before the
    /// first item is requested. A row of the table is read only if it is in doubt whether its entry
    /// is right.
    ///
    /// Hooks are not called.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, index::{self, Index, IndexedTable}};
    /// # #[derive(RowKey, Debug, PartialEq)] struct Isbn { number: u64 }
    /// # #[derive(RowKey)] struct ByAuthor { #[key(escaped)] author: String, number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:a")] author: String, #[cell("b:t")] title: String, #[cell("b:x")] text: String }
    /// #[derive(Table)]
    /// #[table(projection_of = Book)]
    /// struct Title {
    ///     #[key]
    ///     isbn: Isbn,
    ///     title: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// # client.admin().create_table(&index::table_descriptor("books_by_author")?).await?;
    /// # let table = client.raw_table("books_by_author")?;
    /// let by_author = Index::new("author", table, |book: &Book| {
    ///     [ByAuthor { author: book.author.clone(), number: book.isbn.number }]
    /// });
    /// let by_author = by_author.covering::<Title>();
    /// let books = IndexedTable::builder(client.table::<Book>()).index(&by_author).build()?;
    /// for (number, title) in [(1, "Notes"), (2, "Letters"), (3, "Diary")] {
    ///     let (author, title, text) = ("Ada".into(), title.into(), "a long text".into());
    ///     books.put(&Book { isbn: Isbn { number }, author, title, text }).await?;
    /// }
    /// let mut last =
    ///     books.scan_by(&by_author, ByAuthor::scan().author("Ada")).reversed().limit(2).covered();
    /// assert_eq!(last.next_row().await?.unwrap().title, "Diary");
    /// assert_eq!(last.next_row().await?.unwrap().title, "Letters");
    /// assert!(last.next_row().await?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn covered(self) -> CoveredRows<T, K, C>
    where
        C: Table<Key = T::Key>,
    {
        let entries = Entries::new(self.scan, self.limit);
        CoveredRows { state: self.state, index: self.index.definition, entries }
    }
}

/// A running read of the rows to which a batch of index entries leads.
type Reading = Pin<Box<dyn Future<Output = Result<Vec<Option<Row>>>> + Send>>;

fn reading(table: RawTable, gets: Vec<Get>) -> Reading {
    Box::pin(async move { table.get_all(gets).await.into_result() })
}

/// A scan of index rows, and the results that are read by the entries in these rows.
struct Entries<K: RowKey, R> {
    /// The rows of the index, or the error if they cannot be read; `Err(None)` once the error was
    /// returned.
    rows: Result<TableRows<IndexRow<K>>, Option<Error>>,
    /// The index rows that were read, and whose rows in the table are still to be read.
    batch: Vec<IndexRow<K>>,
    /// How many entries the batch has.
    len: usize,
    /// The read of the rows to which the batch leads.
    reading: Option<Reading>,
    ready: VecDeque<Result<R>>,
    /// How many results may still be returned.
    left: usize,
}

impl<K: RowKey, R> Entries<K, R> {
    fn new(scan: Result<TableScan<IndexRow<K>>>, left: usize) -> Self {
        let rows = scan.map(TableScan::rows).map_err(Some);
        let (batch, ready) = (Vec::new(), VecDeque::new());
        Self { rows, batch, len: 0, reading: None, ready, left }
    }

    /// Returns the next result. `gets` makes the gets for a batch of index rows, and `decode` makes
    /// the results from the rows that these gets return. After an error of a read, there are no
    /// more results.
    fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
        table: &RawTable,
        gets: impl Fn(&[IndexRow<K>]) -> Vec<Get>,
        decode: impl Fn(&[IndexRow<K>], Vec<Option<Row>>) -> Vec<Result<R>>,
    ) -> Poll<Option<Result<R>>> {
        loop {
            if self.left == 0 {
                return Poll::Ready(None);
            }
            if let Some(next) = self.ready.pop_front() {
                self.left -= usize::from(next.is_ok());
                return Poll::Ready(Some(next));
            }
            let found = match &mut self.reading {
                Some(reading) => ready!(reading.as_mut().poll(cx)),
                None => match ready!(self.poll_batch(cx)) {
                    Ok(()) if self.batch.is_empty() => return Poll::Ready(None),
                    Ok(()) => {
                        self.reading = Some(reading(table.clone(), gets(&self.batch)));
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            self.reading = None;
            self.len = 0;
            let batch = std::mem::take(&mut self.batch);
            match found {
                Ok(found) => {
                    self.ready = decode(&batch, found).into();
                    self.ready.truncate(self.left);
                }
                Err(error) => {
                    self.rows = Err(None);
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }

    /// Reads rows of the index into the batch until the batch has enough entries.
    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let rows = match &mut self.rows {
            Ok(rows) => rows,
            Err(error) => return Poll::Ready(error.take().map_or(Ok(()), Err)),
        };
        while self.len < self.left.min(BATCH) {
            let Some(row) = ready!(Pin::new(&mut *rows).poll_next(cx)) else { break };
            let row = row?;
            self.len += row.entries.len();
            self.batch.push(row);
        }
        Poll::Ready(Ok(()))
    }
}

/// The rows of an [`IndexScan`], in the order of the index.
///
/// See the [module](crate::index) for an example.
#[must_use = "no row is read until it is requested"]
pub struct IndexRows<T: Table, K: RowKey> {
    state: Arc<State<T>>,
    index: Definition<T>,
    entries: Entries<K, T>,
}

impl<T: Table, K: RowKey> IndexRows<T, K> {
    /// Returns the next row; `None` at the end. No row is lost if the future is dropped before it
    /// is done.
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row) and
    /// [`RawTable::get`](crate::RawTable::get); [`Decode`](crate::ErrorKind::Decode) for a row that
    /// does not match the type.
    pub async fn next_row(&mut self) -> Result<Option<T>> {
        self.try_next().await
    }

    /// Returns all remaining rows, in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`](crate::table::TableRows::try_collect) for an example.
    ///
    /// # Errors
    /// The errors of [`next_row`](Self::next_row).
    pub async fn try_collect<R: Default + Extend<T>>(self) -> Result<R> {
        TryStreamExt::try_collect(self).await
    }
}

impl<T: Table, K: RowKey> Stream for IndexRows<T, K> {
    type Item = Result<T>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { state, index, entries } = self.get_mut();
        let gets = |rows: &[IndexRow<K>]| state.gets_of(rows);
        entries.poll_next(cx, &state.raw, gets, |rows, found| state.rows_of(index, rows, found))
    }
}

/// Pinning the stream pins none of its fields.
impl<T: Table, K: RowKey> Unpin for IndexRows<T, K> {}

/// The columns that the entries of an [`IndexScan`] hold, in the order of the index.
///
/// See [`IndexScan::covered`] for an example.
#[must_use = "no row is read until it is requested"]
pub struct CoveredRows<T: Table, K: RowKey, C> {
    state: Arc<State<T>>,
    index: Definition<T>,
    entries: Entries<K, C>,
}

impl<T: Table, K: RowKey, C: Table<Key = T::Key>> CoveredRows<T, K, C> {
    /// Returns the next row; `None` at the end. No row is lost if the future is dropped before it
    /// is done.
    ///
    /// # Errors
    /// The errors of [`IndexRows::next_row`].
    pub async fn next_row(&mut self) -> Result<Option<C>> {
        self.try_next().await
    }

    /// Returns all remaining rows, in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`](crate::table::TableRows::try_collect) for an example.
    ///
    /// # Errors
    /// The errors of [`next_row`](Self::next_row).
    pub async fn try_collect<R: Default + Extend<C>>(self) -> Result<R> {
        TryStreamExt::try_collect(self).await
    }
}

impl<T: Table, K: RowKey, C: Table<Key = T::Key>> Stream for CoveredRows<T, K, C> {
    type Item = Result<C>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { state, index, entries } = self.get_mut();
        let gets = |rows: &[IndexRow<K>]| state.gets_in_doubt::<K, C>(rows);
        entries.poll_next(cx, &state.raw, gets, |rows, found| state.covered_of(index, rows, found))
    }
}

/// Pinning the stream pins none of its fields.
impl<T: Table, K: RowKey, C> Unpin for CoveredRows<T, K, C> {}

impl<T: Table> State<T> {
    /// Returns gets of the rows to which the entries in these index rows lead.
    fn gets_of<K>(&self, rows: &[IndexRow<K>]) -> Vec<Get> {
        let columns = self.table.columns();
        let get = |(_, row): (_, &Bytes)| Get::with_columns(row, columns.clone());
        wanted(rows).map(get).collect()
    }

    /// Decodes the rows that [`gets_of`](Self::gets_of) requested, and returns only the rows that
    /// have the keys of their entries.
    fn rows_of<K>(
        &self,
        index: &Definition<T>,
        rows: &[IndexRow<K>],
        found: Vec<Option<Row>>,
    ) -> Vec<Result<T>> {
        let read = |(key, row): (&Bytes, Row)| {
            let typed = T::from_row(&row).map_err(|e| e.on_table(self.raw.name()))?;
            match index.keys(&typed)?.contains(key) {
                true => self.table.after_read(typed).map(Some),
                false => Ok(None),
            }
        };
        let found = wanted(rows).zip(found).filter_map(|((key, _), row)| Some((key, row?)));
        found.filter_map(|found| read(found).transpose()).collect()
    }

    /// Returns the gets of the rows whose entries are in doubt.
    fn gets_in_doubt<K, C: Table>(&self, rows: &[IndexRow<K>]) -> Vec<Get> {
        let mut columns = CellSelection { versions: 1, ..columns_of::<C>() };
        columns.select_column(&self.family, &self.qualifier);
        let columns = Arc::new(columns);
        let in_doubt = entries(rows).filter(|(_, _, in_doubt)| *in_doubt);
        in_doubt.map(|(_, entry, _)| Get::with_columns(&entry.row, columns.clone())).collect()
    }

    /// Returns the columns that the entries contain. For entries in doubt, returns the columns of
    /// their rows, as they were read by [`gets_in_doubt`](Self::gets_in_doubt).
    fn covered_of<K, C: Table>(
        &self,
        index: &Definition<T>,
        rows: &[IndexRow<K>],
        found: Vec<Option<Row>>,
    ) -> Vec<Result<C>> {
        let mut found = found.into_iter();
        let read = |(key, entry, in_doubt): (&Bytes, &Entry, bool)| {
            let row = if in_doubt {
                let row = self.separate_marker(found.next().flatten())?;
                let marker = row.marker.map(|stored| stored.marker);
                let is_right = marker.is_some_and(|m| m.has_entry(&index.name, entry.id, key));
                row.row.filter(|_| is_right)
            } else {
                covered::decode(&entry.row, entry.id.time(), &entry.covered)?
            };
            row.map(|row| C::from_row(&row).map_err(|e| e.on_table(self.raw.name()))).transpose()
        };
        entries(rows).map(read).filter_map(Result::transpose).collect()
    }
}

/// Returns the index key and the row key of each row to which an entry leads. If several entries at
/// one index key lead to the same row, the row is returned once.
fn wanted<K>(rows: &[IndexRow<K>]) -> impl Iterator<Item = (&Bytes, &Bytes)> {
    rows.iter().flat_map(|row| {
        let mut seen = HashSet::new();
        let entries = row.entries.iter().filter(move |entry| seen.insert(&entry.row));
        entries.map(|entry| (&row.key, &entry.row))
    })
}

/// Returns each entry with its index key, and whether the entry is in doubt.
fn entries<K>(rows: &[IndexRow<K>]) -> impl Iterator<Item = (&Bytes, &Entry, bool)> {
    rows.iter().flat_map(|row| row.entries.iter().map(|e| (&row.key, e, row.is_in_doubt(e.id))))
}

impl<T: Table, K: RowKey, C> fmt::Debug for IndexScan<T, K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexScan").field("index", &self.index).finish_non_exhaustive()
    }
}

impl<T: Table, K: RowKey> fmt::Debug for IndexRows<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexRows").field("index", &self.index.name).finish_non_exhaustive()
    }
}

impl<T: Table, K: RowKey, C> fmt::Debug for CoveredRows<T, K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoveredRows").field("index", &self.index.name).finish_non_exhaustive()
    }
}
