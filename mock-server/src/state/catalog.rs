//! The catalog of the master: namespaces, tables and regions.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, RwLockWriteGuard};

use bytes::Bytes;
use tallrow_wire::proto::{
    NameStringPair, NamespaceDescriptor, RegionInfo, TableName, TableSchema, TableStateKind,
};
use tallrow_wire::region;

use super::Clock;
#[cfg(feature = "bigtable")]
use super::{ChangeLogs, KeySpan};
use crate::journal::{
    CatalogChange, Journal, OperationRecord, RegionRecord, StreamRecord, TableRecord,
};
use crate::regions::{Region, RegionStore};
#[cfg(feature = "bigtable")]
use crate::schema;

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The name of the table.
    pub(crate) name: TableName,
    /// The schema, with the defaults of absent attributes.
    pub(crate) schema: TableSchema,
    /// The state: enabled or disabled.
    pub(crate) state: TableStateKind,
    /// The regions, in key order, without regions that were replaced by a split or merge.
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
    /// The change streams, which the tables with a retention have.
    #[cfg(feature = "bigtable")]
    pub(crate) change_logs: Arc<ChangeLogs>,
    /// The log of the cluster, if its changes are kept.
    journal: Option<Arc<Journal>>,
    changed: Changed,
}

/// What was changed since the catalog was locked.
#[derive(Debug, Default)]
struct Changed {
    namespaces: BTreeSet<String>,
    /// The full names of tables.
    tables: BTreeSet<Vec<u8>>,
    /// The full names of tables whose regions were changed.
    divided: BTreeSet<Vec<u8>>,
    /// The regions that were added, and whether they have the cells of the regions that were
    /// removed.
    added: Vec<(Arc<Region>, bool)>,
    /// The full names of the regions that were removed.
    removed: Vec<Bytes>,
    /// The operation of Bigtable that has done this.
    operation: Option<OperationRecord>,
}

/// The catalog, locked for changes. When it is released, what was changed meanwhile is written to
/// the log of the cluster, if it has one, as one record.
#[derive(Debug)]
pub(crate) struct CatalogGuard<'c> {
    catalog: RwLockWriteGuard<'c, Catalog>,
    clock: &'c Clock,
}

impl<'c> CatalogGuard<'c> {
    /// Makes a guard of the locked catalog.
    pub(super) fn new(catalog: RwLockWriteGuard<'c, Catalog>, clock: &'c Clock) -> Self {
        Self { catalog, clock }
    }
}

impl Deref for CatalogGuard<'_> {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        &self.catalog
    }
}

impl DerefMut for CatalogGuard<'_> {
    fn deref_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }
}

