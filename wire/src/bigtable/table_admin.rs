//! The calls of the admin service for tables.

use bytes::Bytes;

use super::{ColumnFamily, FieldMask, Table, Timestamp};

#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateTableRequest {
    /// `projects/P/instances/I`.
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(string, tag = "2")]
    pub table_id: String,
    #[prost(message, optional, tag = "3")]
    pub table: Option<Table>,
    #[prost(message, repeated, tag = "4")]
    pub initial_splits: Vec<Split>,
}

#[doc(alias = "CreateTableRequest.Split")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Split {
    #[prost(bytes = "bytes", tag = "1")]
    pub key: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTablesRequest {
    #[prost(string, tag = "1")]
    pub parent: String,
    #[prost(enumeration = "super::View", tag = "2")]
    pub view: i32,
    #[prost(string, tag = "3")]
    pub page_token: String,
    #[prost(int32, tag = "4")]
    pub page_size: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ListTablesResponse {
    #[prost(message, repeated, tag = "1")]
    pub tables: Vec<Table>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetTableRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(enumeration = "super::View", tag = "2")]
    pub view: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct UpdateTableRequest {
    #[prost(message, optional, tag = "1")]
    pub table: Option<Table>,
    #[prost(message, optional, tag = "2")]
    pub update_mask: Option<FieldMask>,
    /// Whether changes are made that programs may notice, such as removing a row key schema.
    #[prost(bool, tag = "3")]
    pub ignore_warnings: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DeleteTableRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

/// The progress of an operation that changes a table or brings one back, or that makes or changes a
/// schema bundle.
#[doc(alias(
    "UpdateTableMetadata",
    "UndeleteTableMetadata",
    "CreateSchemaBundleMetadata",
    "UpdateSchemaBundleMetadata"
))]
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ChangeMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub start_time: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub end_time: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct UndeleteTableRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ModifyColumnFamiliesRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    pub modifications: Vec<Modification>,
    #[prost(bool, tag = "3")]
    pub ignore_warnings: bool,
}

#[doc(alias = "ModifyColumnFamiliesRequest.Modification")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Modification {
    /// The name of the family.
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(oneof = "FamilyChange", tags = "2, 3, 4")]
    pub r#mod: Option<FamilyChange>,
    #[prost(message, optional, tag = "6")]
    pub update_mask: Option<FieldMask>,
}

#[doc(alias = "ModifyColumnFamiliesRequest.Modification.mod")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum FamilyChange {
    #[prost(message, tag = "2")]
    Create(ColumnFamily),
    #[prost(message, tag = "3")]
    Update(ColumnFamily),
    #[prost(bool, tag = "4")]
    Drop(bool),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct DropRowRangeRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(oneof = "DropTarget", tags = "2, 3")]
    pub target: Option<DropTarget>,
}

#[doc(alias = "DropRowRangeRequest.target")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum DropTarget {
    #[prost(bytes = "bytes", tag = "2")]
    RowKeyPrefix(Bytes),
    #[prost(bool, tag = "3")]
    DeleteAllDataFromTable(bool),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GenerateConsistencyTokenRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GenerateConsistencyTokenResponse {
    #[prost(string, tag = "1")]
    pub consistency_token: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CheckConsistencyRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub consistency_token: String,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct CheckConsistencyResponse {
    #[prost(bool, tag = "1")]
    pub consistent: bool,
}
