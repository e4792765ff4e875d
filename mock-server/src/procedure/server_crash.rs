//! What the master does when a region server dies or starts.

use std::sync::Arc;

use tallrow_wire::proto::TableStateKind;

use super::assignment::{open_region, open_regions};
use crate::regions::Region;
use crate::state::{Cluster, Server};

/// Kills a region server. Its regions open on the others, with every acknowledged write and every nonce.
pub(crate) fn kill_server(cluster: &Cluster, server: &Server) {
    server.kill();
    let Some(number) = server.number() else { return };
    let mut regions: Vec<Arc<Region>> = cluster.catalog().regions.values().cloned().collect();
    regions.retain(|r| r.lock().server == Some(number));
    regions.sort_by(|a, b| a.name.cmp(&b.name));
    // A call may still be running on the dead server. Its regions are closed first, so that its log is complete when
    // it is replayed, and opened elsewhere only after that.
    regions.iter().for_each(|r| r.lock().server = None);
    for other in cluster.live_servers() {
        server.nonces().replay(&mut other.nonces());
    }
    if cluster.meta.lock().server == Some(number) {
        let first = cluster.live_servers().first().cloned();
        open_region(cluster, &cluster.meta, first.as_deref());
    }
    open_regions(cluster, &regions);
}

/// Opens the regions that wait for a server.
pub(crate) fn open_waiting_regions(cluster: &Cluster) {
    if cluster.meta.lock().server.is_none() {
        let first = cluster.live_servers().first().cloned();
        open_region(cluster, &cluster.meta, first.as_deref());
    }
    let mut waiting = Vec::new();
    for table in cluster.catalog().tables.values() {
        if table.state == TableStateKind::Enabled {
            waiting.extend(table.regions.iter().filter(|r| r.lock().server.is_none()).cloned());
        }
    }
    open_regions(cluster, &waiting);
}
