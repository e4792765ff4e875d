//! `Batch`: reads and changes of many typed rows that are sent as one operation.

use std::fmt;
use std::marker::PhantomData;

use super::change::{BatchOperation, RowUpdate};
use super::{BatchResult, Table, TypedTable, Update, UpdateResult, WriteRow};
use crate::model::value::{Counter, EncodeCell};
use crate::request::op::{BatchOutcome, BatchResults};
use crate::table::column::{Column, Condition, Operand};

/// Reads and changes of many rows of a table, which are sent as one operation and made
/// independently of each other.
///
/// | function | its [`BatchResult`] |
/// |---|---|
/// | [`put`](Self::put), [`delete`](Self::delete) | without values |
/// | [`update`](Self::update), [`increment`](Self::increment), [`append`](Self::append) | `get(column)`: the new values of what it added and appended to |
/// | [`check_and_update`](Self::check_and_update) | the same, and `is_applied()`: whether the condition held |
/// | [`get`](Self::get) | `row()`: the row, if there is one |
///
/// ```
/// use tallrow::{Client, Counter, RowKey, Table, Update, table::Batch};
///
/// #[derive(RowKey)]
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
///     #[cell("b:n")]
///     lent: Counter,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create::<Book>().await?;
/// let books = client.table::<Book>();
/// let isbn = |number| Isbn { number };
/// let (new, old) = (isbn(1), Book { isbn: isbn(2), title: "Hadoop".into(), lent: Counter(0) });
/// books.put(&old).await?;
///
/// let new = Book { isbn: new, title: "HBase".into(), lent: Counter(0) };
/// let (lent, lost, renamed) = (isbn(3), isbn(4), isbn(5));
/// let all = Batch::new()
///     .put(&new)
///     .increment(&lent, Book::LENT, 1)
///     .delete(&lost)
///     .get(&old.isbn)
///     .check_and_update(
///         &renamed,
///         Book::TITLE.eq("Draft"),
///         Update::new().set(Book::TITLE, "Final"),
///     );
/// let results = books.batch(all).await.into_result()?;
/// assert_eq!(results[1].get(Book::LENT)?, Some(Counter(1)));
/// assert_eq!(results[3].row().unwrap().title, "Hadoop");
/// assert!(!results[4].is_applied(), "there is no such draft");
/// assert!(books.exists(&new.isbn).await?);
/// # Ok(())
/// # }
/// ```
#[must_use = "a batch does nothing until it is given to a table"]
pub struct Batch<'a, T: Table> {
    pub(super) changes: Vec<BatchOperation<'a, T>>,
}

impl<'a, T: WriteRow> Batch<'a, T> {
    /// Creates a batch without reads and changes.
    ///
    /// See [`Batch`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self { changes: Vec::new() }
    }

    /// Writes a row, as [`TypedTable::put`] does.
    pub fn put(self, row: &'a T) -> Self {
        self.and(BatchOperation::Put(row))
    }

    /// Changes some cells of a row, as [`TypedTable::update`] does.
    pub fn update(self, key: &'a T::Key, update: Update<T>) -> Self {
        self.and_update("update", key, update, None)
    }

    /// Adds to a counter of a row, only once even if the reply is lost, as
    /// [`TypedTable::increment`] does.
    pub fn increment(self, key: &'a T::Key, column: Column<T, Counter>, by: i64) -> Self {
        self.and_update("increment", key, Update::new().add(column, by), None)
    }

    /// Appends to the value of a column, only once even if the reply is lost, as
    /// [`TypedTable::append`] does.
    pub fn append<V, C: EncodeCell<V>>(
        self,
        key: &'a T::Key,
        column: Column<T, V, C>,
        value: impl Operand<V>,
    ) -> Self {
        self.and_update("append", key, Update::new().append(column, value), None)
    }

    /// Changes some cells of a row if a condition holds, as [`TypedTable::check_and_update`] does.
    pub fn check_and_update(
        self,
        key: &'a T::Key,
        condition: Condition<T>,
        update: Update<T>,
    ) -> Self {
        self.and_update("check and update", key, update, Some(condition))
    }

    /// Reads a row, as [`TypedTable::get`] does. A batch has no order, so the row may be read
    /// before or after changes of the same batch.
    pub fn get(self, key: &'a T::Key) -> Self {
        self.and(BatchOperation::Get(key))
    }

    /// Deletes a row, as [`TypedTable::delete`] does.
    pub fn delete(self, key: &'a T::Key) -> Self {
        self.and(BatchOperation::Delete(key))
    }

    fn and_update(
        self,
        operation_name: &'static str,
        key: &'a T::Key,
        update: Update<T>,
        condition: Option<Condition<T>>,
    ) -> Self {
        self.and(BatchOperation::Update(Box::new(RowUpdate {
            operation_name,
            key,
            update,
            condition,
        })))
    }

    fn and(mut self, change: BatchOperation<'a, T>) -> Self {
        self.changes.push(change);
        self
    }
}

impl<T: WriteRow> Default for Batch<'_, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Table> fmt::Debug for Batch<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.changes.iter().map(BatchOperation::name);
        f.debug_list().entries(names).finish()
    }
}

impl<T: WriteRow> TypedTable<T> {
    /// Runs all reads and changes of a batch as one operation, with the calls of
    /// [`RawTable::batch`](crate::RawTable::batch), and returns the result of each read or change,
    /// in the order of the batch.
    ///
    /// Reads and changes are independent: some may fail while others are made, and they are made in
    /// no particular order. Several changes of one row belong in one [`Update`]; for changes of
    /// several rows of which all or none are made, see [`mutate_rows`](TypedTable::mutate_rows).
    /// Hooks are called for all changes before the first change is sent.
    ///
    /// See [`Batch`] for an example.
    pub async fn batch(&self, batch: Batch<'_, T>) -> BatchResults<BatchResult<T>> {
        let outcomes = self.run_changes(&batch.changes).await;
        let results = batch.changes.iter().zip(outcomes).map(|(change, outcome)| {
            let BatchOutcome { row, applied, .. } = outcome?;
            let (found, made) = match change {
                BatchOperation::Get(_) => (row, None),
                _ => (None, row),
            };
            let changed = UpdateResult { row: made, of: PhantomData };
            Ok(BatchResult { row: self.decode(found)?, changed, is_applied: applied })
        });
        BatchResults::new(results.collect())
    }

    /// Deletes many rows as one operation, and returns the result for each key, in the order of the
    /// keys.
    ///
    /// See [`put_all`](TypedTable::put_all) for an example.
    pub async fn delete_all<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a T::Key>,
    ) -> BatchResults<()>
    where
        T: 'a,
        T::Key: 'a,
    {
        let deletes: Vec<_> = keys.into_iter().map(BatchOperation::Delete).collect();
        let outcomes = self.run_changes(&deletes).await.into_iter();
        BatchResults::new(outcomes.map(|outcome| outcome.map(drop)).collect())
    }
}
