use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::covered;
use super::definition::{Definition, Index};
use super::entries::{Entry, IndexRow};
use super::handle::IndexedTable;
use super::state::State;
use crate::columns::Columns;
use crate::key::{RowKey, RowRanges};
use crate::table::{Table, TableRows, TableScan, TypedTable, columns_of};
use crate::{Error, Get, Result};

/// How many entries are looked up in the table at once.
const BATCH: usize = 100;

impl<T: Table> IndexedTable<T> {
    /// Reads the rows that have keys in these ranges of an index, in the order of the index.
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

    /// The rows with this key in an index: at most one if the index is unique, unless it moves from one row to another while
    /// they are read.
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
    /// As [`IndexRows::next_row`].
    pub async fn get_by<K: RowKey, C>(&self, index: &Index<T, K, C>, key: &K) -> Result<Vec<T>> {
        let table = self.index_table::<K, C>(index)?;
        let row = table.row("get", key)?;
        let found = table.raw()?.get(Get::with_columns(row, table.columns().clone())).await?;
        let Some(found) = found else { return Ok(Vec::new()) };
        let found = IndexRow::<K>::decode(&found)?;
        self.state.rows_of(&index.definition, &[found]).await
    }

    fn index_table<K: RowKey, C>(&self, index: &Index<T, K, C>) -> Result<TypedTable<IndexRow<K>>> {
        let Definition { name, table, .. } = &index.definition;
        let is_known =
            |known: &Definition<T>| known.name == *name && known.table.name() == table.name();
        if !self.state.indexes.iter().any(is_known) {
            let text = format!("the table was built without the index {name:?}");
            return Err(Error::invalid(text).during("scan").on_table(self.state.raw.name()));
        }
        Ok(TypedTable::new(Ok(table.clone())))
    }
}

/// A scan of rows by an index that is being built.
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
    /// At most this many rows.
    ///
    /// See [`covered`](IndexScan::covered) for an example of this and `reversed`.
    pub fn limit(self, rows: usize) -> Self {
        Self { limit: rows, ..self }
    }

    /// The last row of the index first.
    pub fn reversed(self) -> Self {
        Self { scan: self.scan.map(TableScan::reversed), ..self }
    }

    /// The rows; none is requested yet. An invalid scan is reported in place of the first one.
    pub fn rows(self) -> IndexRows<T, K> {
        let entries = Entries::new(self.scan, self.limit);
        IndexRows { state: self.state, index: self.index.definition, entries }
    }

    /// The columns that the entries hold; none is requested yet. A row is read only if it is in doubt whether its entry
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
    /// let mut last = books.scan_by(&by_author, ByAuthor::scan().author("Ada")).reversed().limit(2).covered();
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

/// The rows of the index, and what was read by their entries.
struct Entries<K: RowKey, R> {
    /// Or why there are none.
    rows: Result<TableRows<IndexRow<K>>, Option<Error>>,
    /// Those that were read, until what they lead to was read too.
    batch: Vec<IndexRow<K>>,
    /// How many entries they have.
    len: usize,
    ready: VecDeque<R>,
    /// How many may still be returned.
    left: usize,
}

impl<K: RowKey, R> Entries<K, R> {
    fn new(scan: Result<TableScan<IndexRow<K>>>, left: usize) -> Self {
        let rows = scan.map(TableScan::rows).map_err(Some);
        Self { rows, batch: Vec::new(), len: 0, ready: VecDeque::new(), left }
    }

    /// The rows of the index that have to be looked up next; `None` if something is ready, or at the end.
    async fn wanted(&mut self) -> Result<Option<&[IndexRow<K>]>> {
        if !self.ready.is_empty() || self.left == 0 {
            return Ok(None);
        }
        let rows = match &mut self.rows {
            Ok(rows) => rows,
            Err(error) => return error.take().map_or(Ok(None), Err),
        };
        while self.len < self.left.min(BATCH) {
            let Some(row) = rows.next_row().await? else { break };
            self.len += row.entries.len();
            self.batch.push(row);
        }
        Ok((!self.batch.is_empty()).then_some(&self.batch[..]))
    }

