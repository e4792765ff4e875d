//! `Snapshot.proto`, and the requests of the master for snapshots.

#[derive(Clone, PartialEq, prost::Message)]
pub struct SnapshotDescription {
    #[prost(string, required, tag = "1")]
    pub name: String,
    #[prost(string, optional, tag = "2")]
    pub table: Option<String>,
    #[prost(int64, optional, tag = "3", default = "0")]
    pub creation_time: Option<i64>,
    #[prost(enumeration = "SnapshotType", optional, tag = "4", default = "Flush")]
    pub r#type: Option<i32>,
    #[prost(int32, optional, tag = "5")]
    pub version: Option<i32>,
    #[prost(string, optional, tag = "6")]
    pub owner: Option<String>,
    #[prost(int64, optional, tag = "8", default = "0")]
    pub ttl: Option<i64>,
    #[prost(int64, optional, tag = "9", default = "0")]
    pub max_file_size: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SnapshotRequest {
    #[prost(message, required, tag = "1")]
    pub snapshot: SnapshotDescription,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SnapshotResponse {
    #[prost(int64, required, tag = "1")]
    pub expected_timeout: i64,
    #[prost(int64, optional, tag = "2")]
    pub proc_id: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetCompletedSnapshotsResponse {
    #[prost(message, repeated, tag = "1")]
    pub snapshots: Vec<SnapshotDescription>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteSnapshotRequest {
    #[prost(message, required, tag = "1")]
    pub snapshot: SnapshotDescription,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RestoreSnapshotRequest {
    #[prost(message, required, tag = "1")]
    pub snapshot: SnapshotDescription,
    #[prost(uint64, optional, tag = "2", default = "0")]
    pub nonce_group: Option<u64>,
    #[prost(uint64, optional, tag = "3", default = "0")]
    pub nonce: Option<u64>,
    #[prost(bool, optional, tag = "4", default = "false")]
    pub restore_acl: Option<bool>,
    #[prost(string, optional, tag = "5")]
    pub custom_sft: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RestoreSnapshotResponse {
    #[prost(uint64, required, tag = "1")]
    pub proc_id: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsSnapshotDoneRequest {
    #[prost(message, optional, tag = "1")]
    pub snapshot: Option<SnapshotDescription>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct IsSnapshotDoneResponse {
    #[prost(bool, optional, tag = "1", default = "false")]
    pub done: Option<bool>,
    #[prost(message, optional, tag = "2")]
    pub snapshot: Option<SnapshotDescription>,
}

#[doc(alias = "SnapshotDescription.Type")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SnapshotType {
    Disabled = 0,
    Flush = 1,
    Skipflush = 2,
}
