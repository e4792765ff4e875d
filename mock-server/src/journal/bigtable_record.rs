//! The records of what only Bigtable's administration has: backups, deleted tables and operations.

use bytes::Bytes;
use tallrow_wire::proto::{TableName, TableSchema};

use super::region_record::RegionRecord;

/// What was changed of the backups while they were locked once. What is removed is removed last.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct BackupsChange {
    /// The backups that are new or were changed.
    #[prost(message, repeated, tag = "1")]
    pub(crate) backups: Vec<BackupRecord>,
    /// The full names of the backups that were removed.
    #[prost(string, repeated, tag = "2")]
    pub(crate) removed_backups: Vec<String>,
    /// The operations that are new or were changed.
    #[prost(message, repeated, tag = "3")]
    pub(crate) operations: Vec<OperationRecord>,
    /// The deleted tables, if they were changed.
    #[prost(message, optional, tag = "4")]
    pub(crate) deleted: Option<DeletedTablesRecord>,
    /// The number of operations that have begun.
    #[prost(uint64, tag = "5")]
    pub(crate) begun: u64,
}

/// The content of a table.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TableCopyRecord {
    #[prost(message, optional, tag = "1")]
    pub(crate) schema: Option<TableSchema>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) regions: Vec<RegionRecord>,
}

/// A backup. Times are in ms since 1970.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct BackupRecord {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) source_table: String,
    #[prost(string, tag = "3")]
    pub(crate) source_backup: String,
    #[prost(uint64, tag = "4")]
    pub(crate) started_ms: u64,
    #[prost(uint64, optional, tag = "5")]
    pub(crate) ended_ms: Option<u64>,
    #[prost(uint64, tag = "6")]
    pub(crate) expires_ms: u64,
    #[prost(bool, tag = "7")]
    pub(crate) is_hot: bool,
    #[prost(uint64, optional, tag = "8")]
    pub(crate) hot_until_ms: Option<u64>,
    /// The content; if it is missing, it is that of another backup.
    #[prost(message, optional, tag = "9")]
    pub(crate) content: Option<TableCopyRecord>,
    /// The name of a backup of an earlier record that has the content.
    #[prost(string, tag = "10")]
    pub(crate) content_of: String,
}

/// The deleted tables that can be brought back.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DeletedTablesRecord {
    /// The tables of earlier records that can still be brought back.
    #[prost(message, repeated, tag = "1")]
    pub(crate) kept: Vec<TableName>,
    /// The tables that were deleted since.
    #[prost(message, repeated, tag = "2")]
    pub(crate) new: Vec<DeletedTableRecord>,
}

/// A deleted table.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DeletedTableRecord {
    #[prost(message, optional, tag = "1")]
    pub(crate) name: Option<TableName>,
    #[prost(uint64, tag = "2")]
    pub(crate) deleted_ms: u64,
    #[prost(message, optional, tag = "3")]
    pub(crate) content: Option<TableCopyRecord>,
}

/// An operation that a client polls. Times are in ms since 1970.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct OperationRecord {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// What it does.
    #[prost(enumeration = "WorkKind", tag = "2")]
    pub(crate) kind: i32,
    /// The name of the backup or of the table that it makes or changes.
    #[prost(string, tag = "3")]
    pub(crate) target: String,
    /// The name of the backup that it reads.
    #[prost(string, tag = "4")]
    pub(crate) source: String,
    /// The new values of a table, or the request for a view or a bundle, as Bigtable's message.
    #[prost(bytes = "bytes", tag = "5")]
    pub(crate) message: Bytes,
    /// The fields of the table that it changes.
    #[prost(string, repeated, tag = "6")]
    pub(crate) fields: Vec<String>,
    #[prost(bool, tag = "7")]
    pub(crate) ignore_warnings: bool,
    #[prost(uint64, tag = "8")]
    pub(crate) started_ms: u64,
    #[prost(uint32, tag = "9")]
    pub(crate) polls: u32,
    #[prost(uint32, tag = "10")]
    pub(crate) needed_polls: u32,
    /// When it was done; missing if it is not.
    #[prost(uint64, optional, tag = "11")]
    pub(crate) ended_ms: Option<u64>,
    /// The result of an operation that was done, as Bigtable's message `Any`.
    #[prost(bytes = "bytes", tag = "12")]
    pub(crate) response: Bytes,
    /// The error of one that has failed, as Bigtable's message `Status`.
    #[prost(bytes = "bytes", optional, tag = "13")]
    pub(crate) error: Option<Bytes>,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum WorkKind {
    Unknown = 0,
    CreateBackup = 1,
    CopyBackup = 2,
    RestoreTable = 3,
    UndeleteTable = 4,
    UpdateTable = 5,
    CreateAuthorizedView = 6,
    UpdateAuthorizedView = 7,
    CreateSchemaBundle = 8,
    UpdateSchemaBundle = 9,
}
