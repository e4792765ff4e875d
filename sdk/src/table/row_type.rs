//! The traits of row types: `Table` to read a row, `WriteRow` to write one, and `RecordRow` for one
//! record of an enum.

use std::ops::Deref;

use crate::key::RowKey;

use super::WriteOptions;
use super::names::ColumnName;
use crate::{FamilyDescriptor, Put, Result, Row};

/// A type whose values are read from rows of a table; `#[derive(Table)]` implements it.
///
/// ```
/// use tallrow::{RowKey, Table, TableDescriptor};
///
/// #[derive(RowKey)]
/// struct Isbn { number: u64 }
///
/// #[derive(Table)]
/// #[table(name = "books")]
/// #[family("b", versions = 3)]
/// struct Book {
///     #[key]
///     isbn: Isbn,
///     #[cell("b:t")]
///     title: String,
/// }
///
/// assert_eq!(Book::TABLE, "books");
/// assert_eq!(Book::COLUMNS, [("b", &b"t"[..])]);
/// let descriptor = TableDescriptor::of::<Book>()?;
/// assert_eq!(descriptor.families()[0].get("VERSIONS"), Some("3"));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    label = "not a row type",
    note = "add #[derive(Table)] to it"
)]
pub trait Table: Sized {
    /// The type of the table's row keys.
    type Key: RowKey;

    /// The name of the table.
    const TABLE: &'static str;

    /// The columns that reads request, each as family and qualifier.
    const COLUMNS: &'static [ColumnName];

    /// Pairs of a family and a qualifier prefix: reads request all cells of the family whose
    /// qualifiers have the prefix. An empty prefix stands for the whole family.
    const RANGES: &'static [ColumnName] = &[];

    /// How many versions of each cell are read.
    const VERSIONS: u32 = 1;

    /// The column, one of [`COLUMNS`](Table::COLUMNS), that every put and update also sets: the
    /// empty column of a table with `compat = "phoenix"`, which tells Phoenix that the row exists.
    ///
    /// ```
    /// use tallrow::{RowKey, Table};
    ///
    /// #[derive(RowKey)]
    /// #[row_key(compat = "phoenix")]
    /// struct Id { id: i64 }
    ///
    /// /// `CREATE TABLE USERS (ID BIGINT PRIMARY KEY, NAME VARCHAR)`
    /// #[derive(Table)]
    /// #[table(name = "USERS", compat = "phoenix")]
    /// #[family("0")]
    /// struct User {
    ///     #[key]
    ///     id: Id,
    ///     #[cell("0", encoded = 11)]
    ///     name: Option<String>,
    /// }
    ///
    /// assert_eq!(User::EMPTY_COLUMN, Some(("0", &b"\0\0\0\0"[..])));
    /// assert_eq!(User::NAME.qualifier(), b"\x80\x0b");
    /// assert_eq!(User::COLUMNS, [("0", User::NAME.qualifier()), ("0", b"\0\0\0\0")]);
    /// ```
    const EMPTY_COLUMN: Option<ColumnName> = None;

    /// The names of the families that are aggregates: updates add to their cells by
    /// [`AddToCells`](crate::op::AddToCells), and not by increments.
    ///
    /// ```
    /// use tallrow::{Counter, RowKey, Table};
    ///
    /// #[derive(RowKey)]
    /// struct Url { url: String }
    ///
    /// #[derive(Table)]
    /// #[table(name = "pages")]
    /// #[family("c", aggregate = "sum")]
    /// struct Page {
    ///     #[key]
    ///     url: Url,
    ///     #[cell("c:h")]
    ///     hits: Counter,
    /// }
    ///
    /// assert_eq!(Page::AGGREGATES, ["c"]);
    /// ```
    const AGGREGATES: &'static [&'static str] = &[];

    /// The families of the table.
    fn families() -> Vec<FamilyDescriptor>;

    /// Decodes a row.
    ///
    /// # Errors
    /// A row key or a cell that does not match the type; an absent cell that is not optional.
    fn from_row(row: &Row) -> Result<Self>;
}

/// A row type whose values can be written as whole rows; `#[derive(Table)]` implements this trait,
/// except for projections.
///
/// ```
/// # use tallrow::{RowKey, Table};
/// use tallrow::table::{WriteOptions, WriteRow};
/// # #[derive(RowKey)] struct Isbn { number: u64 }
/// # #[derive(Table)] #[table(name = "books")] #[family("b")]
/// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
///
/// let put = Book { isbn: Isbn { number: 1 }, title: "HBase".into() }.to_put(WriteOptions::new())?;
/// assert_eq!(put.row(), [0, 0, 0, 0, 0, 0, 0, 1]);
/// # Ok::<(), tallrow::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of whole rows, so it cannot be put",
    label = "not known to be a whole row",
    note = "of a projection, put a value of the type it is a part of, or change some cells with `update`; a type parameter \
            needs the bound `WriteRow`"
)]
pub trait WriteRow: Table {
    /// Returns the column that holds the row's version, and the version that the row had when it
    /// was read: 0 for a row that is not in the table. Each put increments the version in the
    /// table. Returns `None` for a row type without a version.
    ///
    /// See [`TypedTable::save`](crate::TypedTable::save) for an example.
    fn version(&self) -> Option<(ColumnName, u64)> {
        None
    }

