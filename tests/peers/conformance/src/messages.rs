//! The messages of `google.bigtable.testproxy`: what a call asks, and how it ended.

use tallrow_wire::bigtable::{
    CheckAndMutateRowRequest as Check, CheckAndMutateRowResponse, ColumnMetadata, Duration,
    ExecuteQueryRequest, MutateRowRequest, MutateRowsOutcome, MutateRowsRequest,
    ReadModifyWriteRowRequest, ReadRowsRequest, Row, RowFilter, SampleRowKeysRequest,
    SampleRowKeysResponse, Status, Value,
};

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CreateClient {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    /// `host:port`, or `emulator`: the one that the environment names.
    #[prost(string, tag = "2")]
    pub(crate) data_target: String,
    #[prost(string, tag = "3")]
    pub(crate) project_id: String,
    #[prost(string, tag = "4")]
    pub(crate) instance_id: String,
    #[prost(string, tag = "5")]
    pub(crate) app_profile_id: String,
    #[prost(message, optional, tag = "6")]
    pub(crate) per_operation_timeout: Option<Duration>,
}

/// CloseClient and RemoveClient.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct OfClient {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(crate) struct Empty {}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadRow {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(string, tag = "2")]
    pub(crate) row_key: String,
    #[prost(message, optional, tag = "3")]
    pub(crate) filter: Option<RowFilter>,
    #[prost(string, tag = "4")]
    pub(crate) table_name: String,
}

/// The result of ReadRow and ReadModifyWriteRow.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RowResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, optional, tag = "2")]
    pub(crate) row: Option<Row>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadRows {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<ReadRowsRequest>,
    #[prost(int32, tag = "3")]
    pub(crate) cancel_after_rows: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RowsResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) rows: Vec<Row>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MutateRow {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<MutateRowRequest>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MutateRowResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MutateRows {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<MutateRowsRequest>,
}

/// Of the entries, those that failed.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MutateRowsResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) entries: Vec<MutateRowsOutcome>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CheckAndMutateRow {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<Check>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CheckAndMutateRowResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, optional, tag = "2")]
    pub(crate) result: Option<CheckAndMutateRowResponse>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SampleRowKeys {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<SampleRowKeysRequest>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SampleRowKeysResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) samples: Vec<SampleRowKeysResponse>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadModifyWriteRow {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<ReadModifyWriteRowRequest>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ExecuteQuery {
    #[prost(string, tag = "1")]
    pub(crate) client_id: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) request: Option<ExecuteQueryRequest>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct QueryResult {
    #[prost(message, optional, tag = "1")]
    pub(crate) status: Option<Status>,
    #[prost(message, optional, tag = "4")]
    pub(crate) metadata: Option<Columns>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) rows: Vec<SqlRow>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Columns {
    #[prost(message, repeated, tag = "1")]
    pub(crate) columns: Vec<ColumnMetadata>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SqlRow {
    #[prost(message, repeated, tag = "1")]
    pub(crate) values: Vec<Value>,
}
