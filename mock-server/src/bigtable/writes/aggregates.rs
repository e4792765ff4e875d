//! The cells of aggregate families that the mutations of a row change, and their new values.

use std::collections::BTreeMap;

use super::cell_input::{AggregateInput, decode_integer};
use super::mutation::RowMutation;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::timestamp::millis_to_micros;
use crate::regions::RegionState;
use crate::schema::{Aggregation, Family};

/// The family, the qualifier and the timestamp in ms of a cell.
type Place<'m> = (&'m str, &'m [u8], u64);

/// A cell to be written: its family and qualifier, its timestamp in ms, and its value.
type NewCell<'m> = ((&'m [u8], &'m [u8]), u64, [u8; 8]);

/// The cells to which the mutations of a row add. Every cell is prepared before the first mutation
/// is applied, so that no mutation is applied if one of them fails.
#[derive(Debug, Default)]
pub(super) struct Aggregates<'m>(BTreeMap<Place<'m>, Cell>);

#[derive(Debug)]
struct Cell {
    aggregation: Aggregation,
    /// None if the cell does not exist.
    value: Option<i64>,
}

impl<'m> Aggregates<'m> {
    /// Checks a mutation that has the type AddToCell or MergeToCell, and looks up its cell.
    pub(super) fn prepare(
        &mut self,
        mutation: &RowMutation<'m>,
        row: &[u8],
        family: &Family,
        state: &RegionState,
        now: u64,
    ) -> StatusResult<()> {
        let (kind, input) = match mutation {
            RowMutation::Add(input) => ("AddToCell", input),
            RowMutation::Merge(input) => ("MergeToCell", input),
            _ => return Ok(()),
        };
        let Some(aggregation) = family.aggregation else {
            return Err(invalid(format!(
                "The cells of column family {} are not aggregates, so {kind} cannot write to them",
                input.family
            )));
        };
        amount(mutation)?;
        let place @ (_, qualifier, at) = place(input);
        if self.0.contains_key(&place) {
            return Ok(());
        }
        let stored = state.version_at(row, (family, qualifier), at, now);
        let value = stored
            .map(|cell| {
                decode_integer(cell.value()).ok_or_else(|| {
                    StatusCode::FailedPrecondition.status(format!(
                        "The value of {}:{} has {} bytes, which are no aggregate of 64-bit \
                         integers. It was written through HBase",
                        input.family,
                        qualifier.escape_ascii(),
                        cell.value().len()
                    ))
                })
            })
            .transpose()?;
        self.0.insert(place, Cell { aggregation, value });
        Ok(())
    }

    /// Applies an AddToCell or a MergeToCell that has been prepared.
    pub(super) fn apply(&mut self, mutation: &RowMutation<'m>) {
        let (RowMutation::Add(input) | RowMutation::Merge(input)) = mutation else { return };
        let Ok(Some(amount)) = amount(mutation) else { return };
        if let Some(Cell { aggregation, value }) = self.0.get_mut(&place(input)) {
            *value = Some(value.map_or(amount, |old| aggregation.combine(old, amount)));
        }
    }

    /// Applies a deletion.
    pub(super) fn delete(&mut self, deletion: &RowMutation<'m>) {
        for ((family, qualifier, at), cell) in &mut self.0 {
            if deletion.deletes(family.as_bytes(), qualifier, millis_to_micros(*at)) {
                cell.value = None;
            }
        }
    }

    /// Returns the cells to be written.
    pub(super) fn into_new_cells(self) -> Vec<NewCell<'m>> {
        let cells = self.0.into_iter();
        cells
            .filter_map(|((family, qualifier, at), cell)| {
                Some(((family.as_bytes(), qualifier), at, cell.value?.to_be_bytes()))
            })
            .collect()
    }
}

fn place<'m>(input: &AggregateInput<'m>) -> Place<'m> {
    (input.family, input.qualifier(), input.millis())
}

/// Returns the integer that a mutation adds or merges; none if it merges nothing.
fn amount(mutation: &RowMutation<'_>) -> StatusResult<Option<i64>> {
    match mutation {
        RowMutation::Add(input) => input.integer_to_add().map(Some),
        RowMutation::Merge(input) => input.integer_to_merge(),
        _ => Ok(None),
    }
}
