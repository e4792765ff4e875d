//! The life of a table: made, enabled, disabled, altered, emptied, dropped.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::meta;
use tallrow_wire::proto::{
    ColumnFamilySchema, NamespaceDescriptor, RegionInfo, TableName, TableSchema, TableStateKind,
};
use tallrow_wire::region;

use crate::catalog::{Table, namespace};
use crate::cell::NewCell;
use crate::cluster::Cluster;
use crate::meta_rows::MetaChange;
use crate::region::Region;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema::{self, Schema};
use crate::store::Write;

/// A table name in text, for error texts.
pub(crate) fn shown(name: &TableName) -> String {
    String::from_utf8_lossy(&region::table_text(name)).into_owned()
}

impl Cluster {
    /// Makes the tables and namespaces every cluster has. Call it once, when there are servers.
    pub(crate) fn make_system_tables(&self) -> RemoteResult<()> {
        let first = self.live_servers().first().cloned();
        self.open_region(&self.meta, first.as_deref());
        for name in ["default", "hbase"] {
            self.catalog_mut().namespaces.insert(name.to_owned(), namespace(name));
        }
        self.create_table(schema::namespace_schema(), &[])?;
        self.write_namespace_row(&namespace("default"), false);
        self.write_namespace_row(&namespace("hbase"), false);
        Ok(())
    }

    /// Keeps `hbase:namespace` as a real master keeps it.
    pub(crate) fn write_namespace_row(&self, descriptor: &NamespaceDescriptor, gone: bool) {
        let regions = self.regions_of(&schema::namespace_name());
        let Some(region) = regions.first() else { return };
        let (qualifier, kind, value) = match gone {
            true => ("", CellType::DeleteFamily, Bytes::new()),
            false => ("d", CellType::Put, descriptor.encode_to_vec().into()),
        };
        let cell = NewCell {
            family: Bytes::from_static(meta::FAMILY),
            qualifier: qualifier.into(),
            timestamp: self.unique_now(),
            kind,
            value,
        };
        let write = Write { row: descriptor.name.clone(), cell, ttl: None, replaces: false };
        // As with `hbase:meta`, the write is made here and fits.
        let _ = region.lock().store.write(&[write]);
    }

    /// The regions of a table, in key order.
    pub(crate) fn regions_of(&self, table: &TableName) -> Vec<Arc<Region>> {
        self.catalog().table(table).map(|t| t.regions.clone()).unwrap_or_default()
    }

    /// The schema of a table; that of `hbase:meta` is always there.
    pub(crate) fn schema_of(&self, table: &TableName) -> Option<TableSchema> {
        if *table == schema::meta_name() {
            return Some(schema::meta_schema());
        }
        self.catalog().table(table).map(|t| t.schema.clone())
    }

    /// Makes a table and opens its regions.
    pub(crate) fn create_table(
        &self,
        mut schema: TableSchema,
        splits: &[Bytes],
    ) -> RemoteResult<()> {
        let name = schema.table_name.clone().unwrap_or_default();
        schema::check_table_name(&name.namespace, &name.qualifier)?;
        schema::check(&schema)?;
        let splits = check_splits(splits)?;
        schema::complete(&mut schema);
        let regions = new_regions(&name, &splits, self.unique_now(), &Schema::of(&schema));
        {
            let mut catalog = self.catalog_mut();
            let namespace = String::from_utf8_lossy(&name.namespace).into_owned();
            if !catalog.namespaces.contains_key(&namespace) {
                return Err(remote_exception(exception::NAMESPACE_NOT_FOUND, namespace));
            }
            if catalog.table(&name).is_some() || name == schema::meta_name() {
                return Err(remote_exception(exception::TABLE_EXISTS, shown(&name)));
            }
            let state = TableStateKind::Enabled;
            let table = Table { name: name.clone(), schema, state, regions: Vec::new() };
            catalog.tables.insert(region::table_text(&name), table);
            catalog.add_regions(&name, &regions);
        }
        self.write_meta(MetaChange::at(self.unique_now()).table(&name, TableStateKind::Enabled));
        for region in &regions {
            self.write_meta(MetaChange::at(self.unique_now()).region(region));
        }
        self.open_regions(&regions);
        Ok(())
    }

