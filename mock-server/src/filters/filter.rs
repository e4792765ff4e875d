//! The methods of a filter, in the order in which a read of a row calls them.

use std::borrow::Cow;
use std::fmt::Debug;

use super::{Hint, ReturnCode};
use crate::cell::StoredCell;

/// One filter with its state; each method has the meaning of the method of HBase's `Filter` that it is named after.
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
