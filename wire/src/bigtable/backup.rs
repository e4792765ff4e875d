//! Backups of tables: their messages, and the calls that make, copy, restore and delete them.

use super::{FieldMask, Timestamp};

/// A copy of a table at a point in time.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Backup {
    /// `projects/P/instances/I/clusters/C/backups/B`.
    #[prost(string, tag = "1")]
    pub name: String,
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "2")]
    pub source_table: String,
    /// The backup that this one was copied from; empty if it is no copy.
    #[prost(string, tag = "10")]
    pub source_backup: String,
    /// When the service deletes the backup.
    #[prost(message, optional, tag = "3")]
    pub expire_time: Option<Timestamp>,
    /// The rows are not older than this.
    #[prost(message, optional, tag = "4")]
    pub start_time: Option<Timestamp>,
    /// The rows are not newer than this.
    #[prost(message, optional, tag = "5")]
    pub end_time: Option<Timestamp>,
    #[prost(int64, tag = "6")]
    pub size_bytes: i64,
    #[prost(enumeration = "BackupState", tag = "7")]
    pub state: i32,
    #[prost(message, optional, tag = "9")]
    pub encryption_info: Option<EncryptionInfo>,
    #[prost(enumeration = "BackupType", tag = "11")]
    pub backup_type: i32,
    /// When a hot backup becomes a standard one; never if it is not set.
    #[prost(message, optional, tag = "12")]
    pub hot_to_standard_time: Option<Timestamp>,
}

/// How what is stored is encrypted.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct EncryptionInfo {
    #[prost(enumeration = "EncryptionType", tag = "3")]
    pub encryption_type: i32,
}

#[doc(alias = "EncryptionInfo.EncryptionType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum EncryptionType {
    EncryptionTypeUnspecified = 0,
    GoogleDefaultEncryption = 1,
    CustomerManagedEncryption = 2,
}

#[doc(alias = "Backup.State")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum BackupState {
    StateUnspecified = 0,
    Creating = 1,
    Ready = 2,
}

#[doc(alias = "Backup.BackupType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum BackupType {
    BackupTypeUnspecified = 0,
    Standard = 1,
    /// Is restored faster than a standard backup.
    Hot = 2,
}

/// What the progress of an operation says about a backup.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct BackupInfo {
    #[prost(string, tag = "1")]
    pub backup: String,
    #[prost(message, optional, tag = "2")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub end_time: Option<Timestamp>,
    #[prost(string, tag = "4")]
    pub source_table: String,
    #[prost(string, tag = "10")]
    pub source_backup: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CreateBackupRequest {
    /// `projects/P/instances/I/clusters/C`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub backup_id: String,
    #[prost(message, optional, tag = "3")]
    pub backup: Option<Backup>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CreateBackupMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub source_table: String,
    #[prost(message, optional, tag = "3")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "4")]
    pub end_time: Option<Timestamp>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateBackupRequest {
    #[prost(message, optional, tag = "1")]
    pub backup: Option<Backup>,
    #[prost(message, optional, tag = "2")]
    pub update_mask: Option<FieldMask>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GetBackupRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct DeleteBackupRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListBackupsRequest {
    /// `projects/P/instances/I/clusters/C`; with `-` as `C`, the backups of all clusters.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub filter: String,
    #[prost(string, tag = "3")]
    pub order_by: String,
    #[prost(int32, tag = "4")]
    pub page_size: i32,
    #[prost(string, tag = "5")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ListBackupsResponse {
    #[prost(message, repeated, tag = "1")]
    pub backups: Vec<Backup>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CopyBackupRequest {
    /// The cluster of the copy, `projects/P/instances/I/clusters/C`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub backup_id: String,
    #[prost(string, tag = "3")]
    pub source_backup: String,
    #[prost(message, optional, tag = "4")]
    pub expire_time: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CopyBackupMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub source_backup_info: Option<BackupInfo>,
    #[prost(message, optional, tag = "3")]
    pub progress: Option<OperationProgress>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct RestoreTableRequest {
    /// The instance of the new table, `projects/P/instances/I`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub table_id: String,
    #[prost(oneof = "RestoreSource", tags = "3")]
    pub source: Option<RestoreSource>,
}

#[doc(alias = "RestoreTableRequest.source")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum RestoreSource {
    #[prost(string, tag = "3")]
    Backup(String),
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct RestoreTableMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(enumeration = "RestoreSourceType", tag = "2")]
    pub source_type: i32,
    #[prost(oneof = "RestoreSourceInfo", tags = "3")]
    pub source_info: Option<RestoreSourceInfo>,
    /// The operation that makes reads of the restored table as fast as those of others; it begins
    /// after the table was restored. Empty if there is none.
    #[prost(string, tag = "4")]
    pub optimize_table_operation_name: String,
    #[prost(message, optional, tag = "5")]
    pub progress: Option<OperationProgress>,
}

#[doc(alias = "RestoreTableMetadata.source_info")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum RestoreSourceInfo {
    #[prost(message, tag = "3")]
    BackupInfo(BackupInfo),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum RestoreSourceType {
    RestoreSourceTypeUnspecified = 0,
    Backup = 1,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct OptimizeRestoredTableMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub progress: Option<OperationProgress>,
}

/// How far an operation has got.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct OperationProgress {
    /// 0 to 100.
    #[prost(int32, tag = "1")]
    pub progress_percent: i32,
    #[prost(message, optional, tag = "2")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub end_time: Option<Timestamp>,
}
