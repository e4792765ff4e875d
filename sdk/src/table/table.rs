use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::key::{RowKey, RowRanges};

use super::{RowChange, RowHook, Table, TableScan};
use crate::backend::Backend;
use crate::columns::Columns;
use crate::together::together;
use crate::{Delivery, Error, Get, RawTable, Result, Row, TableName, Timestamp};

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
/// assert_eq!(readings.increment(&key, Reading::SEEN, 2).await?, Some(2));
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
pub struct TypedTable<T: Table> {
    raw: Result<RawTable, String>,
    /// What is read, put together once.
    columns: Arc<Columns>,
    pub(super) hooks: Hooks<T>,
}

/// What is done beside each change and read.
pub(super) type Hooks<T> = Arc<[Arc<dyn RowHook<T>>]>;

impl<T: Table> TypedTable<T> {
    pub(crate) fn new(backend: Backend) -> Self {
        let name = T::TABLE.parse::<TableName>().map_err(|e| e.to_string());
        let raw = name.map(|name| RawTable::new(backend, name));
        Self { raw, columns: Arc::new(columns::<T>()), hooks: Arc::new([]) }
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
    /// A name in a hand-written [`Table`] that is not one.
    pub fn raw(&self) -> Result<&RawTable> {
        self.raw.as_ref().map_err(|why| Error::invalid(why.clone()))
    }

    /// The same table with another deadline for each of its operations.
    ///
    /// See [`RawTable::with_timeout`] for an example.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_timeout(timeout)), ..self }
    }

    /// The same table with another policy for puts and deletes whose reply is lost.
    ///
    /// See [`Delivery`] for an example.
    pub fn with_delivery(self, delivery: Delivery) -> Self {
        Self { raw: self.raw.map(|raw| raw.with_delivery(delivery)), ..self }
    }

    /// The same table with something more to be done beside each change and read.
    ///
    /// See [`RowHook`] for an example.
    pub fn with_hook(self, hook: Arc<dyn RowHook<T>>) -> Self {
        let hooks = self.hooks.iter().cloned().chain([hook]).collect();
        Self { hooks, ..self }
    }

    /// Reads a row; none if it has none of the type's cells.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    ///
    /// # Errors
    /// As [`RawTable::get`]; and [`Decode`](crate::ErrorKind::Decode) where the row is not what the type says.
    pub async fn get(&self, key: &T::Key) -> Result<Option<T>> {
        self.read(self.raw()?.get(self.to_get("get", key)?).await?)
    }