    /// What they led to.
    fn found(&mut self, found: Vec<R>) {
        self.batch.clear();
        self.len = 0;
        self.ready = found.into();
        self.ready.truncate(self.left);
    }

    fn next(&mut self) -> Option<R> {
        let next = self.ready.pop_front()?;
        self.left -= 1;
        Some(next)
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
    /// The next row; `None` at the end. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// As of a scan and of gets; [`Decode`](crate::ErrorKind::Decode) for a row that does not match the type.
    pub async fn next_row(&mut self) -> Result<Option<T>> {
        while let Some(rows) = self.entries.wanted().await? {
            let found = self.state.rows_of(&self.index, rows).await?;
            self.entries.found(found);
        }
        Ok(self.entries.next())
    }
}

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
    /// The next row; `None` at the end. May be dropped before it is done; no row is lost by that.
    ///
    /// # Errors
    /// As [`IndexRows::next_row`].
    pub async fn next_row(&mut self) -> Result<Option<C>> {
        while let Some(rows) = self.entries.wanted().await? {
            let found = self.state.covered_of(&self.index, rows).await?;
            self.entries.found(found);
        }
        Ok(self.entries.next())
    }
}

impl<T: Table> State<T> {
    /// The rows that have these entries.
    async fn rows_of<K>(&self, index: &Definition<T>, rows: &[IndexRow<K>]) -> Result<Vec<T>> {
        let mut wanted: Vec<(Bytes, Bytes)> = Vec::new();
        for row in rows {
            let mut seen = HashSet::new();
            let entries = row.entries.iter().filter(|entry| seen.insert(&entry.row));
            wanted.extend(entries.map(|entry| (row.key.clone(), entry.row.clone())));
        }
        let columns = self.table.columns();
        let get = |(_, row): &(Bytes, Bytes)| Get::with_columns(row, columns.clone());
        let gets: Vec<_> = wanted.iter().map(get).collect();
        let found = self.raw.get_all(gets).await.into_result()?;
        let mut rows = Vec::with_capacity(found.len());
        for ((key, _), row) in wanted.into_iter().zip(found) {
            let Some(row) = row else { continue };
            let typed = T::read(&row).map_err(|e| e.on_table(self.raw.name()))?;
            if index.keys(&typed)?.contains(&key) {
                rows.push(self.table.after_read(typed)?);
            }
        }
        Ok(rows)
    }

    /// What the entries hold, and the columns of the rows whose entries are in doubt.
    async fn covered_of<K, C: Table>(
        &self,
        index: &Definition<T>,
        rows: &[IndexRow<K>],
    ) -> Result<Vec<C>> {
        let mut entries: Vec<(&Bytes, &Entry, bool)> = Vec::new();
        for row in rows {
            entries.extend(row.entries.iter().map(|e| (&row.key, e, row.is_in_doubt(e.id))));
        }
        let mut columns = Columns { versions: 1, ..columns_of::<C>() };
        columns.column(&self.family, &self.qualifier);
        let columns = Arc::new(columns);
        let in_doubt = entries.iter().filter(|(_, _, in_doubt)| *in_doubt);
        let get = |(_, entry, _): &(_, &Entry, _)| Get::with_columns(&entry.row, columns.clone());
        let gets: Vec<_> = in_doubt.map(get).collect();
        let mut found = self.raw.get_all(gets).await.into_result()?.into_iter();
        let mut covered = Vec::with_capacity(entries.len());
        for (key, entry, in_doubt) in entries {
            let row = if in_doubt {
                let row = self.split(found.next().flatten())?;
                let marker = row.marker.map(|stored| stored.marker);
                let is_right = marker.is_some_and(|m| m.has(&index.name, entry.id, key));
                row.row.filter(|_| is_right)
            } else {
                covered::decode(&entry.row, entry.id.time(), &entry.covered)?
            };
            if let Some(row) = row {
                covered.push(C::read(&row).map_err(|e| e.on_table(self.raw.name()))?);
            }
        }
        Ok(covered)
    }
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
