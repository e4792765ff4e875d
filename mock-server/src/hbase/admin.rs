//! `AdminService`: the administration of one region server.

use std::sync::Arc;

use prost::Message;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::call::{Call, Method, answer_with_message};
use super::master::{set_switch, space_quota_snapshots};
use super::{access, load};
use crate::base::{RemoteResult, limits, remote_exception};

/// The method after whose answer a server stops.
pub(crate) const STOP_SERVER: &str = "StopServer";

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
    // The mock has no files on disk, so the lists of store files are empty.
    ("GetStoreFile", |c, r| answer_with_message(c, r, &[1], |_, _: Empty| Ok(Empty {}))),
    ("GetCachedFilesList", |c, r| answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))),
    ("RollWALWriter", |c, r| answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))),
    ("UpdateConfiguration", |c, r| answer_with_message(c, r, &[], |_, _: Empty| Ok(Empty {}))),
    ("ClearCompactionQueues", |c, r| answer_with_message(c, r, &[], clear_compaction_queues)),
    ("ClearRegionBlockCache", |c, r| answer_with_message(c, r, &[], clear_block_cache)),
    // The connection stops the server, after it has written the answer.
    (STOP_SERVER, |c, r| answer_with_message(c, r, &[1], |_, _: StopServerRequest| Ok(Empty {}))),
    ("CompactionSwitch", |c, r| set_switch(c, r, |s| &mut s.compaction)),
    ("GetServerInfo", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let server_name = call.server.name.clone();
            Ok(GetServerInfoResponse { server_info: ServerInfo { server_name, webui_port: None } })
        })
    }),
    ("GetLogEntries", |c, r| answer_with_message(c, r, &[1, 2], log_entries)),
    ("GetSpaceQuotaSnapshots", |c, r| answer_with_message(c, r, &[], space_quota_snapshots)),
    // A log of slow calls, if the server keeps one, is empty.
    ("ClearSlowLogsResponses", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            Ok(ClearSlowLogResponses { is_cleaned: call.cluster.settings.slow_log })
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
        compaction_state: compaction.then_some(state.compaction_state(call.now()) as i32),
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
    let is_major = r.major.unwrap_or(false);
    if state.store.file_count() > 0 {
        let kind = if is_major { CompactionState::Major } else { CompactionState::Minor };
        state.compaction = Some((kind, call.now() + limits::COMPACTION_MS));
    }
    if is_major {
        let schema = Arc::clone(&state.schema);
        state.store.compact_major(&schema, r.family.as_deref(), call.now());
        state.store.note_major_compaction(call.now());
    } else {
        state.store.compact_minor(r.family.as_deref());
    }
    Ok(CompactRegionResponse {})
}

/// Clears the queues of compactions, which are empty, because a compaction ends before the call that
/// asks for it is answered.
fn clear_compaction_queues(_: &Call<'_>, r: ClearCompactionQueuesRequest) -> RemoteResult<Empty> {
    match r.queue_name.iter().find(|name| !matches!(name.as_str(), "long" | "short")) {
        None => Ok(Empty {}),
        Some(name) => Err(remote_exception(exception::IO, format!("Unknown queue name {name}"))),
    }
}

/// Clears the cache of blocks, which is empty.
fn clear_block_cache(
    _: &Call<'_>,
    _: ClearRegionBlockCacheRequest,
) -> RemoteResult<ClearRegionBlockCacheResponse> {
    let (evicted_blocks, bytes_evicted, max_cache_size) = (Some(0), Some(0), Some(0));
    let stats = CacheEvictionStats { evicted_blocks, bytes_evicted, max_cache_size };
    Ok(ClearRegionBlockCacheResponse { stats })
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
