//! The answer of the service to one operation, and its conversion to the outcome of the operation.

use super::rows::row;
use crate::request::op::Outcome;
use crate::wire::bigtable::MergedRow;
use crate::{Result, Row};

/// The answer to one operation, as the service sent it.
pub(super) enum Answer {
    /// The answer to a read, and whether the read only asks if the row exists.
    Row(Option<MergedRow>, bool),
    Made,
    /// The answer to increments and appends: the cells that were changed.
    Changed(Option<MergedRow>),
    /// The answer to a conditional change: whether the predicate matched a cell, and whether the
    /// condition holds if the predicate matches.
    Checked {
        is_matched: bool,
        holds_if_matched: bool,
    },
}

impl Answer {
    pub(super) fn outcome(self) -> Result<Outcome> {
        Ok(match self {
            Self::Row(None, _) => done(None, false, true),
            Self::Row(Some(_), true) => done(None, true, true),
            Self::Row(Some(found), false) => done(row(found)?, true, true),
            Self::Made | Self::Changed(None) => done(None, false, true),
            Self::Changed(Some(changed)) => done(row(changed)?, false, true),
            Self::Checked { is_matched, holds_if_matched } => {
                done(None, false, is_matched == holds_if_matched)
            }
        })
    }
}

pub(super) fn done(row: Option<Row>, exists: bool, applied: bool) -> Outcome {
    Outcome { row, exists, applied, is_stale: false }
}
