//! Fills a put with the fields of a row type, for the code that the derives generate.

use super::names::ColumnName;
use super::{Table, WriteOptions};
use crate::key::RowKey;
use crate::model::show;
use crate::model::value::{CellField, EncodeCell, Qualifier, ValueError, ValueOrOption};
use crate::table::column::{CellMap, Column};
use crate::{Error, Put, Result, Timestamp};

/// The value that Phoenix gives its empty column.
pub(super) const EMPTY_COLUMN_VALUE: &[u8] = b"x";

/// A put, as the code of the derives fills it.
#[derive(Debug)]
pub struct CellWriter {
    put: Put,
    timestamp: Option<Timestamp>,
    pub(super) columns: &'static [ColumnName],
    pub(super) ranges: &'static [ColumnName],
    all: &'static [ColumnName],
    /// The bytes of one value.
    value: Vec<u8>,
    qualifier: Vec<u8>,
}

impl CellWriter {
    /// Creates a writer that fills the put of the row with this key.
    ///
    /// The type parameter is the row type, not the key. If the key's type is not a row key, the
    /// compiler thus reports this once, in the row type, and not again for the write.
    pub fn of<T: Table>(
        key: &T::Key,
        WriteOptions { timestamp, ttl, delivery }: WriteOptions,
    ) -> Result<Self> {
        let row = key.encode_key().map_err(|e| Error::from(e).with_operation_if_unset("put"))?;
        let put = Put::new(row);
        let put = ttl.into_iter().fold(put, Put::ttl);
        let put = delivery.into_iter().fold(put, Put::delivery);
        let (columns, ranges) = (T::COLUMNS, T::RANGES);
        let (value, qualifier) = (Vec::new(), Vec::new());
        Ok(Self { put, timestamp, columns, ranges, all: columns, value, qualifier })
    }

    /// Writes a field without a codec.
    #[inline]
    pub fn field<F>(&mut self, column: usize, field: &F)
    where
        // The first bound implies the second; with both, the compiler reports a type that satisfies
        // neither only once.
        F: CellField + ValueOrOption<<F as CellField>::Value>,
    {
        self.value.clear();
        if field.write_field(&mut self.value) {
            self.push(column);
        }
    }

    /// Writes the value of a field with a codec; `None` writes nothing.
    pub fn field_with_codec<V, C: EncodeCell<V>>(
        &mut self,
        column: usize,
        value: Option<&V>,
    ) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        self.value.clear();
        C::encode(value, &mut self.value).map_err(|e| self.refused(self.name(column), e))?;
        self.push(column);
        Ok(())
    }

    /// Checks the constraint for a value that is going to be written.
    pub fn check_constraint<T, V, C>(
        &self,
        index: usize,
        column: Column<T, V, C>,
        value: Option<&V>,
    ) -> Result<()> {
        let checked = value.map_or(Ok(()), |value| column.validate(value));
        checked.map_err(|e| self.refused(self.name(index), e))
    }

    /// Checks the constraint of the whole row.
    pub fn check_row<T, E: std::fmt::Display>(
        &self,
        row: &T,
        check: impl FnOnce(&T) -> Result<(), E>,
    ) -> Result<()> {
        check(row).map_err(|e| self.on_row(Error::invalid(e.to_string())))
    }

    /// Writes the dynamic cells of a map.
    pub fn dynamic<M: CellMap, C: EncodeCell<M::Value>>(
        &mut self,
        range: usize,
        map: &M,
    ) -> Result<()> {
        let (family, prefix) = self.ranges.get(range).copied().unwrap_or(("", b""));
        for (key, value) in map.entries() {
            self.qualifier.clear();
            self.qualifier.extend_from_slice(prefix);
            key.write_qualifier(&mut self.qualifier);
            let is = |name: &&ColumnName| name.0 == family && name.1 == self.qualifier;
            if let Some((family, qualifier)) = self.all.iter().find(is) {
                let column = show::column(family.as_bytes(), qualifier);
                let text =
                    format!("column {column} is a field; a dynamic cell cannot be kept there");
                return Err(self.on_row(Error::invalid(text)));
            }
            self.value.clear();
            if let Err(error) = C::encode(value, &mut self.value) {
                return Err(self.refused((family, prefix), error));
            }
            self.put.push(family.as_bytes(), &self.qualifier, self.timestamp, &self.value);
        }
        Ok(())
    }

    /// Writes the empty column of a table of Phoenix.
    pub fn phoenix_empty_column(&mut self, (family, qualifier): ColumnName) {
        self.put.push(family.as_bytes(), qualifier, self.timestamp, EMPTY_COLUMN_VALUE);
    }

    /// Returns the put.
    pub fn finish(self) -> Put {
        self.put
    }

    fn push(&mut self, column: usize) {
        if let Some((family, qualifier)) = self.columns.get(column) {
            self.put.push(family.as_bytes(), qualifier, self.timestamp, &self.value);
        }
    }

    fn name(&self, column: usize) -> ColumnName {
        self.columns.get(column).copied().unwrap_or(("", b""))
    }

    #[cold]
    fn refused(&self, (family, qualifier): ColumnName, error: ValueError) -> Error {
        let column = show::column(family.as_bytes(), qualifier);
        self.on_row(Error::invalid(format!("column {column}: {error}")))
    }

    fn on_row(&self, error: Error) -> Error {
        error.with_operation_if_unset("put").on_row(&bytes::Bytes::copy_from_slice(self.put.row()))
    }
}
