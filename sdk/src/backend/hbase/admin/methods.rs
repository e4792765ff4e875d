//! The RPC methods of the master and of region servers that admin operations call. Each method is a
//! type with its request, its response, and the meaning of a refusal.

use prost::Message;

use crate::backend::hbase::reaction::{self, Refusal};
use crate::backend::hbase::rpc::Service;
use crate::wire::proto::*;
use crate::{Error, ErrorKind};

/// A method of a service of HBase.
pub(super) trait Method: Send {
    type Request: Message;
    type Response: Message + Default;

    /// The name of the method in HBase.
    const NAME: &'static str;
    const SERVICE: Service;
    const KIND: ResendKind;

    /// Adds a nonce to a request, so that the master recognizes the request if it is sent again.
    fn set_nonce(_request: &mut Self::Request, _nonce_group: u64, _nonce: u64) {}

    /// Returns the id of the procedure that the master started for the request, if it started one.
    fn procedure_id(_response: &Self::Response) -> Option<u64> {
        None
    }

    /// Returns whether the operation that a poll asks about has ended, according to the response.
    fn is_done(_response: &Self::Response) -> bool {
        true
    }

    /// Returns a text about what an earlier, unanswered attempt may have done, if that can be the
    /// reason why this attempt was refused with `error`.
    fn earlier_attempt_note(_error: &Error) -> Option<&'static str> {
        None
    }
}

/// How a request is treated when it is sent again because an earlier attempt was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResendKind {
    /// The request only reads, or executing it again does no harm: for example, a compaction that
    /// is running is not started again.
    Harmless,
    /// The request is executed again. If the second attempt is refused, the reason may be that the
    /// first attempt was executed.
    Change,
    /// Like `Change`, for a request that starts a procedure.
    Procedure,
    /// The request starts a procedure and contains a nonce. If the request is sent again, the
    /// master starts no second procedure and returns the answer of the first attempt.
    ProcedureOnce,
    /// The request asks for the result of a change that the master has accepted. The answer, or the
    /// exception, is the result of that change.
    Poll,
}

impl ResendKind {
    /// Whether an operation with a method of this kind waits for the end of a procedure.
    pub(super) fn is_procedure(self) -> bool {
        matches!(self, Self::Procedure | Self::ProcedureOnce)
    }

    /// Whether the master, when it gets a request again, recognizes the change that the request is
    /// about.
    pub(super) fn is_recognized_when_resent(self) -> bool {
        matches!(self, Self::ProcedureOnce | Self::Poll)
    }
}

/// The field of a response that contains a procedure id. The field is optional in some responses.
trait ProcedureId {
    fn id(&self) -> Option<u64>;
}

impl ProcedureId for u64 {
    fn id(&self) -> Option<u64> {
        Some(*self)
    }
}

impl<T: Copy> ProcedureId for Option<T>
where
    u64: TryFrom<T>,
{
    fn id(&self) -> Option<u64> {
        u64::try_from((*self)?).ok()
    }
}

/// Defines a type for each method, with its kind, its name, its request and response, and for some
/// methods the meaning of a refusal. The type has the same name as the method, unless the method's
/// name is given separately.
macro_rules! methods {
    ($service:ident: $(
        $kind:ident $name:ident $(= $wire:literal)? ($request:ty) -> $response:ty
        $(, if $refused:expr => $done:literal)?;
    )*) => {$(
        pub(super) enum $name {}

        impl Method for $name {
            type Request = $request;
            type Response = $response;
            const NAME: &'static str = methods!(@name $name $($wire)?);
            const SERVICE: Service = Service::$service;
            methods!(@kind $kind);
            $(fn earlier_attempt_note(error: &Error) -> Option<&'static str> {
                $refused(error).then_some($done)
            })?
        }
    )*};
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $wire:literal) => { $wire };
    (@kind read) => { const KIND: ResendKind = ResendKind::Harmless; };
    (@kind change) => { const KIND: ResendKind = ResendKind::Change; };
    (@kind outcome) => { const KIND: ResendKind = ResendKind::Poll; };
    (@kind poll) => {
        const KIND: ResendKind = ResendKind::Poll;
        fn is_done(response: &Self::Response) -> bool {
            response.done == Some(true)
        }
    };
    (@kind procedure) => {
        const KIND: ResendKind = ResendKind::Procedure;
        fn procedure_id(response: &Self::Response) -> Option<u64> {
            response.proc_id.id()
        }
    };
    (@kind once) => {
        const KIND: ResendKind = ResendKind::ProcedureOnce;
        fn set_nonce(request: &mut Self::Request, nonce_group: u64, nonce: u64) {
            request.nonce_group = Some(nonce_group);
            request.nonce = Some(nonce);
        }
        fn procedure_id(response: &Self::Response) -> Option<u64> {
            response.proc_id.id()
        }
    };
}

