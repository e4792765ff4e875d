//! The cells of a region with the sequence ids around them: reads at a point, writes, flushes, compactions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::exception::{self};

use crate::cell::{Cells, NewCell, Position, RowOrder, StoredCell};
use crate::matcher::{ColumnMatcher, Verdict};
use crate::read::Read;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema::{Family, Schema};

/// Bytes written after which a region flushes by itself, as `hbase.hregion.memstore.flush.size`: 128 MiB.
const FLUSH_BYTES: usize = 128 << 20;

/// The cells of one region.
#[derive(Debug)]
pub(crate) struct Store {
    cells: Cells,
    /// The sequence id of the newest write.
    sequence_id: u64,
    /// Up to which sequence id each family was flushed.
    flushed: BTreeMap<Bytes, u64>,
    unflushed_bytes: usize,
    /// How many scanners read at each sequence id.
    readers: BTreeMap<u64, usize>,
}

/// A cell about to be written to a row.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// The row key.
    pub(crate) row: Bytes,
    /// The cell, with its final timestamp.
    pub(crate) cell: NewCell,
    /// The cell's own time to live in ms.
    pub(crate) ttl: Option<u64>,
    /// Whether older versions in memory may go at once, as after an increment.
    pub(crate) replaces: bool,
}

impl Store {
    /// No cells; the first write gets the number after `sequence`.
    pub(crate) fn new(order: RowOrder, sequence_id: u64) -> Self {
        Self {
            cells: Cells::new(order),
            sequence_id,
            flushed: BTreeMap::new(),
            unflushed_bytes: 0,
            readers: BTreeMap::new(),
        }
    }

    /// The cells, for scanning.
    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The sequence id of the newest write: what a read sees from now on.
    pub(crate) fn sequence_id(&self) -> u64 {
        self.sequence_id
    }

    /// Uses up a sequence id without a write, as opening a region does.
    pub(crate) fn next_sequence(&mut self) -> u64 {
        self.sequence_id += 1;
        self.sequence_id
    }

