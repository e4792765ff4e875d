//! `MasterService`: tables, namespaces, regions, the cluster's state.

pub(crate) mod families;
pub(crate) mod namespaces;
pub(crate) mod regions;
pub(crate) mod status;
pub(crate) mod switches;
pub(crate) mod tables;

use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use crate::call::Call;
use crate::cluster::lock;
use crate::nonce::Nonce;
use crate::remote_exception::{RemoteResult, remote_exception};

/// Does what a request asks, once per nonce, and gives the id to poll for. What goes wrong is answered at once.
fn procedure(
    call: &Call<'_>,
    (group, nonce): (Option<u64>, Option<u64>),
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<Option<u64>> {
    let nonce = Nonce::of(group, nonce);
    if let Some(id) = lock(&call.cluster.procedures).repeated(nonce) {
        return Ok(Some(id));
    }
    work()?;
    Ok(Some(lock(&call.cluster.procedures).add(nonce, None, call.now())))
}

/// As [`procedure`], but what goes wrong is told to the client that polls.
fn late_procedure(
    call: &Call<'_>,
    (group, nonce): (Option<u64>, Option<u64>),
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<Option<u64>> {
    let nonce = Nonce::of(group, nonce);
    if let Some(id) = lock(&call.cluster.procedures).repeated(nonce) {
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

/// How long a client of the older kind of procedure is told to wait at most, in ms.
const EXPECTED_TIMEOUT: i64 = 300_000;

/// The older way to have something done, by which clients before 2.6 flush a table.
pub(crate) fn exec_procedure(
    call: &Call<'_>,
    r: ExecProcedureRequest,
) -> RemoteResult<ExecProcedureResponse> {
    let ProcedureDescription { signature, instance, .. } = r.procedure;
    if signature != "flush-table-proc" {
        let text = format!("The procedure is not registered: {signature}");
        return Err(remote_exception(exception::DO_NOT_RETRY, text));
    }
    tables::flush_table(call, &region::table_name(instance.unwrap_or_default().as_bytes()), &[])?;
    Ok(ExecProcedureResponse { expected_timeout: Some(EXPECTED_TIMEOUT), return_data: None })
}

pub(crate) fn is_procedure_done(
    _: &Call<'_>,
    r: IsProcedureDoneRequest,
) -> RemoteResult<IsProcedureDoneResponse> {
    Ok(IsProcedureDoneResponse { done: Some(true), snapshot: r.procedure })
}
