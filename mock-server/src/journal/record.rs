//! The records of a data file. Their bytes are stored: numbers of fields are never used again for
//! something else.

use bytes::Bytes;
use tallrow_wire::proto::{NamespaceDescriptor, SnapshotDescription, TableSchema};

use super::bigtable_record::OperationRecord;
use super::region_record::{CellRecord, RegionRecord, StoreState};
use super::state_record::StateChange;
use super::stream_record::{StreamEntryRecord, StreamRecord};

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
    /// What was added to the change stream of the table.
    #[prost(message, repeated, tag = "7")]
    pub(crate) stream_entries: Vec<StreamEntryRecord>,
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
    /// The operation of Bigtable whose work this change is, which it has done.
    #[prost(message, optional, tag = "10")]
    pub(crate) operation: Option<OperationRecord>,
    /// The change streams that are new, or to which something was added.
    #[prost(message, repeated, tag = "11")]
    pub(crate) streams: Vec<StreamRecord>,
    /// The highest id of a change stream, in a checkpoint.
    #[prost(uint64, tag = "12")]
    pub(crate) last_stream: u64,
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
