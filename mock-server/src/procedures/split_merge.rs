//! Splitting and merging regions.

use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception;
use tallrow_wire::proto::{MasterSwitchType, RegionInfo, TableName};
use tallrow_wire::region;

use super::assignment::{open_region, open_replicas};
use super::meta::MetaUpdate;
use super::tables::check_region_name;
use crate::base::{RemoteResult, remote_exception, to_string_binary};
use crate::regions::Region;
use crate::state::{AdminGuard, Cluster, SYSTEM_NAMESPACE};

/// Splits an open region at a row. Both daughters stay on the server of the region.
pub(crate) fn split_region(
    cluster: &AdminGuard<'_>,
    region: &Region,
    at: &[u8],
) -> RemoteResult<()> {
    let reject = |text: String| Err(remote_exception(exception::DO_NOT_RETRY, text));
    if region.name == cluster.meta.name {
        return reject("hbase:meta cannot be split".into());
    }
    if at.is_empty() || at == region.start_key() || !region.contains(at) {
        return reject(format!(
            "Requested row out of range for split on HRegion {}, row='{}'",
            region.display_name,
            to_string_binary(at)
        ));
    }
    let id = cluster.unique_now().max(region.info.region_id + 1);
    let at = Bytes::copy_from_slice(at);
    let info = |start: Option<Bytes>, end: Option<Bytes>| RegionInfo {
        region_id: id,
        start_key: start,
        end_key: end,
        ..region.info.clone()
    };
    let lower = info(region.info.start_key.clone(), Some(at.clone()));
    let upper = info(Some(at.clone()), region.info.end_key.clone());
    check_region_name(&region::name(&upper))?;
    let mut catalog = cluster.catalog_mut();
    // Whoever called found the region before the catalog was locked.
    let Some(parent) = catalog.regions.get(&region.name).cloned() else {
        return reject(format!("{} is not open on any server", region.display_name));
    };
    let (server, daughters) = {
        let mut state = parent.lock();
        let Some(server) = state.server.take() else {
            return reject(format!("{} is not open on any server", region.display_name));
        };
        let schema = Arc::clone(&state.schema);
        // As it closes: the daughters have its files.
        state.store.flush(&schema, &[], cluster.clock.now());
        let above = state.store.split_off(&at);
        let below = state.store.split_off(b"");
        let daughter = |info: RegionInfo, store| {
            Arc::new(Region::with_store(info, Arc::clone(&schema), Some(store)))
        };
        (server, [daughter(lower, below), daughter(upper, above)])
    };
    let table = region.info.table_name.clone();
    catalog.replace_regions(&table, &[parent], &daughters);
    drop(catalog);
    let [a, b] = &daughters;
    MetaUpdate::new(cluster).split(region, [&a.info, &b.info]).write();
    let server = cluster.server(server);
    for daughter in &daughters {
        compact_references(cluster, daughter);
        open_region(cluster, daughter, server.as_deref());
        open_replicas(cluster, daughter);
    }
    Ok(())
}

/// Compacts a region that is about to open after a split or a merge. The regions before it were
/// flushed when they closed, and the files of the region refer to theirs, so a real server compacts
/// them when the region opens (`HRegionServer.postOpenDeployTasks`).
fn compact_references(cluster: &Cluster, region: &Region) {
    region.lock().flush_and_compact(cluster.clock.now());
}

/// Splits the regions that have grown past `hbase.hregion.max.filesize`, unless splits are switched
/// off; returns each table with the row at which its region split.
pub(crate) fn split_grown_regions(cluster: &Cluster) -> Vec<(TableName, Vec<u8>)> {
    let (mut done, grown) = (Vec::new(), cluster.take_grown_regions());
    if grown.is_empty() {
        return done;
    }
    let cluster = &cluster.lock_admin();
    for region in grown {
        let enabled = cluster.switches.lock().allows(MasterSwitchType::Split as i32);
        let table = &region.info.table_name;
        if !enabled || table.namespace == SYSTEM_NAMESPACE {
            continue;
        }
        let Some(at) = region.lock().store.middle_row() else { continue };
        // A region that cannot split now, as one that is closed, remains as it is.
        if split_region(cluster, &region, &at).is_ok() {
            done.push((table.clone(), at));
        }
    }
    done
}

