//! Calls that start procedures, once per nonce, and calls that poll for their results.

use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::*;

use crate::base::{RemoteResult, limits, remote_exception};
use crate::hbase::access;
use crate::hbase::call::{Call, Method, Reply, answer_with_message};
use crate::state::{AdminGuard, Nonce, Procedure};

/// The methods about procedures.
pub(super) const METHODS: &[Method] = &[
    ("getProcedureResult", |c, r| {
        answer_with_message(c, r, &[1], |call, request: GetProcedureResultRequest| {
            Ok(call.cluster.procedures.lock().result(request.proc_id))
        })
    }),
    ("GetProcedures", |c, r| {
        answer_with_message(c, r, &[], |call, _: Empty| {
            let procedure =
                call.cluster.procedures.lock().list(call.now(), limits::FINISHED_PROCEDURE_TTL_MS);
            Ok(GetProceduresResponse { procedure })
        })
    }),
];

/// Says which response tells a client that a procedure failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureReport {
    /// In the response to the call that starts the procedure.
    AtOnce,
    /// In the response to a poll.
    WhenPolled,
}

/// Runs a procedure, unless a request with this nonce ran it before, and returns the id with which
/// a client polls for the result. Of requests with the same nonce that arrive at the same time, one
/// runs it.
pub(super) fn run_procedure(
    call: &Call<'_>,
    nonce: Option<Nonce>,
    report: FailureReport,
    work: impl FnOnce(&AdminGuard<'_>) -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    run_procedure_locked(call, &call.cluster.lock_admin(), nonce, report, work)
}

/// Like [`run_procedure`], for a caller that has looked at something before.
pub(super) fn run_procedure_locked(
    call: &Call<'_>,
    cluster: &AdminGuard<'_>,
    nonce: Option<Nonce>,
    report: FailureReport,
    work: impl FnOnce(&AdminGuard<'_>) -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    if let Some(id) = cluster.procedures.lock().by_nonce(nonce) {
        return Ok(ProcIdResponse { proc_id: Some(id) });
    }
    let done = work(cluster).and_then(|()| access::update_permissions_after_procedure(call));
    let failure = match (done, report) {
        (Err(exception), FailureReport::AtOnce) if !is_unexpected(&exception) => {
            return Err(exception);
        }
        (done, _) => done.err().map(|exception| Box::new(as_of_procedure(exception))),
    };
    let (class, owner) = (class_of(call.method).into(), call.peer.user.as_str().into());
    let procedure = Procedure { class, owner, ended_at: call.now(), failure };
    let id = cluster.procedures.lock().add(nonce, procedure);
    Ok(ProcIdResponse { proc_id: Some(id) })
}

/// Whether the procedure ends with this exception after the call that started it was answered.
/// Exceptions of HBase itself are found before that answer.
fn is_unexpected(exception: &RemoteException) -> bool {
    exception.class.starts_with("java.lang.")
}

/// The exception in the form in which a client that polls gets it. An exception of Java becomes an
/// IOException, with the class in its text.
fn as_of_procedure(exception: RemoteException) -> RemoteException {
    match is_unexpected(&exception) {
        true => {
            let text = format!("{}: {}", exception.class, exception.message);
            remote_exception(exception::IO, text)
        }
        false => exception,
    }
}

/// Answers a call that starts a procedure. If the procedure fails, the call fails.
pub(super) fn answer_with_procedure<R: Message + Default + HasNonce>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    work: impl FnOnce(&AdminGuard<'_>, R) -> RemoteResult<()>,
) -> RemoteResult<()> {
    answer_with_message(call, reply, required, |call, request: R| {
        run_procedure(call, request.request_nonce(), FailureReport::AtOnce, |cluster| {
            work(cluster, request)
        })
    })
}

/// Like [`answer_with_procedure`], but a client learns of a failure only when it polls.
pub(super) fn answer_with_polled_procedure<R: Message + Default + HasNonce>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    work: impl FnOnce(&AdminGuard<'_>, R) -> RemoteResult<()>,
) -> RemoteResult<()> {
    answer_with_message(call, reply, required, |call, request: R| {
        run_procedure(call, request.request_nonce(), FailureReport::WhenPolled, |cluster| {
            work(cluster, request)
        })
    })
}

/// A request that starts a procedure.
pub(super) trait HasNonce {
    /// The nonce, by which a repetition of the request is recognized.
    fn request_nonce(&self) -> Option<Nonce>;
}

macro_rules! with_nonce {
    ($($request:ident),* $(,)?) => {
        $(impl HasNonce for $request {
            fn request_nonce(&self) -> Option<Nonce> {
                Nonce::of(self.nonce_group, self.nonce)
            }
        })*
    };
}

with_nonce! {
    AddColumnRequest,
    CreateNamespaceRequest,
    CreateTableRequest,
    DeleteColumnRequest,
    DeleteNamespaceRequest,
    DeleteTableRequest,
    DisableTableRequest,
    EnableTableRequest,
    FlushTableRequest,
    MergeTableRegionsRequest,
    ModifyColumnRequest,
    ModifyColumnStoreFileTrackerRequest,
    ModifyNamespaceRequest,
    ModifyTableRequest,
    ModifyTableStoreFileTrackerRequest,
    RestoreSnapshotRequest,
    SnapshotRequest,
    SplitTableRegionRequest,
    TruncateRegionRequest,
    TruncateTableRequest,
}

/// Returns the class of the procedure that a method starts.
fn class_of(method: &str) -> String {
    let class = match method {
        "AddColumn" | "ModifyColumn" | "DeleteColumn" => "ModifyTableProcedure",
        "ModifyColumnStoreFileTracker" => "ModifyColumnFamilyStoreFileTrackerProcedure",
        "RestoreSnapshot" => "RestoreSnapshotProcedure",
        "SplitRegion" => "SplitTableRegionProcedure",
        "truncateTable" => "TruncateTableProcedure",
        "AddReplicationPeer" => "AddPeerProcedure",
        "RemoveReplicationPeer" => "RemovePeerProcedure",
        "EnableReplicationPeer" => "EnablePeerProcedure",
        "DisableReplicationPeer" => "DisablePeerProcedure",
        "UpdateReplicationPeerConfig" => "UpdatePeerConfigProcedure",
        method => return format!("{method}Procedure"),
    };
    class.to_owned()
}
