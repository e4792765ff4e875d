//! Hooks: code of the program that runs at each change and read of typed rows, and may add writes
//! of other rows.

use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use super::{Table, Update};
use crate::request::op::Mutation;
use crate::{RawTable, Result, Row};

/// Code that runs at each change and each read of the rows of a [`TypedTable`](crate::TypedTable).
///
/// A hook sees a change before it is sent. The hook may reject the change, and may add other
/// writes: in other tables, or in other rows. **They are not atomic with the change**, because
/// HBase has no transactions over several rows. The order is:
///
/// 1. the writes that hooks added [`before`](ExtraMutations::before) the change, one after the
///    other;
/// 2. the change;
/// 3. the writes that hooks added [`after`](ExtraMutations::after) the change, unless a condition
///    did not hold and nothing was changed.
///
/// A failure stops this sequence, and earlier writes are not undone. So a write before the change
/// must be harmless if the change is then not made (an index entry that readers verify), and a
/// write after the change must be one that may be missing (the delete of an old entry). Changes
/// made through [`RawTable`], or by other programs, do not run hooks.
///
/// ```
/// use tallrow::{
///     Client, Delete, Error, FamilyDescriptor, Put, RawTable, RowKey, Scan, Table,
///     TableDescriptor,
///     table::{ExtraMutations, RowChange, RowHook},
/// };
///
/// #[derive(RowKey, Clone)]
/// struct Isbn {
///     number: u32,
/// }
///
/// #[derive(Table)]
/// #[table(name = "books")]
/// #[family("b")]
/// struct Book {
///     #[key]
///     isbn: Isbn,
///     #[cell("b:a")]
///     author: String,
/// }
///
/// /// Keeps a row `author|isbn` in another table for each book.
/// struct ByAuthor {
///     books: tallrow::TypedTable<Book>,
///     index: RawTable,
/// }
///
/// fn entry(book: &Book) -> String {
///     format!("{}|{:08}", book.author, book.isbn.number)
/// }
///
/// impl RowHook<Book> for ByAuthor {
///     async fn before_write(
///         &self,
///         change: &RowChange<'_, Book>,
///     ) -> tallrow::Result<ExtraMutations> {
///         let (key, new) = match change {
///             RowChange::Put(book) => (&book.isbn, Some(entry(book))),
///             RowChange::Delete(key) => (*key, None),
///             // An update does not contain the whole book.
///             RowChange::Update(_, update) if update.changes_column(Book::AUTHOR) => {
///                 return Err(Error::invalid_argument("put the whole book to change its author"));
///             }
///             _ => return Ok(ExtraMutations::new()),
///         };
///         let old = self.books.get(key).await?.map(|book| entry(&book));
///         let mut writes = ExtraMutations::new();
///         if let Some(new) = &new {
///             writes = writes.before(&self.index, Put::new(new).cell("i", "", ""));
///         }
///         if let Some(old) = old.filter(|old| new.as_ref() != Some(old)) {
///             writes = writes.after(&self.index, Delete::new(old));
///         }
///         Ok(writes)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&TableDescriptor::of::<Book>()?).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("by_author")?.family(FamilyDescriptor::new("i")))
///     .await?;
/// let index = client.raw_table("by_author")?;
/// let plain = client.table::<Book>();
/// let books = plain.clone().with_hook(ByAuthor { books: plain, index: index.clone() });
///
/// let isbn = Isbn { number: 7 };
/// books.put(&Book { isbn: isbn.clone(), author: "Ada".into() }).await?;
/// books.put(&Book { isbn: isbn.clone(), author: "Bob".into() }).await?;
/// let mut entries = index.scan(Scan::all())?;
/// assert_eq!(entries.next_row().await?.unwrap().key(), b"Bob|00000007");
/// assert_eq!(entries.next_row().await?, None);
///
/// books.delete(&isbn).await?;
/// assert_eq!(index.scan(Scan::all())?.next_row().await?, None);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook of the row type `{T}`",
    label = "not a hook",
    note = "implement `RowHook<{T}>` for a type of yours, with an `async fn before_write`; a closure is none"
)]
pub trait RowHook<T: Table>: Send + Sync {
    /// Called before a row is changed; returns the writes to add. An implementation may be an
    /// `async fn`.
    ///
    /// # Errors
    /// An error rejects the change; nothing is written then.
    /// [`Error::invalid_argument`](crate::Error::invalid_argument) makes such an error.
    fn before_write(
        &self,
        change: &RowChange<'_, T>,
    ) -> impl Future<Output = Result<ExtraMutations>> + Send {
        let _ = change;
        ready(Ok(ExtraMutations::new()))
    }

