//! Creating, enabling, disabling, altering, truncating and deleting tables.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::cell::MAX_ROW_LEN;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{RegionInfo, TableName, TableSchema, TableStateKind};
use tallrow_wire::region;

use super::assignment::{apply_region_replication, close_region, open_region, open_regions};
use super::meta::MetaUpdate;
use crate::base::{RemoteResult, lock, remote_exception};
use crate::regions::Region;
use crate::schema::{self, RegionSchema, table_text};
use crate::state::{AdminGuard, Cluster, Table};

/// Creates a table and opens its regions.
pub(crate) fn create_table(
    cluster: &AdminGuard<'_>,
    schema: TableSchema,
    splits: &[Bytes],
) -> RemoteResult<()> {
    let name = schema.table_name.clone().unwrap_or_default();
    schema::check_table_name(&name.namespace, &name.qualifier)?;
    schema::check_schema(&schema, cluster.settings.sanity_checks)?;
    schema::check_new_trackers(&schema)?;
    create_table_without_schema_check(cluster, schema, splits)
}

/// Creates a table, which may have no families, and opens its regions.
pub(crate) fn create_table_without_schema_check(
    cluster: &AdminGuard<'_>,
    schema: TableSchema,
    splits: &[Bytes],
) -> RemoteResult<()> {
    create_filled_table(cluster, schema, splits, |_| {})
}

