//! `Master.proto`: the switches of a master, and the requests with a short response.
use super::{NameStringPair, RegionSpecifier, ServerName, TableName, TableSchema};

/// Stands for several messages that have no fields, or only fields that may be left out.
#[doc(alias(
    "IsInMaintenanceModeRequest",
    "IsNormalizerEnabledRequest",
    "IsCatalogJanitorEnabledRequest",
    "IsCleanerChoreEnabledRequest",
    "IsSnapshotCleanupEnabledRequest",
    "IsRpcThrottleEnabledRequest",
    "BalanceRequest",
    "DecommissionRegionServersResponse",
    "RecommissionRegionServerResponse",
    "DeleteSnapshotResponse",
    "SetQuotaResponse",
    "ClearSlowLogResponseRequest",
    "NormalizeRequest",
    "RunCatalogScanRequest",
    "RunCleanerChoreRequest",
    "AssignRegionResponse",
    "UnassignRegionResponse",
    "GetStoreFileResponse",
    "GetCompletedSnapshotsRequest",
    "GetLocksResponse",
    "GetProceduresRequest",
    "GetQuotaStatesRequest",
    "GetSpaceQuotaRegionSizesRequest",
    "GetSpaceQuotaSnapshotsRequest",
    "ListDecommissionedRegionServersRequest",
    "OfflineRegionResponse",
    "StopServerResponse",
    "UpdateConfigurationRequest",
    "UpdateConfigurationResponse",
    "RollWALWriterRequest",
    "RollWALWriterResponse",
    "ClearCompactionQueuesResponse",
    "FlushMasterStoreRequest",
    "FlushMasterStoreResponse",
    "GetCachedFilesListRequest",
    "GetCachedFilesListResponse",
    "IsReplicationPeerModificationEnabledRequest",
    "GetReplicationPeerModificationProceduresRequest",
    "GetReplicationPeerModificationProceduresResponse"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Empty {}

/// Stands for several requests that turn something on or off.
#[doc(alias(
    "SetNormalizerRunningRequest",
    "EnableCatalogJanitorRequest",
    "SetCleanerChoreRunningRequest",
    "SetSnapshotCleanupRequest",
    "SwitchRpcThrottleRequest",
    "SwitchExceedThrottleQuotaRequest",
    "CompactionSwitchRequest",
    "ReplicationPeerModificationSwitchRequest"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct SwitchRequest {
    #[prost(bool, required, tag = "1")]
    pub on: bool,
}

