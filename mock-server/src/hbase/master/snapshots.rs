//! The methods of the master for snapshots.

use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::procedure_calls::{FailureReport, HasNonce, run_procedure, run_procedure_locked};
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::access;
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures;
use crate::state::AdminGuard;

/// How long, in ms, a client may wait for a snapshot.
const EXPECTED_TIMEOUT: i64 = 300_000;

/// The methods about snapshots.
pub(super) const METHODS: &[Method] = &[
    ("Snapshot", |c, r| answer_with_message(c, r, &[1], take)),
    ("IsSnapshotDone", |c, r| answer_with_message(c, r, &[], is_done)),
    ("GetCompletedSnapshots", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let snapshots = call.cluster.snapshots.lock();
            let listed = snapshots.values().map(|snapshot| &snapshot.description);
            let listed = listed.filter(|snapshot| access::is_snapshot_listed(call, snapshot));
            let snapshots = listed.cloned().collect();
            Ok(GetCompletedSnapshotsResponse { snapshots })
        })
    }),
    ("DeleteSnapshot", |c, r| {
        answer_with_message(c, r, &[1], |call, r: DeleteSnapshotRequest| {
            procedures::delete_snapshot(&call.cluster.lock_admin(), &r.snapshot.name)?;
            Ok(Empty {})
        })
    }),
    ("RestoreSnapshot", |c, r| answer_with_message(c, r, &[1], restore)),
];

fn take(call: &Call<'_>, mut r: SnapshotRequest) -> RemoteResult<SnapshotResponse> {
    let nonce = r.request_nonce();
    if call.cluster.permissions.is_some() {
        r.snapshot.owner = Some(call.peer.user.clone()).filter(|user| !user.is_empty());
    }
    let work = |cluster: &AdminGuard<'_>| procedures::take_snapshot(cluster, r.snapshot);
    // A real master, too, runs a procedure only for clients that send a nonce.
    let proc_id = match nonce {
        Some(_) => run_procedure(call, nonce, FailureReport::AtOnce, work)?.proc_id,
        None => work(&call.cluster.lock_admin()).map(|()| None)?,
    };
    let proc_id = proc_id.and_then(|id| i64::try_from(id).ok());
    Ok(SnapshotResponse { expected_timeout: EXPECTED_TIMEOUT, proc_id })
}

pub(super) fn is_done(
    call: &Call<'_>,
    r: IsSnapshotDoneRequest,
) -> RemoteResult<IsSnapshotDoneResponse> {
    let snapshot = r.snapshot.unwrap_or_default();
    if !call.cluster.snapshots.lock().contains_key(&snapshot.name) {
        let kind = format!("{:?}", snapshot.r#type()).to_uppercase();
        let text = format!(
            "Snapshot {{ ss={} table={} type={kind} ttl={} }} is not currently running or one of \
             the known completed snapshots.",
            snapshot.name,
            snapshot.table(),
            snapshot.ttl()
        );
        return Err(remote_exception(exception::UNKNOWN_SNAPSHOT, text));
    }
    Ok(IsSnapshotDoneResponse { done: Some(true), snapshot: Some(snapshot) })
}

fn restore(call: &Call<'_>, r: RestoreSnapshotRequest) -> RemoteResult<ProcIdResponse> {
    let name = &r.snapshot.name;
    let to = region::parse_table_name(r.snapshot.table().as_bytes());
    let cluster = call.cluster.lock_admin();
    if cluster.procedures.lock().by_nonce(r.request_nonce()).is_none() {
        procedures::check_restore(&cluster, name, &to)?;
    }
    let is_new = cluster.schema_of(&to).is_none();
    // A table that exists keeps its tracker.
    let new_tracker = r.custom_sft.as_deref().filter(|_| is_new);
    let work = |cluster: &AdminGuard<'_>| {
        procedures::restore_snapshot(cluster, name, &to, new_tracker)?;
        if is_new {
            access::grant_table_to_caller(call, &to);
        }
        Ok(())
    };
    run_procedure_locked(call, &cluster, r.request_nonce(), FailureReport::WhenPolled, work)
}