    /// Closes all regions of a table.
    pub(crate) fn disable_table(&self, name: &TableName) -> RemoteResult<()> {
        if *name == schema::meta_name() {
            return Err(remote_exception(exception::CONSTRAINT, "Cannot disable hbase:meta"));
        }
        let regions = {
            let mut catalog = self.catalog_mut();
            let table = catalog.table_mut(name).ok_or_else(|| not_found(name))?;
            if table.state != TableStateKind::Enabled {
                return Err(remote_exception(exception::TABLE_NOT_ENABLED, shown(name)));
            }
            table.state = TableStateKind::Disabled;
            table.regions.clone()
        };
        self.write_meta(MetaChange::at(self.unique_now()).table(name, TableStateKind::Disabled));
        regions.iter().for_each(|r| self.close_region(r));
        Ok(())
    }

    /// Opens all regions of a table.
    pub(crate) fn enable_table(&self, name: &TableName) -> RemoteResult<()> {
        let regions = {
            let mut catalog = self.catalog_mut();
            let table = catalog.table_mut(name).ok_or_else(|| not_found(name))?;
            if table.state != TableStateKind::Disabled {
                let text = format!("tableName={}, state=ENABLED", shown(name));
                return Err(remote_exception(exception::TABLE_NOT_DISABLED, text));
            }
            table.state = TableStateKind::Enabled;
            table.regions.clone()
        };
        self.write_meta(MetaChange::at(self.unique_now()).table(name, TableStateKind::Enabled));
        self.open_regions(&regions);
        Ok(())
    }

    /// Drops a disabled table.
    pub(crate) fn delete_table(&self, name: &TableName) -> RemoteResult<()> {
        let regions = {
            let mut catalog = self.catalog_mut();
            let table = catalog.table(name).ok_or_else(|| not_found(name))?;
            if table.state != TableStateKind::Disabled {
                let text = format!("Not DISABLED; tableName={}, state=ENABLED", shown(name));
                return Err(remote_exception(exception::TABLE_NOT_DISABLED, text));
            }
            let regions = table.regions.clone();
            catalog.remove_regions(name, &regions);
            catalog.tables.remove(&region::table_text(name));
            regions
        };
        let mut change = MetaChange::at(self.unique_now());
        for region in &regions {
            change = change.no_region(region);
        }
        self.write_meta(change.no_table(name));
        Ok(())
    }

    /// Empties a disabled table and enables it.
    pub(crate) fn truncate_table(
        &self,
        name: &TableName,
        preserve_splits: bool,
    ) -> RemoteResult<()> {
        let (old, new) = {
            let mut catalog = self.catalog_mut();
            let table = catalog.table(name).ok_or_else(|| not_found(name))?;
            if table.state != TableStateKind::Disabled {
                return Err(remote_exception(exception::TABLE_NOT_DISABLED, shown(name)));
            }
            let old = table.regions.clone();
            let keys = old.iter().filter_map(|r| r.info.start_key.clone());
            let keys: Vec<Bytes> = keys.filter(|k| preserve_splits && !k.is_empty()).collect();
            let new = new_regions(name, &keys, self.unique_now(), &Schema::of(&table.schema));
            catalog.remove_regions(name, &old);
            catalog.add_regions(name, &new);
            if let Some(table) = catalog.table_mut(name) {
                table.state = TableStateKind::Enabled;
            }
            (old, new)
        };
        let mut change = MetaChange::at(self.unique_now());
        for region in &old {
            change = change.no_region(region);
        }
        self.write_meta(change.table(name, TableStateKind::Enabled));
        self.open_regions(&new);
        Ok(())
    }

