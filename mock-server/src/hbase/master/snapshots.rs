//! Snapshots.

use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::procedure_calls;
use crate::base::{RemoteResult, lock, remote_exception};
use crate::hbase::call::Call;
use crate::procedures;
use crate::state::Nonce;

/// How long, in ms, a client may wait for a snapshot.
const EXPECTED_TIMEOUT: i64 = 300_000;

pub(crate) fn take(call: &Call<'_>, r: SnapshotRequest) -> RemoteResult<SnapshotResponse> {
    let nonce = (r.nonce_group, r.nonce);
    let work = || procedures::take_snapshot(call.cluster, r.snapshot);
    // As a real master, which runs a procedure only for clients that send a nonce.
    let proc_id = match Nonce::of(nonce.0, nonce.1) {
        Some(_) => procedure_calls::run(call, nonce, work)?.and_then(|id| i64::try_from(id).ok()),
        None => {
            work()?;
            None
        }
    };
    Ok(SnapshotResponse { expected_timeout: EXPECTED_TIMEOUT, proc_id })
}

pub(crate) fn is_done(
    call: &Call<'_>,
    r: IsSnapshotDoneRequest,
) -> RemoteResult<IsSnapshotDoneResponse> {
    let snapshot = r.snapshot.unwrap_or_default();
    if !lock(&call.cluster.snapshots).contains_key(&snapshot.name) {
        let kind = format!("{:?}", snapshot.r#type()).to_uppercase();
        let text = format!(
            "Snapshot {{ ss={} table={} type={kind} ttl={} }} is not currently running or one of the known completed snapshots.",
            snapshot.name,
            snapshot.table(),
            snapshot.ttl()
        );
        return Err(remote_exception(exception::UNKNOWN_SNAPSHOT, text));
    }
    Ok(IsSnapshotDoneResponse { done: Some(true), snapshot: Some(snapshot) })
}

pub(crate) fn completed(call: &Call<'_>, _: Empty) -> RemoteResult<GetCompletedSnapshotsResponse> {
    let snapshots = lock(&call.cluster.snapshots);
    let snapshots = snapshots.values().map(|s| s.description.clone()).collect();
    Ok(GetCompletedSnapshotsResponse { snapshots })
}

pub(crate) fn delete(call: &Call<'_>, r: DeleteSnapshotRequest) -> RemoteResult<Empty> {
    procedures::delete_snapshot(call.cluster, &r.snapshot.name)?;
    Ok(Empty {})
}

pub(crate) fn restore(
    call: &Call<'_>,
    r: RestoreSnapshotRequest,
) -> RemoteResult<RestoreSnapshotResponse> {
    let name = &r.snapshot.name;
    let to = region::parse_table_name(r.snapshot.table().as_bytes());
    let nonce = (r.nonce_group, r.nonce);
    if !procedure_calls::is_known(call, nonce) {
        procedures::check_restore(call.cluster, name, &to)?;
    }
    let work = || procedures::restore_snapshot(call.cluster, name, &to);
    let proc_id = procedure_calls::run_and_report_when_polled(call, nonce, work)?;
    Ok(RestoreSnapshotResponse { proc_id: proc_id.unwrap_or(0) })
}
