use super::hook::read_row;
use super::{Table, TableScan, TypedTable};
use crate::key::RowRanges;
use crate::op::Outcomes;
use crate::together::together;
use crate::{Get, Result, Row};

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

    /// Reads many rows at once, in the order their keys were given in.
    ///
    /// See [`put_all`](TypedTable::put_all) for an example.
    pub async fn get_all<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a T::Key>,
    ) -> Outcomes<Option<T>>
    where
        T::Key: 'a,
    {
        Outcomes::new(together(keys.into_iter().map(|key| self.get(key))).await)
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

    pub(super) fn read(&self, row: Option<Row>) -> Result<Option<T>> {
        let row = row.map(|row| read_row(&row, &self.hooks)).transpose();
        row.map_err(|e| match &self.raw {
            Ok(raw) => e.on_table(raw.name()),
            Err(_) => e,
        })
    }
}
