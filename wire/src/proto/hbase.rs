//! `HBase.proto`: names, schemas, regions.

#[derive(Clone, PartialEq, prost::Message)]
pub struct TableName {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub namespace: bytes::Bytes,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub qualifier: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TableSchema {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<BytesBytesPair>,
    #[prost(message, repeated, tag = "3")]
    pub column_families: Vec<ColumnFamilySchema>,
    #[prost(message, repeated, tag = "4")]
    pub configuration: Vec<NameStringPair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TableState {
    #[prost(enumeration = "TableStateKind", required, tag = "1")]
    pub state: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnFamilySchema {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub name: bytes::Bytes,
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<BytesBytesPair>,
    #[prost(message, repeated, tag = "3")]
    pub configuration: Vec<NameStringPair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionInfo {
    #[prost(uint64, required, tag = "1")]
    pub region_id: u64,
    #[prost(message, required, tag = "2")]
    pub table_name: TableName,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub start_key: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub end_key: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "5")]
    pub offline: Option<bool>,
    #[prost(bool, optional, tag = "6")]
    pub split: Option<bool>,
    #[prost(int32, optional, tag = "7", default = "0")]
    pub replica_id: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionSpecifier {
    #[prost(enumeration = "RegionSpecifierType", required, tag = "1")]
    pub r#type: i32,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub value: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct TimeRange {
    #[prost(uint64, optional, tag = "1")]
    pub from: Option<u64>,
    #[prost(uint64, optional, tag = "2")]
    pub to: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnFamilyTimeRange {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub column_family: bytes::Bytes,
    #[prost(message, required, tag = "2")]
    pub time_range: TimeRange,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ServerName {
    #[prost(string, required, tag = "1")]
    pub host_name: String,
    #[prost(uint32, optional, tag = "2")]
    pub port: Option<u32>,
    #[prost(uint64, optional, tag = "3")]
    pub start_code: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct NameStringPair {
    #[prost(string, required, tag = "1")]
    pub name: String,
    #[prost(string, required, tag = "2")]
    pub value: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct NameBytesPair {
    #[prost(string, required, tag = "1")]
    pub name: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    pub value: Option<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BytesBytesPair {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub first: bytes::Bytes,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub second: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct NameInt64Pair {
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(int64, optional, tag = "2")]
    pub value: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct NamespaceDescriptor {
    #[prost(bytes = "bytes", required, tag = "1")]
    pub name: bytes::Bytes,
    #[prost(message, repeated, tag = "2")]
    pub configuration: Vec<NameStringPair>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct VersionInfo {
    #[prost(string, required, tag = "1")]
    pub version: String,
    #[prost(string, required, tag = "2")]
    pub url: String,
    #[prost(string, required, tag = "3")]
    pub revision: String,
    #[prost(string, required, tag = "4")]
    pub user: String,
    #[prost(string, required, tag = "5")]
    pub date: String,
    #[prost(string, required, tag = "6")]
    pub src_checksum: String,
    #[prost(uint32, optional, tag = "7")]
    pub version_major: Option<u32>,
    #[prost(uint32, optional, tag = "8")]
    pub version_minor: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionServerInfo {
    #[prost(int32, optional, tag = "1")]
    pub info_port: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub version_info: Option<VersionInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RegionLocation {
    #[prost(message, required, tag = "1")]
    pub region_info: RegionInfo,
    #[prost(message, optional, tag = "2")]
    pub server_name: Option<ServerName>,
    #[prost(int64, required, tag = "3")]
    pub seq_num: i64,
}

#[doc(alias = "TableState.State")]
#[doc(alias = "DeprecatedTableState.State")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum TableStateKind {
    Enabled = 0,
    Disabled = 1,
    Disabling = 2,
    Enabling = 3,
}

#[doc(alias = "RegionSpecifier.RegionSpecifierType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum RegionSpecifierType {
    RegionName = 1,
    EncodedRegionName = 2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum CompareType {
    Less = 0,
    LessOrEqual = 1,
    Equal = 2,
    NotEqual = 3,
    GreaterOrEqual = 4,
    Greater = 5,
    NoOp = 6,
}
