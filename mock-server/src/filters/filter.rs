//! The trait of filters, with its methods in the order in which a read of a row calls them, and the
//! decisions of a filter about a cell.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Debug;

use bytes::Bytes;

use crate::cells::StoredCell;

/// A filter with its state. Each method corresponds to the method of HBase's `Filter` that has the
/// same name.
pub(crate) trait Filter: Debug + Send {
    /// Starts a new row.
    fn reset(&mut self) {}

    /// Whether every further row is filtered out.
    fn filter_all_remaining(&self) -> bool {
        false
    }

    /// Whether the row is filtered out by its key.
    fn filter_row_key(&mut self, _row: &[u8]) -> bool {
        self.filter_all_remaining()
    }

    /// Decides about a cell.
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode;

    /// Returns where to continue after a cell for which the filter returned
    /// [`ReturnCode::SEEK_NEXT_USING_HINT`].
    fn hint(&mut self, _cell: &StoredCell) -> Option<Hint> {
        None
    }

    /// Whether the class of the filter implements `HintingFilter`. A list calls such a filter even
    /// for a cell or a row that other filters have excluded.
    fn gives_hints(&self) -> bool {
        false
    }

    /// Changes a cell into the form in which it is returned.
    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        cell
    }

    /// Whether the filter decides about whole rows, so that no row can be returned in parts.
    fn has_filter_row(&self) -> bool {
        false
    }

    /// Whether the filter needs the cells of this family for its decisions.
    fn is_family_essential(&self, _family: &[u8]) -> bool {
        true
    }

    /// Removes cells of a row that was read.
    fn filter_row_cells(&mut self, _cells: &mut Vec<Cow<'_, StoredCell>>) {}

    /// Whether a row that was read is filtered out.
    fn filter_row(&mut self) -> bool {
        false
    }
}

/// Where a read continues after a cell. The variants are in order, the nearest position first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seek {
    /// At the next cell.
    Cell,
    /// At the next column.
    Column,
    /// At the next row; the family of the cell is not read further in this row.
    Row,
    /// At the hint of the filter, or at the next cell if the filter gives no hint.
    Hint,
}

/// A position at which a filter wants the read to continue, as returned by HBase's
/// `Filter.getNextCellHint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// In the family of the current cell, the first cell of this column that is not newer than this
    /// timestamp.
    Column { qualifier: Bytes, timestamp: u64 },
    /// Before the first cell of this row; in a reversed scan, the read continues in the row before
    /// if there is no such row.
    Row(Bytes),
}

/// Raises the last byte of a row that can be raised, so that a reversed scan that seeks the row
/// comes to the rows that begin with it.
pub(super) fn raise_last_byte(row: &mut [u8]) {
    if let Some(byte) = row.iter_mut().rev().find(|byte| **byte != u8::MAX) {
        *byte += 1;
    }
}

impl Hint {
    /// Makes a hint to the first cell of a column.
    pub(super) fn column(qualifier: &[u8]) -> Self {
        Self::Column { qualifier: Bytes::copy_from_slice(qualifier), timestamp: u64::MAX }
    }

    /// Compares the position with a cell. `from` is the cell for which the hint was given.
    pub(super) fn compare(&self, from: &StoredCell, cell: &StoredCell) -> Ordering {
        let before = match self {
            Self::Row(row) => row[..].cmp(cell.row()),
            Self::Column { qualifier, timestamp } => (from.row().cmp(cell.row()))
                .then_with(|| from.family().cmp(cell.family()))
                .then_with(|| qualifier[..].cmp(cell.qualifier()))
                .then_with(|| cell.timestamp().cmp(timestamp)),
        };
        before.then(Ordering::Less)
    }

    /// Compares the position with another one for the same cell of this row.
    pub(super) fn compare_with(&self, other: &Self, row: &[u8]) -> Ordering {
        match (self, other) {
            (Self::Row(this), Self::Row(other)) => this.cmp(other),
            (Self::Row(this), Self::Column { .. }) => this[..].cmp(row).then(Ordering::Less),
            (Self::Column { .. }, Self::Row(other)) => row.cmp(&other[..]).then(Ordering::Greater),
            (
                Self::Column { qualifier, timestamp },
                Self::Column { qualifier: other, timestamp: other_timestamp },
            ) => qualifier.cmp(other).then_with(|| other_timestamp.cmp(timestamp)),
        }
    }
}

/// The decision of a filter about a cell, as in HBase's `Filter.ReturnCode`: whether the cell is
/// included, and where to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReturnCode {
    /// Whether the cell is part of the response.
    pub(crate) include: bool,
    /// Where the read continues.
    pub(crate) seek: Seek,
}

impl ReturnCode {
    /// `INCLUDE`
    pub(super) const INCLUDE: Self = Self { include: true, seek: Seek::Cell };
    /// `INCLUDE_AND_NEXT_COL`
    pub(super) const INCLUDE_AND_NEXT_COL: Self = Self { include: true, seek: Seek::Column };
    /// `SKIP`
    pub(super) const SKIP: Self = Self { include: false, seek: Seek::Cell };
    /// `NEXT_COL`
    pub(super) const NEXT_COL: Self = Self { include: false, seek: Seek::Column };
    /// `NEXT_ROW`
    pub(super) const NEXT_ROW: Self = Self { include: false, seek: Seek::Row };
    /// `SEEK_NEXT_USING_HINT`
    pub(super) const SEEK_NEXT_USING_HINT: Self = Self { include: false, seek: Seek::Hint };

    /// Returns `INCLUDE` if a condition holds, else the other code.
    pub(super) fn include_if(condition: bool, otherwise: Self) -> Self {
        if condition { Self::INCLUDE } else { otherwise }
    }
}
