//! `MasterService`: tables, namespaces, regions, the cluster's state.

pub(crate) mod families;
pub(crate) mod namespaces;
pub(crate) mod regions;
pub(crate) mod status;
pub(crate) mod switches;
pub(crate) mod tables;

use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::{GetProcedureResultRequest, GetProcedureResultResponse};

use crate::call::{Call, Outcome};
use crate::cluster::lock;
use crate::nonce::Nonce;

/// Does what a request asks, once per nonce, and gives the id to poll for. What goes wrong is answered at once.
fn procedure(
    call: &Call<'_>,
    (group, nonce): (Option<u64>, Option<u64>),
    work: impl FnOnce() -> Outcome<()>,
) -> Result<Option<u64>, RemoteException> {
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
    work: impl FnOnce() -> Outcome<()>,
) -> Result<Option<u64>, RemoteException> {
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
) -> Outcome<GetProcedureResultResponse> {
    Ok(lock(&call.cluster.procedures).result(request.proc_id))
}
