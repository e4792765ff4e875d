//! The state that the records of a file describe.

use std::collections::BTreeMap;

use bytes::Bytes;
use tallrow_wire::proto::{NamespaceDescriptor, RegionInfo, TableName, TableSchema};
use tallrow_wire::region;

use crate::journal::{
    AppliedNonce, BackupsChange, CatalogChange, Record, RegionChange, RegionRecord, StateChange,
    StreamEntryRecord, StreamRecord, TableRecord,
};
use crate::regions::RegionStore;
#[cfg(feature = "bigtable")]
use crate::schema;
use crate::schema::RegionSchema;
#[cfg(feature = "bigtable")]
use crate::state::{Backups, ChangeLogs};
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
    #[cfg(feature = "bigtable")]
    pub(super) backups: Backups,
    #[cfg(feature = "bigtable")]
    pub(super) change_logs: ChangeLogs,
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
            self.change_state(change)?;
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

    fn change_state(&mut self, change: StateChange) -> Result<(), String> {
        let StateChange { identity, switches, peers, grants, quotas, procedures, backups } = change;
        let parts = &mut self.parts;
        parts.identity = identity.or(parts.identity.take());
        parts.switches = switches.or(parts.switches.take());
        parts.peers = peers.or(parts.peers.take());
        parts.grants = grants.or(parts.grants.take());
        parts.quotas = quotas.or(parts.quotas.take());
        procedures.into_iter().for_each(|procedure| self.procedures.restore(procedure));
        match backups {
            Some(backups) => self.change_backups(backups),
            None => Ok(()),
        }
    }

    #[cfg(feature = "bigtable")]
    fn change_backups(&mut self, change: BackupsChange) -> Result<(), String> {
        self.backups.apply(change)
    }

    #[cfg(not(feature = "bigtable"))]
    fn change_backups(&mut self, _: BackupsChange) -> Result<(), String> {
        Err(without_bigtable("backups"))
    }

    fn change_region(&mut self, change: &RegionChange) -> Result<(), String> {
        self.nonces.extend_from_slice(&change.nonces);
        // A region may be changed, as by a flush, after it was removed from the catalog.
        match self.regions.get_mut(&change.region) {
            Some((info, store)) => {
                store.apply(change)?;
                if change.stream_entries.is_empty() {
                    return Ok(());
                }
                let table = region::format_table_name(&info.table_name);
                self.add_to_stream(&table, &change.stream_entries)
            }
            None => Ok(()),
        }
    }

    fn change_catalog(&mut self, change: CatalogChange) -> Result<(), String> {
        for name in &change.removed_namespaces {
            self.namespaces.remove(name);
        }
        for name in &change.removed_tables {
            self.tables.remove(&name[..]);
            self.change_stream_of(name, None);
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
        self.change_streams(change.streams, change.last_stream)?;
        for record in change.snapshots {
            let snapshot = Snapshot::try_from(record)?;
            self.snapshots.insert(snapshot.description.name.clone(), snapshot);
        }
        self.nonces.extend(change.nonces);
        match change.operation {
            Some(operation) => self.change_backups(BackupsChange {
                operations: vec![operation],
                ..BackupsChange::default()
            }),
            None => Ok(()),
        }
    }

    /// Ends the change stream of a table that was changed, or removed if it has no schema, unless it
    /// still has one.
    #[cfg(feature = "bigtable")]
    fn change_stream_of(&mut self, table: &[u8], schema: Option<&TableSchema>) {
        if schema.and_then(schema::stream_retention_ms).is_none() {
            self.change_logs.end(table);
        }
    }

    #[cfg(not(feature = "bigtable"))]
    fn change_stream_of(&mut self, _: &[u8], _: Option<&TableSchema>) {}

    #[cfg(feature = "bigtable")]
    fn change_streams(&mut self, streams: Vec<StreamRecord>, last: u64) -> Result<(), String> {
        self.change_logs.continue_after(last);
        streams.into_iter().try_for_each(|stream| self.change_logs.apply(stream))
    }

    #[cfg(not(feature = "bigtable"))]
    fn change_streams(&mut self, streams: Vec<StreamRecord>, _: u64) -> Result<(), String> {
        if streams.is_empty() { Ok(()) } else { Err(without_bigtable("change streams")) }
    }

    #[cfg(feature = "bigtable")]
    fn add_to_stream(&mut self, table: &[u8], new: &[StreamEntryRecord]) -> Result<(), String> {
        self.change_logs.restore_entries(table, new)
    }

    #[cfg(not(feature = "bigtable"))]
    fn add_to_stream(&mut self, _: &[u8], _: &[StreamEntryRecord]) -> Result<(), String> {
        Err(without_bigtable("change streams"))
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
        let full_name = region::format_table_name(&name);
        self.change_stream_of(&full_name, Some(&schema));
        let table = TableImage { schema, is_disabled: record.is_disabled, name };
        self.tables.insert(full_name, table);
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

/// The error of a record that only a program with the feature `bigtable` can read.
#[cfg(not(feature = "bigtable"))]
fn without_bigtable(what: &str) -> String {
    format!("it has {what} of Bigtable, and this program was built without the feature `bigtable`")
}
