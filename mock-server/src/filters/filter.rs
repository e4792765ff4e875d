//! A filter: its methods, in the order in which a read of a row calls them, and what it decides
//! about a cell.

use std::borrow::Cow;
use std::fmt::Debug;

use bytes::Bytes;

use crate::cells::StoredCell;

/// One filter with its state; each method has the meaning of the method of HBase's `Filter` that it
/// is named after.
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

    /// Where to continue after a cell for which it returned [`ReturnCode::HINT`].
    fn hint(&self, _cell: &StoredCell) -> Option<Hint> {
        None
    }

    /// Whether it is one of the classes that implement `HintingFilter`: a list asks them even for a
    /// cell, and for a row, that others have excluded.
    fn is_hinting(&self) -> bool {
        false
    }

    /// The cell as it is returned.
    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        cell
    }

    /// Whether it decides about whole rows, so that no row can be returned in parts.
    fn has_filter_row(&self) -> bool {
        false
    }

    /// Whether it needs the cells of this family to decide.
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

/// Where a read continues after a cell, the nearest position first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seek {
    /// At the next cell.
    Cell,
    /// At the next column.
    Column,
    /// At the next row; the rest of this row is skipped in the family of the cell.
    Row,
    /// Where the filter says: at its hint, or at the next cell if it has none.
    Hint,
}

/// A position that a filter wants to be read next, as HBase's `Filter.getNextCellHint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// In the family of the cell, the first cell of a column that is not newer than this.
    Column { qualifier: Bytes, timestamp: u64 },
    /// In another row.
    Row,
}

impl Hint {
    /// The first cell of a column.
    pub(super) fn column(qualifier: &[u8]) -> Self {
        Self::Column { qualifier: Bytes::copy_from_slice(qualifier), timestamp: u64::MAX }
    }

    /// Whether a cell of the same row and family comes before it.
    pub(crate) fn is_after(&self, qualifier: &[u8], timestamp: u64) -> bool {
        match self {
            Self::Row => true,
            Self::Column { qualifier: q, timestamp: t } => {
                qualifier.cmp(&q[..]).then(t.cmp(&timestamp)).is_lt()
            }
        }
    }

    /// Whether it is a later position than another one.
    pub(super) fn is_later(&self, other: &Self) -> bool {
        match other {
            Self::Row => false,
            Self::Column { qualifier, timestamp } => {
                self != other && self.is_after(qualifier, *timestamp)
            }
        }
    }
}

/// What a filter decides about a cell, as HBase's `Filter.ReturnCode`: whether it is included, and
/// where to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReturnCode {
    /// Whether the cell is part of the answer.
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
    pub(super) const HINT: Self = Self { include: false, seek: Seek::Hint };

    /// `INCLUDE` if a condition holds, else the other code.
    pub(super) fn include_if(condition: bool, otherwise: Self) -> Self {
        if condition { Self::INCLUDE } else { otherwise }
    }
}
