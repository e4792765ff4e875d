//! The new values that an update returns.

use std::fmt;
use std::marker::PhantomData;

use crate::Result;
use crate::model::value::DecodeCell;
use crate::table::column::{Column, decode_value};

/// The result of an [`Update`](super::Update): the new values of the cells that the update added to
/// or appended to.
///
/// See [`Update`](super::Update) for an example.
pub struct UpdateResult<T> {
    pub(super) row: Option<crate::Row>,
    pub(super) of: PhantomData<fn() -> T>,
}

impl<T> UpdateResult<T> {
    /// Returns the new value of a column; `None` if the update neither added to nor appended to the
    /// column, or if its family is an aggregate of Bigtable. Returns `None` for all columns if the
    /// new values are not known, which [`RawTable::increment`](crate::RawTable::increment)
    /// explains.
    ///
    /// See [`Update`](super::Update) for an example.
    ///
    /// # Errors
    /// [`Decode`](crate::ErrorKind::Decode) if the bytes do not match the type.
    pub fn get<V, C: DecodeCell<V>>(&self, column: Column<T, V, C>) -> Result<Option<V>> {
        match &self.row {
            Some(row) if self.bytes(column).is_some() => decode_value(row, &column).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the bytes of the new value of a column; `None` in the same cases as
    /// [`get`](Self::get).
    pub(crate) fn bytes<V, C>(&self, column: Column<T, V, C>) -> Option<&[u8]> {
        self.row.as_ref()?.value(column.family(), column.qualifier())
    }
}

impl<T> fmt::Debug for UpdateResult<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateResult").field("row", &self.row).finish()
    }
}
