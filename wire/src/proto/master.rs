//! `Master.proto`: the MasterService. Every `proc_id` is polled with `getProcedureResult`.

use bytes::Bytes;

use super::{
    ClusterOption, ClusterStatus, ColumnFamilySchema, ForeignExceptionMessage, NamespaceDescriptor,
    RegionInfo, RegionSpecifier, ServerName, TableName, TableSchema, TableState,
};

#[derive(Clone, PartialEq, prost::Message)]
pub struct AddColumnRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(message, required, tag = "2")]
    pub column_families: ColumnFamilySchema,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteColumnRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub column_name: bytes::Bytes,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyColumnRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(message, required, tag = "2")]
    pub column_families: ColumnFamilySchema,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MoveRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(message, optional, tag = "2")]
    pub dest_server_name: Option<ServerName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MergeTableRegionsRequest {
    #[prost(message, repeated, tag = "1")]
    pub region: Vec<RegionSpecifier>,
    #[prost(bool, optional, tag = "3", default = "false")]
    pub forcible: Option<bool>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "5", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SplitTableRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region_info: RegionInfo,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub split_row: Option<bytes::Bytes>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TruncateRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region_info: RegionInfo,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyTableStoreFileTrackerRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(string, required, tag = "2")]
    pub dst_sft: String,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyColumnStoreFileTrackerRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub family: Bytes,
    #[prost(string, required, tag = "3")]
    pub dst_sft: String,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "5", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_schema: TableSchema,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub split_keys: Vec<bytes::Bytes>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TruncateTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(bool, optional, tag = "2", default = "false")]
    pub preserve_splits: Option<bool>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct EnableTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DisableTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(message, required, tag = "2")]
    pub table_schema: TableSchema,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
    #[prost(bool, optional, tag = "5", default = "true")]
    pub reopen_regions: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FlushTableRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub column_family: Vec<bytes::Bytes>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "4", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateNamespaceRequest {
    #[prost(message, required, tag = "1")]
    pub namespace_descriptor: NamespaceDescriptor,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteNamespaceRequest {
    #[prost(string, required, tag = "1")]
    pub namespace_name: String,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyNamespaceRequest {
    #[prost(message, required, tag = "1")]
    pub namespace_descriptor: NamespaceDescriptor,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct AddColumnResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteColumnResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyColumnResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MergeTableRegionsResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SplitTableRegionResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TruncateTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct EnableTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DisableTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FlushTableResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateNamespaceResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteNamespaceResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyNamespaceResponse {
    #[prost(uint64, optional, tag = "1")]
    pub proc_id: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MoveRegionResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetNamespaceDescriptorRequest {
    #[prost(string, required, tag = "1")]
    pub namespace_name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetNamespaceDescriptorResponse {
    #[prost(message, required, tag = "1")]
    pub namespace_descriptor: NamespaceDescriptor,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListNamespacesRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListNamespacesResponse {
    #[prost(string, repeated, tag = "1")]
    pub namespace_name: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListNamespaceDescriptorsRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListNamespaceDescriptorsResponse {
    #[prost(message, repeated, tag = "1")]
    pub namespace_descriptor: Vec<NamespaceDescriptor>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableDescriptorsByNamespaceRequest {
    #[prost(string, required, tag = "1")]
    pub namespace_name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableDescriptorsByNamespaceResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_schema: Vec<TableSchema>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableNamesByNamespaceRequest {
    #[prost(string, required, tag = "1")]
    pub namespace_name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTableNamesByNamespaceResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_name: Vec<TableName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetSchemaAlterStatusRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetSchemaAlterStatusResponse {
    #[prost(uint32, optional, tag = "1")]
    pub yet_to_update_regions: Option<u32>,
    #[prost(uint32, optional, tag = "2")]
    pub total_regions: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableDescriptorsRequest {
    #[prost(message, repeated, tag = "1")]
    pub table_names: Vec<TableName>,
    #[prost(string, optional, tag = "2")]
    pub regex: Option<String>,
    #[prost(bool, optional, tag = "3", default = "false")]
    pub include_sys_tables: Option<bool>,
    #[prost(string, optional, tag = "4")]
    pub namespace: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableDescriptorsResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_schema: Vec<TableSchema>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableNamesRequest {
    #[prost(string, optional, tag = "1")]
    pub regex: Option<String>,
    #[prost(bool, optional, tag = "2", default = "false")]
    pub include_sys_tables: Option<bool>,
    #[prost(string, optional, tag = "3")]
    pub namespace: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableNamesResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_names: Vec<TableName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableStateRequest {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableStateResponse {
    #[prost(message, required, tag = "1")]
    pub table_state: TableState,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetClusterStatusRequest {
    #[prost(enumeration = "ClusterOption", repeated, packed = "false", tag = "1")]
    pub options: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetClusterStatusResponse {
    #[prost(message, required, tag = "1")]
    pub cluster_status: ClusterStatus,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsMasterRunningRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsMasterRunningResponse {
    #[prost(bool, required, tag = "1")]
    pub is_master_running: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetProcedureResultRequest {
    #[prost(uint64, required, tag = "1")]
    pub proc_id: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetProcedureResultResponse {
    #[prost(enumeration = "ProcedureResultState", required, tag = "1")]
    pub state: i32,
    #[prost(uint64, optional, tag = "2")]
    pub submitted_time: Option<u64>,
    #[prost(uint64, optional, tag = "3")]
    pub last_update: Option<u64>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub result: Option<bytes::Bytes>,
    #[prost(message, optional, tag = "5")]
    pub exception: Option<ForeignExceptionMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SecurityCapabilitiesRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SecurityCapabilitiesResponse {
    #[prost(enumeration = "SecurityCapability", repeated, packed = "false", tag = "1")]
    pub capabilities: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsBalancerEnabledRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsBalancerEnabledResponse {
    #[prost(bool, required, tag = "1")]
    pub enabled: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetBalancerRunningRequest {
    #[prost(bool, required, tag = "1")]
    pub on: bool,
    #[prost(bool, optional, tag = "2")]
    pub synchronous: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetBalancerRunningResponse {
    #[prost(bool, optional, tag = "1")]
    pub prev_balance_value: Option<bool>,
}

#[doc(alias = "GetProcedureResultResponse.State")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ProcedureResultState {
    NotFound = 0,
    Running = 1,
    Finished = 2,
}

#[doc(alias = "SecurityCapabilitiesResponse.Capability")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SecurityCapability {
    SimpleAuthentication = 0,
    SecureAuthentication = 1,
    Authorization = 2,
    CellAuthorization = 3,
    CellVisibility = 4,
}
