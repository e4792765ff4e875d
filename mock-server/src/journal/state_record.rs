//! The records of the state besides namespaces, tables and regions.

use bytes::Bytes;
use tallrow_wire::proto::{ForeignExceptionMessage, Quotas, ReplicationPeerDescription, TableName};

use super::bigtable_record::BackupsChange;

/// What was changed in one part of the state while it was locked once. A part that is small is
/// here as a whole.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StateChange {
    /// By what clients find the cluster.
    #[prost(message, optional, tag = "1")]
    pub(crate) identity: Option<IdentityRecord>,
    /// The switches of the master.
    #[prost(message, optional, tag = "2")]
    pub(crate) switches: Option<SwitchesRecord>,
    /// The replication peers.
    #[prost(message, optional, tag = "3")]
    pub(crate) peers: Option<PeersRecord>,
    /// The permissions.
    #[prost(message, optional, tag = "4")]
    pub(crate) grants: Option<GrantsRecord>,
    /// The quotas.
    #[prost(message, optional, tag = "5")]
    pub(crate) quotas: Option<QuotasRecord>,
    /// The procedures that have ended since the record before.
    #[prost(message, repeated, tag = "6")]
    pub(crate) procedures: Vec<ProcedureRecord>,
    /// The changes of Bigtable's backups, deleted tables and operations.
    #[prost(message, optional, tag = "7")]
    pub(crate) backups: Option<BackupsChange>,
}

/// The id of the cluster, and the ports of its servers.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct IdentityRecord {
    #[prost(string, tag = "1")]
    pub(crate) cluster_id: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) ports: Vec<PortRecord>,
}

/// The port of a server.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PortRecord {
    #[prost(string, tag = "1")]
    pub(crate) server: String,
    #[prost(uint32, tag = "2")]
    pub(crate) port: u32,
}

/// The switches, in their order.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SwitchesRecord {
    #[prost(bool, repeated, tag = "1")]
    pub(crate) are_on: Vec<bool>,
}

/// All replication peers.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PeersRecord {
    #[prost(message, repeated, tag = "1")]
    pub(crate) peers: Vec<ReplicationPeerDescription>,
}

/// All permissions.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GrantsRecord {
    #[prost(message, repeated, tag = "1")]
    pub(crate) grants: Vec<GrantRecord>,
}

/// What a user was granted: in a table if there is one, else in a namespace, else everywhere.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GrantRecord {
    #[prost(string, tag = "1")]
    pub(crate) user: String,
    #[prost(string, optional, tag = "2")]
    pub(crate) namespace: Option<String>,
    #[prost(message, optional, tag = "3")]
    pub(crate) table: Option<TableName>,
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) family: Bytes,
    #[prost(bytes = "bytes", tag = "5")]
    pub(crate) qualifier: Bytes,
    /// The actions, by their numbers in HBase's messages.
    #[prost(int32, repeated, tag = "6")]
    pub(crate) actions: Vec<i32>,
}

/// All quotas.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct QuotasRecord {
    #[prost(message, repeated, tag = "1")]
    pub(crate) quotas: Vec<QuotaRecord>,
}

/// The quotas of one cell of `hbase:quota`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct QuotaRecord {
    #[prost(string, tag = "1")]
    pub(crate) row: String,
    #[prost(string, tag = "2")]
    pub(crate) qualifier: String,
    #[prost(message, optional, tag = "3")]
    pub(crate) quotas: Option<Quotas>,
}

/// A procedure that has ended.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ProcedureRecord {
    #[prost(uint64, tag = "1")]
    pub(crate) id: u64,
    /// The nonce of the request, which is 0 if it had none, with its group.
    #[prost(fixed64, tag = "2")]
    pub(crate) nonce_group: u64,
    #[prost(fixed64, tag = "3")]
    pub(crate) nonce: u64,
    #[prost(string, tag = "4")]
    pub(crate) class: String,
    #[prost(string, tag = "5")]
    pub(crate) owner: String,
    /// The time at which it ended, in ms.
    #[prost(uint64, tag = "6")]
    pub(crate) ended_at: u64,
    /// The exception of a failed procedure.
    #[prost(message, optional, tag = "7")]
    pub(crate) failure: Option<ForeignExceptionMessage>,
}
