//! Puts, Deletes, Increments and Appends: decodes them, checks them against a region, and turns
//! them into writes of cells.

use std::ops::Range;

use bytes::Bytes;
use tallrow_wire::cell::{Cell, CellType, LATEST_TIMESTAMP};
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception;
use tallrow_wire::proto::{DeleteType, MutationProto, MutationType, QualifierValue};

use super::query::{self, RowQuery};
use super::region::{Region, RegionState, check_row_key};
use super::store::CellWrite;
use crate::base::{RemoteResult, remote_exception, to_string_binary};
use crate::cells::NewCell;

/// The kind of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutationKind {
    /// Writes values.
    Put,
    /// Writes delete markers.
    Delete,
    /// Adds to 8-byte numbers.
    Increment,
    /// Adds bytes to values.
    Append,
}

/// One mutation of one row.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    /// The row key.
    pub(crate) row: Bytes,
    /// The kind of the mutation.
    pub(crate) kind: MutationKind,
    /// The nonce.
    pub(crate) nonce: Option<u64>,
    /// Whether an increment or append returns the new cells.
    pub(crate) return_results: bool,
    cells: Vec<NewCell>,
    timestamp: u64,
    ttl: Option<i64>,
    times: Range<u64>,
}

impl Mutation {
    /// Decodes a mutation and takes its cells from the block.
    pub(crate) fn decode(proto: MutationProto, block: &mut CellBlock) -> RemoteResult<Self> {
        let kind = match proto.mutate_type.and_then(|t| MutationType::try_from(t).ok()) {
            Some(MutationType::Put) => MutationKind::Put,
            Some(MutationType::Delete) => MutationKind::Delete,
            Some(MutationType::Increment) => MutationKind::Increment,
            Some(MutationType::Append) | None => MutationKind::Append,
        };
        let timestamp = proto.timestamp.unwrap_or(LATEST_TIMESTAMP);
        check_timestamp(timestamp)?;
        let attribute = |name: &str| {
            let found = proto.attribute.iter().find(|a| a.name == name);
            found.and_then(|a| a.value.clone())
        };
        let from_block = match proto.associated_cell_count {
            Some(count) if count > 0 => block.cells(count as usize).map_err(|e| {
                remote_exception(exception::DO_NOT_RETRY, format!("Cell count of {count} but {e}"))
            })?,
            _ => Vec::new(),
        };
        let row = match (&proto.row, from_block.first()) {
            (Some(row), _) => row.clone(),
            (None, Some(cell)) => cell.slice_ref(cell.row()),
            (None, None) => Bytes::new(),
        };
        check_row_key(&row)?;
        let mut cells = Vec::with_capacity(proto.column_value.len() + from_block.len());
        for column in &proto.column_value {
            for value in &column.qualifier_value {
                let cell = new_cell(kind, column.family.clone(), value, timestamp)?;
                // `ProtobufUtil.toDelete` calls `Delete.addFamily`, which removes the markers of
                // the family that were before it. The cells of a block are added as they are.
                if kind == MutationKind::Delete && cell.kind == CellType::DeleteFamily {
                    cells.retain(|before: &NewCell| before.family != cell.family);
                }
                cells.push(cell);
            }
        }
        for cell in &from_block {
            cells.push(block_cell(kind, &row, cell)?);
        }
        Ok(Self {
            row,
            kind,
            nonce: proto.nonce,
            return_results: attribute("_rr_").is_none_or(|v| v.first().is_none_or(|b| *b != 0)),
            cells,
            timestamp,
            // The largest number means no TTL, as without the attribute.
            ttl: attribute("_ttl")
                .and_then(|v| v[..].try_into().ok().map(i64::from_be_bytes))
                .filter(|ttl| *ttl != i64::MAX),
            times: query::time_range(proto.time_range.as_ref())?,
        })
    }

    /// Whether the mutation is an increment or append.
    pub(crate) fn is_read_modify_write(&self) -> bool {
        matches!(self.kind, MutationKind::Increment | MutationKind::Append)
    }

    /// Rejects the mutation if the region would reject it, before anything is written.
    ///
    /// If the row is in another region, the exception depends on the mutation. For a Put or Delete
    /// that is not part of an atomic group, the exception forbids a retry. For any other mutation,
    /// the exception makes the client look up the region again.
    pub(crate) fn check(
        &self,
        region: &Region,
        state: &RegionState,
        atomic: bool,
    ) -> RemoteResult<()> {
        if state.schema.read_only {
            return Err(remote_exception(exception::DO_NOT_RETRY, "region is read only"));
        }
        if !region.contains(&self.row) {
            let text = region.out_of_range_text("batchMutate", &self.row);
            let class = match !atomic && !self.is_read_modify_write() {
                true => exception::FAILED_SANITY_CHECK,
                false => exception::WRONG_REGION,
            };
            return Err(remote_exception(class, text));
        }
        for cell in &self.cells {
            query::family_of(&state.schema, &cell.family, &region.display_name)?;
        }
        Ok(())
    }

