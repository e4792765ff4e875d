//! The result of one read or change in a typed batch.

use std::fmt;

use super::{Table, UpdateResult};
use crate::Result;
use crate::model::value::DecodeCell;
use crate::table::column::Column;

/// The result of one read or change of a [`Batch`](super::Batch).
///
/// See [`Batch`](super::Batch) for an example.
pub struct BatchResult<T> {
    pub(super) row: Option<T>,
    pub(super) changed: UpdateResult<T>,
    pub(super) is_applied: bool,
}

impl<T> BatchResult<T> {
    /// The row that a [`get`](super::Batch::get) found; `None` if there is no such row, or if this
    /// is the result of a change.
    ///
    /// See [`Batch`](super::Batch) for an example.
    pub fn row(&self) -> Option<&T> {
        self.row.as_ref()
    }

    /// Returns the row that a [`get`](super::Batch::get) found, by value.
    ///
    /// See [`row`](Self::row).
    pub fn into_row(self) -> Option<T> {
        self.row
    }

    /// Returns the new value of a column that the change added to or appended to, like
    /// [`UpdateResult::get`].
    ///
    /// See [`Batch`](super::Batch) for an example.
    ///
    /// # Errors
    /// [`Decode`](crate::ErrorKind::Decode) if the bytes do not match the type.
    pub fn get<V, C: DecodeCell<V>>(&self, column: Column<T, V, C>) -> Result<Option<V>> {
        self.changed.get(column)
    }

    /// Whether a change was made: false only for a
    /// [`check_and_update`](super::Batch::check_and_update) whose condition did not hold.
    ///
    /// See [`Batch`](super::Batch) for an example.
    pub fn is_applied(&self) -> bool {
        self.is_applied
    }
}

impl<T: Table> fmt::Debug for BatchResult<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchResult")
            .field("has_row", &self.row.is_some())
            .field("changed", &self.changed)
            .field("is_applied", &self.is_applied)
            .finish()
    }
}
