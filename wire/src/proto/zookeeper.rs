//! `ZooKeeper.proto`: the contents of HBase's znodes.
use super::{RegionStateKind, ServerName, TableStateKind};

#[derive(Clone, PartialEq, prost::Message)]
pub struct MetaRegionServer {
    #[prost(message, required, tag = "1")]
    pub server: ServerName,
    #[prost(uint32, optional, tag = "2")]
    pub rpc_version: Option<u32>,
    #[prost(enumeration = "RegionStateKind", optional, tag = "3")]
    pub state: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Master {
    #[prost(message, required, tag = "1")]
    pub master: ServerName,
    #[prost(uint32, optional, tag = "2")]
    pub rpc_version: Option<u32>,
    #[prost(uint32, optional, tag = "3")]
    pub info_port: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClusterUp {
    #[prost(string, required, tag = "1")]
    pub start_date: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeprecatedTableState {
    #[prost(enumeration = "TableStateKind", required, tag = "1", default = "Enabled")]
    pub state: i32,
}
