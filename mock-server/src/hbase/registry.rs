//! `ClientMetaService`: the locations of the masters, the region servers and `hbase:meta`. Every
//! server offers this service.

use tallrow_wire::proto::*;

use super::call::{Call, Method, answer_with_message};
use crate::base::{RemoteResult, limits};

/// The methods of the service.
pub(super) const METHODS: &[Method] = &[
    ("GetClusterId", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            Ok(GetClusterIdResponse { cluster_id: Some(call.cluster.id.clone()) })
        })
    }),
    ("GetActiveMaster", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let server_name = call.cluster.active_master().map(|master| master.name.clone());
            Ok(GetActiveMasterResponse { server_name })
        })
    }),
    ("GetMasters", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let live = call.cluster.live_masters();
            let entries = live.iter().enumerate().map(|(n, master)| GetMastersResponseEntry {
                server_name: master.name.clone(),
                is_active: n == 0,
            });
            Ok(GetMastersResponse { master_servers: entries.collect() })
        })
    }),
    ("GetMetaRegionLocations", |c, r| answer_with_message(c, r, &[], meta_locations)),
    ("GetBootstrapNodes", |c, r| answer_with_message(c, r, &[], bootstrap_nodes)),
];

fn meta_locations(call: &Call<'_>, _: Empty) -> RemoteResult<GetMetaRegionLocationsResponse> {
    let mut replicas = call.cluster.meta_locations();
    // The location of a closed secondary replica stays, as on a real server. That of the primary
    // replica does not, so that clients wait instead of calling a server that does not have it.
    replicas.retain(|(replica, _)| replica.replica_id() > 0 || replica.lock().server.is_some());
    let locations = replicas.into_iter().map(|(replica, server)| RegionLocation {
        region_info: replica.info.clone(),
        server_name: Some(server),
        seq_num: -1,
    });
    Ok(GetMetaRegionLocationsResponse { meta_locations: locations.collect() })
}

fn bootstrap_nodes(call: &Call<'_>, _: Empty) -> RemoteResult<GetBootstrapNodesResponse> {
    let live = call.cluster.live_servers();
    let names = live.iter().take(limits::BOOTSTRAP_NODES).map(|s| s.name.clone());
    Ok(GetBootstrapNodesResponse { server_name: names.collect() })
}
