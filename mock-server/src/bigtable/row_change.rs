//! The mutations of one row: checked first, then applied, all or none.

use bytes::Bytes;
use tallrow_wire::bigtable::{Change as Proto, Mutation, Status, TimestampRange};
use tallrow_wire::cell::CellType;

use super::limits;
use super::seen_cell::micros;
use super::status::{StatusCode, StatusResult, invalid, not_found};
use crate::binary_text::to_string_binary;
use crate::cell::{NewCell, StoredCell};
use crate::regions::{CellWrite, RegionState, RowReader};

/// The time at which a server writes, in place of a timestamp.
const SERVER_TIME: i64 = -1;

/// Changes of one row.
#[derive(Clone, Debug)]
pub(super) struct RowChange {
    row: Bytes,
    changes: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    /// A cell is written; without a timestamp, at the present time.
    Set { family: Bytes, qualifier: Bytes, millis: Option<u64>, value: Bytes },
    /// Cells are removed: all, or those of a family, a column, a range of timestamps.
    Delete { family: Option<Bytes>, qualifier: Option<Bytes>, range: (i64, i64) },
}

impl Change {
    fn deletes(&self, family: &[u8], qualifier: &[u8], at: i64) -> bool {
        match self {
            Self::Set { .. } => false,
            Self::Delete { family: of, qualifier: column, range } => {
                of.as_ref().is_none_or(|of| of == family)
                    && column.as_ref().is_none_or(|column| column == qualifier)
                    && (range.0..range.1).contains(&at)
            }
        }
    }

    fn family(&self) -> Option<&Bytes> {
        match self {
            Self::Set { family, .. } => Some(family),
            Self::Delete { family, .. } => family.as_ref(),
        }
    }
}

impl RowChange {
    /// Checks the mutations of a row, as far as that is possible without the table.
    pub(super) fn of(row: Bytes, mutations: Vec<Mutation>) -> StatusResult<Self> {
        check_row_key(&row)?;
        let changes = mutations.into_iter().enumerate().map(|(at, mutation)| {
            change(mutation).map_err(|status| in_element("Mutation list", at, status))
        });
        Ok(Self { row, changes: changes.collect::<StatusResult<_>>()? })
    }

    /// The row key.
    pub(super) fn row(&self) -> &Bytes {
        &self.row
    }

    /// Applies the changes in their order, in one write.
    pub(super) fn apply(&self, table: &str, state: &mut RegionState, now: u64) -> StatusResult<()> {
        for family in self.changes.iter().filter_map(Change::family) {
            check_family(family, table, &self.row, state)?;
        }
        if state.store.has_markers()
            || self.changes.iter().any(|c| matches!(c, Change::Delete { .. }))
        {
            settle(state, &self.row, now);
        }
        let mut writes: Vec<CellWrite> = Vec::with_capacity(self.changes.len());
        let mut removed = false;
        for change in &self.changes {
            match change {
                Change::Set { family, qualifier, millis, value } => writes.push(set(
                    self.row.clone(),
                    (family.clone(), qualifier.clone()),
                    millis.unwrap_or(now),
                    value.clone(),
                )),
                Change::Delete { .. } => {
                    writes.retain(|write| {
                        let cell = &write.cell;
                        !change.deletes(&cell.family, &cell.qualifier, micros(cell.timestamp))
                    });
                    removed |= state.store.retain_row(&self.row, |cell| {
                        !change.deletes(cell.family(), cell.qualifier(), micros(cell.timestamp()))
                    });
                }
            }
        }
        if !writes.is_empty() || removed {
            write(state, &writes, now)?;
        }
        Ok(())
    }
}

/// A cell to be written.
pub(super) fn set(
    row: Bytes,
    (family, qualifier): (Bytes, Bytes),
    timestamp: u64,
    value: Bytes,
) -> CellWrite {
    let cell = NewCell { family, qualifier, timestamp, kind: CellType::Put, value };
    CellWrite { row, cell, ttl: None, upsert: None }
}

/// Writes cells, all or none.
pub(super) fn write(state: &mut RegionState, writes: &[CellWrite], now: u64) -> StatusResult<()> {
    state.write_requests += 1;
    state.store.write(writes).map_err(|e| invalid(e.message))?;
    if state.store.needs_flush() {
        let schema = std::sync::Arc::clone(&state.schema);
        state.store.flush(&schema, &[], now);
    }
    Ok(())
}

/// Removes what reads of a row do not show: delete markers of HBase, what they delete, garbage. Otherwise a marker would
/// delete what is written later with an older timestamp, and garbage would be seen again after the deletion of a newer
/// version.
pub(super) fn settle(state: &mut RegionState, row: &[u8], now: u64) {
    let shown = RowReader::new(state, now).row(row);
    let shown: Vec<StoredCell> = shown.into_iter().cloned().collect();
    state.store.retain_row(row, |cell| shown.binary_search(cell).is_ok());
}

