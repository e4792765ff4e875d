//! Operations that take longer than a call: they have a name, by which a client asks for their
//! progress and their result.

use super::{Any, Status};

#[doc(alias = "google.longrunning.Operation")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Operation {
    #[prost(string, tag = "1")]
    pub name: String,
    /// The progress, whose type depends on the call that began the operation.
    #[prost(message, optional, tag = "2")]
    pub metadata: Option<Any>,
    #[prost(bool, tag = "3")]
    pub done: bool,
    /// The result of an operation that is done.
    #[prost(oneof = "OperationResult", tags = "4, 5")]
    pub result: Option<OperationResult>,
}

#[doc(alias = "google.longrunning.Operation.result")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum OperationResult {
    #[prost(message, tag = "4")]
    Error(Status),
    #[prost(message, tag = "5")]
    Response(Any),
}

#[doc(alias = "google.longrunning.GetOperationRequest")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GetOperationRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[doc(alias = "google.longrunning.CancelOperationRequest")]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct CancelOperationRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

/// The types of the messages that operations have as their progress and their result, in an
/// [`Any`].
pub mod type_url {
    macro_rules! urls {
        ($($name:ident = $message:literal),* $(,)?) => {
            $(pub const $name: &str = concat!("type.googleapis.com/", $message);)*
        };
    }

    urls! {
        AUTHORIZED_VIEW = "google.bigtable.admin.v2.AuthorizedView",
        BACKUP = "google.bigtable.admin.v2.Backup",
        EMPTY = "google.protobuf.Empty",
        SCHEMA_BUNDLE = "google.bigtable.admin.v2.SchemaBundle",
        TABLE = "google.bigtable.admin.v2.Table",
        CREATE_AUTHORIZED_VIEW_METADATA = "google.bigtable.admin.v2.CreateAuthorizedViewMetadata",
        CREATE_BACKUP_METADATA = "google.bigtable.admin.v2.CreateBackupMetadata",
        COPY_BACKUP_METADATA = "google.bigtable.admin.v2.CopyBackupMetadata",
        CREATE_SCHEMA_BUNDLE_METADATA = "google.bigtable.admin.v2.CreateSchemaBundleMetadata",
        RESTORE_TABLE_METADATA = "google.bigtable.admin.v2.RestoreTableMetadata",
        OPTIMIZE_RESTORED_TABLE_METADATA = "google.bigtable.admin.v2.OptimizeRestoredTableMetadata",
        UNDELETE_TABLE_METADATA = "google.bigtable.admin.v2.UndeleteTableMetadata",
        UPDATE_AUTHORIZED_VIEW_METADATA = "google.bigtable.admin.v2.UpdateAuthorizedViewMetadata",
        UPDATE_SCHEMA_BUNDLE_METADATA = "google.bigtable.admin.v2.UpdateSchemaBundleMetadata",
        UPDATE_TABLE_METADATA = "google.bigtable.admin.v2.UpdateTableMetadata",
    }
}
