//! Writes by the client.

use tallrow::{Client, Error, Put, Timestamp};
use tallrow_wire::bigtable::{Change, CheckAndMutateRowResponse, MutateRowsOutcome, Mutation};

use crate::clients::table_id;
use crate::code;
use crate::messages::{
    CheckAndMutateRow, CheckAndMutateRowResult, MutateRow, MutateRowResult, MutateRows,
    MutateRowsResult, ReadModifyWriteRow, RowResult,
};
use crate::rows;

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
    let failed = outcomes.into_iter().enumerate().filter_map(|(at, outcome)| {
        let status = code::of(&outcome.err()?);
        Some(MutateRowsOutcome {
            index: i64::try_from(at).unwrap_or(i64::MAX),
            status: Some(status),
        })
    });
    let entries: Vec<MutateRowsOutcome> = failed.collect();
    let status = entries.first().and_then(|first| first.status.clone()).unwrap_or_default();
    MutateRowsResult { status: Some(status), entries }
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

/// As it came: tests change a cell twice in one step, which HBase cannot.
pub(crate) async fn read_modify_write_row(
    client: &Client,
    request: ReadModifyWriteRow,
) -> RowResult {
    let request = request.request.unwrap_or_default();
    let changed = match client.__bigtable() {
        Some(messages) => messages.read_modify_write_row(request).await,
        None => Ok(None),
    };
    let status = Some(code::status(&changed));
    RowResult { status, row: changed.ok().flatten().as_ref().map(rows::merged) }
}
