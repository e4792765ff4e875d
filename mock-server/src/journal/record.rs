//! The records of a data file. Their bytes are stored: numbers of fields are never used again for
//! something else.

use bytes::Bytes;
use tallrow_wire::proto::{NamespaceDescriptor, RegionInfo, SnapshotDescription, TableSchema};

use super::state_record::StateChange;
use crate::cells::{RowOrder, StoredCell};

/// A record: exactly one of its fields is set.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Record {
    /// The changes of one region.
    #[prost(message, optional, tag = "1")]
    pub(crate) region: Option<RegionChange>,
    /// The changes of the catalog.
    #[prost(message, optional, tag = "2")]
    pub(crate) catalog: Option<CatalogChange>,
    /// The end of the checkpoint, with which a file begins.
    #[prost(message, optional, tag = "3")]
    pub(crate) checkpoint_end: Option<CheckpointEnd>,
    /// The changes of another part of the state.
    #[prost(message, optional, tag = "4")]
    pub(crate) state: Option<StateChange>,
}

impl From<StateChange> for Record {
    fn from(change: StateChange) -> Self {
        Self { state: Some(change), ..Self::default() }
    }
}

impl From<RegionChange> for Record {
    fn from(change: RegionChange) -> Self {
        Self { region: Some(change), ..Self::default() }
    }
}

impl From<CatalogChange> for Record {
    fn from(change: CatalogChange) -> Self {
        Self { catalog: Some(change), ..Self::default() }
    }
}

/// What was changed in a region while it was locked once.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RegionChange {
    /// The full name of the region.
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) region: Bytes,
    /// The cells that were added.
    #[prost(message, repeated, tag = "2")]
    pub(crate) added: Vec<CellRecord>,
    /// The cells that were removed, without their values. None of them is added by this record
    /// after it was removed.
    #[prost(message, repeated, tag = "3")]
    pub(crate) removed: Vec<CellRecord>,
    /// The state of the store afterwards; if it is missing, the state is as before.
    #[prost(message, optional, tag = "4")]
    pub(crate) state: Option<StoreState>,
    /// The nonces of the operations that were applied.
    #[prost(message, repeated, tag = "5")]
    pub(crate) nonces: Vec<AppliedNonce>,
    /// The tokens of Bigtable's mutations that were applied.
    #[prost(message, repeated, tag = "6")]
    pub(crate) tokens: Vec<RowToken>,
}

/// A cell.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CellRecord {
    /// The `KeyValue`, followed by the tag of the cell's own time to live, if it has one.
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) bytes: Bytes,
    /// The sequence id of its write.
    #[prost(uint64, tag = "2")]
    pub(crate) sequence_id: u64,
}

impl From<&StoredCell> for CellRecord {
    fn from(cell: &StoredCell) -> Self {
        let bytes = Bytes::copy_from_slice(cell.bytes());
        Self { bytes, sequence_id: cell.sequence_id() }
    }
}

impl CellRecord {
    /// Returns the cell; an error, as text, if it is none.
    pub(crate) fn to_cell(&self) -> Result<StoredCell, String> {
        StoredCell::from_bytes(&self.bytes, self.sequence_id, RowOrder::Bytes)
            .map_err(|error| error.to_string())
    }
}

/// The state of a store besides its cells.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StoreState {
    /// The sequence id of the newest write.
    #[prost(uint64, tag = "1")]
    pub(crate) sequence_id: u64,
    /// The sequence id up to which each family was flushed.
    #[prost(message, repeated, tag = "2")]
    pub(crate) flushed: Vec<FamilyNumber>,
    /// The number of store files of each family.
    #[prost(message, repeated, tag = "3")]
    pub(crate) files: Vec<FamilyNumber>,
    /// Whether a delete marker was ever written.
    #[prost(bool, tag = "4")]
    pub(crate) has_delete_markers: bool,
    /// The time of the last major compaction in ms; 0 if there was none.
    #[prost(uint64, tag = "5")]
    pub(crate) last_major_compaction: u64,
}

