//! `Admin.proto`: the AdminService of a region server.
use super::{RegionInfo, RegionLoad, RegionSpecifier, ServerName, TableName};

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetRegionInfoRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bool, optional, tag = "2")]
    pub compaction_state: Option<bool>,
    #[prost(bool, optional, tag = "3")]
    pub best_split_row: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetRegionInfoResponse {
    #[prost(message, required, tag = "1")]
    pub region_info: RegionInfo,
    #[prost(enumeration = "CompactionState", optional, tag = "2")]
    pub compaction_state: Option<i32>,
    #[prost(bool, optional, tag = "4")]
    pub splittable: Option<bool>,
    #[prost(bool, optional, tag = "5")]
    pub mergeable: Option<bool>,
    #[prost(bytes = "bytes", optional, tag = "6")]
    pub best_split_row: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetOnlineRegionRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetOnlineRegionResponse {
    #[prost(message, repeated, tag = "1")]
    pub region_info: Vec<RegionInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FlushRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(uint64, optional, tag = "2")]
    pub if_older_than_ts: Option<u64>,
    #[prost(bool, optional, tag = "3")]
    pub write_flush_wal_marker: Option<bool>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub family: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct FlushRegionResponse {
    #[prost(uint64, required, tag = "1")]
    pub last_flush_time: u64,
    #[prost(bool, optional, tag = "2")]
    pub flushed: Option<bool>,
    #[prost(bool, optional, tag = "3")]
    pub wrote_flush_wal_marker: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CompactRegionRequest {
    #[prost(message, required, tag = "1")]
    pub region: RegionSpecifier,
    #[prost(bool, optional, tag = "2")]
    pub major: Option<bool>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub family: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CompactRegionResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ServerInfo {
    #[prost(message, required, tag = "1")]
    pub server_name: ServerName,
    #[prost(uint32, optional, tag = "2")]
    pub webui_port: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetServerInfoRequest {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetServerInfoResponse {
    #[prost(message, required, tag = "1")]
    pub server_info: ServerInfo,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetRegionLoadRequest {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetRegionLoadResponse {
    #[prost(message, repeated, tag = "1")]
    pub region_loads: Vec<RegionLoad>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct StopServerRequest {
    #[prost(string, required, tag = "1")]
    pub reason: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClearCompactionQueuesRequest {
    #[prost(string, repeated, tag = "1")]
    pub queue_name: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClearRegionBlockCacheRequest {
    #[prost(message, repeated, tag = "1")]
    pub region: Vec<RegionSpecifier>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClearRegionBlockCacheResponse {
    #[prost(message, required, tag = "1")]
    pub stats: CacheEvictionStats,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CacheEvictionStats {
    #[prost(int64, optional, tag = "1")]
    pub evicted_blocks: Option<i64>,
    #[prost(int64, optional, tag = "2")]
    pub bytes_evicted: Option<i64>,
    #[prost(int64, optional, tag = "3")]
    pub max_cache_size: Option<i64>,
}

#[doc(alias = "GetRegionInfoResponse.CompactionState")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum CompactionState {
    None = 0,
    Minor = 1,
    Major = 2,
    MajorAndMinor = 3,
}