/// Rejects a family that the table does not have.
pub(super) fn check_family(
    family: &[u8],
    table: &str,
    row: &[u8],
    state: &RegionState,
) -> StatusResult<()> {
    match state.schema.family(family) {
        Some(_) => Ok(()),
        None => Err(not_found(format!(
            "Error while mutating the row '{}' ({table}) : Requested column family not found = {}",
            to_string_binary(row),
            String::from_utf8_lossy(family)
        ))),
    }
}

/// Rejects a row key that no row may have.
pub(super) fn check_row_key(row: &[u8]) -> StatusResult<()> {
    match row.len() {
        0 => Err(invalid("Row keys must be non-empty")),
        bytes if bytes > limits::ROW_KEY_BYTES => Err(invalid(format!(
            "Row key size {bytes} exceeds the limit of {} bytes",
            limits::ROW_KEY_BYTES
        ))),
        _ => Ok(()),
    }
}

/// Rejects a qualifier that no column may have.
pub(super) fn check_qualifier(qualifier: &[u8]) -> StatusResult<()> {
    match qualifier.len() {
        bytes if bytes > limits::QUALIFIER_BYTES => Err(invalid(format!(
            "Column qualifier size {bytes} exceeds the limit of {} bytes",
            limits::QUALIFIER_BYTES
        ))),
        _ => Ok(()),
    }
}

/// Rejects a value that no cell may have.
pub(super) fn check_value(value: &[u8]) -> StatusResult<()> {
    match value.len() {
        bytes if bytes > limits::CELL_BYTES => Err(invalid(format!(
            "Cell value size {bytes} exceeds the limit of {} bytes",
            limits::CELL_BYTES
        ))),
        _ => Ok(()),
    }
}

/// The status for an element of a list, as the service says it.
pub(super) fn in_element(field: &str, at: usize, status: Status) -> Status {
    let message = format!("Error in field '{field}' : Error in element #{at} : {}", status.message);
    Status { message, ..status }
}

fn change(mutation: Mutation) -> StatusResult<Change> {
    match mutation.mutation {
        Some(Proto::SetCell(set)) => {
            check_qualifier(&set.column_qualifier)?;
            check_value(&set.value)?;
            let millis = match set.timestamp_micros {
                SERVER_TIME => None,
                below if below < SERVER_TIME => {
                    return Err(invalid(format!("Timestamps must be >= -1, but got {below}")));
                }
                at => Some(millis(at)?),
            };
            Ok(Change::Set {
                family: set.family_name.into(),
                qualifier: set.column_qualifier,
                millis,
                value: set.value,
            })
        }
        Some(Proto::DeleteFromColumn(delete)) => Ok(Change::Delete {
            family: Some(delete.family_name.into()),
            qualifier: Some(delete.column_qualifier),
            range: range(delete.time_range.as_ref())?,
        }),
        Some(Proto::DeleteFromFamily(delete)) => Ok(Change::Delete {
            family: Some(delete.family_name.into()),
            qualifier: None,
            range: (i64::MIN, i64::MAX),
        }),
        Some(Proto::DeleteFromRow(_)) => {
            Ok(Change::Delete { family: None, qualifier: None, range: (i64::MIN, i64::MAX) })
        }
        None => Err(StatusCode::Unimplemented
            .status("The mutation is not set, or of a kind that the mock does not have")),
    }
}

/// The bounds of a range of timestamps, in microseconds: from the first to before the second.
pub(super) fn range(range: Option<&TimestampRange>) -> StatusResult<(i64, i64)> {
    let Some(range) = range else { return Ok((i64::MIN, i64::MAX)) };
    let (start, end) = (range.start_timestamp_micros, range.end_timestamp_micros);
    millis(start)?;
    millis(end)?;
    match end {
        0 => Ok((start, i64::MAX)),
        end if start < end => Ok((start, end)),
        _ => Err(invalid(format!(
            "Invalid timestamp range: start {start} is not less than end {end}"
        ))),
    }
}

/// A timestamp in milliseconds; the tables have no finer ones.
fn millis(micros: i64) -> StatusResult<u64> {
    if micros % 1000 != 0 {
        return Err(invalid(format!(
            "Timestamp granularity mismatch. Expected a multiple of 1000 (millisecond granularity), but got {micros}."
        )));
    }
    u64::try_from(micros / 1000)
        .map_err(|_| invalid(format!("Timestamps must be >= 0 in a range, but got {micros}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_at_most_100_mib() {
        let value = vec![0; limits::CELL_BYTES + 1];
        assert!(check_value(&value[1..]).is_ok());
        let status = check_value(&value).unwrap_err();
        assert_eq!(
            status.message,
            "Cell value size 104857601 exceeds the limit of 104857600 bytes"
        );
    }

    #[test]
    fn times_are_milliseconds() {
        let of = |start, end| {
            range(Some(&TimestampRange {
                start_timestamp_micros: start,
                end_timestamp_micros: end,
            }))
        };
        assert_eq!(of(1000, 0).unwrap(), (1000, i64::MAX));
        assert_eq!(of(0, 5000).unwrap(), (0, 5000));
        assert_eq!(range(None).unwrap(), (i64::MIN, i64::MAX));
        assert!([of(1, 0), of(0, 1), of(5000, 5000), of(-1000, 0)].iter().all(Result::is_err));
    }
}
