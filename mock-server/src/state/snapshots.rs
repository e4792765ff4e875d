//! The snapshots of a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use tallrow_wire::proto::{RegionInfo, SnapshotDescription, TableSchema};

use super::TableCopy;
use super::kept::Recorded;
use crate::journal::{CatalogChange, Record, RegionRecord, SnapshotRecord};
use crate::regions::RegionStore;

/// A snapshot of a table.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The snapshot's name, table and time to live.
    pub(crate) description: SnapshotDescription,
    /// The table.
    pub(crate) copy: TableCopy,
}

impl Snapshot {
    /// Whether the snapshot's time to live is over (`SnapshotDescriptionUtils.isExpiredSnapshot`).
    pub(crate) fn is_expired(&self, now: u64) -> bool {
        let ttl = u64::try_from(self.description.ttl.unwrap_or(0)).unwrap_or(0);
        let created = u64::try_from(self.description.creation_time.unwrap_or(0)).unwrap_or(0);
        ttl > 0 && created.saturating_add(ttl.saturating_mul(1000)) < now
    }
}

impl From<&Snapshot> for SnapshotRecord {
    fn from(snapshot: &Snapshot) -> Self {
        Self {
            description: Some(snapshot.description.clone()),
            schema: Some(snapshot.copy.schema.clone()),
            regions: snapshot.copy.region_records(),
        }
    }
}

impl TryFrom<SnapshotRecord> for Snapshot {
    type Error = String;

    fn try_from(record: SnapshotRecord) -> Result<Self, String> {
        Ok(Self {
            description: record.description.ok_or("a snapshot without a name")?,
            copy: TableCopy::from_records(record.schema, &record.regions)?,
        })
    }
}

impl TableCopy {
    /// Returns the records of the regions.
    pub(crate) fn region_records(&self) -> Vec<RegionRecord> {
        let region = |(info, store): &(RegionInfo, RegionStore)| {
            let mut record = RegionRecord::of(info, false);
            store.fill_record(&mut record);
            record
        };
        self.regions.iter().map(region).collect()
    }

    /// Makes the copy of records; an error, as text, if they are not those of one.
    pub(crate) fn from_records(
        schema: Option<TableSchema>,
        records: &[RegionRecord],
    ) -> Result<Self, String> {
        let mut regions = Vec::with_capacity(records.len());
        for record in records {
            let info = record.info.clone().ok_or("a region of a copy without its keys")?;
            let mut store = RegionStore::from_record(record)?;
            store.measure_cells();
            regions.push((info, store));
        }
        Ok(Self { schema: schema.ok_or("a copy of a table without a schema")?, regions })
    }
}

/// The snapshots, by name.
#[derive(Debug, Default)]
pub(crate) struct Snapshots {
    snapshots: BTreeMap<String, Snapshot>,
    /// The names of those that were added or removed.
    changed: BTreeSet<String>,
}

impl Snapshots {
    /// Makes the snapshots of a file.
    pub(crate) fn of_file(snapshots: BTreeMap<String, Snapshot>) -> Self {
        Self { snapshots, changed: BTreeSet::new() }
    }

    /// Adds a snapshot.
    pub(crate) fn insert(&mut self, name: String, snapshot: Snapshot) {
        self.changed.insert(name.clone());
        self.snapshots.insert(name, snapshot);
    }

    /// Removes a snapshot.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Snapshot> {
        let removed = self.snapshots.remove(name)?;
        self.changed.insert(name.to_owned());
        Some(removed)
    }
}

impl Deref for Snapshots {
    type Target = BTreeMap<String, Snapshot>;

    fn deref(&self) -> &Self::Target {
        &self.snapshots
    }
}

impl Recorded for Snapshots {
    fn take_record(&mut self) -> Option<Record> {
        let mut change = CatalogChange::default();
        for name in std::mem::take(&mut self.changed) {
            match self.snapshots.get(&name) {
                Some(snapshot) => change.snapshots.push(snapshot.into()),
                None => change.removed_snapshots.push(name),
            }
        }
        (change != CatalogChange::default()).then(|| change.into())
    }

    fn forget_changes(&mut self) {
        self.changed.clear();
    }
}
