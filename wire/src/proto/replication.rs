//! `Replication.proto`: peers, which are other clusters to which writes are copied.

use super::{BytesBytesPair, NameStringPair, TableName};

#[doc(alias = "TableCF")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct TableCf {
    #[prost(message, optional, tag = "1")]
    pub table_name: Option<TableName>,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub families: Vec<bytes::Bytes>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReplicationPeer {
    #[prost(string, optional, tag = "1")]
    pub clusterkey: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub replication_endpoint_impl: Option<String>,
    #[prost(message, repeated, tag = "3")]
    pub data: Vec<BytesBytesPair>,
    #[prost(message, repeated, tag = "4")]
    pub configuration: Vec<NameStringPair>,
    #[prost(message, repeated, tag = "5")]
    pub table_cfs: Vec<TableCf>,
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub namespaces: Vec<bytes::Bytes>,
    #[prost(int64, optional, tag = "7")]
    pub bandwidth: Option<i64>,
    #[prost(bool, optional, tag = "8")]
    pub replicate_all: Option<bool>,
    #[prost(message, repeated, tag = "9")]
    pub exclude_table_cfs: Vec<TableCf>,
    #[prost(bytes = "bytes", repeated, tag = "10")]
    pub exclude_namespaces: Vec<bytes::Bytes>,
    #[prost(bool, optional, tag = "11")]
    pub serial: Option<bool>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReplicationState {
    #[prost(enumeration = "ReplicationStateKind", required, tag = "1")]
    pub state: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReplicationPeerDescription {
    #[prost(string, required, tag = "1")]
    pub id: String,
    #[prost(message, required, tag = "2")]
    pub state: ReplicationState,
    #[prost(message, required, tag = "3")]
    pub config: ReplicationPeer,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct AddReplicationPeerRequest {
    #[prost(string, required, tag = "1")]
    pub peer_id: String,
    #[prost(message, required, tag = "2")]
    pub peer_config: ReplicationPeer,
    #[prost(message, required, tag = "3")]
    pub peer_state: ReplicationState,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateReplicationPeerConfigRequest {
    #[prost(string, required, tag = "1")]
    pub peer_id: String,
    #[prost(message, required, tag = "2")]
    pub peer_config: ReplicationPeer,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetReplicationPeerConfigResponse {
    #[prost(string, required, tag = "1")]
    pub peer_id: String,
    #[prost(message, required, tag = "2")]
    pub peer_config: ReplicationPeer,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListReplicationPeersRequest {
    #[prost(string, optional, tag = "1")]
    pub regex: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListReplicationPeersResponse {
    #[prost(message, repeated, tag = "1")]
    pub peer_desc: Vec<ReplicationPeerDescription>,
}

#[doc(alias = "ReplicationState.State")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ReplicationStateKind {
    Enabled = 0,
    Disabled = 1,
}