    /// Gives a table another schema and lets its regions know.
    pub(crate) fn modify_table(
        &self,
        name: &TableName,
        change: impl FnOnce(&mut TableSchema) -> RemoteResult<()>,
    ) -> RemoteResult<()> {
        let (regions, schema, enabled) = {
            let mut catalog = self.catalog_mut();
            let table = catalog.table_mut(name).ok_or_else(|| not_found(name))?;
            let mut altered = table.schema.clone();
            change(&mut altered)?;
            altered.table_name = Some(name.clone());
            schema::check(&altered)?;
            schema::complete(&mut altered);
            table.schema = altered;
            let enabled = table.state == TableStateKind::Enabled;
            (table.regions.clone(), Schema::of(&table.schema), enabled)
        };
        for region in &regions {
            let server = {
                let mut state = region.lock();
                state.schema = Arc::clone(&schema);
                state.store.drop_unknown_families(&schema);
                state.server
            };
            // A real server reopens the region to read the new schema, which gives it a new sequence id.
            if let Some(server) = server.filter(|_| enabled).and_then(|n| self.server(n)) {
                self.open_region(region, Some(&server));
            }
        }
        Ok(())
    }

    /// Adds a family.
    pub(crate) fn add_family(
        &self,
        name: &TableName,
        family: ColumnFamilySchema,
    ) -> RemoteResult<()> {
        self.modify_table(name, |schema| {
            if schema.column_families.iter().any(|f| f.name == family.name) {
                return Err(bad_family(format!(
                    "Column family '{}' in table '{}' already exists so cannot be added",
                    String::from_utf8_lossy(&family.name),
                    shown(name)
                )));
            }
            schema.column_families.push(family);
            Ok(())
        })
    }

    /// Gives a family other attributes.
    pub(crate) fn modify_family(
        &self,
        name: &TableName,
        family: ColumnFamilySchema,
    ) -> RemoteResult<()> {
        self.modify_table(name, |schema| {
            let Some(old) = schema.column_families.iter_mut().find(|f| f.name == family.name)
            else {
                return Err(bad_family(format!(
                    "Column family '{}' does not exist, so it cannot be modified",
                    String::from_utf8_lossy(&family.name)
                )));
            };
            *old = family;
            Ok(())
        })
    }

    /// Drops a family.
    pub(crate) fn delete_family(&self, name: &TableName, family: &[u8]) -> RemoteResult<()> {
        self.modify_table(name, |schema| {
            let shown = String::from_utf8_lossy(family);
            if !schema.column_families.iter().any(|f| &f.name[..] == family) {
                return Err(bad_family(format!(
                    "Family '{shown}' does not exist, so it cannot be deleted"
                )));
            }
            if schema.column_families.len() == 1 {
                return Err(bad_family(format!(
                    "Family '{shown}' is the only column family in the table, so it cannot be deleted"
                )));
            }
            schema.column_families.retain(|f| &f.name[..] != family);
            Ok(())
        })
    }
}

/// The exception for a table that is not there.
pub(crate) fn not_found(name: &TableName) -> RemoteException {
    remote_exception(exception::TABLE_NOT_FOUND, shown(name))
}

fn bad_family(text: String) -> RemoteException {
    remote_exception(exception::INVALID_FAMILY_OPERATION, text)
}

/// Split keys in order. A real master takes any and can then hang for good; this one refuses empty and equal ones.
fn check_splits(splits: &[Bytes]) -> RemoteResult<Vec<Bytes>> {
    let sorted: BTreeSet<&Bytes> = splits.iter().collect();
    let refuse = |text: &str| Err(remote_exception(exception::DO_NOT_RETRY, text));
    if sorted.len() != splits.len() {
        return refuse("All split keys must be unique");
    }
    if splits.iter().any(Bytes::is_empty) {
        return refuse("Empty split key must not be passed in the split keys.");
    }
    Ok(sorted.into_iter().cloned().collect())
}

fn new_regions(
    table: &TableName,
    splits: &[Bytes],
    id: u64,
    schema: &Arc<Schema>,
) -> Vec<Arc<Region>> {
    let edge = [Bytes::new()];
    let starts = edge.iter().chain(splits);
    let ends = splits.iter().chain(&edge);
    let region = |(start, end): (&Bytes, &Bytes)| {
        let info = RegionInfo {
            region_id: id,
            table_name: table.clone(),
            start_key: Some(start.clone()),
            end_key: Some(end.clone()),
            offline: Some(false),
            split: Some(false),
            replica_id: Some(0),
        };
        Arc::new(Region::new(info, Arc::clone(schema)))
    };
    starts.zip(ends).map(region).collect()
}
