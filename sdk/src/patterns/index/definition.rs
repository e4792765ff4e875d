//! The definition of an index: its table, the function that returns the index keys of a row, and
//! the columns that its entries contain.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;

use super::change_id::ChangeId;
use super::covered::Covered;
use super::entries::{ENTRIES_FAMILY, Entry, INTENTS_FAMILY};
use crate::admin::{FamilyDescriptor, TableDescriptor};
use crate::key::RowKey;
use crate::table::Table;
use crate::{RawTable, Result, Row, TableRef};

/// Returns the descriptor of a table for an index. It has the family `e` for entries and the family
/// `i` for intents, which keep one version each.
///
/// See the [module](crate::index) for an example.
///
/// # Errors
/// If the name is illegal.
pub fn table_descriptor<'a>(name: impl Into<TableRef<'a>>) -> Result<TableDescriptor> {
    let table = TableDescriptor::new(name)?;
    Ok(table
        .family(FamilyDescriptor::new(ENTRIES_FAMILY))
        .family(FamilyDescriptor::new(INTENTS_FAMILY)))
}

/// An index of rows of type `T` by keys of type `K`, whose entries contain the columns of `C`;
/// cheap to clone.
///
/// The function that is passed to [`Index::new`] returns the index keys of a row: an array with one
/// key, an `Option` if some rows have no key, or a `Vec` if a row may have several keys. The
/// function must return the same keys for the same row at any time, and in every program that
/// writes rows.
///
/// ```
/// use tallrow::{
///     Client, RowKey, Table,
///     index::{self, Index},
/// };
///
/// #[derive(RowKey, Clone)]
/// struct Isbn {
///     number: u64,
/// }
///
/// #[derive(RowKey)]
/// struct ByTag {
///     #[key(escaped)]
///     tag: String,
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
///     tags: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&index::table_descriptor("books_by_tag")?).await?;
/// let by_tag: Index<Book, ByTag> =
///     Index::new("tag", client.raw_table("books_by_tag")?, |book: &Book| {
///         let number = book.isbn.number;
///         book.tags.split(' ').map(|tag| ByTag { tag: tag.into(), number }).collect::<Vec<_>>()
///     });
/// assert_eq!(by_tag.name(), "tag");
/// # Ok(())
/// # }
/// ```
pub struct Index<T, K, C = ()> {
    pub(super) definition: Definition<T>,
    of: PhantomData<fn() -> (K, C)>,
}

type Keys<T> = dyn Fn(&T) -> Result<Vec<Bytes>> + Send + Sync;

/// An index without the types of its keys and columns.
pub(super) struct Definition<T> {
    /// The name of the index in the markers of rows.
    pub(super) name: Arc<str>,
    pub(super) table: RawTable,
    pub(super) unique: bool,
    pub(super) covered: Option<Covered>,
    keys: Arc<Keys<T>>,
}

impl<T, K: RowKey> Index<T, K> {
    /// Creates an index whose entries are stored in `table`. `keys` returns the index keys of a
    /// row. The name of the index, 1 to 255 bytes, is stored in every row that has an entry, and
    /// must never change.
    ///
    /// See [`Index`] for an example.
    pub fn new<I: IntoIterator<Item = K>>(
        name: &str,
        table: RawTable,
        keys: impl Fn(&T) -> I + Send + Sync + 'static,
    ) -> Self {
        let encode = |key: K| Ok(Bytes::copy_from_slice(key.encode_key()?.as_ref()));
        let keys = move |row: &T| {
            let mut keys = keys(row).into_iter().map(encode).collect::<Result<Vec<_>>>()?;
            keys.sort_unstable();
            keys.dedup();
            Ok(keys)
        };
        let (name, keys) = (name.into(), Arc::new(keys));
        let definition = Definition { name, table, unique: false, covered: None, keys };
        Self { definition, of: PhantomData }
    }

    /// Makes the entries of the index also contain the columns of `P`, so that
    /// [`covered`](super::IndexScan::covered) reads these columns without reading the rows.
    ///
    /// These columns may be changed only through the [`IndexedTable`](super::IndexedTable). Each
    /// put or update of a row then writes all entries of the row again, even if their keys are the
    /// same.
    ///
    /// See [`IndexScan::covered`](super::IndexScan::covered) for an example.
    pub fn covering<P: Table<Key = T::Key>>(self) -> Index<T, K, P>
    where
        T: Table,
    {
        let definition = Definition { covered: Some(Covered::of::<P>()), ..self.definition };
        Index { definition, of: PhantomData }
    }
}

impl<T, K, C> Index<T, K, C> {
    /// Makes the index unique: writing a row fails with [`NotUnique`](crate::ErrorKind::NotUnique)
    /// if another row has the same index key.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, RowKey, Table, index::{self, Index, IndexedTable}};
    ///
    /// #[derive(RowKey)]
    /// struct UserId { id: u64 }
    ///
    /// #[derive(RowKey)]
    /// struct ByEmail { email: String }
    ///
    /// #[derive(Table)]
    /// #[table(name = "users")]
    /// #[family("u")]
    /// struct User {
    ///     #[key]
    ///     id: UserId,
    ///     #[cell("u:e")]
    ///     email: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// client.admin().create::<User>().await?;
    /// client.admin().create_table(&index::table_descriptor("users_by_email")?).await?;
    /// let by_email = Index::new("email", client.raw_table("users_by_email")?, |user: &User| {
    ///     [ByEmail { email: user.email.clone() }]
    /// });
    /// let by_email = by_email.unique();
    /// let users = IndexedTable::builder(client.table::<User>()).index(&by_email).build()?;
    ///
    /// let user = |id, email: &str| User { id: UserId { id }, email: email.into() };
    /// users.put(&user(1, "ada@example.org")).await?;
    /// let error = users.put(&user(2, "ada@example.org")).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotUnique);
    /// // Free again once the row has another one.
    /// users.put(&user(1, "ada@example.com")).await?;
    /// users.put(&user(2, "ada@example.org")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn unique(self) -> Self {
        let definition = Definition { unique: true, ..self.definition };
        Self { definition, ..self }
    }

    /// The name of the index.
    ///
    /// See [`Index`] for an example.
    pub fn name(&self) -> &str {
        &self.definition.name
    }
}

impl<T> Definition<T> {
    /// Returns the index keys of a row, sorted and without duplicates.
    pub(super) fn keys(&self, row: &T) -> Result<Vec<Bytes>> {
        (self.keys)(row).map_err(|error| error.on_table(self.table.name()))
    }

    /// Returns the entry that the change `id` writes for `row`, which has the key `row_key`.
    pub(super) fn entry(&self, id: ChangeId, row_key: &Bytes, row: &Row) -> Entry {
        let covered = self.covered.map(|covered| covered.encode(row)).unwrap_or_default();
        Entry { id, row: row_key.clone(), covered: covered.into() }
    }
}

impl<T> Clone for Definition<T> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            table: self.table.clone(),
            unique: self.unique,
            covered: self.covered,
            keys: self.keys.clone(),
        }
    }
}

impl<T, K, C> Clone for Index<T, K, C> {
    fn clone(&self) -> Self {
        Self { definition: self.definition.clone(), of: PhantomData }
    }
}

impl<T, K, C> fmt::Debug for Index<T, K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({:?} in {})", self.definition.name, self.definition.table.name())
    }
}
