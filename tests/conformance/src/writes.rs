//! Writes by the client.

use tallrow::op::{Append, Increment, Put, RowMutations};
use tallrow::{Client, Error, Timestamp};
use tallrow_wire::bigtable::{
    Change, CheckAndMutateRowResponse, MutateRowsOutcome, Mutation, Rule, Status,
};

use crate::clients::table_id;
use crate::messages::{
    CheckAndMutateRow, CheckAndMutateRowResult, MutateRow, MutateRowResult, MutateRows,
    MutateRowsResult, ReadModifyWriteRow, RowResult,
};
use crate::{code, rows};

pub(crate) async fn mutate_row(client: &Client, request: MutateRow) -> MutateRowResult {
    let request = request.request.unwrap_or_default();
    let written = async {
        let table = client.raw_table(table_id(&request.table_name))?;
        table.put(put(&request.row_key, &request.mutations)?).await
    };
    MutateRowResult { status: Some(code::status(&written.await)) }
}

pub(crate) async fn mutate_rows(client: &Client, request: MutateRows) -> MutateRowsResult {
    let request = request.request.unwrap_or_default();
    let written = async {
        let table = client.raw_table(table_id(&request.table_name))?;
        let puts = request.entries.iter().map(|entry| put(&entry.row_key, &entry.mutations));
        let puts = puts.collect::<Result<Vec<Put>, Error>>()?;
        Ok(table.put_all(puts).await)
    };
    let outcomes = match written.await {
        Ok(outcomes) => outcomes,
        Err(error) => {
            return MutateRowsResult { status: Some(code::of(&error)), entries: Vec::new() };
        }
    };
    let all = request.entries.len();
    let failed = outcomes.into_iter().enumerate().filter_map(|(at, outcome)| {
        let status = code::of(&outcome.err()?);
        Some(MutateRowsOutcome {
            index: i64::try_from(at).unwrap_or(i64::MAX),
            status: Some(status),
        })
    });
    let entries: Vec<MutateRowsOutcome> = failed.collect();
    // That of the call is not told apart from those of its entries: what all of them failed with.
    let status = match &entries[..] {
        [first, rest @ ..]
            if entries.len() == all && rest.iter().all(|one| code_of(one) == code_of(first)) =>
        {
            first.status.clone()
        }
        _ => Some(Status::default()),
    };
    MutateRowsResult { status, entries }
}

fn code_of(entry: &MutateRowsOutcome) -> i32 {
    entry.status.as_ref().map_or(0, |status| status.code)
}

/// A put of the same cells.
fn put(row: &[u8], mutations: &[Mutation]) -> Result<Put, Error> {
    let mut put = Put::new(row);
    for mutation in mutations {
        let Some(Change::SetCell(cell)) = &mutation.mutation else {
            return Err(Error::invalid_argument("the proxy only sets cells"));
        };
        let (family, qualifier) = (&cell.family_name, &cell.column_qualifier);
        put = match cell.timestamp_micros {
            -1 => put.cell(family, qualifier, &cell.value),
            micros if micros >= 0 && micros % 1_000 == 0 => {
                let time = Timestamp::from_millis(micros.unsigned_abs() / 1_000);
                put.cell_at(family, qualifier, time, &cell.value)
            }
            micros => {
                let text = format!("{micros} µs is no whole number of milliseconds");
                return Err(Error::invalid_argument(text));
            }
        };
    }
    Ok(put)
}

/// As it came: tests leave out the filter, the family and the column.
pub(crate) async fn check_and_mutate_row(
    client: &Client,
    request: CheckAndMutateRow,
) -> CheckAndMutateRowResult {
    let request = request.request.unwrap_or_default();
    let answer = match client.__bigtable() {
        Some(messages) => messages.check_and_mutate_row(request).await,
        None => Ok(false),
    };
    let status = Some(code::status(&answer));
    let result =
        answer.ok().map(|is_matched| CheckAndMutateRowResponse { predicate_matched: is_matched });
    CheckAndMutateRowResult { status, result }
}

pub(crate) async fn read_modify_write_row(
    client: &Client,
    request: ReadModifyWriteRow,
) -> RowResult {
    let request = request.request.unwrap_or_default();
    let row = &request.row_key;
    let changed = async {
        let mut changes = RowMutations::new(row);
        for rule in &request.rules {
            let (family, qualifier) = (&rule.family_name, &rule.column_qualifier);
            changes = match &rule.rule {
                Some(Rule::IncrementAmount(by)) => {
                    changes.add(Increment::new(row).add(family, qualifier, *by))
                }
                Some(Rule::AppendValue(value)) => {
                    changes.add(Append::new(row).add(family, qualifier, value))
                }
                None => return Err(Error::invalid_argument("a rule that says nothing")),
            };
        }
        let table = client.raw_table(table_id(&request.table_name))?;
        table.mutate_row(changes).await
    };
    let changed = changed.await;
    let status = Some(code::status(&changed));
    RowResult { status, row: changed.ok().flatten().map(|row| rows::message(&row)) }
}