    /// The newest cell that answers a read of one row.
    pub(crate) fn newest(
        &self,
        row: &[u8],
        mut read: Read,
        now: u64,
    ) -> Option<Cow<'_, StoredCell>> {
        read.row(&self.cells, row, self.sequence_id, now).into_iter().next()
    }

    /// Writes cells under one sequence id, all or none, and returns it.
    pub(crate) fn write(&mut self, writes: &[Write]) -> RemoteResult<u64> {
        let sequence_id = self.sequence_id + 1;
        let mut stored = Vec::with_capacity(writes.len());
        for write in writes {
            let order = self.cells.order();
            let cell = StoredCell::new(&write.row, &write.cell, write.ttl, sequence_id, order);
            stored.push(cell.map_err(|e| remote_exception(exception::IO, e.to_string()))?);
        }
        let settled = self.settled();
        self.sequence_id = sequence_id;
        for (cell, write) in stored.into_iter().zip(writes) {
            self.unflushed_bytes += cell.heap_size();
            if write.replaces && !cell.is_delete() {
                self.drop_replaced(&cell, settled);
            }
            self.cells.insert(cell);
        }
        Ok(sequence_id)
    }

    /// Whether enough was written for a flush of its own.
    pub(crate) fn wants_flush(&self) -> bool {
        self.unflushed_bytes >= FLUSH_BYTES
    }

    /// Keeps one settled version of the column in memory beside the new cell, as `Segment.upsert` does.
    fn drop_replaced(&mut self, new: &StoredCell, settled: u64) {
        let flushed = self.flushed.get(new.family()).copied().unwrap_or(0);
        let mut older: Vec<StoredCell> = Vec::new();
        for cell in self.cells.cursor(Position::before_column(new)) {
            if (cell.row(), cell.family(), cell.qualifier())
                != (new.row(), new.family(), new.qualifier())
            {
                break;
            }
            if !cell.is_delete() && cell.sequence_id() <= settled && cell.sequence_id() > flushed {
                older.push(cell.clone());
            }
        }
        older.iter().skip(1).for_each(|c| self.cells.remove(c));
    }

    /// A scanner reads at `point` from now on.
    pub(crate) fn reader_opened(&mut self, point: u64) {
        *self.readers.entry(point).or_default() += 1;
    }

    /// A scanner that read at `point` is gone.
    pub(crate) fn reader_closed(&mut self, point: u64) {
        if let Some(count) = self.readers.get_mut(&point) {
            *count -= 1;
            if *count == 0 {
                self.readers.remove(&point);
            }
        }
    }

    /// The newest sequence id that every reader sees.
    fn settled(&self) -> u64 {
        self.readers.first_key_value().map_or(self.sequence_id, |(point, _)| *point)
    }

    /// Drops what a flush of these families drops (all of them when none are named), of the cells written since the
    /// last one. Says whether there was anything to flush.
    pub(crate) fn flush(&mut self, schema: &Schema, only: &[Bytes], now: u64) -> bool {
        let settled = self.settled();
        let mut any = false;
        for family in &schema.families {
            if !only.is_empty() && !only.contains(&family.name) {
                continue;
            }
            let flushed = self.flushed.get(&family.name).copied().unwrap_or(0);
            let fresh = |c: &StoredCell| c.sequence_id() > flushed && c.family() == family.name;
            if !self.cells.iter().any(fresh) {
                continue;
            }
            any = true;
            self.sweep(family, now, |matcher, cell| match fresh(cell) {
                true => matcher.flush(cell, settled),
                false => Verdict::Include,
            });
            self.flushed.insert(family.name.clone(), self.sequence_id);
        }
        if any && only.is_empty() {
            self.unflushed_bytes = 0;
        }
        any
    }

    /// Drops what a major compaction drops. Cells that were never flushed are not part of it.
    pub(crate) fn compact(&mut self, schema: &Schema, only: Option<&[u8]>, now: u64) {
        let settled = self.settled();
        for family in &schema.families {
            if only.is_some_and(|only| only != family.name) {
                continue;
            }
            let flushed = self.flushed.get(&family.name).copied().unwrap_or(0);
            let old = |c: &StoredCell| c.sequence_id() <= flushed && c.family() == family.name;
            let puts = self.cells.iter().filter(|c| old(c) && !c.is_delete());
            let oldest_put = puts.map(StoredCell::timestamp).min().unwrap_or(u64::MAX);
            self.sweep(family, now, |matcher, cell| match old(cell) {
                true => matcher.compact(cell, settled, oldest_put),
                false => Verdict::Include,
            });
        }
    }

    /// Removes the cells of a family that the judge does not include.
    fn sweep(
        &mut self,
        family: &Family,
        now: u64,
        mut judge: impl FnMut(&mut ColumnMatcher<'_>, &StoredCell) -> Verdict,
    ) {
        let mut matcher = ColumnMatcher::new(family, now, false);
        let (mut row, mut qualifier) = (Vec::new(), Vec::new());
        let mut started = false;
        self.cells.retain(|cell| {
            if cell.family() != family.name {
                return true;
            }
            if !started || cell.row() != row {
                started = true;
                matcher = ColumnMatcher::new(family, now, false);
                row = cell.row().to_vec();
                qualifier = cell.qualifier().to_vec();
            } else if cell.qualifier() != qualifier {
                matcher.next_column();
                qualifier = cell.qualifier().to_vec();
            }
            judge(&mut matcher, cell) == Verdict::Include
        });
    }

    /// Removes the cells of families that the schema no longer has.
    pub(crate) fn drop_unknown_families(&mut self, schema: &Schema) {
        self.cells.retain(|c| schema.family(c.family()).is_some());
    }

    /// Cuts the store in two at a row. The upper half is returned; both count on from here.
    pub(crate) fn split_off(&mut self, at: &[u8]) -> Self {
        Self {
            cells: self.cells.split_off(at),
            sequence_id: self.sequence_id,
            flushed: self.flushed.clone(),
            unflushed_bytes: 0,
            readers: BTreeMap::new(),
        }
    }

    /// Takes over the cells of the next region, as a merge does.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.sequence_id = self.sequence_id.max(other.sequence_id);
        self.cells.append(other.cells);
        for (family, flushed) in other.flushed {
            let own = self.flushed.entry(family).or_insert(flushed);
            *own = (*own).min(flushed);
        }
    }
}
