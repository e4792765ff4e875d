//! What the master knows of the cluster as a whole.

use std::collections::BTreeSet;

use tallrow_wire::proto::*;

use crate::call::Call;
use crate::cluster::{Cluster, lock};
use crate::region::Region;
use crate::remote_exception::RemoteResult;
use crate::schema;
use crate::server::Server;

/// The version of HBase that the mock stands for.
const HBASE_VERSION: &str = "2.6.4";

pub(crate) fn is_running(
    _: &Call<'_>,
    _: IsMasterRunningRequest,
) -> RemoteResult<IsMasterRunningResponse> {
    Ok(IsMasterRunningResponse { is_master_running: true })
}

pub(crate) fn security_capabilities(
    _: &Call<'_>,
    _: SecurityCapabilitiesRequest,
) -> RemoteResult<SecurityCapabilitiesResponse> {
    let simple = SecurityCapability::SimpleAuthentication as i32;
    Ok(SecurityCapabilitiesResponse { capabilities: vec![simple] })
}

pub(crate) fn cluster_status(
    call: &Call<'_>,
    r: GetClusterStatusRequest,
) -> RemoteResult<GetClusterStatusResponse> {
    let cluster = call.cluster;
    let asked: BTreeSet<i32> = r.options.into_iter().collect();
    let wants = |option: ClusterOption| asked.is_empty() || asked.contains(&(option as i32));
    let live = cluster.live_servers();
    let mut status = ClusterStatus { master_info_port: Some(0), ..Default::default() };
    if wants(ClusterOption::HbaseVersion) {
        let version = HBASE_VERSION.to_owned();
        status.hbase_version = Some(HbaseVersionFileContent { version });
    }
    if wants(ClusterOption::ClusterId) {
        status.cluster_id = Some(ClusterId { cluster_id: cluster.id.clone() });
    }
    if wants(ClusterOption::LiveServers) {
        status.live_servers = live
            .iter()
            .map(|s| LiveServerInfo { server: s.name.clone(), server_load: load(cluster, s) })
            .collect();
    }
    if wants(ClusterOption::DeadServers) {
        let servers = cluster.servers();
        status.dead_servers =
            servers.iter().filter(|s| !s.is_alive()).map(|s| s.name.clone()).collect();
    }
    if wants(ClusterOption::Master) {
        status.master = Some(cluster.master.name.clone());
    }
    if wants(ClusterOption::BalancerOn) {
        status.balancer_on = Some(lock(&cluster.switches).balancer);
    }
    if wants(ClusterOption::ServersName) {
        status.servers_name = live.iter().map(|s| s.name.clone()).collect();
    }
    if wants(ClusterOption::TableToRegionsCount) {
        status.table_region_states_count = region_counts(cluster);
    }
    Ok(GetClusterStatusResponse { cluster_status: status })
}

fn region_counts(cluster: &Cluster) -> Vec<TableRegionStatesCount> {
    let count = |regions: &[std::sync::Arc<Region>]| {
        let open = regions.iter().filter(|r| r.lock().server.is_some()).count() as u32;
        let total = regions.len() as u32;
        RegionStatesCount {
            open_regions: open,
            split_regions: 0,
            closed_regions: total - open,
            regions_in_transition: 0,
            total_regions: total,
        }
    };
    let meta = TableRegionStatesCount {
        table_name: schema::meta_name(),
        region_states_count: count(std::slice::from_ref(&cluster.meta)),
    };
    let catalog = cluster.catalog();
    let tables = catalog.tables.values().map(|t| TableRegionStatesCount {
        table_name: t.name.clone(),
        region_states_count: count(&t.regions),
    });
    std::iter::once(meta).chain(tables).collect()
}

/// The regions a server has open, in the order of their names.
pub(crate) fn online(cluster: &Cluster, server: &Server) -> Vec<std::sync::Arc<Region>> {
    let mut regions: Vec<_> = cluster.catalog().regions.values().cloned().collect();
    regions.push(std::sync::Arc::clone(&cluster.meta));
    regions.retain(|r| {
        let open_on = r.lock().server;
        open_on.is_some() && open_on == server.number()
    });
    regions.sort_by(|a, b| a.name.cmp(&b.name));
    regions
}

fn load(cluster: &Cluster, server: &Server) -> ServerLoad {
    let region_loads: Vec<RegionLoad> =
        online(cluster, server).iter().map(|r| region_load(r)).collect();
    let total = region_loads
        .iter()
        .map(|l| l.read_requests_count.unwrap_or(0) + l.write_requests_count.unwrap_or(0))
        .sum();
    ServerLoad {
        number_of_requests: Some(0),
        total_number_of_requests: Some(total),
        used_heap_mb: Some(64),
        max_heap_mb: Some(1024),
        region_loads,
        report_start_time: Some(server.name.start_code.unwrap_or(0)),
        report_end_time: Some(cluster.clock.now()),
        info_server_port: Some(0),
    }
}

/// What one region reports about itself.
pub(crate) fn region_load(region: &Region) -> RegionLoad {
    let state = region.lock();
    RegionLoad {
        region_specifier: RegionSpecifier {
            r#type: RegionSpecifierType::RegionName as i32,
            value: region.name.clone(),
        },
        stores: Some(state.schema.families.len() as u32),
        storefiles: Some(0),
        store_uncompressed_size_mb: Some(0),
        storefile_size_mb: Some(0),
        mem_store_size_mb: Some(0),
        read_requests_count: Some(state.requests.0),
        write_requests_count: Some(state.requests.1),
    }
}