    /// Sets the version in this value to the version that the row has in the table after a put.
    ///
    /// See [`TypedTable::save`](crate::TypedTable::save) for an example.
    fn increment_version(&mut self) {}

    /// Returns the key of this row; generic code, which cannot access the key's field, uses this
    /// function. The result dereferences to the key.
    ///
    /// ```
    /// # use tallrow::{Client, Result, RowKey, Table};
    /// use tallrow::{TypedTable, table::WriteRow};
    ///
    /// /// Writes a row and reads it back.
    /// async fn put_and_get<T: WriteRow>(table: &TypedTable<T>, row: &T) -> Result<Option<T>> {
    ///     table.put(row).await?;
    ///     table.get(&row.key()).await
    /// }
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create::<Book>().await?;
    /// let book = Book { isbn: Isbn { number: 1 }, title: "HBase".into() };
    /// assert_eq!(book.key().number, 1);
    /// assert!(put_and_get(&client.table(), &book).await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    fn key(&self) -> KeyOf<'_, Self::Key>;

    /// Returns the put that writes this row.
    ///
    /// See [`WriteRow`] for an example.
    ///
    /// # Errors
    /// A key or a cell that cannot be encoded; a value outside its constraint.
    fn to_put(&self, options: WriteOptions) -> Result<Put>;
}

/// The key of a row: a reference to the field that holds the key or, for a record, the key that is
/// made of the fields of the record.
///
/// See [`WriteRow::key`] for an example.
#[derive(Clone, Debug)]
pub struct KeyOf<'a, K>(Held<'a, K>);

#[derive(Clone, Debug)]
enum Held<'a, K> {
    Borrowed(&'a K),
    Made(K),
}

impl<'a, K> KeyOf<'a, K> {
    /// Refers to the key in a field.
    #[doc(hidden)]
    pub fn borrowed(key: &'a K) -> Self {
        Self(Held::Borrowed(key))
    }

    /// Holds the key that was made of the fields of a record.
    #[doc(hidden)]
    pub fn owned(key: K) -> Self {
        Self(Held::Made(key))
    }
}

impl<K> Deref for KeyOf<'_, K> {
    type Target = K;

    fn deref(&self) -> &K {
        match &self.0 {
            Held::Borrowed(key) => key,
            Held::Made(key) => key,
        }
    }
}

/// The row type of one record. If the row key is an enum, each of its variants is the key of a
/// record, and each variant of the row enum holds a value of such a row type.
///
/// `#[derive(Table)]` implements this trait for a type with `#[table(variant_of = Rows, key_variant
/// = Key::Record)]`.
///
/// ```
/// use tallrow::{RowKey, Table, table::RecordRow};
///
/// #[derive(RowKey)]
/// #[row_key(shared(customer))]
/// enum ShopKey {
///     #[key(tag = 1)]
///     Customer { customer: u32 },
///     #[key(tag = 2)]
///     Order { customer: u32, order: u32 },
/// }
///
/// #[derive(Table)]
/// #[table(name = "shop")]
/// #[family("d")]
/// enum Shop {
///     Customer(Customer),
///     Order(Order),
/// }
///
/// #[derive(Table)]
/// #[table(variant_of = Shop, key_variant = ShopKey::Customer)]
/// struct Customer {
///     #[key]
///     customer: u32,
///     #[cell("d:n")]
///     name: String,
/// }
///
/// #[derive(Table)]
/// #[table(variant_of = Shop, key_variant = ShopKey::Order)]
/// struct Order {
///     #[key]
///     customer: u32,
///     #[key]
///     order: u32,
///     #[cell("d:t")]
///     total: f64,
/// }
///
/// assert_eq!(Order::TABLE, "shop");
/// assert!(Order::is_key_of_record(&ShopKey::Order { customer: 1, order: 2 }));
/// assert!(!Order::is_key_of_record(&ShopKey::Customer { customer: 1 }));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record of a table",
    label = "not a record",
    note = "a variant of a row enum holds a type with #[derive(Table)] and #[table(variant_of = .., key_variant = ..)]"
)]
pub trait RecordRow: Table {
    /// Returns whether a row with this key is a row of this record.
    fn is_key_of_record(key: &Self::Key) -> bool;
}