/// Creates a table, which may have no families, and opens its regions after `fill` has been called
/// for each of them, in key order.
pub(crate) fn create_filled_table(
    cluster: &AdminGuard<'_>,
    mut schema: TableSchema,
    splits: &[Bytes],
    mut fill: impl FnMut(&Region),
) -> RemoteResult<()> {
    let name = schema.table_name.clone().unwrap_or_default();
    schema::check_table_name(&name.namespace, &name.qualifier)?;
    let splits = check_split_keys(splits)?;
    schema::add_defaults(&mut schema);
    let regions = new_regions(&name, &splits, cluster.unique_now(), &RegionSchema::of(&schema));
    regions.iter().try_for_each(|region| check_region_name(&region.name))?;
    {
        let mut catalog = cluster.catalog_mut();
        let namespace = String::from_utf8_lossy(&name.namespace).into_owned();
        if !catalog.namespaces.contains_key(&namespace) {
            return Err(remote_exception(exception::NAMESPACE_NOT_FOUND, namespace));
        }
        if catalog.table(&name).is_some() || name == schema::meta_table_name() {
            return Err(remote_exception(exception::TABLE_EXISTS, table_text(&name)));
        }
        let state = TableStateKind::Enabled;
        regions.iter().for_each(|region| fill(region));
        let table = Table { name: name.clone(), schema, state, regions: Vec::new() };
        catalog.set_table(table);
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
pub(crate) fn disable_table(cluster: &AdminGuard<'_>, name: &TableName) -> RemoteResult<()> {
    refuse_meta(name, exception::CONSTRAINT, "Cannot disable hbase:meta")?;
    let refusal = |name: &str| remote_exception(exception::TABLE_NOT_ENABLED, name);
    let regions = set_state(cluster, name, TableStateKind::Disabled, refusal)?;
    cluster.with_replicas(regions).iter().for_each(|region| close_region(cluster, region));
    Ok(())
}

/// Enables a table.
pub(crate) fn enable_table(cluster: &AdminGuard<'_>, name: &TableName) -> RemoteResult<()> {
    let refusal = |name: &str| {
        let text = format!("tableName={name}, state=ENABLED");
        remote_exception(exception::TABLE_NOT_DISABLED, text)
    };
    if *name == schema::meta_table_name() {
        return Err(refusal("hbase:meta"));
    }
    let regions = set_state(cluster, name, TableStateKind::Enabled, refusal)?;
    open_regions(cluster, &regions);
    Ok(())
}

/// Sets the state of a table to enabled or disabled, and returns the regions of the table. Fails if
/// the table has that state already.
fn set_state(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    state: TableStateKind,
    refusal: impl FnOnce(&str) -> RemoteException,
) -> RemoteResult<Vec<Arc<Region>>> {
    let regions = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
        if table.state == state {
            return Err(refusal(&table_text(name)));
        }
        let (changed, regions) = (Table { state, ..table.clone() }, table.regions.clone());
        catalog.set_table(changed);
        regions
    };
    MetaUpdate::new(cluster).table_state(name, state).write();
    Ok(regions)
}

/// Deletes a disabled table.
pub(crate) fn delete_table(cluster: &AdminGuard<'_>, name: &TableName) -> RemoteResult<()> {
    refuse_meta(name, exception::IO, "Can't modify catalog tables")?;
    {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Disabled {
            let text = format!("Not DISABLED; tableName={}, state=ENABLED", table_text(name));
            return Err(remote_exception(exception::TABLE_NOT_DISABLED, text));
        }
        let regions = table.regions.clone();
        catalog.remove_regions(name, &regions);
        catalog.remove_table(name);
    }
    MetaUpdate::new(cluster).delete_regions_of(name).delete_table(name).write();
    Ok(())
}

/// Truncates a disabled table and enables it.
pub(crate) fn truncate_table(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    preserve_splits: bool,
) -> RemoteResult<()> {
    refuse_meta(name, exception::TABLE_NOT_DISABLED, "hbase:meta")?;
    let new = {
        let mut catalog = cluster.catalog_mut();
        let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
        if table.state != TableStateKind::Disabled {
            return Err(remote_exception(exception::TABLE_NOT_DISABLED, table_text(name)));
        }
        let old = table.regions.clone();
        let keys = old.iter().filter_map(|r| r.info.start_key.clone());
        let keys: Vec<Bytes> = keys.filter(|k| preserve_splits && !k.is_empty()).collect();
        let new = new_regions(name, &keys, cluster.unique_now(), &RegionSchema::of(&table.schema));
        let enabled = Table { state: TableStateKind::Enabled, ..table.clone() };
        catalog.set_table(enabled);
        catalog.remove_regions(name, &old);
        catalog.add_regions(name, &new);
        new
    };
    let change = MetaUpdate::new(cluster).delete_regions_of(name);
    change.table_state(name, TableStateKind::Enabled).write();
    open_regions(cluster, &new);
    Ok(())
}

/// Changes the schema of a table.
pub(crate) fn modify_table(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    change: impl FnOnce(&mut TableSchema) -> RemoteResult<()>,
) -> RemoteResult<()> {
    let enabled = is_enabled(cluster, name);
    let altered = modify_table_without_schema_check(cluster, name, |schema| {
        let before = schema.clone();
        change(schema)?;
        schema::check_schema(schema, cluster.settings.sanity_checks)?;
        schema::check_altered_trackers(&before, schema, enabled)
    });
    altered?
}

/// Makes those checks of a change of the file tracker whose failure is reported in the response to
/// the call, and not only to a client that polls.
pub(crate) fn check_file_tracker_change(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    target: &str,
) -> RemoteResult<()> {
    schema::check_tracker_target(target)?;
    if cluster.schema_of(name).is_none() {
        return Err(table_not_found(name));
    }
    match is_enabled(cluster, name) {
        true => Ok(()),
        false => Err(remote_exception(exception::TABLE_NOT_ENABLED, table_text(name))),
    }
}

/// Changes the store file tracker of a table, or of one of its families, step by step.
pub(crate) fn change_file_tracker(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    family: Option<&Bytes>,
    target: &str,
) -> RemoteResult<()> {
    // The end of an earlier migration, the start of this one and its end.
    for _ in 0..3 {
        let mut more = true;
        let altered = modify_table_without_schema_check(cluster, name, |schema| {
            more = schema::migrate_tracker_one_step(schema, family, target)?;
            RemoteResult::Ok(())
        });
        altered??;
        if !more {
            break;
        }
    }
    Ok(())
}

/// Whether a table is enabled, as `hbase:meta` always is.
fn is_enabled(cluster: &Cluster, name: &TableName) -> bool {
    let state = cluster.catalog().table(name).map(|table| table.state);
    state.is_none_or(|state| state == TableStateKind::Enabled)
}

/// Changes the schema of a table, which may have no families. If `change` refuses, the inner result
/// has its error, and nothing is changed.
pub(crate) fn modify_table_without_schema_check<E>(
    cluster: &AdminGuard<'_>,
    name: &TableName,
    change: impl FnOnce(&mut TableSchema) -> Result<(), E>,
) -> RemoteResult<Result<(), E>> {
    let mut altered = cluster.schema_of(name).ok_or_else(|| table_not_found(name))?;
    if let Err(refused) = change(&mut altered) {
        return Ok(Err(refused));
    }
    altered.table_name = Some(name.clone());
    schema::add_defaults_when_altered(&mut altered);
    let schema = RegionSchema::of(&altered);
    let (regions, enabled) = match *name == schema::meta_table_name() {
        true => {
            keep_meta_families(&altered)?;
            *lock(&cluster.meta_schema) = altered;
            (vec![Arc::clone(&cluster.meta)], true)
        }
        false => {
            let mut catalog = cluster.catalog_mut();
            let table = catalog.table(name).ok_or_else(|| table_not_found(name))?;
            let altered = Table { schema: altered, ..table.clone() };
            let found = (table.regions.clone(), table.state == TableStateKind::Enabled);
            catalog.set_table(altered);
            found
        }
    };
    for region in &regions {
        let server = {
            let mut state = region.lock();
            state.schema = Arc::clone(&schema);
            state.store.drop_unknown_families(&schema);
            if schema.region_replication > 1 {
                // A region is flushed when it closes, and its replicas see what was flushed.
                state.store.flush(&schema, &[], cluster.clock.now());
            }
            state.server
        };
        // As on a real server, the region is reopened with the new schema and gets a new sequence
        // id.
        if let Some(server) = server.filter(|_| enabled).and_then(|n| cluster.server(n)) {
            if !region.is_meta() {
                MetaUpdate::new(cluster).closed(region).write();
            }
            open_region(cluster, region, Some(&server));
            apply_region_replication(cluster, region);
        }
    }
    Ok(Ok(()))
}

/// Rejects a schema of `hbase:meta` without one of its families.
fn keep_meta_families(schema: &TableSchema) -> RemoteResult<()> {
    let has = |name: &&[u8]| schema.column_families.iter().any(|f| &f.name[..] == *name);
    match schema::META_FAMILIES.iter().find(|name| !has(name)) {
        None => Ok(()),
        Some(name) => {
            let name = String::from_utf8_lossy(name);
            let text = format!("Delete of hbase:meta column family {name}");
            Err(remote_exception(exception::HBASE_IO, text))
        }
    }
}

/// Rejects an operation that is impossible for `hbase:meta`, because clients always need that
/// table.
fn refuse_meta(name: &TableName, class: &str, text: &str) -> RemoteResult<()> {
    match *name == schema::meta_table_name() {
        true => Err(remote_exception(class, text)),
        false => Ok(()),
    }
}

/// Whether a region of the table that starts at one of these keys would have a name that is too
/// long. If so, the procedure fails, but not the call that starts it.
pub(crate) fn has_too_long_region_name(table: &TableName, starts: &[Bytes]) -> bool {
    starts.iter().any(|start| {
        let start_key = Some(start.clone());
        let table_name = table.clone();
        let info =
            RegionInfo { table_name, start_key, region_id: NOW_DIGITS, ..Default::default() };
        check_region_name(&region::name(&info)).is_err()
    })
}

/// A region id that has as many digits as one that is made today.
const NOW_DIGITS: u64 = 1_000_000_000_000;

/// Rejects a region name that is too long for a row key of `hbase:meta`. A real master notices this
/// only after it has made a part of the table, which is then unusable.
pub(super) fn check_region_name(name: &[u8]) -> RemoteResult<()> {
    match name.len() > MAX_ROW_LEN {
        false => Ok(()),
        true => {
            let text = format!(
                "java.lang.IllegalArgumentException: Row length {} is > {MAX_ROW_LEN}",
                name.len()
            );
            Err(remote_exception(exception::IO, text))
        }
    }
}

/// The exception for a table that does not exist.
pub(crate) fn table_not_found(name: &TableName) -> RemoteException {
    remote_exception(exception::TABLE_NOT_FOUND, table_text(name))
}

/// Checks and sorts split keys. A real master accepts empty and equal keys, and may hang after
/// that.
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
    schema: &Arc<RegionSchema>,
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
