//! The change stream of a table whose rows are values of a type.

use std::ops::Deref;

use super::column::AnyColumn;
use super::{Table, TypedTable};
use crate::key::DecodeRowKey;
use crate::model::changes::{CellChange, RowChanges};
use crate::model::descriptor::Aggregate;
use crate::model::query::SqlValue;
use crate::model::show;
use crate::model::value::DecodeCell;
use crate::raw_table::ChangeStreamBuilder;
use crate::{Error, ErrorKind, Result};

/// The changes of a row of `T` that were made in one step. It dereferences to the changes as bytes,
/// among which are those of cells without a field.
///
/// See [`TypedTable::changes`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TypedChanges<T: Table> {
    /// The row key.
    pub key: T::Key,
    /// The changes as bytes.
    pub changes: RowChanges,
}

/// What changes have made of a column.
///
/// See [`TypedTable::changes`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnChange<V> {
    /// Nothing.
    Unchanged,
    /// Its cell has this value now, unless it also has a cell with a later timestamp.
    Set(V),
    /// It has no cell now.
    Deleted,
    /// Integers were added to its cells, which are aggregates: this is their sum or, in a family of
    /// minima or maxima, the smallest or the largest of them.
    Added(i64),
    /// Its cells, which are aggregates, have changed in another way: a state was merged into them,
    /// something was added to a sketch, or they were deleted before something was added. Read the
    /// row for the value.
    Merged,
}

impl<T> TypedTable<T>
where
    T: Table,
    T::Key: DecodeRowKey,
{
    /// Reads the change stream of the table, with row keys and values of the row type. Only
    /// Bigtable has change streams, for tables with a
    /// [retention](crate::TableDescriptor::change_stream_retention).
    ///
    /// A change whose row key is not of the row type is returned as an error, and the stream goes
    /// on after it.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use tallrow::changes::ColumnChange;
    /// use tallrow::{Client, RowKey, Table, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// #[derive(RowKey, Clone, Debug, PartialEq)]
    /// struct Isbn {
    ///     number: u64,
    /// }
    ///
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b")]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:t")]
    ///     title: String,
    ///     #[cell("b:p")]
    ///     price: Option<f64>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let day = Duration::from_secs(24 * 60 * 60);
    /// let table = TableDescriptor::of::<Book>()?.change_stream_retention(day);
    /// client.admin().create_table(&table).await?;
    /// let books = client.table::<Book>();
    /// let begun = SystemTime::now() - Duration::from_secs(60);
    /// let isbn = Isbn { number: 7 };
    /// books.put(&Book { isbn: isbn.clone(), title: "HBase".into(), price: None }).await?;
    ///
    /// let mut changes = books.changes()?.since(begun).open()?;
    /// let change = loop {
    ///     if let Some(change) = changes.next_record().await?.and_then(|record| record.into_change()) {
    ///         break change;
    ///     }
    /// };
    /// assert_eq!(change.key, isbn);
    /// assert_eq!(change.column(Book::TITLE)?, ColumnChange::Set("HBase".to_owned()));
    /// assert_eq!(change.column(Book::PRICE)?, ColumnChange::Unchanged);
    /// assert_eq!(change.cells.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An illegal table name in a hand-written implementation of [`Table`].
    pub fn changes(&self) -> Result<ChangeStreamBuilder<TypedChanges<T>>> {
        Ok(self.raw()?.changes_as(TypedChanges::read))
    }
}

impl<T> TypedChanges<T>
where
    T: Table,
    T::Key: DecodeRowKey,
{
    fn read(changes: RowChanges) -> Result<Self> {
        match T::Key::decode_key(&changes.row) {
            Ok(key) => Ok(Self { key, changes }),
            Err(error) => {
                let text = format!(
                    "the row key of a change is not one of this table's type: {error}; were rows \
                     written with another type of keys?"
                );
                Err(Error::new(ErrorKind::Decode, text).on_row(&changes.row).caused_by(error))
            }
        }
    }
}

impl<T: Table> TypedChanges<T> {
    /// Returns what the changes have made of a column, one after the other. Deletions of single
    /// versions are passed over.
    ///
    /// See [`TypedTable::changes`] for an example.
    ///
    /// # Errors
    /// A value that is not of the column's type: [`Decode`](crate::ErrorKind::Decode).
    pub fn column<A>(&self, column: A) -> Result<ColumnChange<A::Value>>
    where
        A: AnyColumn<T>,
        A::Codec: DecodeCell<A::Value>,
    {
        let (of_family, of_qualifier) = (column.family(), column.qualifier());
        let is =
            |family: &str, qualifier: &[u8]| family == of_family && *qualifier == *of_qualifier;
        let mut made = ColumnChange::Unchanged;
        for cell in &self.changes.cells {
            made = match cell {
                CellChange::Set { family, qualifier, value, .. } if is(family, qualifier) => {
                    ColumnChange::Set(value)
                }
                CellChange::Add { family, qualifier, input, .. } if is(family, qualifier) => {
                    match (made, input, combination_of::<T>(family)) {
                        (ColumnChange::Unchanged, SqlValue::Int64(input), Some(_)) => {
                            ColumnChange::Added(*input)
                        }
                        (ColumnChange::Added(before), SqlValue::Int64(input), Some(combine)) => {
                            ColumnChange::Added(combine(before, *input))
                        }
                        _ => ColumnChange::Merged,
                    }
                }
                CellChange::Merge { family, qualifier, .. } if is(family, qualifier) => {
                    ColumnChange::Merged
                }
                CellChange::DeleteColumn { family, qualifier, from: None, to: None }
                    if is(family, qualifier) =>
                {
                    ColumnChange::Deleted
                }
                CellChange::DeleteFamily { family } if family == of_family => ColumnChange::Deleted,
                CellChange::DeleteRow => ColumnChange::Deleted,
                _ => made,
            };
        }
        Ok(match made {
            ColumnChange::Set(value) => {
                ColumnChange::Set(A::Codec::decode(value).map_err(|e| {
                    let name = show::column(of_family.as_bytes(), &of_qualifier);
                    let text = format!("column {name}: {e} in {}", show::bytes(value));
                    Error::new(ErrorKind::Decode, text).on_row(&self.changes.row)
                })?)
            }
            ColumnChange::Unchanged => ColumnChange::Unchanged,
            ColumnChange::Deleted => ColumnChange::Deleted,
            ColumnChange::Added(sum) => ColumnChange::Added(sum),
            ColumnChange::Merged => ColumnChange::Merged,
        })
    }
}

/// Returns how the integers that are added to a cell of this family are combined; `None` if they
/// are not, or if the row type does not say so.
fn combination_of<T: Table>(name: &str) -> Option<fn(i64, i64) -> i64> {
    let family = T::families().into_iter().find(|family| family.name() == name)?;
    match Aggregate::of_family(&family)? {
        Aggregate::Sum => Some(i64::wrapping_add),
        Aggregate::Min => Some(i64::min),
        Aggregate::Max => Some(i64::max),
        Aggregate::Hll => None,
    }
}

impl<T: Table> Deref for TypedChanges<T> {
    type Target = RowChanges;

    fn deref(&self) -> &RowChanges {
        &self.changes
    }
}
