//! The cells of a region: reads at a read point, writes, flushes, compactions.
//!
//! Whatever changes the cells notes it for the log of the region, if it has one.

mod files;
mod records;

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::cell::KeyValue;
use tallrow_wire::exception;

use super::matcher::ColumnMatcher;
use super::query::RowQuery;
use super::store_file::StoreFile;
#[cfg(feature = "bigtable")]
use super::tokens::IdempotencyTokens;
use crate::base::{RemoteResult, limits, remote_exception};
use crate::cells::{Cells, NewCell, Position, RowOrder, StoredCell};
use crate::journal::Attached;
use crate::schema::{Family, RegionSchema};

/// The cells of one region.
#[derive(Clone, Debug)]
pub(crate) struct RegionStore {
    cells: Cells,
    /// The sequence id of the newest write.
    sequence_id: u64,
    /// The sequence id up to which each family was flushed.
    flushed: BTreeMap<Bytes, u64>,
    unflushed_bytes: usize,
    /// The store files of each family, the oldest first.
    files: BTreeMap<Bytes, Vec<StoreFile>>,
    /// The number of open scanners at each read point.
    read_points: BTreeMap<u64, usize>,
    /// An upper bound of the size of the cells in bytes. It still includes what was dropped since
    /// the size was last measured.
    bytes_upper_bound: usize,
    /// Whether a delete marker was ever written.
    has_delete_markers: bool,
    /// The time of the last major compaction; 0 if there was none.
    last_major_compaction: u64,
    /// The tokens of the mutations that Bigtable's clients may repeat.
    #[cfg(feature = "bigtable")]
    tokens: IdempotencyTokens,
    /// What was changed since the region was locked, if it has a log.
    changes: Attached,
}

/// The sizes of the cells of a store, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreSizes {
    /// The size of the cells that were flushed.
    pub(crate) store_file_bytes: usize,
    /// The size of the cells that were not flushed.
    pub(crate) memstore_bytes: usize,
}

/// A cell that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct CellWrite {
    /// The row key.
    pub(crate) row: Bytes,
    /// The cell, with its final timestamp.
    pub(crate) cell: NewCell,
    /// The cell's own time to live in ms.
    pub(crate) ttl: Option<i64>,
    /// If set, the write drops the older versions from the memstore, except for this number of
    /// them. No client's write does this. Without it, `hbase:meta` would grow with each move of a
    /// region.
    pub(crate) keep_older_versions: Option<usize>,
}

impl RegionStore {
    /// Makes an empty store. The first write gets the sequence id after `sequence_id`.
    pub(crate) fn new(order: RowOrder, sequence_id: u64) -> Self {
        Self {
            cells: Cells::new(order),
            sequence_id,
            flushed: BTreeMap::new(),
            unflushed_bytes: 0,
            files: BTreeMap::new(),
            read_points: BTreeMap::new(),
            bytes_upper_bound: 0,
            has_delete_markers: false,
            last_major_compaction: 0,
            #[cfg(feature = "bigtable")]
            tokens: IdempotencyTokens::default(),
            changes: Attached::default(),
        }
    }

    /// The cells.
    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Adds cells that have their sequence ids already.
    pub(crate) fn load(&mut self, cells: Cells) {
        for cell in cells.iter() {
            self.sequence_id = self.sequence_id.max(cell.sequence_id());
            self.unflushed_bytes += cell.heap_size();
            self.has_delete_markers |= cell.is_delete();
        }
        self.cells.append(cells);
    }

    /// The sequence id of the newest write, which is the read point of a new read.
    pub(crate) fn sequence_id(&self) -> u64 {
        self.sequence_id
    }

    /// Takes a sequence id without a write, as opening a region does.
    pub(crate) fn next_sequence_id(&mut self) -> u64 {
        self.changes.note();
        self.sequence_id += 1;
        self.sequence_id
    }

