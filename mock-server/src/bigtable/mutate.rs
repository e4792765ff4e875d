//! MutateRow and MutateRows.

use tallrow_wire::bigtable::{
    MutateRowRequest, MutateRowResponse, MutateRowsOutcome, MutateRowsRequest, MutateRowsResponse,
    Status,
};

use super::call::Call;
use super::limits;
use super::open_table::OpenTable;
use super::replies::Replies;
use super::row_change::{RowChange, in_element};
use super::status::{StatusResult, invalid};

/// Answers a MutateRow.
pub(super) fn mutate_row(call: &Call<'_>) -> StatusResult<Replies> {
    let request: MutateRowRequest = call.decode()?;
    let table = OpenTable::find(call.cluster, &request.table_name)?;
    check_count(request.mutations.len())?;
    let change = RowChange::of(request.row_key, request.mutations)?;
    apply(call, &table, &change)?;
    Ok(Replies::one(&MutateRowResponse {}))
}

/// Answers a MutateRows: each row by itself.
pub(super) fn mutate_rows(call: &Call<'_>) -> StatusResult<Replies> {
    let request: MutateRowsRequest = call.decode()?;
    let table = OpenTable::find(call.cluster, &request.table_name)?;
    if request.entries.is_empty() {
        return Err(invalid("No entries provided"));
    }
    check_count(request.entries.iter().map(|e| e.mutations.len()).sum())?;
    let mut changes = Vec::with_capacity(request.entries.len());
    for (at, entry) in request.entries.into_iter().enumerate() {
        let in_entry = |status| in_element("Entry list", at, status);
        check_count(entry.mutations.len()).map_err(in_entry)?;
        changes.push(RowChange::of(entry.row_key, entry.mutations).map_err(in_entry)?);
    }
    let outcomes = changes.iter().enumerate().map(|(at, change)| MutateRowsOutcome {
        index: at as i64,
        status: Some(apply(call, &table, change).err().unwrap_or_else(ok)),
    });
    let mut entries: Vec<_> = outcomes.collect();
    let mut answers = Vec::new();
    if let Some(mut random) = call.cluster.torn_rows() {
        while entries.len() > 1 {
            let some = entries.split_off(random.usize(1..entries.len()));
            answers.push(MutateRowsResponse { entries: some, rate_limit_info: None });
        }
    }
    answers.push(MutateRowsResponse { entries, rate_limit_info: None });
    Ok(Replies::many(answers))
}

fn apply(call: &Call<'_>, table: &OpenTable, change: &RowChange) -> StatusResult<()> {
    let lookup = |table: &OpenTable| table.region(call.cluster, change.row());
    let now = call.cluster.clock.now();
    table.locked(lookup, |_, state| change.apply(&table.shown, state, now))
}

/// Rejects a number of mutations that no call may have.
pub(super) fn check_count(mutations: usize) -> StatusResult<()> {
    match mutations {
        0 => Err(invalid("No mutations provided")),
        n if n > limits::MUTATIONS => Err(invalid(format!(
            "Too many mutations: {n}, the limit is {}. Divide them over several requests",
            limits::MUTATIONS
        ))),
        _ => Ok(()),
    }
}

fn ok() -> Status {
    Status::default()
}
