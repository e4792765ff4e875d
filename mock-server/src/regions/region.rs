//! A region: a range of a table's rows that is open on one region server, or closed.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use tallrow_wire::exception;
use tallrow_wire::proto::{CompactionState, Get, RegionInfo};
use tallrow_wire::region;

use super::query::RowQuery;
use super::store::RegionStore;
use crate::base::{RemoteResult, lock, remote_exception, to_string_binary};
use crate::cells::{RowOrder, StoredCell};
use crate::schema::RegionSchema;

/// What the names of the replicas of `hbase:meta` begin with.
const META_PREFIX: &[u8] = b"hbase:meta,";

/// One region.
#[derive(Debug)]
pub(crate) struct Region {
    /// The table, the start and end keys, and the id.
    pub(crate) info: RegionInfo,
    /// The full name.
    pub(crate) name: Bytes,
    /// The full name in error texts.
    pub(crate) display_name: String,
    /// The encoded name.
    pub(crate) encoded: String,
    state: Mutex<RegionState>,
}

/// The state of a region.
#[derive(Debug)]
pub(crate) struct RegionState {
    /// The region server on which the region is open; none if it is closed.
    pub(crate) server: Option<usize>,
    /// The sequence id when the region was last opened.
    pub(crate) open_sequence_id: u64,
    /// The dead server on which the region was open, until another server recovers the region.
    pub(crate) lost_server: Option<usize>,
    /// The schema of the table.
    pub(crate) schema: Arc<RegionSchema>,
    /// The cells of the region.
    pub(crate) store: RegionStore,
    /// The number of read requests.
    pub(crate) read_requests: u64,
    /// The number of write requests.
    pub(crate) write_requests: u64,
    /// The kind of the last compaction that a client asked for, and when it is reported to have
    /// ended.
    pub(crate) compaction: Option<(CompactionState, u64)>,
}

/// The locked state of a region. When it is released, what was changed meanwhile is written to the
/// log of the region, if it has one, as one record.
#[derive(Debug)]
pub(crate) struct RegionGuard<'r>(MutexGuard<'r, RegionState>);

impl Deref for RegionGuard<'_> {
    type Target = RegionState;

    fn deref(&self) -> &RegionState {
        &self.0
    }
}

impl DerefMut for RegionGuard<'_> {
    fn deref_mut(&mut self) -> &mut RegionState {
        &mut self.0
    }
}

impl Drop for RegionGuard<'_> {
    fn drop(&mut self) {
        self.0.store.write_record();
    }
}

impl Region {
    /// Makes a closed region without cells.
    pub(crate) fn new(info: RegionInfo, schema: Arc<RegionSchema>) -> Self {
        Self::with_store(info, schema, None)
    }

    /// Makes a closed region with these cells, or without cells.
    pub(crate) fn with_store(
        info: RegionInfo,
        schema: Arc<RegionSchema>,
        store: Option<RegionStore>,
    ) -> Self {
        let name = region::name(&info);
        let order = match name.starts_with(META_PREFIX) {
            true => RowOrder::Meta,
            false => RowOrder::Bytes,
        };
        Self {
            display_name: to_string_binary(&name),
            encoded: region::encoded_name_of(&info),
            name: name.into(),
            info,
            state: Mutex::new(RegionState {
                server: None,
                open_sequence_id: 1,
                lost_server: None,
                schema,
                store: store.unwrap_or_else(|| RegionStore::new(order, 1)),
                read_requests: 0,
                write_requests: 0,
                compaction: None,
            }),
        }
    }

    /// Whether this is a replica of the region of `hbase:meta`, of which no row tells where it is.
    pub(crate) fn is_meta(&self) -> bool {
        self.name.starts_with(META_PREFIX)
    }

    /// The id of this replica: 0 for the primary replica, which takes the writes.
    pub(crate) fn replica_id(&self) -> u16 {
        self.info.replica_id.and_then(|id| u16::try_from(id).ok()).unwrap_or(0)
    }

    /// The full name of the primary replica of the same region. It is the key of the row of
    /// `hbase:meta` that describes all replicas.
    pub(crate) fn primary_name(&self) -> Bytes {
        match self.replica_id() {
            0 => self.name.clone(),
            _ => region::name(&RegionInfo { replica_id: Some(0), ..self.info.clone() }).into(),
        }
    }

    /// The first row key.
    pub(crate) fn start_key(&self) -> &[u8] {
        self.info.start_key.as_deref().unwrap_or_default()
    }

    /// The first row key after the region; empty for the last region.
    pub(crate) fn end_key(&self) -> &[u8] {
        self.info.end_key.as_deref().unwrap_or_default()
    }

    /// Whether a row is in this region.
    pub(crate) fn contains(&self, row: &[u8]) -> bool {
        row >= self.start_key() && (self.end_key().is_empty() || row < self.end_key())
    }

    /// Locks the state of the region.
    pub(crate) fn lock(&self) -> RegionGuard<'_> {
        RegionGuard(lock(&self.state))
    }

    /// The error text for a row that is in another region.
    pub(crate) fn out_of_range_text(&self, what: &str, row: &[u8]) -> String {
        format!(
            "Requested row out of range for {what} on HRegion {}, startKey='{}', getEndKey()='{}', \
             row='{}'",
            self.display_name,
            to_string_binary(self.start_key()),
            to_string_binary(self.end_key()),
            to_string_binary(row)
        )
    }
}

impl RegionState {
    /// The kind of the compaction that runs at this time, as clients are told: a compaction has been
    /// made when the call that asks for it is answered, and is reported for a while after that.
    pub(crate) fn compaction_state(&self, now: u64) -> CompactionState {
        let running = self.compaction.filter(|(_, until)| now < *until);
        running.map_or(CompactionState::None, |(kind, _)| kind)
    }

    /// Flushes all families, and drops what a major compaction drops.
    pub(crate) fn flush_and_compact(&mut self, now: u64) {
        self.store.flush(&self.schema, &[], now);
        self.store.compact_major(&self.schema, None, now);
    }

    /// Returns the cells that match a Get at a read point, or at the newest read point if none is
    /// given.
    pub(crate) fn get(
        &self,
        region: &Region,
        get: &Get,
        read_point: Option<u64>,
        now: u64,
    ) -> RemoteResult<Vec<Cow<'_, StoredCell>>> {
        check_row_key(&get.row)?;
        let mut query = RowQuery::of_get(get, &self.schema, &region.display_name)?;
        if !region.contains(&get.row) {
            let text = region.out_of_range_text("Get", &get.row);
            return Err(remote_exception(exception::WRONG_REGION, text));
        }
        let read_point = read_point.unwrap_or_else(|| self.store.sequence_id());
        Ok(query.read_row(self.store.cells(), &get.row, read_point, now))
    }
}

/// Rejects a row key that is empty or too long.
pub(crate) fn check_row_key(row: &[u8]) -> RemoteResult<()> {
    match row.len() {
        0 => Err(remote_exception(exception::IO, "Row length is 0")),
        n if n > tallrow_wire::cell::MAX_ROW_LEN => {
            Err(remote_exception(exception::IO, format!("Row length {n} is > 32767")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_keys_that_are_empty_or_too_long_are_rejected() {
        assert_eq!(check_row_key(b"").unwrap_err().message, "Row length is 0");
        assert_eq!(check_row_key(&[0; 32_768]).unwrap_err().message, "Row length 32768 is > 32767");
        assert!(check_row_key(&[0; 32_767]).is_ok());
    }
}
