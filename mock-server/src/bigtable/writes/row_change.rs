//! The mutations of one row: they are checked first, and then either all or none of them are
//! applied.

use std::sync::Arc;

use tallrow_wire::bigtable::Status;
use tallrow_wire::cell::{CellType, KeyValue};

use super::aggregates::Aggregates;
use super::change_log;
use super::idempotency::Idempotency;
use super::mutation::RowMutation;
use crate::base::{limits, to_string_binary};
use crate::bigtable::limits::check_row_key;
use crate::bigtable::status::{StatusCode, StatusResult, invalid, not_found};
use crate::bigtable::timestamp::millis_to_micros;
use crate::cells::StoredCell;
use crate::regions::{RegionState, RowReader};
use crate::schema::Family;
use crate::state::Cluster;

/// The mutations of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowChange<'m> {
    pub(super) row: &'m [u8],
    pub(super) mutations: &'m [RowMutation<'m>],
    pub(super) idempotency: Option<Idempotency<'m>>,
}

impl<'m> RowChange<'m> {
    /// Checks the mutations, as far as that is possible without the table.
    pub(super) fn check(&self) -> StatusResult<()> {
        check_row_key(self.row)?;
        self.idempotency.as_ref().map_or(Ok(()), Idempotency::check)?;
        for (at, mutation) in self.mutations.iter().enumerate() {
            mutation.check().map_err(|status| status_in_element("Mutation list", at, status))?;
        }
        Ok(())
    }

    /// Applies the mutations, unless their token says that they have been applied.
    pub(super) fn apply(
        &self,
        (cluster, table): (&Cluster, &str),
        state: &mut RegionState,
        now: u64,
    ) -> StatusResult<()> {
        let Some(idempotency) = &self.idempotency else {
            return self.apply_and_log((cluster, table), state, now);
        };
        idempotency.check_age(now)?;
        if state.store.is_token_applied(self.row, idempotency.token, now) {
            return Ok(());
        }
        if !state.store.has_room_for_tokens(now) {
            return Err(no_room_for_tokens());
        }
        self.apply_and_log((cluster, table), state, now)?;
        state.store.remember_token(self.row, idempotency.token, now);
        Ok(())
    }

    /// Applies the mutations, and adds them to the change stream of the table, if it has one.
    fn apply_and_log(
        &self,
        (cluster, table): (&Cluster, &str),
        state: &mut RegionState,
        now: u64,
    ) -> StatusResult<()> {
        self.apply_mutations(table, state, now)?;
        change_log::add(cluster, (table, self.row), state, now, |schema| {
            self.mutations.iter().flat_map(|of| change_log::logged(of, schema, now)).collect()
        });
        Ok(())
    }

    /// Applies the mutations in their order, in one write.
    fn apply_mutations(&self, table: &str, state: &mut RegionState, now: u64) -> StatusResult<()> {
        let mut aggregates = Aggregates::default();
        for mutation in self.mutations {
            if let Some(name) = mutation.family() {
                let family = family(name.as_bytes(), table, self.row, state)?;
                match mutation {
                    RowMutation::Set(_) => check_not_aggregate(family)?,
                    _ => aggregates.prepare(mutation, self.row, family, state, now)?,
                }
            }
        }
        if state.store.has_delete_markers() || self.mutations.iter().any(RowMutation::is_deletion) {
            remove_hidden_cells(state, self.row, now);
        }
        let mut writes: Vec<KeyValue<'m>> = Vec::with_capacity(self.mutations.len());
        let mut removed = false;
        for mutation in self.mutations {
            if let RowMutation::Set(set) = mutation {
                let column = (set.family.as_bytes(), set.qualifier);
                writes.push(put_key_value(self.row, column, set.millis(now), set.value));
                continue;
            }
            if !mutation.is_deletion() {
                aggregates.apply(mutation);
                continue;
            }
            writes.retain(|cell| {
                !mutation.deletes(cell.family, cell.qualifier, millis_to_micros(cell.timestamp))
            });
            aggregates.delete(mutation);
            removed |= state.store.retain_row(self.row, |cell| {
                !mutation.deletes(
                    cell.family(),
                    cell.qualifier(),
                    millis_to_micros(cell.timestamp()),
                )
            });
        }
        let values = aggregates.into_new_cells();
        let sums: Vec<KeyValue<'_>> = values
            .iter()
            .map(|(column, timestamp, value)| put_key_value(self.row, *column, *timestamp, value))
            .collect();
        if !writes.is_empty() || !sums.is_empty() || removed {
            write(state, &writes, &sums, now)?;
        }
        Ok(())
    }
}

fn no_room_for_tokens() -> Status {
    StatusCode::ResourceExhausted.status(format!(
        "The mock remembers tokens of at most {} bytes for the rows of a region. Wait until the \
         first of them are {} s old, or split the region",
        limits::IDEMPOTENCY_BYTES_PER_REGION,
        limits::IDEMPOTENCY_WINDOW_MS / 1000
    ))
}

/// Makes a cell to be written.
pub(super) fn put_key_value<'a>(
    row: &'a [u8],
    (family, qualifier): (&'a [u8], &'a [u8]),
    timestamp: u64,
    value: &'a [u8],
) -> KeyValue<'a> {
    KeyValue { row, family, qualifier, timestamp, kind: CellType::Put, value }
}

/// Writes either all of the cells or none. The `aggregates` replace the cells that have their
/// timestamps.
pub(super) fn write(
    state: &mut RegionState,
    cells: &[KeyValue<'_>],
    aggregates: &[KeyValue<'_>],
    now: u64,
) -> StatusResult<()> {
    state.write_requests += 1;
    state.store.write_key_values(cells, aggregates).map_err(|e| invalid(e.message))?;
    if state.store.needs_flush() {
        let schema = Arc::clone(&state.schema);
        state.store.flush(&schema, &[], now);
    }
    Ok(())
}

/// Removes the cells of a row that reads do not return: HBase's delete markers, the cells that they
/// delete, and garbage. If a marker stayed, it would delete a cell that is written later with an
/// older timestamp. If garbage stayed, it would reappear after the deletion of a newer version.
pub(super) fn remove_hidden_cells(state: &mut RegionState, row: &[u8], now: u64) {
    let shown = RowReader::new(state, now).read_row(row);
    let shown: Vec<StoredCell> = shown.into_iter().cloned().collect();
    state.store.retain_row(row, |cell| shown.binary_search(cell).is_ok());
}

/// Returns a family of the table; an error if the table does not have it.
pub(super) fn family<'s>(
    name: &[u8],
    table: &str,
    row: &[u8],
    state: &'s RegionState,
) -> StatusResult<&'s Family> {
    state.schema.family(name).ok_or_else(|| {
        not_found(format!(
            "Error while mutating the row '{}' ({table}) : Requested column family not found = {}",
            to_string_binary(row),
            String::from_utf8_lossy(name)
        ))
    })
}

/// Returns an error for an aggregate family: values can only be added to its cells.
pub(super) fn check_not_aggregate(family: &Family) -> StatusResult<()> {
    match family.aggregation {
        None => Ok(()),
        Some(_) => Err(invalid(format!(
            "The cells of column family {} are aggregates. Only AddToCell and MergeToCell can \
             write to them",
            String::from_utf8_lossy(&family.name)
        ))),
    }
}

/// Returns the status with the name of the list element that it is about, in the words of the
/// service.
pub(super) fn status_in_element(field: &str, at: usize, status: Status) -> Status {
    let message = format!("Error in field '{field}' : Error in element #{at} : {}", status.message);
    Status { message, ..status }
}
