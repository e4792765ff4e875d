//! The records of regions: cells, and the states of stores.

use bytes::Bytes;
use tallrow_wire::proto::RegionInfo;

use crate::cells::{RowOrder, StoredCell};

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
    /// The sequence ids at which the store files of each family end.
    #[prost(message, repeated, tag = "6")]
    pub(crate) file_ends: Vec<FamilyNumber>,
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