    /// Rejects a mutation with a cell above the limit of the table. As a real server sorts the
    /// families of a mutation, the exception names the cell of the first family.
    pub(crate) fn check_size(&self, state: &RegionState) -> RemoteResult<()> {
        let Some(limit) = state.schema.max_cell_bytes else { return Ok(()) };
        let size = |cell: &NewCell| 4 + self.key_value_len(cell);
        let too_large = self.cells.iter().filter(|&cell| size(cell) > limit);
        let Some(cell) = too_large.min_by(|a, b| a.family.cmp(&b.family)) else { return Ok(()) };
        let timestamp = match cell.timestamp {
            LATEST_TIMESTAMP => "LATEST_TIMESTAMP".to_owned(),
            at => at.to_string(),
        };
        Err(remote_exception(
            exception::DO_NOT_RETRY,
            format!(
                "Cell[{}/{}:{}/{timestamp}/{:?}/vlen={}/seqid=0] with size {} exceeds limit of \
                 {limit} bytes",
                to_string_binary(&self.row),
                to_string_binary(&cell.family),
                to_string_binary(&cell.qualifier),
                cell.kind,
                cell.value.len(),
                size(cell),
            ),
        ))
    }

    fn key_value_len(&self, cell: &NewCell) -> usize {
        20 + self.row.len() + cell.family.len() + cell.qualifier.len() + cell.value.len()
    }

    /// The columns of the mutation's cells; none for the deletion of a row.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&Bytes, &Bytes)> {
        self.cells.iter().map(|c| (&c.family, &c.qualifier))
    }

    /// Appends the writes of this mutation, given the present state of the region. `now` is the
    /// timestamp of cells that have none.
    pub(crate) fn append_writes(
        &self,
        region: &Region,
        state: &RegionState,
        now: u64,
        writes: &mut Vec<CellWrite>,
    ) -> RemoteResult<()> {
        match self.kind {
            MutationKind::Put => {
                for cell in &self.cells {
                    let mut cell = cell.clone();
                    if cell.timestamp == LATEST_TIMESTAMP {
                        cell.timestamp = now;
                    }
                    writes.push(self.write(cell, self.ttl));
                }
            }
            MutationKind::Delete if self.cells.is_empty() => {
                for family in &state.schema.families {
                    let timestamp = match self.timestamp {
                        LATEST_TIMESTAMP => now,
                        given => given,
                    };
                    writes.push(self.write(delete_family(family.name.clone(), timestamp), None));
                }
            }
            MutationKind::Delete => self.append_delete(state, now, writes),
            MutationKind::Increment | MutationKind::Append => {
                self.append_read_modify_write(region, state, now, writes)?;
            }
        }
        Ok(())
    }

    /// Appends the writes of a Delete. A marker for the newest version takes the timestamp of that
    /// version; a second such marker for the same column takes the timestamp of the next older
    /// version.
    fn append_delete(&self, state: &RegionState, now: u64, writes: &mut Vec<CellWrite>) {
        for (at, cell) in self.cells.iter().enumerate() {
            let mut cell = cell.clone();
            if cell.timestamp == LATEST_TIMESTAMP {
                cell.timestamp = now;
                if cell.kind == CellType::Delete {
                    let same = |c: &&NewCell| {
                        c.kind == CellType::Delete
                            && c.timestamp == LATEST_TIMESTAMP
                            && (&c.family, &c.qualifier) == (&cell.family, &cell.qualifier)
                    };
                    let before = self.cells.iter().take(at).filter(same).count();
                    if let Some(family) = state.schema.family(&cell.family) {
                        let qualifier = cell.qualifier.clone();
                        let versions = (before as u32 + 1).min(family.max_versions);
                        let mut query =
                            RowQuery::of_column(family, Some(qualifier), 0..u64::MAX, versions);
                        let store = &state.store;
                        let found =
                            query.read_row(store.cells(), &self.row, store.sequence_id(), now);
                        if let Some(found) = found.get(before) {
                            cell.timestamp = found.timestamp();
                        }
                    }
                }
            }
            writes.push(self.write(cell, None));
        }
    }

    fn append_read_modify_write(
        &self,
        region: &Region,
        state: &RegionState,
        now: u64,
        writes: &mut Vec<CellWrite>,
    ) -> RemoteResult<()> {
        for cell in &self.cells {
            let family = query::family_of(&state.schema, &cell.family, &region.display_name)?;
            let query =
                RowQuery::of_column(family, Some(cell.qualifier.clone()), self.times.clone(), 1);
            let old = state.store.newest(&self.row, query, now);
            let timestamp = match (&old, cell.timestamp) {
                (Some(old), _) => now.max(old.timestamp().saturating_add(1).min(LATEST_TIMESTAMP)),
                (None, LATEST_TIMESTAMP) => now,
                (None, given) => given,
            };
            let old_value = old.as_ref().map(|o| o.value());
            let value = match self.kind {
                MutationKind::Increment => {
                    let delta = long(&cell.value)?;
                    let sum = old_value.map(long).transpose()?.unwrap_or(0).wrapping_add(delta);
                    Bytes::copy_from_slice(&sum.to_be_bytes())
                }
                _ => match old_value {
                    Some(old) => [old, &cell.value].concat().into(),
                    None => cell.value.clone(),
                },
            };
            let ttl = self.ttl.or_else(|| old.as_ref().and_then(|o| o.ttl()));
            let cell = NewCell { timestamp, value, kind: CellType::Put, ..cell.clone() };
            let size = 4 + self.key_value_len(&cell);
            if let Some(limit) = state.schema.max_cell_bytes.filter(|limit| size > *limit) {
                // HBase means to name the region, and names the object of its batch instead, by its
                // class and a number of its own.
                let number = region.encoded.get(..8).unwrap_or(&region.encoded);
                let text = format!(
                    "Cell with size {size} exceeds limit of {limit} bytes in region \
                     org.apache.hadoop.hbase.regionserver.HRegion$MutationBatchOperation@{number}"
                );
                return Err(remote_exception(exception::DO_NOT_RETRY, text));
            }
            writes.push(self.write(cell, ttl));
        }
        Ok(())
    }

    fn write(&self, cell: NewCell, ttl: Option<i64>) -> CellWrite {
        CellWrite { row: self.row.clone(), cell, ttl, keep_older_versions: None }
    }
}