impl Drop for CatalogGuard<'_> {
    fn drop(&mut self) {
        self.catalog.write_record(self.clock.now());
    }
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

    /// Adds a namespace, or replaces it.
    pub(crate) fn set_namespace(&mut self, name: String, namespace: NamespaceDescriptor) {
        self.changed.namespaces.insert(name.clone());
        self.namespaces.insert(name, namespace);
    }

    /// Removes a namespace.
    pub(crate) fn remove_namespace(&mut self, name: &str) -> Option<NamespaceDescriptor> {
        self.changed.namespaces.insert(name.to_owned());
        self.namespaces.remove(name)
    }

    /// Adds a table without regions, or replaces it.
    pub(crate) fn set_table(&mut self, table: Table) {
        let name = region::format_table_name(&table.name);
        self.changed.tables.insert(name.clone());
        self.tables.insert(name, table);
    }

    /// Removes a table, whose regions were removed before.
    pub(crate) fn remove_table(&mut self, name: &TableName) {
        let name = region::format_table_name(name);
        self.tables.remove(&name);
        self.changed.tables.insert(name);
    }

    /// Replaces regions by others with the same rows, as a split or a merge does.
    pub(crate) fn replace_regions(
        &mut self,
        table: &TableName,
        old: &[Arc<Region>],
        new: &[Arc<Region>],
    ) {
        self.remove_regions(table, old);
        self.add(table, new, true);
    }

    /// Adds regions to their table.
    pub(crate) fn add_regions(&mut self, table: &TableName, regions: &[Arc<Region>]) {
        self.add(table, regions, false);
    }

    fn add(&mut self, table: &TableName, regions: &[Arc<Region>], inherits: bool) {
        self.changed.divided.insert(region::format_table_name(table));
        for region in regions {
            self.regions.insert(region.name.clone(), Arc::clone(region));
            if let Some(journal) = self.journal.as_ref().filter(|_| is_kept(table)) {
                region.lock().store.attach(journal, &region.name);
                self.changed.added.push((Arc::clone(region), inherits));
            }
        }
        if let Some(table) = self.table_mut(table) {
            table.regions.extend(regions.iter().cloned());
            table.regions.sort_by(|a, b| a.start_key().cmp(b.start_key()));
        }
    }

    /// Removes regions, with their replicas.
    pub(crate) fn remove_regions(&mut self, table: &TableName, regions: &[Arc<Region>]) {
        self.changed.divided.insert(region::format_table_name(table));
        for region in regions {
            for replica in self.replicas_of(region) {
                self.regions.remove(&replica.name);
            }
            self.regions.remove(&region.name);
            if self.journal.is_some() && is_kept(table) {
                self.changed.removed.push(region.name.clone());
            }
        }
        if let Some(table) = self.table_mut(table) {
            let gone: HashSet<&Bytes> = regions.iter().map(|region| &region.name).collect();
            table.regions.retain(|r| !gone.contains(&r.name));
        }
    }

    /// Notes that an operation of Bigtable has ended with what is changed now.
    pub(crate) fn note_operation(&mut self, operation: Option<OperationRecord>) {
        self.changed.operation = operation;
    }

    /// Writes changes to a log from now on.
    pub(crate) fn keep_changes(&mut self, journal: &Arc<Journal>) {
        self.changed = Changed::default();
        self.journal = Some(Arc::clone(journal));
        for table in self.tables.values().filter(|table| is_kept(&table.name)) {
            for region in &table.regions {
                region.lock().store.attach(journal, &region.name);
            }
        }
    }

    /// Begins, changes and ends the change streams of tables that were changed.
    #[cfg(feature = "bigtable")]
    fn update_streams(&self, changed: &Changed, now: u64) -> Vec<StreamRecord> {
        let update = |name: &Vec<u8>| {
            let table = self.tables.get(name);
            let retention_ms = table.and_then(|table| schema::stream_retention_ms(&table.schema));
            let regions = || {
                let regions = table.map(|table| &table.regions[..]).unwrap_or_default();
                regions.iter().map(|region| KeySpan::of(&region.info)).collect()
            };
            self.change_logs.update(name, retention_ms, regions, now)
        };
        changed.tables.union(&changed.divided).filter_map(update).collect()
    }

    #[cfg(not(feature = "bigtable"))]
    fn update_streams(&self, _: &Changed, _: u64) -> Vec<StreamRecord> {
        Vec::new()
    }

    /// Writes what was changed to the log.
    fn write_record(&mut self, now: u64) {
        let changed = std::mem::take(&mut self.changed);
        let streams = self.update_streams(&changed, now);
        let Some(journal) = &self.journal else { return };
        let mut change = CatalogChange { streams, ..CatalogChange::default() };
        for name in changed.namespaces {
            match self.namespaces.get(&name) {
                Some(namespace) => change.namespaces.push(namespace.clone()),
                None => change.removed_namespaces.push(name),
            }
        }
        for name in changed.tables {
            match self.tables.get(&name) {
                Some(table) if !is_kept(&table.name) => {}
                Some(table) => change.tables.push(table.into()),
                None => change.removed_tables.push(name.into()),
            }
        }
        change.removed_regions = changed.removed;
        change.operation = changed.operation;
        for (region, inherits) in changed.added {
            let mut record = RegionRecord::of(&region.info, inherits);
            let state = region.lock();
            if !inherits && !state.store.is_new() {
                state.store.fill_record(&mut record);
            }
            change.regions.push(record);
        }
        if change != CatalogChange::default() {
            journal.append(&change.into());
        }
    }
}

/// Whether the changes of a table are kept.
pub(crate) fn is_kept(table: &TableName) -> bool {
    table.namespace != SYSTEM_NAMESPACE
}

impl From<&Table> for TableRecord {
    fn from(table: &Table) -> Self {
        let is_disabled = table.state == TableStateKind::Disabled;
        Self { schema: Some(table.schema.clone()), is_disabled }
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
        sizes.map(|sizes| sizes.store_file_bytes + sizes.memstore_bytes).sum()
    }
}
