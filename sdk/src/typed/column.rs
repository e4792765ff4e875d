use std::fmt;
use std::marker::PhantomData;

/// A column of a row type: family, qualifier, and the type of its values.
///
/// `#[derive(Table)]` makes a constant of it for each cell.
///
/// ```
/// use tallrow::{RowKey, Table};
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
/// }
///
/// assert_eq!((Book::TITLE.family(), Book::TITLE.qualifier()), ("b", "t"));
/// ```
pub struct Column<T, V> {
    family: &'static str,
    qualifier: &'static str,
    of: PhantomData<fn() -> (T, V)>,
}

impl<T, V> Column<T, V> {
    pub(super) const fn new(family: &'static str, qualifier: &'static str) -> Self {
        Self { family, qualifier, of: PhantomData }
    }

    /// The family.
    ///
    /// See [`Column`] for an example.
    pub const fn family(self) -> &'static str {
        self.family
    }

    /// The qualifier.
    ///
    /// See [`Column`] for an example.
    pub const fn qualifier(self) -> &'static str {
        self.qualifier
    }
}

impl<T, V> Clone for Column<T, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, V> Copy for Column<T, V> {}

impl<T, V> fmt::Debug for Column<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.family, self.qualifier)
    }
}
