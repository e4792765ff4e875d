//! The load that servers and regions report.

use std::sync::Arc;

use tallrow_wire::proto::*;

use crate::regions::Region;
use crate::state::{Cluster, Server};

/// Returns the regions that are open on a server, sorted by name.
pub(super) fn online_regions(cluster: &Cluster, server: &Server) -> Vec<Arc<Region>> {
    let mut regions: Vec<_> = cluster.catalog().regions.values().cloned().collect();
    regions.push(Arc::clone(&cluster.meta));
    regions.retain(|r| {
        let open_on = r.lock().server;
        open_on.is_some() && open_on == server.number()
    });
    regions.sort_by(|a, b| a.name.cmp(&b.name));
    regions
}

/// Returns the load of a server.
pub(super) fn server_load(cluster: &Cluster, server: &Server) -> ServerLoad {
    let region_loads: Vec<RegionLoad> =
        online_regions(cluster, server).iter().map(|r| region_load(r)).collect();
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

/// Returns the load of a region.
pub(super) fn region_load(region: &Region) -> RegionLoad {
    let state = region.lock();
    let sizes = state.store.sizes();
    let mb = |bytes: usize| Some((bytes >> 20) as u32);
    RegionLoad {
        region_specifier: RegionSpecifier {
            r#type: RegionSpecifierType::RegionName as i32,
            value: region.name.clone(),
        },
        stores: Some(state.schema.families.len() as u32),
        storefiles: Some(state.store.file_count()),
        store_uncompressed_size_mb: mb(sizes.store_file_bytes),
        storefile_size_mb: mb(sizes.store_file_bytes),
        mem_store_size_mb: mb(sizes.memstore_bytes),
        read_requests_count: Some(state.read_requests),
        write_requests_count: Some(state.write_requests),
        data_locality: Some(1.0),
        last_major_compaction_ts: Some(state.store.last_major_compaction()),
        filtered_read_requests_count: None,
    }
}
