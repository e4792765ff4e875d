//! Running procedures, and polling for them.

use tallrow_wire::proto::*;

use crate::lock::lock;
use crate::remote_exception::RemoteResult;
use crate::service::call::Call;
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
    Ok(Some(lock(&call.cluster.procedures).add(nonce, None, call.now())))
}

/// As [`run`], but a failure is the response to the client that polls.
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
    Ok(Some(lock(&call.cluster.procedures).add(nonce, failure, call.now())))
}

pub(crate) fn procedure_result(
    call: &Call<'_>,
    request: GetProcedureResultRequest,
) -> RemoteResult<GetProcedureResultResponse> {
    Ok(lock(&call.cluster.procedures).result(request.proc_id))
}
