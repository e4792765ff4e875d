//! CheckAndMutateRow: mutations that depend on the row, and are applied with the check at once.

use tallrow_wire::bigtable::{CheckAndMutateRowRequest, CheckAndMutateRowResponse};

use super::call::Call;
use super::filter::{self, FilteredRow};
use super::mutate::check_count;
use super::mutation::Mutation;
use super::open_table::OpenTable;
use super::replies::Replies;
use super::row_change::RowChange;
use super::seen_cell::SeenCell;
use super::status::StatusResult;
use crate::regions::RowReader;

/// Answers a CheckAndMutateRow.
pub(super) fn check_and_mutate_row(call: &Call<'_>) -> StatusResult<Replies> {
    let request: CheckAndMutateRowRequest = call.decode()?;
    let mut table = OpenTable::find(call.cluster, &request.table_name)?;
    check_count(request.true_mutations.len() + request.false_mutations.len())?;
    let predicate = request.predicate_filter.as_ref().map(filter::decode).transpose()?;
    let row = &request.row_key[..];
    let [met, not_met] = [&request.true_mutations, &request.false_mutations]
        .map(|mutations| mutations.iter().map(Mutation::from).collect::<Vec<_>>());
    for mutations in [&met, &not_met] {
        RowChange { row, mutations }.check()?;
    }
    let predicate_matched = table.change_row(call.cluster, row, |shown, state, now| {
        let cells = RowReader::new(state, now).row(row);
        let mut cells: Vec<_> = cells.into_iter().map(SeenCell::of).collect();
        if let Some(predicate) = &predicate {
            FilteredRow::filter(predicate, row, &mut cells);
        }
        let matched = !cells.is_empty();
        let mutations = if matched { &met } else { &not_met };
        RowChange { row, mutations }.apply(shown, state, now)?;
        Ok(matched)
    })?;
    Ok(Replies::one(&CheckAndMutateRowResponse { predicate_matched }))
}