    /// Returns the first cell of a row that a query matches, which is the newest of its column.
    pub(crate) fn newest(
        &self,
        row: &[u8],
        mut query: RowQuery,
        now: u64,
    ) -> Option<Cow<'_, StoredCell>> {
        query.read_row(&self.cells, row, self.sequence_id, now).into_iter().next()
    }

    /// Writes either all of these cells or none, with one sequence id, and returns that id.
    pub(crate) fn write(&mut self, writes: &[CellWrite]) -> RemoteResult<u64> {
        let mut stored = Vec::with_capacity(writes.len());
        for write in writes {
            stored.push(self.next_cell(&write.cell.in_row(&write.row), write.ttl)?);
        }
        let smallest_read_point = self.smallest_read_point();
        let sequence_id = self.next_sequence_id();
        for (cell, write) in stored.into_iter().zip(writes) {
            if let Some(kept) = write.keep_older_versions.filter(|_| !cell.is_delete()) {
                self.drop_upserted(&cell, kept, smallest_read_point);
            }
            self.insert(cell);
        }
        Ok(sequence_id)
    }

    /// Writes either all of these cells or none, as they are, with one sequence id. Each of the
    /// `replacing` cells drops the older cells that have the same column and timestamp.
    #[cfg(feature = "bigtable")]
    pub(crate) fn write_key_values(
        &mut self,
        cells: &[KeyValue<'_>],
        replacing: &[KeyValue<'_>],
    ) -> RemoteResult<()> {
        let mut stored = Vec::with_capacity(cells.len() + replacing.len());
        for cell in cells.iter().chain(replacing) {
            stored.push(self.next_cell(cell, None)?);
        }
        let replacing = stored.split_off(cells.len());
        let smallest_read_point = self.smallest_read_point();
        self.next_sequence_id();
        for cell in &replacing {
            self.drop_replaced(cell, smallest_read_point);
        }
        stored.into_iter().chain(replacing).for_each(|cell| self.insert(cell));
        Ok(())
    }

    /// Drops the cells in the memstore that a new cell replaces. Otherwise a counter to which
    /// clients add a thousand times would have a thousand cells.
    #[cfg(feature = "bigtable")]
    fn drop_replaced(&mut self, new: &StoredCell, smallest_read_point: u64) {
        let flushed = self.flushed.get(new.family()).copied().unwrap_or(0);
        let replaced = |c: &StoredCell| {
            (c.timestamp(), c.kind()) == (new.timestamp(), new.kind())
                && (c.row(), c.family(), c.qualifier())
                    == (new.row(), new.family(), new.qualifier())
        };
        // The oldest of the open scanners, if there are any, sees the newest of these cells.
        let seen = usize::from(!self.read_points.is_empty());
        let older: Vec<StoredCell> = (self.cells.cursor(Position::at(new)))
            .take_while(|cell| replaced(cell))
            .filter(|c| c.sequence_id() <= smallest_read_point && c.sequence_id() > flushed)
            .skip(seen)
            .cloned()
            .collect();
        older.iter().for_each(|cell| self.remove(cell));
    }

    /// Makes a cell with the sequence id of the next write.
    fn next_cell(&self, cell: &KeyValue<'_>, ttl: Option<i64>) -> RemoteResult<StoredCell> {
        StoredCell::new(cell, ttl, self.sequence_id + 1, self.cells.order())
            .map_err(|e| remote_exception(exception::IO, e.to_string()))
    }

    fn remove(&mut self, cell: &StoredCell) {
        self.changes.note_removed(cell);
        self.cells.remove(cell);
    }

    fn insert(&mut self, cell: StoredCell) {
        self.changes.note_added(&cell);
        self.unflushed_bytes += cell.heap_size();
        self.bytes_upper_bound += cell.heap_size();
        self.has_delete_markers |= cell.is_delete();
        self.cells.insert(cell);
    }

    /// Whether there may be delete markers.
    #[cfg(feature = "bigtable")]
    pub(crate) fn has_delete_markers(&self) -> bool {
        self.has_delete_markers
    }

    /// Removes the cells of a row for which `wanted` returns false, without a marker, and returns
    /// whether any cell was removed.
    #[cfg(feature = "bigtable")]
    pub(crate) fn retain_row(&mut self, row: &[u8], wanted: impl Fn(&StoredCell) -> bool) -> bool {
        let of_row = self.cells.cursor_from_row(row).take_while(|c| c.row() == row);
        let gone: Vec<StoredCell> = of_row.filter(|c| !wanted(c)).cloned().collect();
        gone.iter().for_each(|cell| self.remove(cell));
        !gone.is_empty()
    }

    /// Whether a mutation of a row with this token was applied, and is remembered.
    #[cfg(feature = "bigtable")]
    pub(crate) fn is_token_applied(&self, row: &[u8], token: &[u8], now: u64) -> bool {
        self.tokens.is_applied(row, token, now)
    }

    /// Whether another token can be remembered.
    #[cfg(feature = "bigtable")]
    pub(crate) fn has_room_for_tokens(&mut self, now: u64) -> bool {
        self.tokens.has_room(now)
    }

    /// Remembers the token of a mutation that was applied.
    #[cfg(feature = "bigtable")]
    pub(crate) fn remember_token(&mut self, row: &[u8], token: &[u8], now: u64) {
        self.changes.note_token(row, token, now);
        self.tokens.remember(row, token, now);
    }

    /// Removes the rows whose key starts with a prefix, without markers.
    #[cfg(feature = "bigtable")]
    pub(crate) fn drop_rows(&mut self, prefix: &[u8]) {
        let mut from = self.cells.split_off(prefix);
        let end =
            from.iter().find(|cell| !cell.row().starts_with(prefix)).map(|c| c.row().to_vec());
        if let Some(end) = end {
            self.cells.append(from.split_off(&end));
        }
        if self.changes.is_kept() {
            from.iter().for_each(|cell| self.changes.note_removed(cell));
        }
        self.next_sequence_id();
    }

    /// Whether the memstore is large enough to be flushed.
    pub(crate) fn needs_flush(&self) -> bool {
        self.unflushed_bytes >= limits::MEMSTORE_FLUSH_BYTES
    }

    /// Whether at least `min` bytes of cells were not flushed, and these are about half of all cells
    /// or more, so that compactions cost no more than the writes before them.
    pub(crate) fn is_mostly_unflushed(&self, min: usize) -> bool {
        /// In bytes, of a small cell.
        const HALF_A_CELL: usize = 80;
        self.unflushed_bytes >= min.max(self.cells.len() * HALF_A_CELL)
    }

    /// Drops all but `kept` of the older versions of the column that are in the memstore.
    fn drop_upserted(&mut self, new: &StoredCell, kept: usize, smallest_read_point: u64) {
        let flushed = self.flushed.get(new.family()).copied().unwrap_or(0);
        let mut older: Vec<StoredCell> = Vec::new();
        for cell in self.cells.cursor(Position::before_column(new)) {
            if (cell.row(), cell.family(), cell.qualifier())
                != (new.row(), new.family(), new.qualifier())
            {
                break;
            }
            if !cell.is_delete()
                && cell.sequence_id() <= smallest_read_point
                && cell.sequence_id() > flushed
            {
                older.push(cell.clone());
            }
        }
        older.iter().skip(kept).for_each(|c| self.remove(c));
    }

    /// Adds an open scanner at a read point.
    pub(crate) fn add_read_point(&mut self, read_point: u64) {
        *self.read_points.entry(read_point).or_default() += 1;
    }

    /// Removes an open scanner at a read point.
    pub(crate) fn remove_read_point(&mut self, read_point: u64) {
        if let Some(count) = self.read_points.get_mut(&read_point) {
            *count -= 1;
            if *count == 0 {
                self.read_points.remove(&read_point);
            }
        }
    }

    /// The newest sequence id that every open scanner sees.
    fn smallest_read_point(&self) -> u64 {
        self.read_points.first_key_value().map_or(self.sequence_id, |(read_point, _)| *read_point)
    }

    /// Flushes the families in `only`, or all families if `only` is empty. Of the cells that were
    /// written since the last flush, drops those that a flush drops. Returns whether there was
    /// anything to flush.
    pub(crate) fn flush(&mut self, schema: &RegionSchema, only: &[Bytes], now: u64) -> bool {
        let smallest_read_point = self.smallest_read_point();
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
            self.retain_matching(family, now, |matcher, cell| match fresh(cell) {
                true => matcher.flush_keeps(cell, smallest_read_point),
                false => true,
            });
            self.flushed.insert(family.name.clone(), self.sequence_id);
            self.add_file(&family.name, self.sequence_id);
        }
        if any && only.is_empty() {
            self.unflushed_bytes = 0;
        }
        if any {
            self.changes.note();
        }
        any
    }

    /// Drops the cells that a major compaction drops. Cells that were never flushed are not
    /// affected.
    pub(crate) fn compact_major(&mut self, schema: &RegionSchema, only: Option<&[u8]>, now: u64) {
        let smallest_read_point = self.smallest_read_point();
        for family in &schema.families {
            if only.is_some_and(|only| only != family.name) {
                continue;
            }
            let flushed = self.flushed.get(&family.name).copied().unwrap_or(0);
            let old = |c: &StoredCell| c.sequence_id() <= flushed && c.family() == family.name;
            let oldest_put = self.oldest_put(&family.name);
            self.retain_matching(family, now, |matcher, cell| match old(cell) {
                true => matcher.compaction_keeps(cell, smallest_read_point, oldest_put),
                false => true,
            });
            self.join_files(&family.name);
        }
    }

    /// The time of the last major compaction; 0 if there was none.
    pub(crate) fn last_major_compaction(&self) -> u64 {
        self.last_major_compaction
    }

    /// Notes that a major compaction has ended at this time.
    pub(crate) fn note_major_compaction(&mut self, now: u64) {
        self.last_major_compaction = now;
        self.changes.note();
    }

    /// Removes the cells of a family for which `keeps` returns false.
    fn retain_matching(
        &mut self,
        family: &Family,
        now: u64,
        mut keeps: impl FnMut(&mut ColumnMatcher<'_>, &StoredCell) -> bool,
    ) {
        let mut matcher = ColumnMatcher::new(family, now, false);
        let (mut row, mut qualifier) = (Vec::new(), Vec::new());
        let mut started = false;
        self.retain(|cell| {
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
            keeps(&mut matcher, cell)
        });
    }

    /// Removes the cells of families that are not in the schema.
    pub(crate) fn drop_unknown_families(&mut self, schema: &RegionSchema) {
        self.retain(|cell| schema.family(cell.family()).is_some());
    }

    fn retain(&mut self, mut wanted: impl FnMut(&StoredCell) -> bool) {
        let changes = &mut self.changes;
        self.cells.retain(|cell| {
            let is_kept = wanted(cell);
            if !is_kept {
                changes.note_removed(cell);
            }
            is_kept
        });
    }

    /// Splits the store at a row and returns the upper half. Both halves continue with the same
    /// sequence id.
    pub(crate) fn split_off(&mut self, at: &[u8]) -> Self {
        let mut upper = Self {
            cells: self.cells.split_off(at),
            sequence_id: self.sequence_id,
            flushed: self.flushed.clone(),
            unflushed_bytes: 0,
            files: self.files.clone(),
            read_points: BTreeMap::new(),
            bytes_upper_bound: 0,
            has_delete_markers: self.has_delete_markers,
            last_major_compaction: 0,
            #[cfg(feature = "bigtable")]
            tokens: self.tokens.split_off(at),
            changes: Attached::default(),
        };
        for half in [self, &mut upper] {
            half.unflushed_bytes = half.unflushed().map(StoredCell::heap_size).sum();
            half.bytes_upper_bound = half.size();
        }
        upper
    }

    /// The size of the cells in bytes.
    fn size(&self) -> usize {
        self.cells.iter().map(StoredCell::heap_size).sum()
    }

    /// Whether the cells have more than `max` bytes. The cells are measured seldom, so this may be
    /// noticed late, when they exceed `max` by up to a sixteenth.
    pub(crate) fn is_larger_than(&mut self, max: usize) -> bool {
        if self.bytes_upper_bound <= max {
            return false;
        }
        let size = self.size();
        self.bytes_upper_bound = if size > max { size } else { size.min(max - max / 16) };
        size > max
    }

    /// The row at which the store splits into halves of about the same size: the row in the middle,
    /// or the second row if the first is larger than all others together. `None` if there is only
    /// one row; then [`RegionStore::is_larger_than`] waits until the store has grown by as much
    /// again.
    pub(crate) fn middle_row(&mut self) -> Option<Vec<u8>> {
        let size = self.size();
        let mut before = 0;
        let first = self.cells.iter().next().map(|cell| cell.row().to_vec())?;
        for cell in self.cells.iter() {
            before += cell.heap_size();
            if before * 2 >= size && cell.row() != first {
                return Some(cell.row().to_vec());
            }
        }
        self.bytes_upper_bound = 0;
        None
    }

    /// The cells that were never flushed.
    fn unflushed(&self) -> impl Iterator<Item = &StoredCell> {
        let flushed = |family: &[u8]| self.flushed.get(family).copied().unwrap_or(0);
        self.cells.iter().filter(move |cell| cell.sequence_id() > flushed(cell.family()))
    }

    /// Returns a copy with the content of the store files: the cells that were flushed, without
    /// open scanners.
    pub(crate) fn flushed_copy(&self) -> Self {
        let mut copy = self.clone();
        copy.cells.retain(|c| {
            self.flushed.get(c.family()).is_some_and(|flushed| c.sequence_id() <= *flushed)
        });
        copy.read_points = BTreeMap::new();
        copy.unflushed_bytes = 0;
        copy.last_major_compaction = 0;
        #[cfg(feature = "bigtable")]
        {
            copy.tokens = IdempotencyTokens::default();
        }
        copy
    }

    /// Returns the new content of a secondary replica whose content is `known`: the store files, or
    /// all cells if the replica also gets unflushed writes. `None` if nothing is new.
    pub(crate) fn replica_update(&self, known: &Self, with_unflushed: bool) -> Option<Self> {
        match with_unflushed {
            true if self.sequence_id > known.sequence_id => Some(self.clone()),
            false if self.flushed != known.flushed => {
                let sequence_id = self.flushed.values().copied().max().unwrap_or(0);
                Some(Self { sequence_id, ..self.flushed_copy() })
            }
            _ => None,
        }
    }

    /// Replaces the content by that of another store, and keeps the open scanners. Only secondary
    /// replicas, which have no log, are changed so.
    pub(crate) fn replace_content(&mut self, news: Self) {
        let read_points = std::mem::take(&mut self.read_points);
        let last_major_compaction = self.last_major_compaction;
        *self = Self { read_points, last_major_compaction, ..news };
    }

    /// Returns the store with its sequence id raised to at least this one, which is the highest
    /// that the table used before it was restored.
    pub(crate) fn with_min_sequence_id(mut self, sequence_id: u64) -> Self {
        self.sequence_id = self.sequence_id.max(sequence_id);
        self
    }

    /// The number of store files.
    pub(crate) fn file_count(&self) -> u32 {
        self.files.values().map(|files| u32::try_from(files.len()).unwrap_or(u32::MAX)).sum()
    }

    /// The sizes of the cells.
    pub(crate) fn sizes(&self) -> StoreSizes {
        let mut sizes = StoreSizes { store_file_bytes: 0, memstore_bytes: 0 };
        for cell in self.cells.iter() {
            let flushed = self.flushed.get(cell.family()).copied().unwrap_or(0);
            match cell.sequence_id() <= flushed {
                true => sizes.store_file_bytes += cell.heap_size(),
                false => sizes.memstore_bytes += cell.heap_size(),
            }
        }
        sizes
    }

    /// Merges the store files of each family that has enough of them for a minor compaction
    /// (`hbase.hstore.compactionThreshold`). No cells are dropped: a flush has already dropped what
    /// a minor compaction drops.
    pub(crate) fn compact_minor(&mut self, only: Option<&[u8]>) {
        let is_compacted = |(family, files): (&Bytes, &Vec<StoreFile>)| {
            let is_asked = only.is_none_or(|only| only == family);
            (is_asked && files.len() >= limits::COMPACTION_THRESHOLD).then(|| family.clone())
        };
        let compacted: Vec<Bytes> = self.files.iter().filter_map(is_compacted).collect();
        compacted.iter().for_each(|family| self.join_files(family));
    }

    /// Adds the cells of the next region, as a merge does. Both regions have been flushed.
    pub(crate) fn merge(&mut self, other: Self) {
        self.sequence_id = self.sequence_id.max(other.sequence_id);
        self.has_delete_markers |= other.has_delete_markers;
        self.unflushed_bytes += other.unflushed_bytes;
        self.bytes_upper_bound += other.bytes_upper_bound;
        #[cfg(feature = "bigtable")]
        self.tokens.append(other.tokens);
        self.cells.append(other.cells);
        for (family, files) in other.files {
            let own = self.files.entry(family).or_default();
            own.extend(files);
            own.sort_by_key(|file| file.end);
        }
        for (family, flushed) in other.flushed {
            let own = self.flushed.entry(family).or_insert(flushed);
            *own = (*own).max(flushed);
        }
    }
}

#[cfg(all(test, feature = "bigtable"))]
mod tests {
    use tallrow_wire::cell::CellType;

    use super::*;

    #[test]
    fn a_replacing_cell_leaves_the_cells_that_an_open_scanner_sees() {
        let mut store = RegionStore::new(RowOrder::Bytes, 1);
        let write = |store: &mut RegionStore, qualifier, timestamp| {
            let (row, family, value) = (&b"r"[..], &b"f"[..], &b"v"[..]);
            let kind = CellType::Put;
            let cell = KeyValue { row, family, qualifier, timestamp, kind, value };
            store.write_key_values(&[], &[cell]).unwrap();
        };
        for _ in 0..100 {
            write(&mut store, b"q", 5);
        }
        assert_eq!(store.cells().len(), 1);
        let read_point = store.sequence_id();
        store.add_read_point(read_point);
        for _ in 0..2 {
            write(&mut store, b"q", 5);
        }
        assert!(store.cells().iter().any(|cell| cell.sequence_id() == read_point));
        store.remove_read_point(read_point);
        for (qualifier, timestamp) in [(&b"q"[..], 5), (b"q", 4), (b"q", 6), (b"p", 5)] {
            write(&mut store, qualifier, timestamp);
        }
        assert_eq!(store.cells().len(), 4);
    }
}
