//! The secondary replicas of regions: as many as the schema wants, each on another server if there are enough.

use std::sync::Arc;

use tallrow_wire::proto::RegionInfo;

use super::meta::MetaUpdate;
use super::opening::open_region;
use crate::regions::Region;
use crate::state::{Cluster, Server};

/// Gives a region the replicas that its schema wants, if it wants any, and opens those that are closed.
pub(super) fn open_replicas(cluster: &Cluster, primary: &Region) {
    let wanted = primary.lock().schema.region_replication;
    if wanted > 1 && primary.replica_id() == 0 {
        set_replicas(cluster, primary);
    }
}

/// Gives a region the replicas that its schema wants, and no others, and opens those that are closed.
pub(super) fn set_replicas(cluster: &Cluster, primary: &Region) {
    let schema = Arc::clone(&primary.lock().schema);
    let wanted = schema.region_replication.saturating_sub(1);
    let (kept, gone) = {
        let mut catalog = cluster.catalog_mut();
        let mut replicas = catalog.replicas_of(primary);
        let gone = replicas.split_off(replicas.len().min(wanted.into()));
        for replica in &gone {
            catalog.regions.remove(&replica.name);
        }
        let next = u16::try_from(replicas.len()).unwrap_or(wanted);
        for id in next..wanted {
            let replica_id = Some(i32::from(id) + 1);
            let info = RegionInfo { replica_id, ..primary.info.clone() };
            let replica = Arc::new(Region::new(info, Arc::clone(&schema)));
            catalog.regions.insert(replica.name.clone(), Arc::clone(&replica));
            replicas.push(replica);
        }
        (replicas, gone)
    };
    for replica in &gone {
        replica.lock().server = None;
        MetaUpdate::new(cluster).delete_replica(replica).write();
    }
    for replica in &kept {
        replica.lock().schema = Arc::clone(&schema);
        open_replica(cluster, primary, replica);
    }
}

/// Opens a replica that is closed, as many servers after that of the primary as its id says.
fn open_replica(cluster: &Cluster, primary: &Region, replica: &Region) {
    if replica.lock().server.is_some() {
        return;
    }
    let of_primary = primary.lock().server;
    let live = cluster.assignable_servers();
    let at = live.iter().position(|server| server.number() == of_primary).unwrap_or(0);
    let server = live.get((at + usize::from(replica.replica_id())) % live.len().max(1));
    open_region(cluster, replica, server.map(Arc::as_ref) as Option<&Server>);
}
