//! `ClusterStatus.proto`: servers, their regions and their load, as the master reports them.
use super::{ClusterId, RegionInfo, RegionSpecifier, ServerName, TableName};

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionState {
    #[prost(message, required, tag = "1")]
    pub region_info: RegionInfo,
    #[prost(enumeration = "RegionStateKind", required, tag = "2")]
    pub state: i32,
    #[prost(uint64, optional, tag = "3")]
    pub stamp: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionInTransition {
    #[prost(message, required, tag = "1")]
    pub spec: RegionSpecifier,
    #[prost(message, required, tag = "2")]
    pub region_state: RegionState,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionLoad {
    #[prost(message, required, tag = "1")]
    pub region_specifier: RegionSpecifier,
    #[prost(uint32, optional, tag = "2")]
    pub stores: Option<u32>,
    #[prost(uint32, optional, tag = "3")]
    pub storefiles: Option<u32>,
    #[prost(uint32, optional, tag = "4")]
    pub store_uncompressed_size_mb: Option<u32>,
    #[prost(uint32, optional, tag = "5")]
    pub storefile_size_mb: Option<u32>,
    #[prost(uint32, optional, tag = "6")]
    pub mem_store_size_mb: Option<u32>,
    #[prost(uint64, optional, tag = "8")]
    pub read_requests_count: Option<u64>,
    #[prost(uint64, optional, tag = "9")]
    pub write_requests_count: Option<u64>,
    #[prost(float, optional, tag = "16")]
    pub data_locality: Option<f32>,
    #[prost(uint64, optional, tag = "17", default = "0")]
    pub last_major_compaction_ts: Option<u64>,
    #[prost(uint64, optional, tag = "19")]
    pub filtered_read_requests_count: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ServerLoad {
    #[prost(uint64, optional, tag = "1")]
    pub number_of_requests: Option<u64>,
    #[prost(uint64, optional, tag = "2")]
    pub total_number_of_requests: Option<u64>,
    #[prost(uint32, optional, tag = "3")]
    pub used_heap_mb: Option<u32>,
    #[prost(uint32, optional, tag = "4")]
    pub max_heap_mb: Option<u32>,
    #[prost(message, repeated, tag = "5")]
    pub region_loads: Vec<RegionLoad>,
    #[prost(uint64, optional, tag = "7")]
    pub report_start_time: Option<u64>,
    #[prost(uint64, optional, tag = "8")]
    pub report_end_time: Option<u64>,
    #[prost(uint32, optional, tag = "9")]
    pub info_server_port: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct LiveServerInfo {
    #[prost(message, required, tag = "1")]
    pub server: ServerName,
    #[prost(message, required, tag = "2")]
    pub server_load: ServerLoad,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionStatesCount {
    #[prost(uint32, required, tag = "1")]
    pub open_regions: u32,
    #[prost(uint32, required, tag = "2")]
    pub split_regions: u32,
    #[prost(uint32, required, tag = "3")]
    pub closed_regions: u32,
    #[prost(uint32, required, tag = "4")]
    pub regions_in_transition: u32,
    #[prost(uint32, required, tag = "5")]
    pub total_regions: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TableRegionStatesCount {
    #[prost(message, required, tag = "1")]
    pub table_name: TableName,
    #[prost(message, required, tag = "2")]
    pub region_states_count: RegionStatesCount,
}

#[doc(alias = "HBaseVersionFileContent")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct HbaseVersionFileContent {
    #[prost(string, required, tag = "1")]
    pub version: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClusterStatus {
    #[prost(message, optional, tag = "1")]
    pub hbase_version: Option<HbaseVersionFileContent>,
    #[prost(message, repeated, tag = "2")]
    pub live_servers: Vec<LiveServerInfo>,
    #[prost(message, repeated, tag = "3")]
    pub dead_servers: Vec<ServerName>,
    #[prost(message, repeated, tag = "4")]
    pub regions_in_transition: Vec<RegionInTransition>,
    #[prost(message, optional, tag = "5")]
    pub cluster_id: Option<ClusterId>,
    #[prost(message, optional, tag = "7")]
    pub master: Option<ServerName>,
    #[prost(message, repeated, tag = "8")]
    pub backup_masters: Vec<ServerName>,
    #[prost(bool, optional, tag = "9")]
    pub balancer_on: Option<bool>,
    #[prost(int32, optional, tag = "10", default = "-1")]
    pub master_info_port: Option<i32>,
    #[prost(message, repeated, tag = "11")]
    pub servers_name: Vec<ServerName>,
    #[prost(message, repeated, tag = "12")]
    pub table_region_states_count: Vec<TableRegionStatesCount>,
}

#[doc(alias = "RegionState.State")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum RegionStateKind {
    Offline = 0,
    PendingOpen = 1,
    Opening = 2,
    Open = 3,
    PendingClose = 4,
    Closing = 5,
    Closed = 6,
    Splitting = 7,
    Split = 8,
    FailedOpen = 9,
    FailedClose = 10,
    Merging = 11,
    Merged = 12,
    SplittingNew = 13,
    MergingNew = 14,
    AbnormallyClosed = 15,
}

#[doc(alias = "Option")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ClusterOption {
    HbaseVersion = 0,
    ClusterId = 1,
    LiveServers = 2,
    DeadServers = 3,
    Master = 4,
    BackupMasters = 5,
    MasterCoprocessors = 6,
    RegionsInTransition = 7,
    BalancerOn = 8,
    MasterInfoPort = 9,
    ServersName = 10,
    TableToRegionsCount = 11,
    Tasks = 12,
}
