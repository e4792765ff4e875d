//! Opening, closing and moving regions.

use std::sync::Arc;

use tallrow_wire::exception;

use super::meta::MetaUpdate;
use super::opening::open_region;
use super::replicas::open_replicas;
use crate::regions::Region;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::state::Cluster;

/// Opens regions on the live servers in turn.
pub(crate) fn open_regions(cluster: &Cluster, regions: &[Arc<Region>]) {
    let live = cluster.assignable_servers();
    for region in regions {
        let server = match live.len() {
            0 => None,
            n => {
                let mut catalog = cluster.catalog_mut();
                catalog.next_server = catalog.next_server.wrapping_add(1);
                live.get((catalog.next_server - 1) % n)
            }
        };
        open_region(cluster, region, server.map(Arc::as_ref));
    }
    regions.iter().for_each(|region| open_replicas(cluster, region));
}

/// Closes a region and its replicas.
pub(crate) fn close_region(cluster: &Cluster, region: &Region) {
    let replicas = cluster.catalog().replicas_of(region);
    for region in [region].into_iter().chain(replicas.iter().map(Arc::as_ref)) {
        region.lock().server = None;
        MetaUpdate::new(cluster).closed(region).write();
    }
}

/// Moves a region to a server; to the next live one, if none is given. The old server remembers where it moved.
pub(crate) fn move_region(
    cluster: &Cluster,
    region: &Region,
    to: Option<usize>,
) -> RemoteResult<()> {
    let reject = |text: String| remote_exception(exception::HBASE_IO, text);
    let from = region.lock().server;
    let Some(from) = from.and_then(|n| cluster.server(n)) else {
        return Err(reject(format!("{} is not open on any server", region.shown)));
    };
    let live = cluster.live_servers();
    let to = match to {
        Some(to) => live.iter().find(|s| s.number() == Some(to)),
        None => {
            let at = live.iter().position(|s| s.number() == from.number()).unwrap_or(0);
            live.get((at + 1) % live.len().max(1))
        }
    };
    let Some(to) = to else {
        return Err(reject(format!("no live server to move {} to", region.shown)));
    };
    MetaUpdate::new(cluster).closed(region).write();
    open_region(cluster, region, Some(to));
    if from.number() != to.number() {
        let sequence_id = region.lock().open_sequence_id;
        from.region_moved(&region.encoded, to.name.clone(), sequence_id, cluster.clock.now());
    }
    Ok(())
}
