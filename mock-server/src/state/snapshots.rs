//! The snapshots of tables.

use tallrow_wire::proto::{RegionInfo, SnapshotDescription, TableSchema};

use crate::regions::Store;

/// A snapshot of a table.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// Its name, its table, its time to live.
    pub(crate) description: SnapshotDescription,
    /// The schema of the table.
    pub(crate) schema: TableSchema,
    /// The regions of the table, with their cells.
    pub(crate) regions: Vec<(RegionInfo, Store)>,
}

impl Snapshot {
    /// Whether its time to live is over (`SnapshotDescriptionUtils.isExpiredSnapshot`).
    pub(crate) fn is_expired(&self, now: u64) -> bool {
        let ttl = u64::try_from(self.description.ttl.unwrap_or(0)).unwrap_or(0);
        let created = u64::try_from(self.description.creation_time.unwrap_or(0)).unwrap_or(0);
        ttl > 0 && created.saturating_add(ttl.saturating_mul(1000)) < now
    }
}
