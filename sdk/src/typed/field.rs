use std::fmt;

use super::{CellValue, ValueError};

/// A counter: an 8-byte cell that only increments change.
///
/// A field of this type is read with its row, 0 if there is no such cell, and not written with it.
///
/// See [`Table`](struct@crate::Table) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_structs, reason = "a number with another name")]
pub struct Counter(pub i64);

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a field of a row type may be: a value, an `Option` of one, or a [`Counter`].
///
/// ```
/// use tallrow::CellField;
///
/// assert_eq!(Option::<i32>::from_column(None).unwrap(), None);
/// assert!(i32::from_column(None).is_err());
/// assert_eq!(7i32.to_column(), Some(vec![0, 0, 0, 7]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a cell",
    label = "no bytes for this type",
    note = "implement CellValue for it; a field may be a value, an Option of one, or a Counter"
)]
pub trait CellField: Sized {
    /// What the cell holds.
    type Value;

    /// The bytes to write; none to write nothing.
    fn to_column(&self) -> Option<Vec<u8>>;

    /// Reads the newest value; none if there is no such cell.
    ///
    /// # Errors
    /// Bytes that no value of the type has, or no cell where one must be.
    fn from_column(value: Option<&[u8]>) -> Result<Self, ValueError>;
}

impl<V: CellValue> CellField for V {
    type Value = V;

    fn to_column(&self) -> Option<Vec<u8>> {
        Some(self.to_cell())
    }

    fn from_column(value: Option<&[u8]>) -> Result<Self, ValueError> {
        match value {
            Some(bytes) => V::from_cell(bytes),
            None => Err(ValueError::new("a value", "no such cell; an Option field may be absent")),
        }
    }
}

impl<V: CellValue> CellField for Option<V> {
    type Value = V;

    fn to_column(&self) -> Option<Vec<u8>> {
        self.as_ref().map(V::to_cell)
    }

    fn from_column(value: Option<&[u8]>) -> Result<Self, ValueError> {
        value.map(V::from_cell).transpose()
    }
}

impl CellField for Counter {
    type Value = Self;

    fn to_column(&self) -> Option<Vec<u8>> {
        None
    }

    fn from_column(value: Option<&[u8]>) -> Result<Self, ValueError> {
        value.map_or(Ok(0), i64::from_cell).map(Self)
    }
}