/// Stands for several responses with one `bool`: whether something is on, was on before, or was
/// done.
#[doc(alias(
    "SetNormalizerRunningResponse",
    "EnableCatalogJanitorResponse",
    "SetCleanerChoreRunningResponse",
    "SetSnapshotCleanupResponse",
    "SwitchRpcThrottleResponse",
    "SwitchExceedThrottleQuotaResponse",
    "CompactionSwitchResponse",
    "IsNormalizerEnabledResponse",
    "IsCatalogJanitorEnabledResponse",
    "IsCleanerChoreEnabledResponse",
    "IsSnapshotCleanupEnabledResponse",
    "IsRpcThrottleEnabledResponse",
    "IsSplitOrMergeEnabledResponse",
    "IsInMaintenanceModeResponse",
    "NormalizeResponse",
    "RunCleanerChoreResponse",
    "AbortProcedureResponse",
    "ReplicationPeerModificationSwitchResponse",
    "IsReplicationPeerModificationEnabledResponse",
    "GetReplicationPeerStateResponse"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct SwitchResponse {
    #[prost(bool, required, tag = "1")]
    pub on: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetSplitOrMergeEnabledRequest {
    #[prost(bool, required, tag = "1")]
    pub enabled: bool,
    #[prost(bool, optional, tag = "2")]
    pub synchronous: Option<bool>,
    #[prost(enumeration = "MasterSwitchType", repeated, packed = "false", tag = "3")]
    pub switch_types: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetSplitOrMergeEnabledResponse {
    #[prost(bool, repeated, packed = "false", tag = "1")]
    pub prev_value: Vec<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsSplitOrMergeEnabledRequest {
    #[prost(enumeration = "MasterSwitchType", required, tag = "1")]
    pub switch_type: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BalanceResponse {
    #[prost(bool, required, tag = "1")]
    pub balancer_ran: bool,
    #[prost(uint32, optional, tag = "2")]
    pub moves_calculated: Option<u32>,
    #[prost(uint32, optional, tag = "3")]
    pub moves_executed: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RunCatalogScanResponse {
    #[prost(int32, optional, tag = "1")]
    pub scan_result: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListDecommissionedRegionServersResponse {
    #[prost(message, repeated, tag = "1")]
    pub server_name: Vec<ServerName>,
}

/// Stands for a request to forget servers that have died, and for the response with those that were
/// not forgotten.
#[doc(alias("ClearDeadServersRequest", "ClearDeadServersResponse"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct DeadServers {
    #[prost(message, repeated, tag = "1")]
    pub server_name: Vec<ServerName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DecommissionRegionServersRequest {
    #[prost(message, repeated, tag = "1")]
    pub server_name: Vec<ServerName>,
    #[prost(bool, required, tag = "2")]
    pub offload: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RecommissionRegionServerRequest {
    #[prost(message, required, tag = "1")]
    pub server_name: ServerName,
    #[prost(message, repeated, tag = "2")]
    pub region: Vec<RegionSpecifier>,
}

/// Stands for several requests about a replication peer.
#[doc(alias(
    "RemoveReplicationPeerRequest",
    "EnableReplicationPeerRequest",
    "DisableReplicationPeerRequest",
    "GetReplicationPeerConfigRequest",
    "GetReplicationPeerStateRequest"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct PeerIdRequest {
    #[prost(string, required, tag = "1")]
    pub peer_id: String,
}

/// Stands for several responses with the id of a procedure.
#[doc(alias(
    "TruncateRegionResponse",
    "AddReplicationPeerResponse",
    "RemoveReplicationPeerResponse",
    "EnableReplicationPeerResponse",
    "DisableReplicationPeerResponse",
    "UpdateReplicationPeerConfigResponse"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct ProcIdResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MajorCompactionTimestampRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MajorCompactionTimestampForRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MajorCompactionTimestampResponse {
    #[prost(int64, required, tag = "1")]
    pub compaction_timestamp: i64,
}

/// Stands for two requests with the same field.
#[doc(alias("ListTableDescriptorsByStateRequest", "ListTableNamesByStateRequest"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTablesByStateRequest {
    #[prost(bool, required, tag = "1")]
    pub is_enabled: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableDescriptorsByStateResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_schema: Vec<TableSchema>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableNamesByStateResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_names: Vec<TableName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ProcedureDescription {
    #[prost(string, required, tag = "1")]
    pub signature: String,
    #[prost(string, optional, tag = "2")]
    pub instance: Option<String>,
    #[prost(int64, optional, tag = "3", default = "0")]
    pub creation_time: Option<i64>,
    #[prost(message, repeated, tag = "4")]
    pub configuration: Vec<NameStringPair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ExecProcedureRequest {
    #[prost(message, required, tag = "1")]
    pub procedure: ProcedureDescription,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ExecProcedureResponse {
    #[prost(int64, optional, tag = "1")]
    pub expected_timeout: Option<i64>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub return_data: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsProcedureDoneRequest {
    #[prost(message, optional, tag = "1")]
    pub procedure: Option<ProcedureDescription>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsProcedureDoneResponse {
    #[prost(bool, optional, tag = "1", default = "false")]
    pub done: Option<bool>,
    #[prost(message, optional, tag = "2")]
    pub snapshot: Option<ProcedureDescription>,
}

/// Stands for `AssignRegionRequest`, for `UnassignRegionRequest` without its field `force`, and for
/// `OfflineRegionRequest`.
#[doc(alias("UnassignRegionRequest", "OfflineRegionRequest"))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct AssignRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum MasterSwitchType {
    Split = 0,
    Merge = 1,
}
