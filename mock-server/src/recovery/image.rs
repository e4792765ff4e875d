//! The state that the records of a file describe.

use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::proto::{NamespaceDescriptor, RegionInfo, TableName, TableSchema};
use tallrow_wire::region;

use crate::journal::{
    AppliedNonce, CatalogChange, Record, RegionChange, RegionRecord, StateChange, TableRecord,
};
use crate::regions::RegionStore;
use crate::schema::RegionSchema;
use crate::state::{Identity, Procedures, Snapshot};

/// The state after some records.
#[derive(Debug, Default)]
pub(crate) struct Image {
    pub(super) namespaces: BTreeMap<String, NamespaceDescriptor>,
    /// Tables, by their full name.
    pub(super) tables: BTreeMap<Vec<u8>, TableImage>,
    /// Regions, by their full name.
    pub(super) regions: BTreeMap<Bytes, (RegionInfo, RegionStore)>,
    pub(super) snapshots: BTreeMap<String, Snapshot>,
    pub(super) nonces: Vec<AppliedNonce>,
    pub(super) procedures: Procedures,
    /// The last record of each part of the state that a record has as a whole.
    pub(super) parts: StateChange,
}

/// A table without its regions.
#[derive(Debug)]
pub(super) struct TableImage {
    pub(super) name: TableName,
    pub(super) schema: TableSchema,
    pub(super) is_disabled: bool,
}

impl Image {
    /// Makes the changes of a record; an error, as text, if they do not fit to the records before.
    pub(crate) fn apply(&mut self, record: Record) -> Result<(), String> {
        if let Some(change) = record.region {
            self.change_region(&change)?;
        }
        if let Some(change) = record.state {
            self.change_state(change);
        }
        match record.catalog {
            Some(change) => self.change_catalog(change),
            None => Ok(()),
        }
    }

    /// Returns by what clients found the cluster, if the file says it.
    pub(crate) fn take_identity(&mut self) -> Option<Identity> {
        self.parts.identity.take().map(Identity::from)
    }

    fn change_state(&mut self, change: StateChange) {
        let StateChange { identity, switches, peers, grants, quotas, procedures } = change;
        let parts = &mut self.parts;
        parts.identity = identity.or(parts.identity.take());
        parts.switches = switches.or(parts.switches.take());
        parts.peers = peers.or(parts.peers.take());
        parts.grants = grants.or(parts.grants.take());
        parts.quotas = quotas.or(parts.quotas.take());
        procedures.into_iter().for_each(|procedure| self.procedures.restore(procedure));
    }

    fn change_region(&mut self, change: &RegionChange) -> Result<(), String> {
        self.nonces.extend_from_slice(&change.nonces);
        // A region may be changed, as by a flush, after it was removed from the catalog.
        match self.regions.get_mut(&change.region) {
            Some((_, store)) => store.apply(change),
            None => Ok(()),
        }
    }

    fn change_catalog(&mut self, change: CatalogChange) -> Result<(), String> {
        for name in &change.removed_namespaces {
            self.namespaces.remove(name);
        }
        for name in &change.removed_tables {
            self.tables.remove(&name[..]);
        }
        for name in &change.removed_snapshots {
            self.snapshots.remove(name);
        }
        let removed = change.removed_regions.iter().filter_map(|name| self.regions.remove(name));
        let removed: Vec<_> = removed.collect();
        for namespace in change.namespaces {
            let name = String::from_utf8_lossy(&namespace.name).into_owned();
            self.namespaces.insert(name, namespace);
        }
        for table in change.tables {
            self.set_table(table)?;
        }
        self.add_regions(change.regions, removed)?;
        for record in change.snapshots {
            let snapshot = Snapshot::try_from(record)?;
            self.snapshots.insert(snapshot.description.name.clone(), snapshot);
        }
        self.nonces.extend(change.nonces);
        Ok(())
    }

    fn set_table(&mut self, record: TableRecord) -> Result<(), String> {
        let schema = record.schema.ok_or("a table without a schema")?;
        let name = schema.table_name.clone().ok_or("a table without a name")?;
        let known = RegionSchema::of(&schema);
        for (info, store) in self.regions.values_mut() {
            if info.table_name == name {
                store.drop_unknown_families(&known);
            }
        }
        let table = TableImage { schema, is_disabled: record.is_disabled, name };
        self.tables.insert(region::format_table_name(&table.name), table);
        Ok(())
    }

    /// Adds regions, some of which have the cells of the regions that were removed.
    fn add_regions(
        &mut self,
        records: Vec<RegionRecord>,
        mut removed: Vec<(RegionInfo, RegionStore)>,
    ) -> Result<(), String> {
        let mut whole = None;
        if records.iter().any(|record| record.inherits) {
            removed.sort_by(|(a, _), (b, _)| a.start_key.cmp(&b.start_key));
            let stores = removed.into_iter().map(|(_, store)| store);
            whole = stores.reduce(|mut whole, store| {
                whole.merge(store);
                whole
            });
        }
        let mut new = Vec::with_capacity(records.len());
        for record in records {
            let info = record.info.clone().ok_or("a region without its keys")?;
            new.push((info, record));
        }
        // From the last to the first, so that each takes its rows from the end.
        new.sort_by(|(a, _), (b, _)| b.start_key.cmp(&a.start_key));
        for (info, record) in new {
            let name = Bytes::from(region::name(&info));
            if !self.tables.contains_key(&region::format_table_name(&info.table_name)) {
                return Err(format!("the region {} of no table", name.escape_ascii()));
            }
            let store = match (record.inherits, &mut whole) {
                (false, _) => RegionStore::from_record(&record)?,
                (true, Some(whole)) => {
                    whole.split_off(info.start_key.as_deref().unwrap_or_default())
                }
                (true, None) => {
                    return Err(format!("the region {} has no parent", name.escape_ascii()));
                }
            };
            self.regions.insert(name, (info, store));
        }
        Ok(())
    }
}
