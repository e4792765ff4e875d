//! The outcomes of a batch's operations as they become known, and the one result that observers are
//! told.

use crate::request::op::Outcome;
use crate::{Error, Result, TableName};

/// What is known about each operation of a batch, in their order; `None` until it is.
pub(super) type Outcomes = Vec<Option<Result<Outcome>>>;

/// What is told of the batch as one: how many of its operations failed, and why the first did.
pub(super) fn summary(outcomes: &Outcomes, table: &TableName) -> Result<()> {
    let errors = || outcomes.iter().flatten().filter_map(|outcome| outcome.as_ref().err());
    let Some(first) = errors().next() else { return Ok(()) };
    let text = format!("{} of {} operations failed: {first}", errors().count(), outcomes.len());
    Err(Error::new(first.kind(), text).on_table(table))
}

pub(super) fn settle(outcomes: &mut Outcomes, at: usize, outcome: Result<Outcome>) {
    if let Some(slot) = outcomes.get_mut(at) {
        *slot = Some(outcome);
    }
}
