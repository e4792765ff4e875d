//! `AdminService`: the administration of one region server.

use std::sync::Arc;

use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::call::{Call, Method, answer_with_message};
use super::master::{set_switch, space_quota_snapshots};
use super::{access, load};
use crate::base::{RemoteResult, remote_exception};

/// The methods of the service.
pub(super) const METHODS: &[Method] = &[
    ("GetRegionInfo", |c, r| answer_with_message(c, r, &[1], region_info)),
    ("GetOnlineRegion", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let regions = load::online_regions(call.cluster, call.server);
            let region_info = regions.iter().map(|r| r.info.clone()).collect();
            Ok(GetOnlineRegionResponse { region_info })
        })
    }),
    ("FlushRegion", |c, r| answer_with_message(c, r, &[1], flush)),
    ("CompactRegion", |c, r| answer_with_message(c, r, &[1], compact)),
    ("GetRegionLoad", |c, r| answer_with_message(c, r, &[], region_load)),
    // The mock has no files on disk, so the list of store files is empty.
    ("GetStoreFile", |c, r| answer_with_message(c, r, &[1], |_, _: Empty| Ok(Empty {}))),
    ("CompactionSwitch", |c, r| set_switch(c, r, |s| &mut s.compaction)),
    ("GetServerInfo", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let server_name = call.server.name.clone();
            Ok(GetServerInfoResponse { server_info: ServerInfo { server_name, webui_port: None } })
        })
    }),
    ("GetLogEntries", |c, r| answer_with_message(c, r, &[1, 2], log_entries)),
    ("GetSpaceQuotaSnapshots", |c, r| answer_with_message(c, r, &[], space_quota_snapshots)),
    // There is no log of slow calls that could be cleared.
    ("ClearSlowLogsResponses", |c, r| {
        answer_with_message(c, r, &[], |_, _: Empty| {
            Ok(ClearSlowLogResponses { is_cleaned: false })
        })
    }),
];

fn region_info(call: &Call<'_>, r: GetRegionInfoRequest) -> RemoteResult<GetRegionInfoResponse> {
    let region = call.region(&r.region)?;
    let state = call.lock_open_region(&region)?;
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

fn flush(call: &Call<'_>, r: FlushRegionRequest) -> RemoteResult<FlushRegionResponse> {
    let region = call.region(&r.region)?;
    let mut state = call.lock_open_region(&region)?;
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

fn compact(call: &Call<'_>, r: CompactRegionRequest) -> RemoteResult<CompactRegionResponse> {
    let region = call.region(&r.region)?;
    let mut state = call.lock_open_region(&region)?;
    if let Some(family) = r.family.as_ref().filter(|f| state.schema.family(f).is_none()) {
        let (family, region) = (String::from_utf8_lossy(family), &region.display_name);
        let text = format!("column family {family} does not exist in region {region}");
        return Err(remote_exception(exception::NO_SUCH_COLUMN_FAMILY, text));
    }
    // HBase checks this when the compaction starts, long after it has answered the call.
    if !access::is_described(call, &region.info.table_name) {
        return Ok(CompactRegionResponse {});
    }
    if r.major.unwrap_or(false) {
        let schema = Arc::clone(&state.schema);
        state.store.compact_major(&schema, r.family.as_deref(), call.now());
        state.store.note_major_compaction(call.now());
    } else {
        state.store.compact_minor(r.family.as_deref());
    }
    Ok(CompactRegionResponse {})
}

fn region_load(call: &Call<'_>, r: GetRegionLoadRequest) -> RemoteResult<GetRegionLoadResponse> {
    let mut regions = load::online_regions(call.cluster, call.server);
    if let Some(table) = r.table_name {
        regions.retain(|region| region.info.table_name == table);
    }
    let region_loads = regions.iter().map(|r| load::region_load(r)).collect();
    Ok(GetRegionLoadResponse { region_loads })
}

/// Returns the log of slow calls, which is empty, as on a server that keeps no such log
/// (`hbase.regionserver.slowlog.buffer.enabled`).
fn log_entries(_: &Call<'_>, r: LogRequest) -> RemoteResult<LogEntry> {
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