    /// Called after a row was read, before the caller gets the row.
    ///
    /// # Errors
    /// The error that the caller gets instead of the row.
    fn after_read(&self, row: &mut T) -> Result<()> {
        let _ = row;
        Ok(())
    }
}

/// A change that is about to be made to a row.
///
/// See [`RowHook`] for an example.
#[non_exhaustive]
pub enum RowChange<'a, T: Table> {
    /// A row is written.
    Put(&'a T),
    /// Some cells of a row are changed.
    Update(&'a T::Key, &'a Update<T>),
    /// A row is deleted.
    Delete(&'a T::Key),
}

impl<T: Table> fmt::Debug for RowChange<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Put(_) => "Put",
            Self::Update(..) => "Update",
            Self::Delete(_) => "Delete",
        })
    }
}

/// The writes that a hook adds to the change of a row.
///
/// See [`RowHook`] for an example.
#[derive(Debug, Default)]
pub struct ExtraMutations {
    pub(super) before: Vec<(RawTable, Mutation)>,
    pub(super) after: Vec<(RawTable, Mutation)>,
}

impl ExtraMutations {
    /// Creates a list without writes.
    ///
    /// See [`RowHook`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a write that is made before the change of the row.
    pub fn before(mut self, table: &RawTable, mutation: impl Into<Mutation>) -> Self {
        self.before.push((table.clone(), mutation.into()));
        self
    }

    /// Adds a write that is made after the change of the row.
    pub fn after(mut self, table: &RawTable, mutation: impl Into<Mutation>) -> Self {
        self.after.push((table.clone(), mutation.into()));
        self
    }
}

/// A hook of any type, as a trait that can be an object.
pub(super) trait DynHook<T: Table>: Send + Sync {
    fn before_write<'a>(
        &'a self,
        change: &'a RowChange<'a, T>,
    ) -> Pin<Box<dyn Future<Output = Result<ExtraMutations>> + Send + 'a>>;

    fn after_read(&self, row: &mut T) -> Result<()>;
}

impl<T: Table, H: RowHook<T>> DynHook<T> for H {
    fn before_write<'a>(
        &'a self,
        change: &'a RowChange<'a, T>,
    ) -> Pin<Box<dyn Future<Output = Result<ExtraMutations>> + Send + 'a>> {
        Box::pin(RowHook::before_write(self, change))
    }

    fn after_read(&self, row: &mut T) -> Result<()> {
        RowHook::after_read(self, row)
    }
}

/// The hooks of a table, in the order in which they were added.
pub(super) type Hooks<T> = Arc<[Arc<dyn DynHook<T>>]>;

/// Decodes a row, and passes it to the hooks.
pub(super) fn read_row<T: Table>(row: &Row, hooks: &Hooks<T>) -> Result<T> {
    after_read(T::from_row(row)?, hooks)
}

/// Passes a row that was read to the hooks, and returns it.
pub(super) fn after_read<T: Table>(mut row: T, hooks: &Hooks<T>) -> Result<T> {
    hooks.iter().try_for_each(|hook| hook.after_read(&mut row))?;
    Ok(row)
}
