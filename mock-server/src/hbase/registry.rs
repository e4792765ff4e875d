//! `ClientMetaService`: where the master, the region servers and `hbase:meta` are. Every server has it.

use tallrow_wire::proto::{
    GetActiveMasterRequest, GetActiveMasterResponse, GetBootstrapNodesRequest,
    GetBootstrapNodesResponse, GetClusterIdRequest, GetClusterIdResponse, GetMastersRequest,
    GetMastersResponse, GetMastersResponseEntry, GetMetaRegionLocationsRequest,
    GetMetaRegionLocationsResponse, RegionLocation,
};

use super::call::Call;
use crate::base::{RemoteResult, limits};

pub(crate) fn cluster_id(
    call: &Call<'_>,
    _: GetClusterIdRequest,
) -> RemoteResult<GetClusterIdResponse> {
    Ok(GetClusterIdResponse { cluster_id: Some(call.cluster.id.clone()) })
}

pub(crate) fn active_master(
    call: &Call<'_>,
    _: GetActiveMasterRequest,
) -> RemoteResult<GetActiveMasterResponse> {
    Ok(GetActiveMasterResponse { server_name: Some(call.cluster.master.name.clone()) })
}

pub(crate) fn masters(call: &Call<'_>, _: GetMastersRequest) -> RemoteResult<GetMastersResponse> {
    let server_name = call.cluster.master.name.clone();
    let entry = GetMastersResponseEntry { server_name, is_active: true };
    Ok(GetMastersResponse { master_servers: vec![entry] })
}

pub(crate) fn meta_locations(
    call: &Call<'_>,
    _: GetMetaRegionLocationsRequest,
) -> RemoteResult<GetMetaRegionLocationsResponse> {
    let location = call.cluster.meta_server().map(|server| RegionLocation {
        region_info: call.cluster.meta.info.clone(),
        server_name: Some(server),
        seq_num: -1,
    });
    Ok(GetMetaRegionLocationsResponse { meta_locations: location.into_iter().collect() })
}

pub(crate) fn bootstrap_nodes(
    call: &Call<'_>,
    _: GetBootstrapNodesRequest,
) -> RemoteResult<GetBootstrapNodesResponse> {
    let live = call.cluster.live_servers();
    let names = live.iter().take(limits::BOOTSTRAP_NODES).map(|s| s.name.clone());
    Ok(GetBootstrapNodesResponse { server_name: names.collect() })
}
