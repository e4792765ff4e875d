use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use crate::key::{RowKey, RowRanges};

use super::{CellValue, Column, Counter, TableRow, TableScan};
use crate::cluster::Cluster;
use crate::{
    Append, Check, CheckAndMutate, Delete, Error, Get, Increment, Put, RawTable, Result, Row,
    TableName,
};

/// A table whose rows are values of `T`; cheap to clone.
///
/// It does what [`RawTable`] does, with keys and cells as the type says.
///
/// ```
/// use tallrow::{Client, Counter, RowKey, Table, TableDescriptor};
///
/// /// The readings of a device, newest first.
/// #[derive(RowKey, Clone, Debug, PartialEq)]
/// struct ReadingKey {
///     device: u32,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// #[derive(Table, Clone, Debug, PartialEq)]
/// #[table(name = "readings")]
/// #[family("d", versions = 3)]
/// #[family("c")]
/// struct Reading {
///     #[key]
///     key: ReadingKey,
///     #[cell("d:t")]
///     celsius: f64,
///     #[cell("d:n")]
///     note: Option<String>,
///     #[cell("c:s")]
///     seen: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::of::<Reading>()?).await?;
/// let readings = client.table::<Reading>();
///
/// for at in [10, 20, 30] {
///     let key = ReadingKey { device: 7, at };
///     readings.put(&Reading { key, celsius: at as f64, note: None, seen: Counter(0) }).await?;
/// }
/// let key = ReadingKey { device: 7, at: 20 };
/// assert_eq!(readings.increment(&key, Reading::SEEN, 2).await?, 2);
/// let reading = readings.get(&key).await?.unwrap();
/// assert_eq!((reading.celsius, reading.seen), (20.0, Counter(2)));
///
/// // The newest of a device; then those of a span of time, whose ends the key swaps.
/// let newest = readings.scan(ReadingKey::scan().device(7)).limit(1).rows().next_row().await?;
/// assert_eq!(newest.unwrap().key.at, 30);
/// let mut some = readings.scan(ReadingKey::scan().device(7).at(15..25)).rows();
/// assert_eq!(some.next_row().await?.unwrap().key.at, 20);
/// assert_eq!(some.next_row().await?, None);
///
/// readings.delete(&key).await?;
/// assert!(!readings.exists(&key).await?);
/// # Ok(())
/// # }
/// ```
pub struct Table<T> {
    raw: Result<RawTable, String>,
    rows: PhantomData<fn() -> T>,
}

impl<T: TableRow> Table<T> {
    pub(crate) fn new(cluster: Arc<Cluster>) -> Self {
        let name = T::TABLE.parse::<TableName>().map_err(|e| e.to_string());
        Self { raw: name.map(|name| RawTable::new(cluster, name)), rows: PhantomData }
    }

    /// The same table with bytes for everything.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// assert_eq!(client.table::<Book>().raw()?.name().as_str(), "books");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A name in a hand-written [`TableRow`] that is not one.
    pub fn raw(&self) -> Result<&RawTable> {
        self.raw.as_ref().map_err(|why| Error::invalid(why.clone()))
    }

