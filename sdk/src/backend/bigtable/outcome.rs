//! The answer of the service to one operation, and its conversion to the outcome of the operation.

use super::rows::convert_row;
use crate::request::op::BatchOutcome;
use crate::wire::bigtable::MergedRow;
use crate::{Result, Row};

/// The answer to one operation, as the service sent it.
pub(super) enum OperationAnswer {
    /// The answer to a read, and whether the read only asks if the row exists.
    Row(Option<MergedRow>, bool),
    Applied,
    /// The answer to increments and appends: the cells that were changed.
    Changed(Option<MergedRow>),
    /// The answer to a conditional change: whether the predicate matched a cell, and whether the
    /// condition holds if the predicate matches.
    Checked {
        is_matched: bool,
        holds_if_matched: bool,
    },
}

impl OperationAnswer {
    pub(super) fn outcome(self) -> Result<BatchOutcome> {
        Ok(match self {
            Self::Row(None, _) => new_outcome(None, false, true),
            Self::Row(Some(_), true) => new_outcome(None, true, true),
            Self::Row(Some(found), false) => new_outcome(convert_row(found)?, true, true),
            Self::Applied | Self::Changed(None) => new_outcome(None, false, true),
            Self::Changed(Some(changed)) => new_outcome(convert_row(changed)?, false, true),
            Self::Checked { is_matched, holds_if_matched } => {
                new_outcome(None, false, is_matched == holds_if_matched)
            }
        })
    }
}

pub(super) fn new_outcome(row: Option<Row>, exists: bool, applied: bool) -> BatchOutcome {
    BatchOutcome { row, exists, applied, is_stale: false }
}
