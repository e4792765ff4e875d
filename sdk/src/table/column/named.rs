//! Columns with a fixed family and qualifier: the constant that the derive makes for each
//! `#[cell(..)]` field.
//!
//! # Invariants
//!
//! - No value outside its constraint is sent: the constraint is in the column, so a put and a set
//!   check the same one. Tests:
//!   `tests/suites/client/updates.rs::a_constraint_is_checked_before_sending`.

use std::fmt;
use std::marker::PhantomData;

use crate::model::show;
use crate::model::value::{NativeCodec, ValueError};

/// The function that checks the constraint of a cell.
pub type Constraint<V> = fn(&V) -> Result<(), ValueError>;

/// A column of a row type: its family, its qualifier, and the types of its values and of their
/// codec.
///
/// `#[derive(Table)]` makes a constant of this type for each cell.
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
/// assert_eq!((Book::TITLE.family(), Book::TITLE.qualifier()), ("b", &b"t"[..]));
/// ```
pub struct Column<T, V, C = NativeCodec> {
    family: &'static str,
    qualifier: &'static [u8],
    constraint: Option<Constraint<V>>,
    /// Whether rows without the cell of this column cannot be read.
    required: bool,
    of: PhantomData<fn() -> (T, C)>,
}

impl<T, V, C> Column<T, V, C> {
    pub(crate) const fn new(family: &'static str, qualifier: &'static [u8]) -> Self {
        Self { family, qualifier, constraint: None, required: false, of: PhantomData }
    }

    pub(crate) const fn with_constraint(self, constraint: Constraint<V>) -> Self {
        Self { constraint: Some(constraint), ..self }
    }

    pub(crate) const fn with_required(self, required: bool) -> Self {
        Self { required, ..self }
    }

    pub(crate) const fn is_required(self) -> bool {
        self.required
    }

    /// Returns this column with another row type, family and qualifier; the type of the values, the
    /// codec and the constraint stay the same.
    pub(crate) fn with_name<U>(
        self,
        family: &'static str,
        qualifier: &'static [u8],
    ) -> Column<U, V, C> {
        let Self { constraint, required, .. } = self;
        Column { family, qualifier, constraint, required, of: PhantomData }
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
    pub const fn qualifier(self) -> &'static [u8] {
        self.qualifier
    }

    /// Checks whether a value satisfies the constraint of the field, if the field has one.
    ///
    /// ```
    /// # use tallrow::{RowKey, Table};
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b")]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:p", range = 0.0..=1e6)]
    ///     price: f64,
    /// }
    ///
    /// assert!(Book::PRICE.validate(&9.5).is_ok());
    /// assert_eq!(
    ///     Book::PRICE.validate(&-1.0).unwrap_err().to_string(),
    ///     "expected 0.0..=1000000.0, found -1.0"
    /// );
    /// ```
    ///
    /// # Errors
    /// The value does not satisfy the constraint.
    pub fn validate(self, value: &V) -> Result<(), ValueError> {
        self.constraint.map_or(Ok(()), |constraint| constraint(value))
    }
}

impl<T, V, C> Clone for Column<T, V, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, V, C> Copy for Column<T, V, C> {}

impl<T, V, C> fmt::Debug for Column<T, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show::column(self.family.as_bytes(), self.qualifier))
    }
}
