//! `AdminService`: the administration of one region server.

use std::sync::Arc;

use tallrow_wire::proto::*;

use super::call::Call;
use super::load;
use crate::remote_exception::RemoteResult;

pub(crate) fn region_info(
    call: &Call<'_>,
    r: GetRegionInfoRequest,
) -> RemoteResult<GetRegionInfoResponse> {
    let region = call.region(&r.region)?;
    let state = call.open(&region)?;
    let cells = state.store.cells();
    let best_split_row = match r.best_split_row.unwrap_or(false) {
        true => cells.iter().nth(cells.len() / 2).map(|c| bytes::Bytes::copy_from_slice(c.row())),
        false => None,
    };
    let compaction = r.compaction_state.unwrap_or(false);
    Ok(GetRegionInfoResponse {
        region_info: region.info.clone(),
        compaction_state: compaction.then_some(CompactionState::None as i32),
        splittable: Some(true),
        mergeable: Some(true),
        best_split_row,
    })
}

pub(crate) fn online_regions(
    call: &Call<'_>,
    _: GetOnlineRegionRequest,
) -> RemoteResult<GetOnlineRegionResponse> {
    let regions = load::online_regions(call.cluster, call.server);
    Ok(GetOnlineRegionResponse { region_info: regions.iter().map(|r| r.info.clone()).collect() })
}

pub(crate) fn flush(call: &Call<'_>, r: FlushRegionRequest) -> RemoteResult<FlushRegionResponse> {
    let region = call.region(&r.region)?;
    let mut state = call.open(&region)?;
    let schema = Arc::clone(&state.schema);
    let only: Vec<bytes::Bytes> = r.family.into_iter().collect();
    let flushed = state.store.flush(&schema, &only, call.now());
    Ok(FlushRegionResponse {
        last_flush_time: call.now(),
        flushed: Some(flushed),
        wrote_flush_wal_marker: Some(false),
    })
}

pub(crate) fn compact(
    call: &Call<'_>,
    r: CompactRegionRequest,
) -> RemoteResult<CompactRegionResponse> {
    let region = call.region(&r.region)?;
    let mut state = call.open(&region)?;
    // A minor compaction drops nothing that a flush has not dropped already.
    if r.major.unwrap_or(false) {
        let schema = Arc::clone(&state.schema);
        state.store.compact(&schema, r.family.as_deref(), call.now());
    }
    Ok(CompactRegionResponse {})
}

pub(crate) fn server_info(
    call: &Call<'_>,
    _: GetServerInfoRequest,
) -> RemoteResult<GetServerInfoResponse> {
    let server_name = call.server.name.clone();
    Ok(GetServerInfoResponse { server_info: ServerInfo { server_name, webui_port: None } })
}

pub(crate) fn region_load(
    call: &Call<'_>,
    r: GetRegionLoadRequest,
) -> RemoteResult<GetRegionLoadResponse> {
    let mut regions = load::online_regions(call.cluster, call.server);
    if let Some(table) = r.table_name {
        regions.retain(|region| region.info.table_name == table);
    }
    let region_loads = regions.iter().map(|r| load::region_load(r)).collect();
    Ok(GetRegionLoadResponse { region_loads })
}
