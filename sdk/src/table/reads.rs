use super::hook::read_row;
use super::{Table, TableScan, TypedTable};
use crate::key::RowRanges;
use crate::together::together;
use crate::{Get, Result, Row, Timestamp};

impl<T: Table> TypedTable<T> {
    /// Reads a row; `None` if it has none of the type's cells.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// As [`RawTable::get`](crate::RawTable::get); and [`Decode`](crate::ErrorKind::Decode) if the row does not match
    /// the type.
    pub async fn get(&self, key: &T::Key) -> Result<Option<T>> {
        self.read(self.raw()?.get(self.to_get("get", key)?).await?)
    }

    /// Reads a row as it was at this time: of each cell the newest version written up to then. Cells deleted since then
    /// are found only if their family keeps deleted cells, and older versions only if it keeps versions.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, Table, TableDescriptor, Timestamp, table::WriteOptions};
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
    /// As [`get`](TypedTable::get).
    pub async fn get_at(&self, key: &T::Key, time: Timestamp) -> Result<Option<T>> {
        self.read(self.raw()?.get(self.to_get("get", key)?.time_range(..=time)).await?)
    }

    /// Reads many rows at once, in the order their keys were given in.
    ///
    /// See [`put_all`](TypedTable::put_all) for an example.
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
    /// See [`TypedTable`](crate::TypedTable) for an example.
    ///
    /// # Errors
    /// As [`RawTable::exists`](crate::RawTable::exists).
    pub async fn exists(&self, key: &T::Key) -> Result<bool> {
        self.raw()?.exists(self.to_get("exists", key)?).await
    }

    /// Reads the rows of a range of keys: built with `MyKey::scan()` and as many fields as needed.
    ///
    /// The rows of a salted key come in the order of what follows the salt, merged from all buckets.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    pub fn scan<R: RowRanges<Key = T::Key>>(&self, ranges: R) -> TableScan<T> {
        let columns = (*self.columns).clone();
        TableScan::new(self.raw().cloned(), columns, self.hooks.clone(), ranges)
    }

    fn to_get(&self, operation: &'static str, key: &T::Key) -> Result<Get> {
        Ok(Get::with_columns(self.row(operation, key)?, (*self.columns).clone()))
    }

    fn read(&self, row: Option<Row>) -> Result<Option<T>> {
        let row = row.map(|row| read_row(&row, &self.hooks)).transpose();
        row.map_err(|e| match &self.raw {
            Ok(raw) => e.on_table(raw.name()),
            Err(_) => e,
        })
    }
}