    /// Reads a row as it was at this time: of each cell the newest version written up to then. What was deleted since
    /// shows only where its family keeps deleted cells, and an older version only where it keeps versions.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Timestamp, WriteOptions};
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b", versions = 2)]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:p")] price: f64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
    /// # let books = client.table::<Book>();
    /// let (isbn, at) = (Isbn { number: 1 }, Timestamp::from_millis);
    /// for (time, price) in [(10, 30.0), (20, 25.0)] {
    ///     let then = WriteOptions::new().timestamp(at(time));
    ///     books.put_with(&Book { isbn: isbn.clone(), price }, then).await?;
    /// }
    /// assert_eq!(books.get_at(&isbn, at(15)).await?.unwrap().price, 30.0);
    /// assert_eq!(books.get_at(&isbn, at(20)).await?.unwrap().price, 25.0);
    /// assert!(books.get_at(&isbn, at(5)).await?.is_none());
    /// let mut then = books.scan(Isbn::scan()).as_of(at(15)).rows();
    /// assert_eq!(then.next_row().await?.unwrap().price, 30.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`get`](Table::get).
    pub async fn get_at(&self, key: &T::Key, time: Timestamp) -> Result<Option<T>> {
        self.read(self.raw()?.get(self.to_get("get", key)?.time_range(..=time)).await?)
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
        together(keys.into_iter().map(|key| self.get(key))).await
    }

    /// Whether the row has any of the type's cells.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    ///
    /// # Errors
    /// As [`RawTable::exists`].
    pub async fn exists(&self, key: &T::Key) -> Result<bool> {
        self.raw()?.exists(self.to_get("exists", key)?).await
    }

    /// Reads the rows of a range of keys: what `MyKey::scan()` starts, fixed as far as wanted.
    ///
    /// The rows of a salted key come in the order of what follows the salt, merged from all buckets.
    ///
    /// See [`Table`](struct@crate::Table) for an example.
    pub fn scan<R: RowRanges<Key = T::Key>>(&self, ranges: R) -> TableScan<T> {
        let columns = (*self.columns).clone();
        TableScan::new(self.raw().cloned(), columns, self.hooks.clone(), ranges)
    }

    fn to_get(&self, operation: &'static str, key: &T::Key) -> Result<Get> {
        Ok(Get::with_columns(self.row(operation, key)?, (*self.columns).clone()))
    }

    /// The bytes of a row key that an operation is for.
    pub(super) fn row(
        &self,
        operation: &'static str,
        key: &T::Key,
    ) -> Result<<T::Key as RowKey>::Encoded> {
        let raw = self.raw()?;
        key.encode_key().map_err(|e| Error::from(e).during(operation).on_table(raw.name()))
    }

    fn read(&self, row: Option<Row>) -> Result<Option<T>> {
        let row = row.map(|row| read(&row, &self.hooks)).transpose();
        row.map_err(|e| match &self.raw {
            Ok(raw) => e.on_table(raw.name()),
            Err(_) => e,
        })
    }

    /// Makes a change, and what the hooks put beside it. Its future is large: callers without hooks go round it.
    pub(super) async fn change<R>(
        &self,
        change: RowChange<'_, T>,
        run: impl Future<Output = Result<R>>,
        made: fn(&R) -> bool,
    ) -> Result<R> {
        let mut after = Vec::new();
        let mut before = Vec::new();
        for hook in self.hooks.iter() {
            let writes = hook.before_write(&change).await?;
            before.extend(writes.before);
            after.extend(writes.after);
        }
        for (table, mutation) in before {
            table.mutate(mutation).await.map_err(|e| beside("is not", e))?;
        }
        let done = run.await?;
        let after = after.into_iter().filter(|_| made(&done));
        for (table, mutation) in after {
            table.mutate(mutation).await.map_err(|e| beside("is", e))?;
        }
        Ok(done)
    }
}

/// A write of a hook that failed.
fn beside(row: &str, error: Error) -> Error {
    let text = format!("the row {row} written: a write that a hook put beside it failed");
    let table = error.table().cloned();
    let this = Error::new(error.kind(), text).during("change row").caused_by(error);
    table.iter().fold(this, |this, table| this.on_table(table))
}

/// Reads a row, and shows it to the hooks.
pub(super) fn read<T: Table>(row: &Row, hooks: &Hooks<T>) -> Result<T> {
    let mut row = T::read(row)?;
    hooks.iter().try_for_each(|hook| hook.after_read(&mut row))?;
    Ok(row)
}

/// What a row type reads.
fn columns<T: Table>() -> Columns {
    let families = T::RANGES.iter().map(|(family, _)| *family);
    let columns = T::COLUMNS.iter().enumerate();
    // The records of an enum may share columns.
    let first = columns.filter(|(at, name)| !T::COLUMNS.iter().take(*at).any(|n| n == *name));
    Columns::named(T::VERSIONS, families, first.map(|(_, name)| *name))
}

impl<T: Table> Clone for TypedTable<T> {
    fn clone(&self) -> Self {
        let (raw, columns) = (self.raw.clone(), self.columns.clone());
        Self { raw, columns, hooks: self.hooks.clone() }
    }
}

impl<T: Table> fmt::Debug for TypedTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", T::TABLE)
    }
}
