//! Calls that start procedures, once per nonce, and calls that poll for them.

use prost::Message;
use tallrow_wire::proto::*;

use crate::base::{RemoteResult, limits, lock};
use crate::hbase::call::{Call, Method, Reply, plain};
use crate::state::{Cluster, Nonce};

/// The methods about procedures.
pub(super) const METHODS: &[Method] = &[
    ("getProcedureResult", |c, r| {
        plain(c, r, &[1], |call, request: GetProcedureResultRequest| {
            Ok(lock(&call.cluster.procedures).result(request.proc_id))
        })
    }),
    ("GetProcedures", |c, r| {
        plain(c, r, &[], |call, _: Empty| {
            let procedure = lock(&call.cluster.procedures).list(call.now(), limits::PROCEDURE_MS);
            Ok(GetProceduresResponse { procedure })
        })
    }),
];

/// Who learns that a procedure failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The client that calls.
    Thrown,
    /// The client that polls.
    Polled,
}

/// Runs a procedure, unless a request with this nonce ran it before, and returns the id to poll for.
pub(super) fn run(
    call: &Call<'_>,
    nonce: Option<Nonce>,
    failure: Failure,
    work: impl FnOnce() -> RemoteResult<()>,
) -> RemoteResult<ProcIdResponse> {
    let known = lock(&call.cluster.procedures).by_nonce(nonce);
    let id = match (known, failure) {
        (Some(id), _) => id,
        (None, Failure::Thrown) => {
            work()?;
            lock(&call.cluster.procedures).add(nonce, name(call), None, call.now())
        }
        (None, Failure::Polled) => {
            let failure = work().err();
            lock(&call.cluster.procedures).add(nonce, name(call), failure, call.now())
        }
    };
    Ok(ProcIdResponse { proc_id: Some(id) })
}

/// Answers a call that starts a procedure. A failure is the response to the call.
pub(super) fn procedure<R: Message + Default + WithNonce>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    work: impl FnOnce(&Cluster, R) -> RemoteResult<()>,
) -> RemoteResult<()> {
    plain(call, reply, required, |call, request: R| {
        run(call, request.identity(), Failure::Thrown, || work(call.cluster, request))
    })
}

/// Like [`procedure`], but a failure is the response to the client that polls.
pub(super) fn polled_procedure<R: Message + Default + WithNonce>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    work: impl FnOnce(&Cluster, R) -> RemoteResult<()>,
) -> RemoteResult<()> {
    plain(call, reply, required, |call, request: R| {
        run(call, request.identity(), Failure::Polled, || work(call.cluster, request))
    })
}

/// A request that starts a procedure.
pub(super) trait WithNonce {
    /// What a repetition has too.
    fn identity(&self) -> Option<Nonce>;
}

macro_rules! with_nonce {
    ($($request:ident),* $(,)?) => {
        $(impl WithNonce for $request {
            fn identity(&self) -> Option<Nonce> {
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
    ModifyNamespaceRequest,
    ModifyTableRequest,
    RestoreSnapshotRequest,
    SnapshotRequest,
    SplitTableRegionRequest,
    TruncateRegionRequest,
    TruncateTableRequest,
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
