//! Creating, enabling, disabling, altering, truncating and deleting tables.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{RegionInfo, TableName, TableSchema, TableStateKind};
use tallrow_wire::region;

use super::assignment::{close_region, open_regions};
use super::meta::MetaUpdate;
use super::opening::open_region;
use super::replicas::set_replicas;
use crate::regions::Region;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema::{self, Schema};
use crate::state::{Cluster, Table};

/// The full name of a table, for error texts.
pub(crate) fn table_text(name: &TableName) -> String {
    String::from_utf8_lossy(&region::format_table_name(name)).into_owned()
}

/// Creates a table and opens its regions.
pub(crate) fn create_table(
    cluster: &Cluster,
    schema: TableSchema,
    splits: &[Bytes],
) -> RemoteResult<()> {
    let name = schema.table_name.clone().unwrap_or_default();
    schema::check_table_name(&name.namespace, &name.qualifier)?;
    schema::check(&schema)?;
    make_table(cluster, schema, splits)
}

/// Creates a table, which may have no families, and opens its regions.
pub(crate) fn make_table(
    cluster: &Cluster,
    mut schema: TableSchema,
    splits: &[Bytes],
) -> RemoteResult<()> {
    let name = schema.table_name.clone().unwrap_or_default();
    schema::check_table_name(&name.namespace, &name.qualifier)?;
    let splits = check_split_keys(splits)?;
    schema::complete(&mut schema);
    let regions = new_regions(&name, &splits, cluster.unique_now(), &Schema::of(&schema));
    {
        let mut catalog = cluster.catalog_mut();
        let namespace = String::from_utf8_lossy(&name.namespace).into_owned();
        if !catalog.namespaces.contains_key(&namespace) {
            return Err(remote_exception(exception::NAMESPACE_NOT_FOUND, namespace));
        }
        if catalog.table(&name).is_some() || name == schema::meta_name() {
            return Err(remote_exception(exception::TABLE_EXISTS, table_text(&name)));
        }
        let state = TableStateKind::Enabled;
        let table = Table { name: name.clone(), schema, state, regions: Vec::new() };
        catalog.tables.insert(region::format_table_name(&name), table);
        catalog.add_regions(&name, &regions);
    }
    MetaUpdate::new(cluster).table_state(&name, TableStateKind::Enabled).write();
    for region in &regions {
        MetaUpdate::new(cluster).new_region(region).write();
    }
    open_regions(cluster, &regions);
    Ok(())
}

/// Disables a table.
pub(crate) fn disable_table(cluster: &Cluster, name: &TableName) -> RemoteResult<()> {
    if *name == schema::meta_name() {
        return Err(remote_exception(exception::CONSTRAINT, "Cannot disable hbase:meta"));
    }
    let regions = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table_mut(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Enabled {
            return Err(remote_exception(exception::TABLE_NOT_ENABLED, table_text(name)));
        }
        table.state = TableStateKind::Disabled;
        table.regions.clone()
    };
    MetaUpdate::new(cluster).table_state(name, TableStateKind::Disabled).write();
    regions.iter().for_each(|r| close_region(cluster, r));
    Ok(())
}

/// Enables a table.
pub(crate) fn enable_table(cluster: &Cluster, name: &TableName) -> RemoteResult<()> {
    let regions = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table_mut(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Disabled {
            let text = format!("tableName={}, state=ENABLED", table_text(name));
            return Err(remote_exception(exception::TABLE_NOT_DISABLED, text));
        }
        table.state = TableStateKind::Enabled;
        table.regions.clone()
    };
    MetaUpdate::new(cluster).table_state(name, TableStateKind::Enabled).write();
    open_regions(cluster, &regions);
    Ok(())
}

/// Deletes a disabled table.
pub(crate) fn delete_table(cluster: &Cluster, name: &TableName) -> RemoteResult<()> {
    let regions = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Disabled {
            let text = format!("Not DISABLED; tableName={}, state=ENABLED", table_text(name));
            return Err(remote_exception(exception::TABLE_NOT_DISABLED, text));
        }
        let regions = table.regions.clone();
        catalog.remove_regions(name, &regions);
        catalog.tables.remove(&region::format_table_name(name));
        regions
    };
    let mut change = MetaUpdate::new(cluster);
    for region in &regions {
        change = change.delete_region(region);
    }
    change.delete_table(name).write();
    Ok(())
}

/// Truncates a disabled table and enables it.
pub(crate) fn truncate_table(
    cluster: &Cluster,
    name: &TableName,
    preserve_splits: bool,
) -> RemoteResult<()> {
    let (old, new) = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Disabled {
            return Err(remote_exception(exception::TABLE_NOT_DISABLED, table_text(name)));
        }
        let old = table.regions.clone();
        let keys = old.iter().filter_map(|r| r.info.start_key.clone());
        let keys: Vec<Bytes> = keys.filter(|k| preserve_splits && !k.is_empty()).collect();
        let new = new_regions(name, &keys, cluster.unique_now(), &Schema::of(&table.schema));
        catalog.remove_regions(name, &old);
        catalog.add_regions(name, &new);
        if let Some(table) = catalog.table_mut(name) {
            table.state = TableStateKind::Enabled;
        }
        (old, new)
    };
    let mut change = MetaUpdate::new(cluster);
    for region in &old {
        change = change.delete_region(region);
    }
    change.table_state(name, TableStateKind::Enabled).write();
    open_regions(cluster, &new);
    Ok(())
}

/// Changes the schema of a table.
pub(crate) fn modify_table(
    cluster: &Cluster,
    name: &TableName,
    change: impl FnOnce(&mut TableSchema) -> RemoteResult<()>,
) -> RemoteResult<()> {
    let altered = alter_table(cluster, name, |schema| {
        change(schema)?;
        schema::check(schema)
    });
    altered?
}

/// Changes the schema of a table, which may have no families, unless the change is refused.
pub(crate) fn alter_table<E>(
    cluster: &Cluster,
    name: &TableName,
    change: impl FnOnce(&mut TableSchema) -> Result<(), E>,
) -> RemoteResult<Result<(), E>> {
    let (regions, schema, enabled) = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table_mut(name).ok_or_else(|| table_not_found(name))?;
        let mut altered = table.schema.clone();
        if let Err(refused) = change(&mut altered) {
            return Ok(Err(refused));
        }
        altered.table_name = Some(name.clone());
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
        // As on a real server, the region is reopened with the new schema and gets a new sequence id.
        if let Some(server) = server.filter(|_| enabled).and_then(|n| cluster.server(n)) {
            MetaUpdate::new(cluster).closed(region).write();
            open_region(cluster, region, Some(&server));
            set_replicas(cluster, region);
        }
    }
    Ok(Ok(()))
}

/// The exception for a table that does not exist.
pub(crate) fn table_not_found(name: &TableName) -> RemoteException {
    remote_exception(exception::TABLE_NOT_FOUND, table_text(name))
}

/// Checks and sorts split keys. A real master accepts empty and equal ones, and can hang after that.
fn check_split_keys(splits: &[Bytes]) -> RemoteResult<Vec<Bytes>> {
    let sorted: BTreeSet<&Bytes> = splits.iter().collect();
    let reject = |text: &str| Err(remote_exception(exception::DO_NOT_RETRY, text));
    if sorted.len() != splits.len() {
        return reject("All split keys must be unique");
    }
    if splits.iter().any(Bytes::is_empty) {
        return reject("Empty split key must not be passed in the split keys.");
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