/// Deletes all rows of a region, by replacing it with a new, empty region with the same keys.
pub(crate) fn truncate_region(cluster: &AdminGuard<'_>, region: &Arc<Region>) -> RemoteResult<()> {
    let info = RegionInfo {
        region_id: cluster.unique_now().max(region.info.region_id + 1),
        ..region.info.clone()
    };
    let (new, server) = {
        let mut catalog = cluster.catalog_mut();
        // Whoever called found the region before the catalog was locked.
        if !catalog.regions.contains_key(&region.name) {
            return Err(remote_exception(exception::UNKNOWN_REGION, &region.display_name));
        }
        let (server, schema) = {
            let mut state = region.lock();
            (state.server.take(), Arc::clone(&state.schema))
        };
        let new = Arc::new(Region::new(info, schema));
        let table = &region.info.table_name;
        catalog.remove_regions(table, std::slice::from_ref(region));
        catalog.add_regions(table, std::slice::from_ref(&new));
        (new, server)
    };
    MetaUpdate::new(cluster).delete_region(region).new_region(&new).write();
    if let Some(server) = server.and_then(|n| cluster.server(n)) {
        open_region(cluster, &new, Some(&server));
        open_replicas(cluster, &new);
    }
    Ok(())
}

/// Merges adjacent regions into one, on the server of the first.
pub(crate) fn merge_regions(cluster: &AdminGuard<'_>, regions: &[Arc<Region>]) -> RemoteResult<()> {
    let reject = |text: String| Err(remote_exception(exception::MERGE_REGION, text));
    let [first, .., last] = regions else {
        return reject("Need two Regions at least to run a Merge".into());
    };
    for (a, b) in regions.iter().zip(regions.iter().skip(1)) {
        if a.info.table_name != b.info.table_name {
            let (a, b) = (&a.display_name, &b.display_name);
            return reject(format!("Can't merge regions from different tables: {a}, {b}"));
        }
        if a.end_key() != b.start_key() {
            let (a, b) = (&a.encoded, &b.encoded);
            return reject(format!(
                "Unable to merge non-adjacent or non-overlapping regions '{a}', '{b}' when \
                 force=false"
            ));
        }
    }
    let newest = regions.iter().map(|r| r.info.region_id).max().unwrap_or(0);
    let info = RegionInfo {
        region_id: cluster.unique_now().max(newest + 1),
        end_key: last.info.end_key.clone(),
        ..first.info.clone()
    };
    let table = info.table_name.clone();
    let mut catalog = cluster.catalog_mut();
    // Whoever called found the regions before the catalog was locked.
    let is_online = |r: &Region| {
        let is_known = catalog.regions.contains_key(&r.name);
        is_known && r.lock().server.is_some()
    };
    if let Some(closed) = regions.iter().find(|r| !is_online(r)) {
        return reject(format!(
            "Unable to merge regions that are NOT online: {}",
            closed.display_name
        ));
    }
    let mut server = None;
    let mut merged = None;
    for region in regions {
        let mut state = region.lock();
        server = server.or(state.server);
        state.server = None;
        // As it closes: the merged region has the files of all.
        let schema = Arc::clone(&state.schema);
        state.store.flush(&schema, &[], cluster.clock.now());
        let store = state.store.split_off(b"");
        match &mut merged {
            None => merged = Some((schema, store)),
            Some((_, whole)) => whole.merge(store),
        }
    }
    let Some((schema, store)) = merged else { return reject("no regions to merge".into()) };
    let region = Arc::new(Region::with_store(info, schema, Some(store)));
    catalog.replace_regions(&table, regions, &[Arc::clone(&region)]);
    drop(catalog);
    let parents: Vec<&RegionInfo> = regions.iter().map(|r| &r.info).collect();
    let mut change = MetaUpdate::new(cluster).merged(&region, &parents);
    for parent in regions {
        change = change.delete_region(parent);
    }
    change.write();
    compact_references(cluster, &region);
    open_region(cluster, &region, server.and_then(|n| cluster.server(n)).as_deref());
    open_replicas(cluster, &region);
    Ok(())
}
