//! The work of the master when the cluster starts, and when a region server dies or starts.

use std::sync::Arc;

use tallrow_wire::proto::TableStateKind;

use super::assignment::{open_region, open_regions, open_replicas};
use super::namespaces::write_namespace_row;
use super::tables::create_table;
use crate::base::{RemoteResult, lock};
use crate::regions::Region;
use crate::schema;
use crate::state::{AdminGuard, Server, namespace};

/// Kills a server. The regions of a region server open on the other servers, with every
/// acknowledged write and with every nonce in the log of the dead server.
pub(crate) fn kill_server(cluster: &AdminGuard<'_>, server: &Server) {
    server.kill();
    lock(&cluster.decommissioned).retain(|name| *name != server.name);
    cluster.note_registry_change();
    let Some(number) = server.number() else { return };
    let is_there = |r: &&Arc<Region>| r.lock().server == Some(number);
    let mut regions: Vec<Arc<Region>> =
        cluster.catalog().regions.values().filter(is_there).cloned().collect();
    regions.sort_by(|a, b| a.name.cmp(&b.name));
    // A call may still be running on the dead server. Its regions are therefore closed before any
    // of them is opened elsewhere, so that the log of the server is complete when it is replayed.
    for region in &regions {
        let mut state = region.lock();
        (state.server, state.lost_server) = (None, Some(number));
    }
    if cluster.meta.lock().server == Some(number) {
        open_meta(cluster);
    }
    let (primaries, replicas): (Vec<_>, Vec<_>) =
        regions.into_iter().partition(|region| region.replica_id() == 0);
    open_regions(cluster, &primaries);
    for replica in replicas {
        let primary = cluster.primary_of(&replica);
        primary.iter().for_each(|primary| open_replicas(cluster, primary));
    }
}

/// Opens `hbase:meta` on the first live server.
fn open_meta(cluster: &AdminGuard<'_>) {
    let first = cluster.live_servers().first().cloned();
    open_region(cluster, &cluster.meta, first.as_deref());
}

/// Opens the regions that wait for a server.
pub(crate) fn open_waiting_regions(cluster: &AdminGuard<'_>) {
    if cluster.meta.lock().server.is_none() {
        open_meta(cluster);
    }
    open_replicas(cluster, &cluster.meta);
    let (mut waiting, mut enabled) = (Vec::new(), Vec::new());
    for table in cluster.catalog().tables.values() {
        if table.state == TableStateKind::Enabled {
            let is_closed = |r: &&Arc<Region>| r.lock().server.is_none();
            enabled.push(table.name.clone());
            waiting.extend(table.regions.iter().filter(is_closed).cloned());
        }
    }
    open_regions(cluster, &waiting);
    for table in enabled {
        cluster.regions_of(&table).iter().for_each(|region| open_replicas(cluster, region));
    }
}

/// Creates the tables and namespaces that every cluster has. There must be a region server.
pub(crate) fn make_system_tables(cluster: &AdminGuard<'_>) -> RemoteResult<()> {
    open_meta(cluster);
    for name in ["default", "hbase"] {
        cluster.catalog_mut().set_namespace(name.to_owned(), namespace(name));
    }
    create_table(cluster, schema::namespace_schema(), &[])?;
    write_namespace_row(cluster, &namespace("default"), false);
    write_namespace_row(cluster, &namespace("hbase"), false);
    Ok(())
}
