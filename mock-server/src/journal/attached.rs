//! What a region has changed since it was locked, to be written as one record.

use std::sync::Arc;

use bytes::Bytes;

use super::log::Journal;
#[cfg(feature = "bigtable")]
use super::record::RowToken;
use super::record::{AppliedNonce, RegionChange};
use super::region_record::StoreState;
#[cfg(feature = "bigtable")]
use super::stream_record::StreamEntryRecord;
use crate::cells::StoredCell;

/// The log of a region, if its changes are kept. A copy of a region's store has none.
#[derive(Debug, Default)]
pub(crate) struct Attached(Option<Box<Changes>>);

#[derive(Debug)]
struct Changes {
    journal: Arc<Journal>,
    region: Bytes,
    is_changed: bool,
    change: RegionChange,
}

impl Clone for Attached {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Attached {
    /// Makes the log of the region with this name.
    pub(crate) fn new(journal: Arc<Journal>, region: Bytes) -> Self {
        let change = RegionChange::default();
        Self(Some(Box::new(Changes { journal, region, is_changed: false, change })))
    }

    /// Whether changes are kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that something was changed that is neither a cell nor a token nor a nonce.
    pub(crate) fn note(&mut self) {
        self.change(|_| {});
    }

    /// Notes a cell that was added.
    pub(crate) fn note_added(&mut self, cell: &StoredCell) {
        self.change(|change| change.added.push(cell.into()));
    }

    /// Notes a cell that was removed.
    pub(crate) fn note_removed(&mut self, cell: &StoredCell) {
        self.change(|change| change.removed.push((&cell.with_value(b"")).into()));
    }

    /// Notes the nonce of an operation that was applied.
    pub(crate) fn note_nonce(&mut self, nonce: AppliedNonce) {
        self.change(|change| change.nonces.push(nonce));
    }

    /// Notes the token of a mutation that was applied.
    #[cfg(feature = "bigtable")]
    pub(crate) fn note_token(&mut self, row: &[u8], token: &[u8], at: u64) {
        self.change(|change| {
            let (row, token) = (Bytes::copy_from_slice(row), Bytes::copy_from_slice(token));
            change.tokens.push(RowToken { row, token, at });
        });
    }

    /// Notes what was added to the change stream of the table.
    #[cfg(feature = "bigtable")]
    pub(crate) fn note_stream_entry(&mut self, entry: StreamEntryRecord) {
        self.change(|change| change.stream_entries.push(entry));
    }

    fn change(&mut self, change: impl FnOnce(&mut RegionChange)) {
        if let Some(changes) = &mut self.0 {
            changes.is_changed = true;
            change(&mut changes.change);
        }
    }

    /// Writes what was noted, if anything was, with the state of the store.
    #[inline]
    pub(crate) fn write(&mut self, state: impl FnOnce() -> StoreState) {
        if let Some(changes) = &mut self.0
            && changes.is_changed
        {
            changes.is_changed = false;
            let mut change = std::mem::take(&mut changes.change);
            (change.region, change.state) = (changes.region.clone(), Some(state()));
            changes.journal.append(&change.into());
        }
    }
}
