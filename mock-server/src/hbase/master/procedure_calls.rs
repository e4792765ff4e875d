//! Running procedures, and polling for them.

use tallrow_wire::proto::*;

use crate::base::{RemoteResult, limits, lock};
use crate::hbase::call::Call;
use crate::state::Nonce;

/// Runs a procedure, once per nonce, and returns the id to poll for. A failure is the response to the call.
pub(super) fn run(
    call: &Call<'_>,
    (group, nonce): (Option<u64>, Option<u64>),
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<Option<u64>> {
    let nonce = Nonce::of(group, nonce);
    if let Some(id) = lock(&call.cluster.procedures).by_nonce(nonce) {
        return Ok(Some(id));
    }
    work()?;
    Ok(Some(lock(&call.cluster.procedures).add(nonce, name(call), None, call.now())))
}

/// Like [`run`], but a failure is the response to the client that polls.
pub(super) fn run_and_report_when_polled(
    call: &Call<'_>,
    (group, nonce): (Option<u64>, Option<u64>),
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<Option<u64>> {
    let nonce = Nonce::of(group, nonce);
    if let Some(id) = lock(&call.cluster.procedures).by_nonce(nonce) {
        return Ok(Some(id));
    }
    let failure = work().err();
    Ok(Some(lock(&call.cluster.procedures).add(nonce, name(call), failure, call.now())))
}

/// Whether a request with this nonce was made before.
pub(super) fn is_known(call: &Call<'_>, (group, nonce): (Option<u64>, Option<u64>)) -> bool {
    lock(&call.cluster.procedures).by_nonce(Nonce::of(group, nonce)).is_some()
}

/// The class of the procedure that a call starts, and the user who asks for it.
fn name(call: &Call<'_>) -> (String, String) {
    let class = match call.method {
        "AddColumn" | "ModifyColumn" | "DeleteColumn" => "ModifyTableProcedure".to_owned(),
        "RestoreSnapshot" => "RestoreSnapshotProcedure".to_owned(),
        "SplitRegion" => "SplitTableRegionProcedure".to_owned(),
        "truncateTable" => "TruncateTableProcedure".to_owned(),
        "AddReplicationPeer" => "AddPeerProcedure".to_owned(),
        "RemoveReplicationPeer" => "RemovePeerProcedure".to_owned(),
        "EnableReplicationPeer" => "EnablePeerProcedure".to_owned(),
        "DisableReplicationPeer" => "DisablePeerProcedure".to_owned(),
        "UpdateReplicationPeerConfig" => "UpdatePeerConfigProcedure".to_owned(),
        method => format!("{method}Procedure"),
    };
    (class, call.peer.user.clone())
}

pub(crate) fn list(call: &Call<'_>, _: Empty) -> RemoteResult<GetProceduresResponse> {
    let procedure = lock(&call.cluster.procedures).list(call.now(), limits::PROCEDURE_MS);
    Ok(GetProceduresResponse { procedure })
}

pub(crate) fn procedure_result(
    call: &Call<'_>,
    request: GetProcedureResultRequest,
) -> RemoteResult<GetProcedureResultResponse> {
    Ok(lock(&call.cluster.procedures).result(request.proc_id))
}
