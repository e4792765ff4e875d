use std::fmt;
use std::marker::PhantomData;

use super::{Table, TypedTable, Update, UpdateResult, WriteRow};
use crate::Result;
use crate::op::Outcomes;
use crate::together::together;

/// Changes of many rows, which are made concurrently and independently of each other.
///
/// ```
/// use tallrow::{Client, Counter, RowKey, Table, Update, table::Batch};
///
/// #[derive(RowKey)]
/// struct Isbn { number: u64 }
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
/// let (new, lent, lost) = (Isbn { number: 1 }, Isbn { number: 2 }, Isbn { number: 3 });
///
/// let new = Book { isbn: new, title: "HBase".into(), lent: Counter(0) };
/// let changes = Batch::new().put(&new).update(&lent, Update::new().add(Book::LENT, 1)).delete(&lost);
/// let results = books.batch(changes).await.into_result()?;
/// assert_eq!(results[1].get(Book::LENT)?, Some(Counter(1)));
/// assert!(books.exists(&new.isbn).await?);
/// # Ok(())
/// # }
/// ```
#[must_use = "a batch does nothing until it is given to a table"]
pub struct Batch<'a, T: Table> {
    changes: Vec<Change<'a, T>>,
}

enum Change<'a, T: Table> {
    Put(&'a T),
    Update(&'a T::Key, Update<T>),
    Delete(&'a T::Key),
}

impl<'a, T: WriteRow> Batch<'a, T> {
    /// A batch without changes.
    ///
    /// See [`Batch`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self { changes: Vec::new() }
    }

    /// Writes a row, as [`TypedTable::put`] does.
    pub fn put(self, row: &'a T) -> Self {
        self.and(Change::Put(row))
    }

    /// Changes some cells of a row, as [`TypedTable::update`] does.
    pub fn update(self, key: &'a T::Key, update: Update<T>) -> Self {
        self.and(Change::Update(key, update))
    }

    /// Deletes a row, as [`TypedTable::delete`] does.
    pub fn delete(self, key: &'a T::Key) -> Self {
        self.and(Change::Delete(key))
    }

    fn and(mut self, change: Change<'a, T>) -> Self {
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
        let names = self.changes.iter().map(|change| match change {
            Change::Put(_) => "Put",
            Change::Update(..) => "Update",
            Change::Delete(_) => "Delete",
        });
        f.debug_list().entries(names).finish()
    }
}

impl<T: WriteRow> TypedTable<T> {
    /// Makes many changes concurrently, and returns the result of each, in the order of the batch: for an update what it
    /// added and appended to, for the others a result without values.
    ///
    /// They are independent: some may fail while others are done, and they are done in no particular order. Several
    /// changes of one row belong into one [`Update`].
    ///
    /// See [`Batch`] for an example.
    pub async fn batch(&self, batch: Batch<'_, T>) -> Outcomes<UpdateResult<T>> {
        let make = async |change: Change<'_, T>| -> Result<UpdateResult<T>> {
            let nothing = UpdateResult { row: None, of: PhantomData };
            match change {
                Change::Put(row) => self.put(row).await.map(|()| nothing),
                Change::Update(key, update) => self.update(key, update).await,
                Change::Delete(key) => self.delete(key).await.map(|()| nothing),
            }
        };
        Outcomes::new(together(batch.changes.into_iter().map(make)).await)
    }

    /// Deletes many rows at once, and returns the result of each, in the same order.
    ///
    /// See [`put_all`](TypedTable::put_all) for an example.
    pub async fn delete_all<'a>(&self, keys: impl IntoIterator<Item = &'a T::Key>) -> Outcomes<()>
    where
        T::Key: 'a,
    {
        Outcomes::new(together(keys.into_iter().map(|key| self.delete(key))).await)
    }
}
