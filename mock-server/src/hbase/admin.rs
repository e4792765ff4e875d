//! `AdminService`: the administration of one region server.

use std::sync::Arc;

use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::call::Call;
use super::load;
use crate::base::{RemoteResult, remote_exception};

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
    schema.check_families(&only, &region.info.table_name)?;
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
    if let Some(family) = r.family.as_ref().filter(|f| state.schema.family(f).is_none()) {
        let (family, region) = (String::from_utf8_lossy(family), &region.shown);
        let text = format!("column family {family} does not exist in region {region}");
        return Err(remote_exception(exception::NO_SUCH_COLUMN_FAMILY, text));
    }
    if r.major.unwrap_or(false) {
        let schema = Arc::clone(&state.schema);
        state.store.compact(&schema, r.family.as_deref(), call.now());
        state.last_major_compaction = call.now();
    } else {
        state.store.compact_minor(r.family.as_deref());
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

/// The log of slow calls, which is empty as on a server that keeps none
/// (`hbase.regionserver.slowlog.buffer.enabled`).
pub(crate) fn log_entries(_: &Call<'_>, r: LogRequest) -> RemoteResult<LogEntry> {
    const PROTOS: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos";
    if r.log_class_name != format!("{PROTOS}$SlowLogResponseRequest") {
        return Err(remote_exception(exception::IO, "Invalid request params"));
    }
    let empty = SlowLogResponses { slow_log_payloads: Vec::new() };
    Ok(LogEntry {
        log_class_name: format!("{PROTOS}$SlowLogResponses"),
        log_message: empty.encode_to_vec().into(),
    })
}

/// Forgets the log of slow calls; false, as there is none.
pub(crate) fn clear_slow_log(_: &Call<'_>, _: Empty) -> RemoteResult<ClearSlowLogResponses> {
    Ok(ClearSlowLogResponses { is_cleaned: false })
}
