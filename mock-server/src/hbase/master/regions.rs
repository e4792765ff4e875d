//! The methods of the master for regions.

use std::collections::BTreeSet;
use std::sync::Arc;

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::procedure_calls::{FailureReport, HasNonce, answer_with_procedure, run_procedure};
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures;
use crate::regions::Region;
use crate::schema::{self, RegionSchema, table_text};
use crate::state::{AdminGuard, Cluster, server_text};

/// The methods about regions.
pub(super) const METHODS: &[Method] = &[
    ("MoveRegion", |c, r| answer_with_message(c, r, &[1], r#move)),
    ("SplitRegion", |c, r| answer_with_message(c, r, &[1], split)),
    ("MergeTableRegions", |c, r| answer_with_procedure(c, r, &[], merge)),
    ("AssignRegion", |c, r| answer_with_message(c, r, &[1], assign)),
    ("UnassignRegion", |c, r| answer_with_message(c, r, &[1], unassign)),
    ("TruncateRegion", |c, r| answer_with_message(c, r, &[1], truncate)),
    ("getLastMajorCompactionTimestamp", |c, r| {
        answer_with_message(c, r, &[1], |call, r: MajorCompactionTimestampRequest| {
            let catalog = call.cluster.catalog();
            let regions = catalog.table(&r.table_name).map(|table| table.regions.as_slice());
            Ok(last_major_compaction(regions.unwrap_or_default()))
        })
    }),
    ("getLastMajorCompactionTimestampForRegion", |c, r| {
        answer_with_message(c, r, &[1], |call, r: MajorCompactionTimestampForRegionRequest| {
            let region = find_region(call.cluster, &r.region).ok();
            Ok(last_major_compaction(region.as_slice()))
        })
    }),
];

/// Returns the region that a request names by its full or encoded name.
pub(super) fn find_region(
    cluster: &Cluster,
    specifier: &RegionSpecifier,
) -> RemoteResult<Arc<Region>> {
    cluster.region_by_any_name(&specifier.value).ok_or_else(|| {
        remote_exception(exception::UNKNOWN_REGION, String::from_utf8_lossy(&specifier.value))
    })
}

/// The time of the last major compaction of regions, in ms. This is the earliest of the times of
/// the regions; 0 if one of them has not been compacted.
fn last_major_compaction(regions: &[Arc<Region>]) -> MajorCompactionTimestampResponse {
    let times = regions.iter().map(|region| region.lock().store.last_major_compaction());
    let first = times.min().and_then(|time| i64::try_from(time).ok());
    MajorCompactionTimestampResponse { compaction_timestamp: first.unwrap_or(0) }
}

fn r#move(call: &Call<'_>, r: MoveRegionRequest) -> RemoteResult<MoveRegionResponse> {
    let cluster = &call.cluster.lock_admin();
    let region = find_region(cluster, &r.region)?;
    if region.lock().server.is_none() {
        return Err(unexpected_state(cluster, &region));
    }
    let to = match &r.dest_server_name {
        None => None,
        Some(name) => {
            let live = cluster.live_servers();
            let server = live.iter().find(|s| {
                s.name.host_name == name.host_name
                    && s.name.port == name.port
                    && name.start_code.is_none_or(|c| s.name.start_code == Some(c))
            });
            let Some(server) = server else {
                let text =
                    format!("Passed destination servername is unknown: {}", server_text(name));
                return Err(remote_exception(exception::HBASE_IO, text));
            };
            server.number()
        }
    };
    procedures::move_region(cluster, &region, to)?;
    Ok(MoveRegionResponse {})
}

fn split(call: &Call<'_>, r: SplitTableRegionRequest) -> RemoteResult<ProcIdResponse> {
    let report = match procedures::has_too_long_region_name(
        &r.region_info.table_name,
        r.split_row.as_slice(),
    ) {
        true => FailureReport::WhenPolled,
        false => FailureReport::AtOnce,
    };
    run_procedure(call, r.request_nonce(), report, |cluster| {
        let schema = cluster.schema_of(&r.region_info.table_name);
        let disabled = schema.is_some_and(|schema| !RegionSchema::of(&schema).split_enabled);
        let refused = match is_allowed(cluster, MasterSwitchType::Split) {
            false => Some("due to split switch off"),
            true => disabled.then_some("as region split is disabled for the table"),
        };
        if let Some(why) = refused {
            let name = region::name(&r.region_info);
            let text = format!("Split region {} failed {why}", String::from_utf8_lossy(&name));
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        let encoded = region::encoded_name_of(&r.region_info);
        let specifier = RegionSpecifier {
            r#type: RegionSpecifierType::EncodedRegionName as i32,
            value: encoded.clone().into(),
        };
        let Ok(region) = find_region(cluster, &specifier) else {
            let text = format!("No RegionState found for {encoded}");
            return Err(remote_exception(exception::UNKNOWN_REGION, text));
        };
        if region.replica_id() != 0 {
            let text = "java.lang.IllegalArgumentException: Can't invoke split on non-default \
                        regions directly";
            return Err(remote_exception(exception::IO, text));
        }
        let table = &region.info.table_name;
        let is_single = [schema::meta_table_name(), schema::namespace_table_name()].contains(table);
        if is_single || !region.lock().schema.policy_splits {
            let text = format!("{encoded} NOT splittable");
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        let at = match r.split_row.filter(|row| !row.is_empty()) {
            Some(row) => row.to_vec(),
            None => {
                let state = region.lock();
                let cells = state.store.cells();
                let middle = cells.iter().nth(cells.len() / 2).map(|c| c.row().to_vec());
                middle.filter(|row| row != region.start_key()).ok_or_else(|| {
                    let text = format!("Region {} has no row to split at", region.display_name);
                    remote_exception(exception::DO_NOT_RETRY, text)
                })?
            }
        };
        procedures::split_region(cluster, &region, &at)
    })
}

fn truncate(call: &Call<'_>, r: TruncateRegionRequest) -> RemoteResult<ProcIdResponse> {
    let is_meta = r.region_info.table_name == schema::meta_table_name();
    let report = if is_meta { FailureReport::WhenPolled } else { FailureReport::AtOnce };
    run_procedure(call, r.request_nonce(), report, |cluster| {
        if is_meta {
            let text = "Can't truncate region in catalog tables";
            return Err(remote_exception(exception::IO, text));
        }
        let encoded = region::encoded_name_of(&r.region_info);
        let found = cluster.catalog().region_by_encoded_name(encoded.as_bytes()).cloned();
        let missing = || remote_exception(exception::UNKNOWN_REGION, encoded);
        procedures::truncate_region(cluster, &found.ok_or_else(missing)?)
    })
}

fn merge(cluster: &AdminGuard<'_>, r: MergeTableRegionsRequest) -> RemoteResult<()> {
    let found = r.region.iter().map(|specifier| find_region(cluster, specifier));
    let mut regions = found.collect::<RemoteResult<Vec<_>>>()?;
    let names: Vec<&str> = regions.iter().map(|r| r.encoded.as_str()).collect();
    let names = names.join(", ");
    let enabled = regions.first().is_none_or(|r| r.lock().schema.merge_enabled);
    let refused = match (is_allowed(cluster, MasterSwitchType::Merge), enabled) {
        (true, true) => None,
        (false, _) => Some("because merge switch is off"),
        (true, false) => Some("as region merge is disabled for the table"),
    };
    if let Some(why) = refused {
        let text = format!("Merge of [{names}] failed {why}");
        return Err(remote_exception(exception::DO_NOT_RETRY, text));
    }
    let unique: BTreeSet<&str> = regions.iter().map(|r| r.encoded.as_str()).collect();
    if unique.len() != regions.len() {
        let text = format!(
            "Duplicate regions specified; cannot merge a region to itself. Passed in {} but only \
             {} unique.",
            regions.len(),
            unique.len()
        );
        return Err(remote_exception(exception::MERGE_REGION, text));
    }
    if let Some(replica) = regions.iter().find(|region| region.replica_id() != 0) {
        let text = format!("Can't merge non-default replicas; {}", replica.display_name);
        return Err(remote_exception(exception::MERGE_REGION, text));
    }
    regions.sort_by(|a, b| a.start_key().cmp(b.start_key()));
    procedures::merge_regions(cluster, &regions)
}

/// Makes the exception for a region that is already open or closed.
fn unexpected_state(cluster: &Cluster, region: &Region) -> RemoteException {
    let text = format!("Unexpected state for {}", state_text(cluster, region));
    remote_exception(exception::DO_NOT_RETRY_REGION, text)
}

/// The state of a region in error texts.
fn state_text(cluster: &Cluster, region: &Region) -> String {
    let server = region.lock().server.and_then(|number| cluster.server(number));
    let (state, location) = match server {
        Some(server) => ("OPEN", server_text(&server.name)),
        None => ("CLOSED", "null".to_owned()),
    };
    let table = table_text(&region.info.table_name);
    format!("state={state}, location={location}, table={table}, region={}", region.encoded)
}

/// Whether splits or merges are switched on.
fn is_allowed(cluster: &Cluster, switch: MasterSwitchType) -> bool {
    cluster.switches.lock().allows(switch as i32)
}

fn assign(call: &Call<'_>, r: AssignRegionRequest) -> RemoteResult<Empty> {
    let cluster = &call.cluster.lock_admin();
    let region = find_region(cluster, &r.region)?;
    let table = &region.info.table_name;
    let state = cluster.catalog().table(table).map(|table| table.state);
    if state.is_some_and(|state| state != TableStateKind::Enabled) {
        let (table, state) = (table_text(table), state_text(cluster, &region));
        let text = format!("{table} is disabled for {state}");
        return Err(remote_exception(exception::DO_NOT_RETRY, text));
    }
    if region.lock().server.is_some() {
        return Err(unexpected_state(cluster, &region));
    }
    procedures::open_regions(cluster, &[region]);
    Ok(Empty {})
}

fn unassign(call: &Call<'_>, r: AssignRegionRequest) -> RemoteResult<Empty> {
    let cluster = &call.cluster.lock_admin();
    let region = find_region(cluster, &r.region)?;
    if region.lock().server.is_none() {
        return Err(unexpected_state(cluster, &region));
    }
    procedures::close_region(cluster, &region);
    Ok(Empty {})
}
