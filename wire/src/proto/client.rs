//! `Client.proto`: the ClientService, which every region server offers.
use super::{
    ColumnFamilyTimeRange, Comparator, CompareType, NameBytesPair, NameInt64Pair, ProtoCell,
    RegionSpecifier, TimeRange,
};

#[derive(Clone, PartialEq, prost::Message)]
pub struct Column {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub family: bytes::Bytes,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub qualifier: Vec<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Filter {
    #[prost(string, required, tag = "1")]
    pub name: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub serialized_filter: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Get {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub row: bytes::Bytes,
    #[prost(message, repeated, tag = "2")]
    pub column: Vec<Column>,
    #[prost(message, repeated, tag = "3")]
    pub attribute: Vec<NameBytesPair>,
    #[prost(message, optional, tag = "4")]
    pub filter: Option<Filter>,
    #[prost(message, optional, tag = "5")]
    pub time_range: Option<TimeRange>,
    #[prost(uint32, optional, tag = "6", default = "1")]
    pub max_versions: Option<u32>,
    #[prost(bool, optional, tag = "7", default = "true")]
    pub cache_blocks: Option<bool>,
    #[prost(uint32, optional, tag = "8")]
    pub store_limit: Option<u32>,
    #[prost(uint32, optional, tag = "9")]
    pub store_offset: Option<u32>,
    #[prost(bool, optional, tag = "10", default = "false")]
    pub existence_only: Option<bool>,
    #[prost(bool, optional, tag = "11", default = "false")]
    pub closest_row_before: Option<bool>,
    #[prost(enumeration = "Consistency", optional, tag = "12", default = "Strong")]
    pub consistency: Option<i32>,
    #[prost(message, repeated, tag = "13")]
    pub cf_time_range: Vec<ColumnFamilyTimeRange>,
    #[prost(bool, optional, tag = "14")]
    pub load_column_families_on_demand: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Result {
    #[prost(message, repeated, tag = "1")]
    pub cell: Vec<ProtoCell>,
    #[prost(int32, optional, tag = "2")]
    pub associated_cell_count: Option<i32>,
    #[prost(bool, optional, tag = "3")]
    pub exists: Option<bool>,
    #[prost(bool, optional, tag = "4", default = "false")]
    pub stale: Option<bool>,
    #[prost(bool, optional, tag = "5", default = "false")]
    pub partial: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(message, required, tag = "2")]
    pub get: Get,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetResponse {
    #[prost(message, optional, tag = "1")]
    pub result: Option<Result>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Condition {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub row: bytes::Bytes,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub family: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub qualifier: Option<bytes::Bytes>,
    #[prost(enumeration = "CompareType", optional, tag = "4")]
    pub compare_type: Option<i32>,
    #[prost(message, optional, tag = "5")]
    pub comparator: Option<Comparator>,
    #[prost(message, optional, tag = "6")]
    pub time_range: Option<TimeRange>,
    #[prost(message, optional, tag = "7")]
    pub filter: Option<Filter>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutationProto {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub row: Option<bytes::Bytes>,
    #[prost(enumeration = "MutationType", optional, tag = "2")]
    pub mutate_type: Option<i32>,
    #[prost(message, repeated, tag = "3")]
    pub column_value: Vec<ColumnValue>,
    #[prost(uint64, optional, tag = "4")]
    pub timestamp: Option<u64>,
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<NameBytesPair>,
    #[prost(enumeration = "Durability", optional, tag = "6", default = "UseDefault")]
    pub durability: Option<i32>,
    #[prost(message, optional, tag = "7")]
    pub time_range: Option<TimeRange>,
    #[prost(int32, optional, tag = "8")]
    pub associated_cell_count: Option<i32>,
    #[prost(uint64, optional, tag = "9")]
    pub nonce: Option<u64>,
}

#[doc(alias = "MutationProto.ColumnValue")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnValue {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub family: bytes::Bytes,
    #[prost(message, repeated, tag = "2")]
    pub qualifier_value: Vec<QualifierValue>,
}

#[doc(alias = "MutationProto.ColumnValue.QualifierValue")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct QualifierValue {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub qualifier: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub value: Option<bytes::Bytes>,
    #[prost(uint64, optional, tag = "3")]
    pub timestamp: Option<u64>,
    #[prost(enumeration = "DeleteType", optional, tag = "4")]
    pub delete_type: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub tags: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(message, required, tag = "2")]
    pub mutation: MutationProto,
    #[prost(message, optional, tag = "3")]
    pub condition: Option<Condition>,
    #[prost(uint64, optional, tag = "4")]
    pub nonce_group: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateResponse {
    #[prost(message, optional, tag = "1")]
    pub result: Option<Result>,
    #[prost(bool, optional, tag = "2")]
    pub processed: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Scan {
    #[prost(message, repeated, tag = "1")]
    pub column: Vec<Column>,
    #[prost(message, repeated, tag = "2")]
    pub attribute: Vec<NameBytesPair>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub start_row: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub stop_row: Option<bytes::Bytes>,
    #[prost(message, optional, tag = "5")]
    pub filter: Option<Filter>,
    #[prost(message, optional, tag = "6")]
    pub time_range: Option<TimeRange>,
    #[prost(uint32, optional, tag = "7", default = "1")]
    pub max_versions: Option<u32>,
    #[prost(bool, optional, tag = "8", default = "true")]
    pub cache_blocks: Option<bool>,
    #[prost(uint32, optional, tag = "9")]
    pub batch_size: Option<u32>,
    #[prost(uint64, optional, tag = "10")]
    pub max_result_size: Option<u64>,
    #[prost(uint32, optional, tag = "11")]
    pub store_limit: Option<u32>,
    #[prost(uint32, optional, tag = "12")]
    pub store_offset: Option<u32>,
    #[prost(bool, optional, tag = "13")]
    pub load_column_families_on_demand: Option<bool>,
    #[prost(bool, optional, tag = "14")]
    pub small: Option<bool>,
    #[prost(bool, optional, tag = "15", default = "false")]
    pub reversed: Option<bool>,
    #[prost(enumeration = "Consistency", optional, tag = "16", default = "Strong")]
    pub consistency: Option<i32>,
    #[prost(uint32, optional, tag = "17")]
    pub caching: Option<u32>,
    #[prost(bool, optional, tag = "18")]
    pub allow_partial_results: Option<bool>,
    #[prost(message, repeated, tag = "19")]
    pub cf_time_range: Vec<ColumnFamilyTimeRange>,
    #[prost(uint64, optional, tag = "20", default = "0")]
    pub mvcc_read_point: Option<u64>,
    #[prost(bool, optional, tag = "21", default = "true")]
    pub include_start_row: Option<bool>,
    #[prost(bool, optional, tag = "22", default = "false")]
    pub include_stop_row: Option<bool>,
    #[prost(enumeration = "ReadType", optional, tag = "23", default = "Default")]
    pub read_type: Option<i32>,
    #[prost(bool, optional, tag = "24", default = "false")]
    pub need_cursor_result: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanRequest {
    #[prost(message, optional, tag = "1")]
    pub region: Option<RegionSpecifier>,
    #[prost(message, optional, tag = "2")]
    pub scan: Option<Scan>,
    #[prost(uint64, optional, tag = "3")]
    pub scanner_id: Option<u64>,
    #[prost(uint32, optional, tag = "4")]
    pub number_of_rows: Option<u32>,
    #[prost(bool, optional, tag = "5")]
    pub close_scanner: Option<bool>,
    #[prost(uint64, optional, tag = "6")]
    pub next_call_seq: Option<u64>,
    #[prost(bool, optional, tag = "7")]
    pub client_handles_partials: Option<bool>,
    #[prost(bool, optional, tag = "8")]
    pub client_handles_heartbeats: Option<bool>,
    #[prost(bool, optional, tag = "9")]
    pub track_scan_metrics: Option<bool>,
    #[prost(bool, optional, tag = "10", default = "false")]
    pub renew: Option<bool>,
    #[prost(uint32, optional, tag = "11", default = "0")]
    pub limit_of_rows: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Cursor {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub row: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanResponse {
    #[prost(uint32, repeated, packed = "false", tag = "1")]
    pub cells_per_result: Vec<u32>,
    #[prost(uint64, optional, tag = "2")]
    pub scanner_id: Option<u64>,
    #[prost(bool, optional, tag = "3")]
    pub more_results: Option<bool>,
    #[prost(uint32, optional, tag = "4")]
    pub ttl: Option<u32>,
    #[prost(message, repeated, tag = "5")]
    pub results: Vec<Result>,
    #[prost(bool, optional, tag = "6")]
    pub stale: Option<bool>,
    #[prost(bool, repeated, packed = "false", tag = "7")]
    pub partial_flag_per_result: Vec<bool>,
    #[prost(bool, optional, tag = "8")]
    pub more_results_in_region: Option<bool>,
    #[prost(bool, optional, tag = "9")]
    pub heartbeat_message: Option<bool>,
    #[prost(message, optional, tag = "10")]
    pub scan_metrics: Option<ScanMetrics>,
    #[prost(uint64, optional, tag = "11", default = "0")]
    pub mvcc_read_point: Option<u64>,
    #[prost(message, optional, tag = "12")]
    pub cursor: Option<Cursor>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ScanMetrics {
    #[prost(message, repeated, tag = "1")]
    pub metrics: Vec<NameInt64Pair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CoprocessorServiceCall {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub row: bytes::Bytes,
    #[prost(string, required, tag = "2")]
    pub service_name: String,
    #[prost(string, required, tag = "3")]
    pub method_name: String,
    #[prost(bytes = "bytes", required, tag = "4")]
    pub request: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CoprocessorServiceResult {
    #[prost(message, optional, tag = "1")]
    pub value: Option<NameBytesPair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CoprocessorServiceRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(message, required, tag = "2")]
    pub call: CoprocessorServiceCall,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CoprocessorServiceResponse {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(message, required, tag = "2")]
    pub value: NameBytesPair,
}

/// A batch is a vector of these, most of which are mutations. What an action may be instead is
/// boxed, so that a batch of mutations takes a third of the memory.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Action {
    #[prost(uint32, optional, tag = "1")]
    pub index: Option<u32>,
    #[prost(message, optional, tag = "2")]
    pub mutation: Option<MutationProto>,
    #[prost(message, optional, boxed, tag = "3")]
    pub get: Option<Box<Get>>,
    #[prost(message, optional, boxed, tag = "4")]
    pub service_call: Option<Box<CoprocessorServiceCall>>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionAction {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bool, optional, tag = "2")]
    pub atomic: Option<bool>,
    #[prost(message, repeated, tag = "3")]
    pub action: Vec<Action>,
    #[prost(message, optional, tag = "4")]
    pub condition: Option<Condition>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionLoadStats {
    #[prost(int32, optional, tag = "1", default = "0")]
    pub mem_store_load: Option<i32>,
    #[prost(int32, optional, tag = "2", default = "0")]
    pub heap_occupancy: Option<i32>,
    #[prost(int32, optional, tag = "3", default = "0")]
    pub compaction_pressure: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MultiRegionLoadStats {
    #[prost(message, repeated, tag = "1")]
    pub region: Vec<RegionSpecifier>,
    #[prost(message, repeated, tag = "2")]
    pub stat: Vec<RegionLoadStats>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ResultOrException {
    #[prost(uint32, optional, tag = "1")]
    pub index: Option<u32>,
    #[prost(message, optional, tag = "2")]
    pub result: Option<Result>,
    #[prost(message, optional, tag = "3")]
    pub exception: Option<NameBytesPair>,
    #[prost(message, optional, tag = "4")]
    pub service_result: Option<CoprocessorServiceResult>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionActionResult {
    #[prost(message, repeated, tag = "1")]
    pub result_or_exception: Vec<ResultOrException>,
    #[prost(message, optional, tag = "2")]
    pub exception: Option<NameBytesPair>,
    #[prost(bool, optional, tag = "3")]
    pub processed: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MultiRequest {
    #[prost(message, repeated, tag = "1")]
    pub region_action: Vec<RegionAction>,
    #[prost(uint64, optional, tag = "2")]
    pub nonce_group: Option<u64>,
    #[prost(message, optional, tag = "3")]
    pub condition: Option<Condition>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MultiResponse {
    #[prost(message, repeated, tag = "1")]
    pub region_action_result: Vec<RegionActionResult>,
    #[prost(bool, optional, tag = "2")]
    pub processed: Option<bool>,
    #[prost(message, optional, tag = "3")]
    pub region_statistics: Option<MultiRegionLoadStats>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Consistency {
    Strong = 0,
    Timeline = 1,
}

#[doc(alias = "MutationProto.Durability")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Durability {
    UseDefault = 0,
    SkipWal = 1,
    AsyncWal = 2,
    SyncWal = 3,
    FsyncWal = 4,
}

#[doc(alias = "MutationProto.MutationType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum MutationType {
    Append = 0,
    Increment = 1,
    Put = 2,
    Delete = 3,
}

#[doc(alias = "MutationProto.DeleteType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum DeleteType {
    DeleteOneVersion = 0,
    DeleteMultipleVersions = 1,
    DeleteFamily = 2,
    DeleteFamilyVersion = 3,
}

#[doc(alias = "Scan.ReadType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ReadType {
    Default = 0,
    Stream = 1,
    Pread = 2,
}
