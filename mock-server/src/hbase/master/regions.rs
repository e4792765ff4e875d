//! Regions.

use std::collections::BTreeSet;
use std::sync::Arc;

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::procedure_calls;
use crate::base::{RemoteResult, lock, remote_exception};
use crate::hbase::call::Call;
use crate::procedures;
use crate::regions::Region;
use crate::schema::Schema;
use crate::state::server_text;

/// The region that a request names, by its full or encoded name.
pub(super) fn named(call: &Call<'_>, specifier: &RegionSpecifier) -> Option<Arc<Region>> {
    let catalog = call.cluster.catalog();
    let by_name = catalog.regions.get(&specifier.value);
    by_name.or_else(|| catalog.region_by_encoded_name(&specifier.value)).cloned()
}

fn unknown(specifier: &RegionSpecifier) -> RemoteException {
    remote_exception(exception::UNKNOWN_REGION, String::from_utf8_lossy(&specifier.value))
}

pub(crate) fn r#move(call: &Call<'_>, r: MoveRegionRequest) -> RemoteResult<MoveRegionResponse> {
    let region = named(call, &r.region).ok_or_else(|| unknown(&r.region))?;
    let to = match &r.dest_server_name {
        None => None,
        Some(name) => {
            let live = call.cluster.live_servers();
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
    procedures::move_region(call.cluster, &region, to)?;
    Ok(MoveRegionResponse {})
}

pub(crate) fn split(
    call: &Call<'_>,
    r: SplitTableRegionRequest,
) -> RemoteResult<SplitTableRegionResponse> {
    let (nonce, table) = ((r.nonce_group, r.nonce), r.region_info.table_name.clone());
    let at: Vec<_> = r.split_row.iter().cloned().collect();
    let work = || {
        if !is_allowed(call, MasterSwitchType::Split) {
            let text = format!(
                "Split region {} failed due to split switch off",
                String::from_utf8_lossy(&region::name(&r.region_info))
            );
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        let schema = call.cluster.schema_of(&r.region_info.table_name);
        if schema.is_some_and(|schema| !Schema::of(&schema).split_enabled) {
            let text = format!(
                "Split region {} failed as region split is disabled for the table",
                String::from_utf8_lossy(&region::name(&r.region_info))
            );
            return Err(remote_exception(exception::DO_NOT_RETRY, text));
        }
        let encoded = region::encoded_name_of(&r.region_info);
        let found = call.cluster.catalog().region_by_encoded_name(encoded.as_bytes()).cloned();
        let Some(region) = found else {
            let text = format!("No RegionState found for {encoded}");
            return Err(remote_exception(exception::UNKNOWN_REGION, text));
        };
        let at = match r.split_row.filter(|row| !row.is_empty()) {
            Some(row) => row.to_vec(),
            None => {
                let state = region.lock();
                let cells = state.store.cells();
                let middle = cells.iter().nth(cells.len() / 2).map(|c| c.row().to_vec());
                middle.filter(|row| row != region.start_key()).ok_or_else(|| {
                    let text = format!("Region {} has no row to split at", region.shown);
                    remote_exception(exception::DO_NOT_RETRY, text)
                })?
            }
        };
        procedures::split_region(call.cluster, &region, &at)
    };
    let proc_id = match procedures::has_too_long_names(&table, &at) {
        true => procedure_calls::run_and_report_when_polled(call, nonce, work)?,
        false => procedure_calls::run(call, nonce, work)?,
    };
    Ok(SplitTableRegionResponse { proc_id })
}

pub(crate) fn merge(
    call: &Call<'_>,
    r: MergeTableRegionsRequest,
) -> RemoteResult<MergeTableRegionsResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        let found = r.region.iter().map(|s| named(call, s).ok_or_else(|| unknown(s)));
        let mut regions = found.collect::<RemoteResult<Vec<_>>>()?;
        let names: Vec<&str> = regions.iter().map(|r| r.encoded.as_str()).collect();
        let names = names.join(", ");
        let enabled = regions.first().is_none_or(|r| r.lock().schema.merge_enabled);
        let refused = match (is_allowed(call, MasterSwitchType::Merge), enabled) {
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
                "Duplicate regions specified; cannot merge a region to itself. Passed in {} but only {} unique.",
                regions.len(),
                unique.len()
            );
            return Err(remote_exception(exception::MERGE_REGION, text));
        }
        regions.sort_by(|a, b| a.start_key().cmp(b.start_key()));
        procedures::merge_regions(call.cluster, &regions)
    })?;
    Ok(MergeTableRegionsResponse { proc_id })
}

/// The exception for a region that is open or closed already.
fn unexpected_state(region: &Region, state: &str) -> RemoteException {
    let table = procedures::table_text(&region.info.table_name);
    let text =
        format!("Unexpected state for state={state}, table={table}, region={}", region.encoded);
    remote_exception(exception::DO_NOT_RETRY_REGION, text)
}

/// Whether splits or merges are switched on.
fn is_allowed(call: &Call<'_>, switch: MasterSwitchType) -> bool {
    *lock(&call.cluster.switches).split_or_merge(switch as i32)
}

pub(crate) fn truncate(call: &Call<'_>, r: TruncateRegionRequest) -> RemoteResult<ProcIdResponse> {
    let proc_id = procedure_calls::run(call, (r.nonce_group, r.nonce), || {
        let encoded = region::encoded_name_of(&r.region_info);
        let found = call.cluster.catalog().region_by_encoded_name(encoded.as_bytes()).cloned();
        let region = found.ok_or_else(|| remote_exception(exception::UNKNOWN_REGION, encoded))?;
        procedures::truncate_region(call.cluster, &region)
    })?;
    Ok(ProcIdResponse { proc_id })
}

pub(crate) fn assign(call: &Call<'_>, r: AssignRegionRequest) -> RemoteResult<Empty> {
    let region = named(call, &r.region).ok_or_else(|| unknown(&r.region))?;
    if region.lock().server.is_some() {
        return Err(unexpected_state(&region, "OPEN"));
    }
    procedures::open_regions(call.cluster, &[region]);
    Ok(Empty {})
}

pub(crate) fn unassign(call: &Call<'_>, r: AssignRegionRequest) -> RemoteResult<Empty> {
    let region = named(call, &r.region).ok_or_else(|| unknown(&r.region))?;
    if region.lock().server.is_none() {
        return Err(unexpected_state(&region, "CLOSED"));
    }
    procedures::close_region(call.cluster, &region);
    Ok(Empty {})
}
