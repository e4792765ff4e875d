//! The catalog of the master: namespaces, tables, regions and snapshots.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::proto::{
    NameStringPair, NamespaceDescriptor, RegionInfo, SnapshotDescription, TableName, TableSchema,
    TableStateKind,
};
use tallrow_wire::region;

use crate::regions::{Region, RegionStore};

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The name of the table.
    pub(crate) name: TableName,
    /// The schema, with the defaults of absent attributes.
    pub(crate) schema: TableSchema,
    /// The state: enabled or disabled.
    pub(crate) state: TableStateKind,
    /// The regions, in key order, without the parents of splits and merges.
    pub(crate) regions: Vec<Arc<Region>>,
}

impl Table {
    /// Returns the region that holds a row.
    pub(crate) fn region_of(&self, row: &[u8]) -> Option<&Arc<Region>> {
        let after = self.regions.partition_point(|r| r.start_key() <= row);
        let region = self.regions.get(after.checked_sub(1)?)?;
        region.contains(row).then_some(region)
    }
}

/// The catalog: the namespaces, tables and regions of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// Namespaces, by name.
    pub(crate) namespaces: BTreeMap<String, NamespaceDescriptor>,
    /// Tables, by their full name.
    pub(crate) tables: BTreeMap<Vec<u8>, Table>,
    /// Regions, by full name.
    pub(crate) regions: BTreeMap<Bytes, Arc<Region>>,
    /// A counter that selects the region server of the next new region.
    pub(crate) next_server: usize,
}

impl Catalog {
    /// Returns the table with this name.
    pub(crate) fn table(&self, name: &TableName) -> Option<&Table> {
        self.tables.get(&region::format_table_name(name))
    }

    /// Returns the table with this name, for changes.
    pub(crate) fn table_mut(&mut self, name: &TableName) -> Option<&mut Table> {
        self.tables.get_mut(&region::format_table_name(name))
    }

    /// Returns the region with this encoded name.
    pub(crate) fn region_by_encoded_name(&self, encoded: &[u8]) -> Option<&Arc<Region>> {
        self.regions.values().find(|r| r.encoded.as_bytes() == encoded)
    }

    /// Returns the secondary replicas of a region, in the order of their ids.
    pub(crate) fn replicas_of(&self, primary: &Region) -> Vec<Arc<Region>> {
        let name = |id| region::name_of_replica(&primary.name, id).ok();
        let replica = |id| self.regions.get(&name(id)?[..]).cloned();
        (1..=u16::MAX).map_while(replica).collect()
    }

    /// Adds regions to their table.
    pub(crate) fn add_regions(&mut self, table: &TableName, regions: &[Arc<Region>]) {
        for region in regions {
            self.regions.insert(region.name.clone(), Arc::clone(region));
        }
        if let Some(table) = self.table_mut(table) {
            table.regions.extend(regions.iter().cloned());
            table.regions.sort_by(|a, b| a.start_key().cmp(b.start_key()));
        }
    }

    /// Removes regions, with their replicas.
    pub(crate) fn remove_regions(&mut self, table: &TableName, regions: &[Arc<Region>]) {
        for region in regions {
            for replica in self.replicas_of(region) {
                self.regions.remove(&replica.name);
            }
            self.regions.remove(&region.name);
        }
        if let Some(table) = self.table_mut(table) {
            let gone: HashSet<&Bytes> = regions.iter().map(|region| &region.name).collect();
            table.regions.retain(|r| !gone.contains(&r.name));
        }
    }
}

/// The namespace of HBase's own tables.
pub(crate) const SYSTEM_NAMESPACE: &[u8] = b"hbase";

/// Makes a namespace without configuration.
pub(crate) fn namespace(name: &str) -> NamespaceDescriptor {
    let configuration: Vec<NameStringPair> = Vec::new();
    NamespaceDescriptor { name: Bytes::copy_from_slice(name.as_bytes()), configuration }
}

/// A table with its cells, as it was at some time.
#[derive(Clone, Debug)]
pub(crate) struct TableCopy {
    /// The schema of the table.
    pub(crate) schema: TableSchema,
    /// The regions of the table, with their cells.
    pub(crate) regions: Vec<(RegionInfo, RegionStore)>,
}

impl TableCopy {
    /// The size of the cells.
    #[cfg(feature = "bigtable")]
    pub(crate) fn bytes(&self) -> usize {
        let sizes = self.regions.iter().map(|(_, store)| store.sizes());
        sizes.map(|sizes| sizes.store_file_bytes + sizes.memstore).sum()
    }
}

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
