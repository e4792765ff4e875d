use crate::key::RowKey;

use crate::{Family, Put, Result, Row};

/// A type whose values are rows of a table; `#[derive(Table)]` implements it.
///
/// ```
/// use tallrow::{RowKey, Table, TableDescriptor, TableRow};
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
/// assert_eq!(Book::COLUMNS, [("b", "t")]);
/// let descriptor = TableDescriptor::of::<Book>()?;
/// assert_eq!(descriptor.families()[0].get("VERSIONS"), Some("3"));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    label = "not a row type",
    note = "add #[derive(Table)] to it"
)]
pub trait TableRow: Sized {
    /// The type of its row keys.
    type Key: RowKey;

    /// The name of the table.
    const TABLE: &'static str;

    /// The columns that are read, family and qualifier.
    const COLUMNS: &'static [(&'static str, &'static str)];

    /// The families of the table.
    fn families() -> Vec<Family>;

    /// The row key.
    fn row_key(&self) -> &Self::Key;

    /// Adds the cells of this row to a put.
    fn write(&self, put: Put) -> Put;

    /// Reads a row.
    ///
    /// # Errors
    /// A row key or a cell that is not what the type says; an absent cell that is not optional.
    fn read(row: &Row) -> Result<Self>;
}