/// Makes a DeleteFamily marker.
fn delete_family(family: Bytes, timestamp: u64) -> NewCell {
    let (qualifier, value) = (Bytes::new(), Bytes::new());
    NewCell { family, qualifier, timestamp, kind: CellType::DeleteFamily, value }
}

fn long(bytes: &[u8]) -> RemoteResult<i64> {
    bytes.try_into().map(i64::from_be_bytes).map_err(|_| {
        let text = format!("Field is not a long, it's {} bytes wide", bytes.len());
        remote_exception(exception::DO_NOT_RETRY, text)
    })
}

fn check_timestamp(timestamp: u64) -> RemoteResult<()> {
    match timestamp > LATEST_TIMESTAMP {
        true => Err(remote_exception(
            exception::IO,
            format!("Timestamp cannot be negative. ts={}", timestamp as i64),
        )),
        false => Ok(()),
    }
}

fn new_cell(
    mutation: MutationKind,
    family: Bytes,
    value: &QualifierValue,
    timestamp: u64,
) -> RemoteResult<NewCell> {
    let timestamp = value.timestamp.unwrap_or(timestamp);
    check_timestamp(timestamp)?;
    let mut qualifier = value.qualifier.clone().unwrap_or_default();
    let marker = value.delete_type.and_then(|t| DeleteType::try_from(t).ok()).map(marker_of);
    let kind = match mutation {
        MutationKind::Delete => marker.unwrap_or(CellType::Delete),
        // A Put may contain markers between its values. Such a Put writes and deletes cells of a
        // row in one step.
        MutationKind::Put => marker.unwrap_or(CellType::Put),
        MutationKind::Increment | MutationKind::Append => CellType::Put,
    };
    if mutation == MutationKind::Delete
        && matches!(kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion)
    {
        qualifier = Bytes::new();
    }
    let value = match (&value.value, mutation) {
        (_, MutationKind::Delete) => Bytes::new(),
        (Some(_), _) if kind != CellType::Put => Bytes::new(),
        (Some(value), _) => value.clone(),
        (None, _) => {
            let text = "Missing required field: qualifier value";
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
    };
    Ok(NewCell { family, qualifier, timestamp, kind, value })
}

fn marker_of(kind: DeleteType) -> CellType {
    match kind {
        DeleteType::DeleteOneVersion => CellType::Delete,
        DeleteType::DeleteMultipleVersions => CellType::DeleteColumn,
        DeleteType::DeleteFamily => CellType::DeleteFamily,
        DeleteType::DeleteFamilyVersion => CellType::DeleteFamilyVersion,
    }
}

fn block_cell(mutation: MutationKind, row: &[u8], cell: &Cell) -> RemoteResult<NewCell> {
    if cell.row() != row {
        return Err(remote_exception(
            exception::WRONG_ROW,
            format!("The row in {cell:?} doesn't match the original one {}", to_string_binary(row)),
        ));
    }
    let fits = match mutation {
        MutationKind::Put => true,
        MutationKind::Delete => cell.kind() != CellType::Put,
        MutationKind::Increment | MutationKind::Append => cell.kind() == CellType::Put,
    };
    if !fits {
        let text = format!("a cell of type {:?} in a mutation of another type", cell.kind());
        return Err(remote_exception(exception::IO, text));
    }
    Ok(NewCell {
        family: cell.slice_ref(cell.family()),
        qualifier: cell.slice_ref(cell.qualifier()),
        timestamp: cell.timestamp(),
        kind: cell.kind(),
        value: cell.slice_ref(cell.value()),
    })
}