/// A number of a family.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FamilyNumber {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) family: Bytes,
    #[prost(uint64, tag = "2")]
    pub(crate) number: u64,
}

/// The nonce of an operation that was applied.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct AppliedNonce {
    /// The nonce group of the client.
    #[prost(fixed64, tag = "1")]
    pub(crate) group: u64,
    /// The nonce.
    #[prost(fixed64, tag = "2")]
    pub(crate) nonce: u64,
    /// The sequence id of the write.
    #[prost(uint64, tag = "3")]
    pub(crate) sequence_id: u64,
    /// The time of the write in ms.
    #[prost(uint64, tag = "4")]
    pub(crate) at: u64,
}

/// The token of a mutation that was applied.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RowToken {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) row: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) token: Bytes,
    /// The time of the mutation in ms.
    #[prost(uint64, tag = "3")]
    pub(crate) at: u64,
}

/// What was changed in the catalog while it was locked once. What is removed is removed first.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CatalogChange {
    /// The namespaces that are new or were changed.
    #[prost(message, repeated, tag = "1")]
    pub(crate) namespaces: Vec<NamespaceDescriptor>,
    /// The names of the namespaces that were removed.
    #[prost(string, repeated, tag = "2")]
    pub(crate) removed_namespaces: Vec<String>,
    /// The tables that are new or were changed.
    #[prost(message, repeated, tag = "3")]
    pub(crate) tables: Vec<TableRecord>,
    /// The full names of the tables that were removed.
    #[prost(bytes = "bytes", repeated, tag = "4")]
    pub(crate) removed_tables: Vec<Bytes>,
    /// The regions that are new.
    #[prost(message, repeated, tag = "5")]
    pub(crate) regions: Vec<RegionRecord>,
    /// The full names of the regions that were removed.
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub(crate) removed_regions: Vec<Bytes>,
    /// The snapshots that were taken.
    #[prost(message, repeated, tag = "7")]
    pub(crate) snapshots: Vec<SnapshotRecord>,
    /// The names of the snapshots that were deleted.
    #[prost(string, repeated, tag = "8")]
    pub(crate) removed_snapshots: Vec<String>,
    /// The nonces of operations, in a checkpoint.
    #[prost(message, repeated, tag = "9")]
    pub(crate) nonces: Vec<AppliedNonce>,
}

/// A table.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TableRecord {
    /// The schema, with the name of the table.
    #[prost(message, optional, tag = "1")]
    pub(crate) schema: Option<TableSchema>,
    /// Whether the table is disabled.
    #[prost(bool, tag = "2")]
    pub(crate) is_disabled: bool,
}

/// A region that is new, or a region of a snapshot.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RegionRecord {
    /// The table, the keys and the id.
    #[prost(message, optional, tag = "1")]
    pub(crate) info: Option<RegionInfo>,
    /// Its cells.
    #[prost(message, repeated, tag = "2")]
    pub(crate) cells: Vec<CellRecord>,
    /// The state of its store; if it is missing, the store is new.
    #[prost(message, optional, tag = "3")]
    pub(crate) state: Option<StoreState>,
    /// Whether its cells are those that the removed regions of the same record had between its
    /// keys.
    #[prost(bool, tag = "4")]
    pub(crate) inherits: bool,
}

impl RegionRecord {
    /// Makes the record of a region without cells, or with those of removed regions.
    pub(crate) fn of(info: &RegionInfo, inherits: bool) -> Self {
        Self { info: Some(info.clone()), inherits, ..Self::default() }
    }
}

/// A snapshot of a table.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SnapshotRecord {
    #[prost(message, optional, tag = "1")]
    pub(crate) description: Option<SnapshotDescription>,
    #[prost(message, optional, tag = "2")]
    pub(crate) schema: Option<TableSchema>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) regions: Vec<RegionRecord>,
}

/// The end of a checkpoint.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CheckpointEnd {
    /// The number of records in the checkpoint.
    #[prost(uint64, tag = "1")]
    pub(crate) records: u64,
}
