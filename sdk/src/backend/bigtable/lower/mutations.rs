//! Converts puts and deletes to mutations of one row, and increments and appends to the rules of a
//! `ReadModifyWriteRow` call.

use bytes::Bytes;

use crate::model::cell::{CellParts, CellType};
use crate::request::op::{MutationKind, SingleMutation};
use crate::wire::bigtable::{
    AddToCell, Change, DeleteFromColumn, DeleteFromFamily, DeleteFromRow, EncodedMutations,
    MergeToCell, Mutation, ReadModifyWriteRule, Rule, TimestampRange, Value,
};

use crate::Error;
use crate::backend::bigtable::micros::micros;
use crate::model::show;

/// The maximum number of mutations in a request.
pub(crate) const MAX_MUTATIONS: usize = 100_000;

/// The timestamp in a message for a cell to which the server gives its own time.
const SERVER_TIME: i64 = -1;

/// The reason why an operation cannot be converted to a message.
pub(super) enum Refusal {
    Invalid(String),
    /// Bigtable does not support what this text names.
    Unsupported(String),
    Failed(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Invalid(why)
    }
}

fn unsupported<T>(what: &str) -> Result<T, Refusal> {
    Err(Refusal::Unsupported(what.to_owned()))
}

/// Adds the mutations of a put, a delete, or a change of aggregates to `mutations`.
pub(super) fn add_mutations(
    kind: MutationKind,
    cells: &SingleMutation,
    mutations: &mut EncodedMutations,
) -> Result<(), Refusal> {
    if cells.ttl.is_some() {
        return unsupported(
            "cells with a time to live of their own; give their family a maximum age",
        );
    }
    if cells.until.is_some() {
        return unsupported("deleting a row up to a time; delete its columns up to that time");
    }
    if cells.deletes_row(kind) {
        add(Change::DeleteFromRow(DeleteFromRow {}), mutations);
        return Ok(());
    }
    if cells.cells.is_empty() {
        return Err("it has no cells; name at least one column".to_owned().into());
    }
    for cell in cells.cells.parts() {
        match kind {
            MutationKind::AddToCells | MutationKind::MergeToCells => {
                add(to_aggregate(kind, &cell)?, mutations);
            }
            _ => add_cell(&cell, mutations)?,
        }
    }
    Ok(())
}

fn add(change: Change, mutations: &mut EncodedMutations) {
    mutations.push(&Mutation { mutation: Some(change) });
}

/// An addition without a time is made to the cell of the aggregate that has this timestamp.
const ONLY_CELL: i64 = 0;

/// Returns the change that adds to a cell of an aggregate family, or merges into it.
fn to_aggregate(kind: MutationKind, cell: &CellParts<'_>) -> Result<Change, Refusal> {
    let family_name = family_name(cell.family)?.to_owned();
    let column_qualifier = Some(Value::raw(Bytes::copy_from_slice(cell.qualifier)));
    let micros = cell.timestamp.map(micros).transpose()?.unwrap_or(ONLY_CELL);
    let timestamp = Some(Value::timestamp(micros));
    if kind == MutationKind::MergeToCells {
        let input = Some(Value::raw(Bytes::copy_from_slice(cell.value)));
        let merge = MergeToCell { family_name, column_qualifier, timestamp, input };
        return Ok(Change::MergeToCell(merge));
    }
    let by =
        <[u8; 8]>::try_from(cell.value).map_err(|_| "an amount that is not 8 bytes".to_owned())?;
    let input = Some(Value::int(i64::from_be_bytes(by)));
    Ok(Change::AddToCell(AddToCell { family_name, column_qualifier, timestamp, input }))
}

fn add_cell(cell: &CellParts<'_>, mutations: &mut EncodedMutations) -> Result<(), Refusal> {
    let family = family_name(cell.family)?;
    let time = cell.timestamp.map(micros).transpose()?;
    let family_name = || family.to_owned();
    let column_qualifier = || Bytes::copy_from_slice(cell.qualifier);
    let deletion = match (cell.kind, time) {
        (CellType::Put, time) => {
            let time = time.unwrap_or(SERVER_TIME);
            mutations.set_cell(family, cell.qualifier, time, cell.value);
            return Ok(());
        }
        (CellType::Delete, Some(time)) => Change::DeleteFromColumn(DeleteFromColumn {
            family_name: family_name(),
            column_qualifier: column_qualifier(),
            time_range: Some(range(time, time)?),
        }),
        (CellType::DeleteColumn, time) => Change::DeleteFromColumn(DeleteFromColumn {
            family_name: family_name(),
            column_qualifier: column_qualifier(),
            time_range: time.map(|time| range(0, time)).transpose()?,
        }),
        (CellType::DeleteFamily, None) => {
            Change::DeleteFromFamily(DeleteFromFamily { family_name: family_name() })
        }
        (CellType::Delete, None) => {
            return unsupported("deleting the newest version; name its time, or delete the column");
        }
        (CellType::DeleteFamily, Some(_)) => {
            return unsupported(
                "deleting a family up to a time; delete its columns up to that time",
            );
        }
        (CellType::DeleteFamilyVersion, _) => {
            return unsupported("deleting what a family has of one time; name its columns");
        }
    };
    add(deletion, mutations);
    Ok(())
}

/// Returns the range from the time `from` to the end of the millisecond that begins at `to`, both
/// in microseconds.
fn range(from: i64, to: i64) -> Result<TimestampRange, String> {
    let end = to.checked_add(1_000).ok_or("a time that has no later one")?;
    Ok(TimestampRange { start_timestamp_micros: from, end_timestamp_micros: end })
}

/// Returns the rules that make an increment or an append.
pub(super) fn read_modify_write_rules(
    kind: MutationKind,
    cells: &SingleMutation,
) -> Result<Vec<ReadModifyWriteRule>, Refusal> {
    if cells.ttl.is_some() {
        return unsupported(
            "cells with a time to live of their own; give their family a maximum age",
        );
    }
    if cells.cells.is_empty() {
        return Err("it has no cells; name at least one column".to_owned().into());
    }
    let rule = |cell: CellParts<'_>| {
        let rule = match kind {
            MutationKind::Increment => {
                let amount = <[u8; 8]>::try_from(cell.value);
                let amount = amount.map_err(|_| "an amount that is not 8 bytes".to_owned())?;
                Rule::IncrementAmount(i64::from_be_bytes(amount))
            }
            _ => Rule::AppendValue(Bytes::copy_from_slice(cell.value)),
        };
        Ok(ReadModifyWriteRule {
            family_name: family_name(cell.family)?.to_owned(),
            column_qualifier: Bytes::copy_from_slice(cell.qualifier),
            rule: Some(rule),
        })
    };
    cells.cells.parts().map(rule).collect()
}

fn family_name(family: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(family).map_err(|_| {
        let family = show::column(family, b"");
        format!("family {family} is not text, and Bigtable's families have names")
    })
}
