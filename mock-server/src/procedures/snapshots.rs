//! Taking, restoring, cloning and deleting snapshots.

use std::sync::Arc;

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    RegionInfo, SnapshotDescription, SnapshotType, TableName, TableSchema, TableStateKind,
};
use tallrow_wire::region;

use super::assignment::open_regions;
use super::meta::MetaUpdate;
use super::tables::check_region_name;
use crate::base::{RemoteResult, lock, remote_exception};
use crate::regions::{Region, RegionStore};
use crate::schema::{self, RegionSchema, table_text};
use crate::state::{Cluster, Snapshot, Table};

/// Takes a snapshot.
pub(crate) fn take_snapshot(
    cluster: &Cluster,
    mut description: SnapshotDescription,
) -> RemoteResult<()> {
    let name = description.name.clone();
    let table = description.table.clone().unwrap_or_default();
    if lock(&cluster.snapshots).contains_key(&name) {
        let text = format!("Snapshot '{name}' already stored on the filesystem.");
        return Err(remote_exception(exception::SNAPSHOT_EXISTS, text));
    }
    let found = cluster.catalog().table(&region::parse_table_name(table.as_bytes())).cloned();
    let Some(found) = found else {
        let text = format!("Table '{table}' doesn't exist, can't take snapshot.");
        return Err(remote_exception(exception::SNAPSHOT_CREATION, text));
    };
    let now = cluster.clock.now();
    if description.creation_time.unwrap_or(0) <= 0 {
        description.creation_time = i64::try_from(now).ok();
    }
    description.version = Some(2);
    // The memory of a disabled table was flushed when the regions of the table were closed.
    let enabled = found.state == TableStateKind::Enabled;
    let skip_flush = enabled && description.r#type() == SnapshotType::Skipflush;
    let copy = |region: &Arc<Region>| {
        let mut state = region.lock();
        let schema = Arc::clone(&state.schema);
        if !skip_flush {
            state.store.flush(&schema, &[], now);
        }
        (region.info.clone(), state.store.flushed_copy())
    };
    let regions = found.regions.iter().map(copy).collect();
    let snapshot = Snapshot { description, schema: found.schema, regions };
    lock(&cluster.snapshots).insert(name, snapshot);
    Ok(())
}

/// Returns the snapshot that is to be restored or cloned.
fn found(cluster: &Cluster, name: &str) -> RemoteResult<Snapshot> {
    let found = lock(&cluster.snapshots).get(name).cloned();
    found.ok_or_else(|| snapshot_not_found(name))
}

/// Deletes a snapshot.
pub(crate) fn delete_snapshot(cluster: &Cluster, name: &str) -> RemoteResult<()> {
    match lock(&cluster.snapshots).remove(name) {
        Some(_) => Ok(()),
        None => Err(snapshot_not_found(name)),
    }
}

/// Makes the checks of a restore whose failure is reported in the response to the call, not to a
/// poll. As on a real master, the exception for an enabled table allows a retry.
pub(crate) fn check_restore(cluster: &Cluster, name: &str, to: &TableName) -> RemoteResult<()> {
    let snapshot = found(cluster, name)?;
    let catalog = cluster.catalog();
    if catalog.table(to).is_none() {
        let namespace = String::from_utf8_lossy(&to.namespace).into_owned();
        return match catalog.namespaces.contains_key(&namespace) {
            true => Ok(()),
            false => Err(remote_exception(exception::NAMESPACE_NOT_FOUND, namespace)),
        };
    }
    let own = snapshot.schema.table_name.unwrap_or_default();
    if catalog.table(&own).is_some_and(|t| t.state == TableStateKind::Enabled) {
        let text = format!(
            "java.lang.UnsupportedOperationException: Table '{}' must be disabled in order to \
             perform a restore operation.",
            table_text(&own)
        );
        return Err(remote_exception(exception::IO, text));
    }
    Ok(())
}

/// Restores a disabled table to its state when the snapshot was taken, or creates a table from the
/// snapshot, with another tracker of its files if one is named.
pub(crate) fn restore_snapshot(
    cluster: &Cluster,
    name: &str,
    to: &TableName,
    new_tracker: Option<&str>,
) -> RemoteResult<()> {
    let snapshot = found(cluster, name)?;
    if snapshot.is_expired(cluster.clock.now()) {
        let text = format!("TTL for snapshot '{name}' has already expired.");
        return Err(remote_exception(exception::SNAPSHOT_TTL_EXPIRED, text));
    }
    let mut schema = TableSchema { table_name: Some(to.clone()), ..snapshot.schema };
    if let Some(tracker) = new_tracker.filter(|tracker| !tracker.is_empty()) {
        schema::set_tracker(&mut schema, tracker);
        schema::check_new_trackers(&schema)?;
    }
    let old = cluster.catalog().table(to).map(|t| (t.state, t.regions.clone()));
    let highest = old.iter().flat_map(|(_, regions)| regions);
    let highest = highest.map(|r| r.lock().store.sequence_id()).max().unwrap_or(0);
    let region_of = |(info, store): (RegionInfo, RegionStore)| {
        let info = RegionInfo { table_name: to.clone(), ..info };
        let store = store.with_min_sequence_id(highest);
        Arc::new(Region::with_store(info, RegionSchema::of(&schema), Some(store)))
    };
    let regions: Vec<Arc<Region>> = snapshot.regions.into_iter().map(region_of).collect();
    regions.iter().try_for_each(|region| check_region_name(&region.name))?;
    let state = match &old {
        Some((state, _)) => *state,
        None => TableStateKind::Enabled,
    };
    let old = old.map(|(_, regions)| regions).unwrap_or_default();
    {
        let mut catalog = cluster.catalog_mut();
        catalog.remove_regions(to, &old);
        let table = Table { name: to.clone(), schema, state, regions: Vec::new() };
        catalog.tables.insert(region::format_table_name(to), table);
        catalog.add_regions(to, &regions);
    }
    MetaUpdate::new(cluster).delete_regions_of(to).table_state(to, state).write();
    for region in &regions {
        MetaUpdate::new(cluster).new_region(region).write();
    }
    if state == TableStateKind::Enabled {
        open_regions(cluster, &regions);
    }
    Ok(())
}

/// The exception for a snapshot that does not exist.
pub(crate) fn snapshot_not_found(name: &str) -> RemoteException {
    let text = format!("Snapshot '{name}' doesn't exist on the filesystem");
    remote_exception(exception::SNAPSHOT_DOES_NOT_EXIST, text)
}