methods! { Master:
    // Tables and namespaces.
    once CreateTable(CreateTableRequest) -> CreateTableResponse;
    once DeleteTable(DeleteTableRequest) -> DeleteTableResponse;
    once DisableTable(DisableTableRequest) -> DisableTableResponse;
    once EnableTable(EnableTableRequest) -> EnableTableResponse;
    once FlushTable(FlushTableRequest) -> FlushTableResponse;
    once ModifyTable(ModifyTableRequest) -> ModifyTableResponse;
    once TruncateTable = "truncateTable"(TruncateTableRequest) -> TruncateTableResponse;
    read GetTableDescriptors(GetTableDescriptorsRequest) -> GetTableDescriptorsResponse;
    read GetTableNames(GetTableNamesRequest) -> GetTableNamesResponse;
    once CreateNamespace(CreateNamespaceRequest) -> CreateNamespaceResponse;
    once DeleteNamespace(DeleteNamespaceRequest) -> DeleteNamespaceResponse;
    read GetNamespaceDescriptor(GetNamespaceDescriptorRequest) -> GetNamespaceDescriptorResponse;
    read ListNamespaces(ListNamespacesRequest) -> ListNamespacesResponse;

    // Regions and servers.
    once MergeTableRegions(MergeTableRegionsRequest) -> MergeTableRegionsResponse;
    once SplitRegion(SplitTableRegionRequest) -> SplitTableRegionResponse;
    once TruncateRegion(TruncateRegionRequest) -> ProcIdResponse;
    change MoveRegion(MoveRegionRequest) -> MoveRegionResponse;
    change AssignRegion(AssignRegionRequest) -> Empty,
        if is_state_of_region => "its state changed, perhaps by an attempt whose answer was lost";
    change UnassignRegion(AssignRegionRequest) -> Empty,
        if is_state_of_region => "its state changed, perhaps by an attempt whose answer was lost";
    change DecommissionRegionServers(DecommissionRegionServersRequest) -> Empty;
    change RecommissionRegionServer(RecommissionRegionServerRequest) -> Empty;
    read ListDecommissionedRegionServers(Empty) -> ListDecommissionedRegionServersResponse;
    read GetClusterStatus(GetClusterStatusRequest) -> GetClusterStatusResponse;

    // Snapshots. Masters before 2.6 ignore the nonce of `Snapshot`.
    once Snapshot(SnapshotRequest) -> SnapshotResponse,
        if |error: &Error| error.kind() == ErrorKind::SnapshotExists
            => "it exists, perhaps by an attempt whose answer was lost";
    poll IsSnapshotDone(IsSnapshotDoneRequest) -> IsSnapshotDoneResponse;
    once RestoreSnapshot(RestoreSnapshotRequest) -> RestoreSnapshotResponse;
    change DeleteSnapshot(DeleteSnapshotRequest) -> Empty,
        if |error: &Error| error.kind() == ErrorKind::SnapshotNotFound
            => "it does not exist, perhaps by an attempt whose answer was lost";
    read GetCompletedSnapshots(Empty) -> GetCompletedSnapshotsResponse;

    // Switches.
    change Balance(Empty) -> BalanceResponse;
    change SetBalancerRunning(SetBalancerRunningRequest) -> SetBalancerRunningResponse;
    read IsBalancerEnabled(Empty) -> SwitchResponse;
    change SetSplitOrMergeEnabled(SetSplitOrMergeEnabledRequest) -> SetSplitOrMergeEnabledResponse;
    read IsSplitOrMergeEnabled(IsSplitOrMergeEnabledRequest) -> SwitchResponse;
    change SwitchSnapshotCleanup(SwitchRequest) -> SwitchResponse;
    read IsSnapshotCleanupEnabled(Empty) -> SwitchResponse;

    // Replication.
    procedure AddReplicationPeer(AddReplicationPeerRequest) -> ProcIdResponse;
    procedure UpdateReplicationPeerConfig(UpdateReplicationPeerConfigRequest) -> ProcIdResponse;
    procedure EnableReplicationPeer(PeerIdRequest) -> ProcIdResponse;
    procedure DisableReplicationPeer(PeerIdRequest) -> ProcIdResponse;
    procedure RemoveReplicationPeer(PeerIdRequest) -> ProcIdResponse;
    read ListReplicationPeers(ListReplicationPeersRequest) -> ListReplicationPeersResponse;

    // Quotas.
    change SetQuota(SetQuotaRequest) -> Empty;
    read GetQuotaStates(Empty) -> GetQuotaStatesResponse;
    read GetSpaceQuotaRegionSizes(Empty) -> GetSpaceQuotaRegionSizesResponse;

    // Permissions.
    change Grant(GrantRequest) -> GrantResponse;
    change Revoke(RevokeRequest) -> RevokeResponse;
    read GetUserPermissions(GetUserPermissionsRequest) -> GetUserPermissionsResponse;
    read HasUserPermissions(HasUserPermissionsRequest) -> HasUserPermissionsResponse;

    // Procedures.
    change AbortProcedure(AbortProcedureRequest) -> SwitchResponse;
    read GetProcedures(Empty) -> GetProceduresResponse;
    outcome GetProcedureResult = "getProcedureResult"(GetProcedureResultRequest)
        -> GetProcedureResultResponse;
    change ExecProcedure(ExecProcedureRequest) -> ExecProcedureResponse;
    poll IsProcedureDone(IsProcedureDoneRequest) -> IsProcedureDoneResponse;
}

methods! { Admin:
    read CompactRegion(CompactRegionRequest) -> CompactRegionResponse;
    read GetRegionInfo(GetRegionInfoRequest) -> GetRegionInfoResponse;
    read GetRegionLoad(GetRegionLoadRequest) -> GetRegionLoadResponse;
    read GetSpaceQuotaSnapshots(Empty) -> GetSpaceQuotaSnapshotsResponse;
    read GetLogEntries(LogRequest) -> LogEntry;
    read ClearSlowLogsResponses(Empty) -> ClearSlowLogResponses;
}

fn is_state_of_region(error: &Error) -> bool {
    reaction::refusal(error) == Some(Refusal::WrongRegionState)
}
