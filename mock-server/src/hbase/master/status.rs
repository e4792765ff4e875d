//! The methods of the master for the status of the cluster.

use std::collections::BTreeSet;
use std::sync::Arc;

use tallrow_wire::proto::*;

use crate::base::{HBASE_VERSION, RemoteResult};
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::hbase::load::server_load;
use crate::regions::Region;
use crate::schema;
use crate::state::Cluster;

/// The methods about the status of the cluster.
pub(super) const METHODS: &[Method] = &[
    ("IsMasterRunning", |c, r| {
        answer_with_message(c, r, &[], |_, _: Empty| {
            Ok(IsMasterRunningResponse { is_master_running: true })
        })
    }),
    ("GetClusterStatus", |c, r| answer_with_message(c, r, &[], cluster_status)),
    ("getSecurityCapabilities", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let mut capabilities = vec![SecurityCapability::SimpleAuthentication as i32];
            if call.cluster.permissions.is_some() {
                capabilities.push(SecurityCapability::Authorization as i32);
            }
            Ok(SecurityCapabilitiesResponse { capabilities })
        })
    }),
];

fn cluster_status(
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
            .map(|s| LiveServerInfo {
                server: s.name.clone(),
                server_load: server_load(cluster, s),
            })
            .collect();
    }
    if wants(ClusterOption::DeadServers) {
        let servers = cluster.servers();
        status.dead_servers =
            servers.iter().filter(|s| s.is_listed_as_dead()).map(|s| s.name.clone()).collect();
    }
    let masters = cluster.live_masters();
    if wants(ClusterOption::Master) {
        status.master = masters.first().map(|master| master.name.clone());
    }
    if wants(ClusterOption::BackupMasters) {
        status.backup_masters = masters.iter().skip(1).map(|master| master.name.clone()).collect();
    }
    if wants(ClusterOption::BalancerOn) {
        status.balancer_on = Some(cluster.switches.lock().balancer);
    }
    if wants(ClusterOption::ServersName) {
        status.servers_name = live.iter().map(|s| s.name.clone()).collect();
    }
    if wants(ClusterOption::TableToRegionsCount) {
        status.table_region_states_count = region_counts(cluster);
    }
    Ok(GetClusterStatusResponse { cluster_status: status })
}

/// Counts the regions of each table, with their replicas.
fn region_counts(cluster: &Cluster) -> Vec<TableRegionStatesCount> {
    let count = |primaries: &[Arc<Region>]| {
        let regions = cluster.with_replicas(primaries.to_vec());
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
        table_name: schema::meta_table_name(),
        region_states_count: count(std::slice::from_ref(&cluster.meta)),
    };
    let tables: Vec<_> = cluster.catalog().tables.values().cloned().collect();
    let tables = tables.into_iter().map(|t| {
        // The regions of a disabled table are not counted.
        let counted = if t.state == TableStateKind::Enabled { &t.regions[..] } else { &[] };
        TableRegionStatesCount { region_states_count: count(counted), table_name: t.name }
    });
    std::iter::once(meta).chain(tables).collect()
}
