//! A store as the records of its log, and the records as a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::RegionStore;
use crate::cells::{RowOrder, StoredCell};
#[cfg(feature = "bigtable")]
use crate::journal::StreamEntryRecord;
use crate::journal::{
    AppliedNonce, Attached, CellRecord, FamilyNumber, Journal, RegionChange, RegionRecord,
    RowToken, StoreState,
};
use crate::regions::store_file::StoreFile;

/// The bytes of cells of a record of a checkpoint, about.
const RECORD_BYTES: usize = 1 << 20;

impl RegionStore {
    /// Keeps the changes from now on in a log.
    pub(crate) fn attach(&mut self, journal: &Arc<Journal>, region: &Bytes) {
        self.changes = Attached::new(Arc::clone(journal), region.clone());
    }

    /// Notes the nonce of an operation that was applied, for the log.
    pub(crate) fn note_nonce(&mut self, nonce: AppliedNonce) {
        self.changes.note_nonce(nonce);
    }

    /// Notes what was added to the change stream of the table, for the log.
    #[cfg(feature = "bigtable")]
    pub(crate) fn note_stream_entry(&mut self, entry: StreamEntryRecord) {
        self.changes.note_stream_entry(entry);
    }

    /// Writes what was changed to the log.
    #[inline]
    pub(in crate::regions) fn write_record(&mut self) {
        if !self.changes.is_kept() {
            return;
        }
        let mut changes = std::mem::take(&mut self.changes);
        changes.write(|| self.state());
        self.changes = changes;
    }

    fn state(&self) -> StoreState {
        StoreState {
            sequence_id: self.sequence_id,
            flushed: self.flushed.iter().map(|(family, id)| number(family, *id)).collect(),
            file_ends: (self.files.iter())
                .flat_map(|(family, files)| files.iter().map(|file| number(family, file.end)))
                .collect(),
            has_delete_markers: self.has_delete_markers,
            last_major_compaction: self.last_major_compaction,
        }
    }

    fn set_state(&mut self, state: &StoreState) {
        let numbers = |of: &[FamilyNumber]| -> BTreeMap<Bytes, u64> {
            of.iter().map(|of| (of.family.clone(), of.number)).collect()
        };
        self.sequence_id = state.sequence_id;
        self.flushed = numbers(&state.flushed);
        self.files.clear();
        for FamilyNumber { family, number } in &state.file_ends {
            self.files.entry(family.clone()).or_default().push(StoreFile::new(*number));
        }
        self.has_delete_markers = state.has_delete_markers;
        self.last_major_compaction = state.last_major_compaction;
    }

    /// Whether the store is as a new one.
    pub(crate) fn is_new(&self) -> bool {
        self.cells.len() == 0 && self.state() == Self::new(RowOrder::Bytes, 1).state()
    }

    /// Makes the store of a record.
    pub(crate) fn from_record(record: &RegionRecord) -> Result<Self, String> {
        let mut store = Self::new(RowOrder::Bytes, 1);
        store.add(&record.cells)?;
        if let Some(state) = &record.state {
            store.set_state(state);
        }
        Ok(store)
    }

    /// Adds the content to the record of a region. Tokens are not in it.
    pub(crate) fn fill_record(&self, record: &mut RegionRecord) {
        record.cells = self.cells.iter().map(CellRecord::from).collect();
        record.state = Some(self.state());
    }

    /// Returns records of changes that make an empty store this one.
    pub(crate) fn to_changes(&self, region: &Bytes) -> impl Iterator<Item = RegionChange> {
        let mut cells = self.cells.iter().peekable();
        let mut is_done = false;
        std::iter::from_fn(move || {
            if is_done {
                return None;
            }
            let mut change = RegionChange { region: region.clone(), ..Default::default() };
            let mut bytes = 0;
            while bytes < RECORD_BYTES
                && let Some(cell) = cells.next()
            {
                bytes += cell.bytes().len();
                change.added.push(cell.into());
            }
            is_done = cells.peek().is_none();
            if is_done {
                change.state = Some(self.state());
                change.tokens = self.tokens();
            }
            Some(change)
        })
    }

    #[cfg(feature = "bigtable")]
    fn tokens(&self) -> Vec<RowToken> {
        self.tokens.iter().map(|(row, token, at)| RowToken { row, token, at }).collect()
    }

    #[cfg(not(feature = "bigtable"))]
    fn tokens(&self) -> Vec<RowToken> {
        Vec::new()
    }

    /// Makes the changes of a record.
    pub(crate) fn apply(&mut self, change: &RegionChange) -> Result<(), String> {
        self.add(&change.added)?;
        for removed in &change.removed {
            self.cells.remove(&removed.to_cell()?);
        }
        if let Some(state) = &change.state {
            self.set_state(state);
        }
        #[cfg(feature = "bigtable")]
        for token in &change.tokens {
            self.tokens.remember(&token.row, &token.token, token.at);
        }
        Ok(())
    }

    fn add(&mut self, cells: &[CellRecord]) -> Result<(), String> {
        for cell in cells {
            self.cells.insert(cell.to_cell()?);
        }
        Ok(())
    }

    /// Measures the cells, after all records were applied.
    pub(crate) fn measure_cells(&mut self) {
        self.unflushed_bytes = self.unflushed().map(StoredCell::heap_size).sum();
        self.bytes_upper_bound = self.size();
        self.measure_files();
    }
}

fn number(family: &Bytes, number: u64) -> FamilyNumber {
    FamilyNumber { family: family.clone(), number }
}