    /// The same table with another deadline for each of its operations.
    ///
    /// See [`RawTable::with_timeout`] for an example.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_timeout(timeout)), ..self }
    }

    /// Writes a row. Cells of fields that are `None` are left as they are, and counters too.
    ///
    /// See [`Table`](struct@crate::Table) for an example of this and the other single operations.
    ///
    /// # Errors
    /// As [`RawTable::put`]; and a key that has no byte form.
    pub async fn put(&self, row: &T) -> Result<()> {
        self.raw()?.put(to_put(row)?).await
    }

    /// Writes many rows at once, and returns what became of each, in the order they were given in.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// let books = client.table::<Book>();
    /// let shelf: Vec<_> = (0..100).map(|number| Book { isbn: Isbn { number }, title: "HBase".into() }).collect();
    /// assert!(books.put_all(&shelf).await.iter().all(Result::is_ok));
    /// let found = books.get_all([Isbn { number: 5 }, Isbn { number: 500 }].iter()).await;
    /// assert_eq!(found[0].as_ref().unwrap().as_ref().unwrap().title, "HBase");
    /// assert!(found[1].as_ref().unwrap().is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn put_all<'a>(&self, rows: impl IntoIterator<Item = &'a T>) -> Vec<Result<()>>
    where
        T: 'a,
    {
        let puts = rows.into_iter().map(to_put);
        self.each(puts, async |raw, put| raw.put(put).await).await
    }

    /// Reads a row; none if it has none of the type's cells.
    ///
    /// # Errors
    /// As [`RawTable::get`]; and [`Decode`](crate::ErrorKind::Decode) where the row is not what the type says.
    pub async fn get(&self, key: &T::Key) -> Result<Option<T>> {
        let raw = self.raw()?;
        read(raw, raw.get(to_get::<T>(key)?).await?)
    }

    /// Reads many rows at once, in the order their keys were given in.
    ///
    /// See [`put_all`](Table::put_all) for an example.
    pub async fn get_all<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a T::Key>,
    ) -> Vec<Result<Option<T>>>
    where
        T::Key: 'a,
    {
        let gets = keys.into_iter().map(to_get::<T>);
        self.each(gets, async |raw, get| read(raw, raw.get(get).await?)).await
    }

    /// Whether the row has any of the type's cells.
    ///
    /// # Errors
    /// As [`RawTable::exists`].
    pub async fn exists(&self, key: &T::Key) -> Result<bool> {
        self.raw()?.exists(to_get::<T>(key)?).await
    }

    /// Deletes a row, all of it.
    ///
    /// # Errors
    /// As [`RawTable::delete`].
    pub async fn delete(&self, key: &T::Key) -> Result<()> {
        self.raw()?.delete(Delete::new(key.encode_key()?)).await
    }

    /// Deletes all versions of one cell.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String, #[cell("b:s")] series: Option<String> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books.put(&Book { isbn: isbn.clone(), title: "HBase".into(), series: Some("Guides".into()) }).await?;
    /// books.delete_cell(&isbn, Book::SERIES).await?;
    /// assert_eq!(books.get(&isbn).await?.unwrap().series, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::delete`].
    pub async fn delete_cell<V>(&self, key: &T::Key, column: Column<T, V>) -> Result<()> {
        let delete = Delete::new(key.encode_key()?);
        self.raw()?.delete(delete.column(column.family(), column.qualifier())).await
    }

    /// Adds to a counter, once, and returns its new value.
    ///
    /// # Errors
    /// As [`RawTable::increment`].
    pub async fn increment(
        &self,
        key: &T::Key,
        column: Column<T, Counter>,
        by: i64,
    ) -> Result<i64> {
        let raw = self.raw()?;
        let (family, qualifier) = (column.family(), column.qualifier());
        let increment = Increment::new(key.encode_key()?).add(family, qualifier, by);
        let row = raw.increment(increment).await?;
        let counter: Counter = super::derived::read_cell(&row, family, qualifier)
            .map_err(|e| e.on_table(raw.name()))?;
        Ok(counter.0)
    }

    /// Appends to a text or to bytes, once, and returns the whole of it.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books.append(&isbn, Book::TITLE, &"HBase".to_string()).await?;
    /// assert_eq!(books.append(&isbn, Book::TITLE, &" in Rust".to_string()).await?, "HBase in Rust");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::append`].
    pub async fn append<V: CellValue>(
        &self,
        key: &T::Key,
        column: Column<T, V>,
        value: &V,
    ) -> Result<V> {
        let raw = self.raw()?;
        let (family, qualifier) = (column.family(), column.qualifier());
        let append = Append::new(key.encode_key()?).add(family, qualifier, value.to_cell());
        let row = raw.append(append).await?;
        super::derived::read_cell(&row, family, qualifier).map_err(|e| e.on_table(raw.name()))
    }

    /// Writes a row if one of its cells is as expected, absent for `None`; returns whether it was.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let book = |title: &str| Book { isbn: Isbn { number: 1 }, title: title.into() };
    /// assert!(books.check_and_put(Book::TITLE, None, &book("HBase")).await?);
    /// assert!(!books.check_and_put(Book::TITLE, None, &book("Bigtable")).await?);
    /// assert!(books.check_and_put(Book::TITLE, Some(&"HBase".to_string()), &book("Bigtable")).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::check_and_mutate`].
    pub async fn check_and_put<V: CellValue>(
        &self,
        column: Column<T, V>,
        expected: Option<&V>,
        row: &T,
    ) -> Result<bool> {
        let put = to_put(row)?;
        let check = expect(put.row(), column, expected);
        self.raw()?.check_and_mutate(check.then(put)).await
    }

    /// Deletes a row if one of its cells is as expected, absent for `None`; returns whether it was.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let isbn = Isbn { number: 1 };
    /// books.put(&Book { isbn: isbn.clone(), title: "HBase".into() }).await?;
    /// assert!(!books.check_and_delete(&isbn, Book::TITLE, Some(&"Bigtable".to_string())).await?);
    /// assert!(books.check_and_delete(&isbn, Book::TITLE, Some(&"HBase".to_string())).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`RawTable::check_and_mutate`].
    pub async fn check_and_delete<V: CellValue>(
        &self,
        key: &T::Key,
        column: Column<T, V>,
        expected: Option<&V>,
    ) -> Result<bool> {
        let row = key.encode_key()?;
        let check = expect(row.as_ref(), column, expected);
        self.raw()?.check_and_mutate(check.then(Delete::new(row))).await
    }

    /// Reads the rows of a range of keys: what `MyKey::scan()` starts, fixed as far as wanted.
    ///
    /// The rows of a salted key come in the order of what follows the salt, merged from all buckets.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    pub fn scan<R: RowRanges<Key = T::Key>>(&self, ranges: R) -> TableScan<T> {
        TableScan::new(self.raw().cloned(), ranges)
    }

    async fn each<O, V>(
        &self,
        operations: impl Iterator<Item = Result<O>>,
        run: impl AsyncFn(&RawTable, O) -> Result<V>,
    ) -> Vec<Result<V>> {
        let run = &run;
        let all = operations.map(|operation| async move { run(self.raw()?, operation?).await });
        futures_util::future::join_all(all).await
    }
}

pub(super) fn read<T: TableRow>(raw: &RawTable, row: Option<Row>) -> Result<Option<T>> {
    row.map(|row| T::read(&row)).transpose().map_err(|e| e.on_table(raw.name()))
}

fn to_put<T: TableRow>(row: &T) -> Result<Put> {
    Ok(row.write(Put::new(row.row_key().encode_key()?)))
}

fn to_get<T: TableRow>(key: &T::Key) -> Result<Get> {
    let get = Get::new(key.encode_key()?);
    Ok(T::COLUMNS.iter().fold(get, |get, (family, qualifier)| get.column(family, qualifier)))
}

fn expect<T, V: CellValue>(
    row: &[u8],
    column: Column<T, V>,
    expected: Option<&V>,
) -> CheckAndMutate {
    let check = Check::new(row, column.family(), column.qualifier());
    match expected {
        Some(value) => check.equals(value.to_cell()),
        None => check.is_absent(),
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), rows: PhantomData }
    }
}

impl<T: TableRow> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", T::TABLE)
    }
}
