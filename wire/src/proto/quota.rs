//! `Quota.proto`, and the request of the master that sets a quota.

use super::TableName;

#[derive(Clone, PartialEq, prost::Message)]
pub struct TimedQuota {
    #[prost(enumeration = "TimeUnit", required, tag = "1")]
    pub time_unit: i32,
    #[prost(uint64, optional, tag = "2")]
    pub soft_limit: Option<u64>,
    #[prost(float, optional, tag = "3")]
    pub share: Option<f32>,
    #[prost(enumeration = "QuotaScope", optional, tag = "4", default = "Machine")]
    pub scope: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Throttle {
    #[prost(message, optional, tag = "1")]
    pub req_num: Option<TimedQuota>,
    #[prost(message, optional, tag = "2")]
    pub req_size: Option<TimedQuota>,
    #[prost(message, optional, tag = "3")]
    pub write_num: Option<TimedQuota>,
    #[prost(message, optional, tag = "4")]
    pub write_size: Option<TimedQuota>,
    #[prost(message, optional, tag = "5")]
    pub read_num: Option<TimedQuota>,
    #[prost(message, optional, tag = "6")]
    pub read_size: Option<TimedQuota>,
    #[prost(message, optional, tag = "7")]
    pub req_capacity_unit: Option<TimedQuota>,
    #[prost(message, optional, tag = "8")]
    pub write_capacity_unit: Option<TimedQuota>,
    #[prost(message, optional, tag = "9")]
    pub read_capacity_unit: Option<TimedQuota>,
    #[prost(message, optional, tag = "10")]
    pub atomic_read_size: Option<TimedQuota>,
    #[prost(message, optional, tag = "11")]
    pub atomic_req_num: Option<TimedQuota>,
    #[prost(message, optional, tag = "12")]
    pub atomic_write_size: Option<TimedQuota>,
    #[prost(message, optional, tag = "13")]
    pub req_handler_usage_ms: Option<TimedQuota>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ThrottleRequest {
    #[prost(enumeration = "ThrottleType", optional, tag = "1")]
    pub r#type: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub timed_quota: Option<TimedQuota>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Quotas {
    #[prost(bool, optional, tag = "1", default = "false")]
    pub bypass_globals: Option<bool>,
    #[prost(message, optional, tag = "2")]
    pub throttle: Option<Throttle>,
    #[prost(message, optional, tag = "3")]
    pub space: Option<SpaceQuota>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SpaceQuota {
    #[prost(uint64, optional, tag = "1")]
    pub soft_limit: Option<u64>,
    #[prost(enumeration = "SpaceViolationPolicy", optional, tag = "2")]
    pub violation_policy: Option<i32>,
    #[prost(bool, optional, tag = "3", default = "false")]
    pub remove: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SpaceLimitRequest {
    #[prost(message, optional, tag = "1")]
    pub quota: Option<SpaceQuota>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SpaceQuotaStatus {
    #[prost(enumeration = "SpaceViolationPolicy", optional, tag = "1")]
    pub violation_policy: Option<i32>,
    #[prost(bool, optional, tag = "2")]
    pub in_violation: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SpaceQuotaSnapshot {
    #[prost(message, optional, tag = "1")]
    pub quota_status: Option<SpaceQuotaStatus>,
    #[prost(uint64, optional, tag = "2")]
    pub quota_usage: Option<u64>,
    #[prost(uint64, optional, tag = "3")]
    pub quota_limit: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetSpaceQuotaRegionSizesResponse {
    #[prost(message, repeated, tag = "1")]
    pub sizes: Vec<TableSize>,
}

#[doc(alias = "GetSpaceQuotaRegionSizesResponse.RegionSizes")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct TableSize {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
    #[prost(uint64, optional, tag = "2")]
    pub size: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetSpaceQuotaSnapshotsResponse {
    #[prost(message, repeated, tag = "1")]
    pub snapshots: Vec<TableQuotaSnapshot>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetQuotaStatesResponse {
    #[prost(message, repeated, tag = "1")]
    pub table_snapshots: Vec<TableQuotaSnapshot>,
    #[prost(message, repeated, tag = "2")]
    pub ns_snapshots: Vec<NamespaceQuotaSnapshot>,
}

#[doc(alias(
    "GetSpaceQuotaSnapshotsResponse.TableQuotaSnapshot",
    "GetQuotaStatesResponse.TableQuotaSnapshot"
))]
#[derive(Clone, PartialEq, prost::Message)]
pub struct TableQuotaSnapshot {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
    #[prost(message, optional, tag = "2")]
    pub snapshot: Option<SpaceQuotaSnapshot>,
}

#[doc(alias = "GetQuotaStatesResponse.NamespaceQuotaSnapshot")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct NamespaceQuotaSnapshot {
    #[prost(string, optional, tag = "1")]
    pub namespace: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub snapshot: Option<SpaceQuotaSnapshot>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SetQuotaRequest {
    #[prost(string, optional, tag = "1")]
    pub user_name: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub user_group: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub namespace: Option<String>,
    #[prost(message, optional, tag = "4")]
    pub table_name: Option<TableName>,
    #[prost(bool, optional, tag = "5")]
    pub remove_all: Option<bool>,
    #[prost(bool, optional, tag = "6")]
    pub bypass_globals: Option<bool>,
    #[prost(message, optional, tag = "7")]
    pub throttle: Option<ThrottleRequest>,
    #[prost(message, optional, tag = "8")]
    pub space_limit: Option<SpaceLimitRequest>,
    #[prost(string, optional, tag = "9")]
    pub region_server: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum TimeUnit {
    Nanoseconds = 1,
    Microseconds = 2,
    Milliseconds = 3,
    Seconds = 4,
    Minutes = 5,
    Hours = 6,
    Days = 7,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum QuotaScope {
    Cluster = 1,
    Machine = 2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ThrottleType {
    RequestNumber = 1,
    RequestSize = 2,
    WriteNumber = 3,
    WriteSize = 4,
    ReadNumber = 5,
    ReadSize = 6,
    RequestCapacityUnit = 7,
    WriteCapacityUnit = 8,
    ReadCapacityUnit = 9,
    AtomicReadSize = 10,
    AtomicRequestNumber = 11,
    AtomicWriteSize = 12,
    RequestHandlerUsageMs = 13,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SpaceViolationPolicy {
    Disable = 1,
    NoWritesCompactions = 2,
    NoWrites = 3,
    NoInserts = 4,
}

impl Throttle {
    /// Returns the limit of one kind.
    pub fn limit_mut(&mut self, kind: ThrottleType) -> &mut Option<TimedQuota> {
        match kind {
            ThrottleType::RequestNumber => &mut self.req_num,
            ThrottleType::RequestSize => &mut self.req_size,
            ThrottleType::WriteNumber => &mut self.write_num,
            ThrottleType::WriteSize => &mut self.write_size,
            ThrottleType::ReadNumber => &mut self.read_num,
            ThrottleType::ReadSize => &mut self.read_size,
            ThrottleType::RequestCapacityUnit => &mut self.req_capacity_unit,
            ThrottleType::WriteCapacityUnit => &mut self.write_capacity_unit,
            ThrottleType::ReadCapacityUnit => &mut self.read_capacity_unit,
            ThrottleType::AtomicReadSize => &mut self.atomic_read_size,
            ThrottleType::AtomicRequestNumber => &mut self.atomic_req_num,
            ThrottleType::AtomicWriteSize => &mut self.atomic_write_size,
            ThrottleType::RequestHandlerUsageMs => &mut self.req_handler_usage_ms,
        }
    }
}
