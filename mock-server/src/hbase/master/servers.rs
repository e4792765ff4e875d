//! The methods of the master for decommissioned region servers.

use tallrow_wire::proto::*;

use super::regions::find_region;
use crate::base::{RemoteResult, lock};
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures;

/// The methods about decommissioned servers.
pub(super) const METHODS: &[Method] = &[
    ("ListDecommissionedRegionServers", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let server_name = lock(&call.cluster.decommissioned).clone();
            Ok(ListDecommissionedRegionServersResponse { server_name })
        })
    }),
    ("DecommissionRegionServers", |c, r| answer_with_message(c, r, &[2], decommission)),
    ("RecommissionRegionServer", |c, r| answer_with_message(c, r, &[1], recommission)),
    ("ClearDeadServers", |c, r| {
        answer_with_message(c, r, &[], |call, r: DeadServers| {
            let servers = call.cluster.servers();
            let forget = |name: &&ServerName| {
                let dead = servers.iter().find(|s| s.name == **name && !s.is_alive());
                !dead.is_some_and(|server| server.forget())
            };
            let server_name = r.server_name.iter().filter(forget).cloned().collect();
            Ok(DeadServers { server_name })
        })
    }),
];

fn decommission(call: &Call<'_>, r: DecommissionRegionServersRequest) -> RemoteResult<Empty> {
    let cluster = &call.cluster.lock_admin();
    {
        let mut out = lock(&cluster.decommissioned);
        for name in &r.server_name {
            if !out.contains(name) {
                out.push(name.clone());
            }
        }
    }
    cluster.note_registry_change();
    if r.offload {
        let live = cluster.live_servers();
        let numbers: Vec<usize> = live
            .iter()
            .filter(|s| r.server_name.contains(&s.name))
            .filter_map(|s| s.number())
            .collect();
        let targets: Vec<usize> =
            cluster.assignable_servers().iter().filter_map(|s| s.number()).collect();
        let mut regions: Vec<_> = cluster.catalog().regions.values().cloned().collect();
        regions.push(std::sync::Arc::clone(&cluster.meta));
        regions.retain(|r| r.lock().server.is_some_and(|on| numbers.contains(&on)));
        for (n, region) in regions.iter().enumerate() {
            let to = targets.get(n % targets.len().max(1)).copied();
            procedures::move_region(cluster, region, to)?;
        }
    }
    Ok(Empty {})
}

fn recommission(call: &Call<'_>, r: RecommissionRegionServerRequest) -> RemoteResult<Empty> {
    let cluster = &call.cluster.lock_admin();
    lock(&cluster.decommissioned).retain(|name| *name != r.server_name);
    cluster.note_registry_change();
    let live = cluster.live_servers();
    if let Some(server) = live.iter().find(|s| s.name == r.server_name) {
        for region in r.region.iter().filter_map(|s| find_region(cluster, s).ok()) {
            procedures::move_region(cluster, &region, server.number())?;
        }
    }
    Ok(Empty {})
}
