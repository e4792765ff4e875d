//! Queries in SQL: how one is prepared, and the stream of its results.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{Timestamp, Type, Value};

#[derive(Clone, PartialEq, prost::Message)]
pub struct PrepareQueryRequest {
    /// `projects/P/instances/I`.
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
    #[prost(string, tag = "3")]
    pub query: String,
    /// The only format of results.
    #[prost(message, optional, tag = "4")]
    pub proto_format: Option<ProtoFormat>,
    /// The types of the parameters by their names.
    #[prost(btree_map = "string, message", tag = "6")]
    pub param_types: BTreeMap<String, Type>,
}

/// Asks for results as messages.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct ProtoFormat {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct PrepareQueryResponse {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResultSetMetadata>,
    /// What an ExecuteQuery sends instead of the text.
    #[prost(bytes = "bytes", tag = "2")]
    pub prepared_query: Bytes,
    /// The time at which the prepared query expires at the latest.
    #[prost(message, optional, tag = "3")]
    pub valid_until: Option<Timestamp>,
}

/// The columns of a result.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ResultSetMetadata {
    #[prost(message, optional, tag = "1")]
    pub proto_schema: Option<ProtoSchema>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ProtoSchema {
    #[prost(message, repeated, tag = "1")]
    pub columns: Vec<ColumnMetadata>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ColumnMetadata {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<Type>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ExecuteQueryRequest {
    /// `projects/P/instances/I`.
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
    /// The text of a query that was not prepared.
    #[prost(string, tag = "3")]
    pub query: String,
    #[prost(bytes = "bytes", tag = "9")]
    pub prepared_query: Bytes,
    /// Where the results continue; empty at their beginning.
    #[prost(bytes = "bytes", tag = "8")]
    pub resume_token: Bytes,
    /// The parameters by their names, each with its type.
    #[prost(btree_map = "string, message", tag = "7")]
    pub params: BTreeMap<String, Value>,
}

/// A message of the results: the columns of a query that was not prepared, or a part of the rows.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ExecuteQueryResponse {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResultSetMetadata>,
    #[prost(message, optional, tag = "2")]
    pub results: Option<PartialResultSet>,
}

/// A part of the results. [`ResultBatches`](super::ResultBatches) puts the parts together.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PartialResultSet {
    #[prost(message, optional, tag = "3")]
    pub proto_rows_batch: Option<ProtoRowsBatch>,
    /// The CRC32C of the batch that ends with this part.
    #[prost(uint32, optional, tag = "6")]
    pub batch_checksum: Option<u32>,
    /// If the token is not empty, all rows up to this part are final, and the results can be
    /// resumed after this part.
    #[prost(bytes = "bytes", tag = "5")]
    pub resume_token: Bytes,
    /// Whether all parts since the last resume token must be dropped before this part is read.
    #[prost(bool, tag = "7")]
    pub reset: bool,
    /// About how many bytes the batch that begins here has.
    #[prost(int32, tag = "4")]
    pub estimated_batch_size: i32,
}

/// A part of an encoded [`ProtoRows`].
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct ProtoRowsBatch {
    #[prost(bytes = "bytes", tag = "1")]
    pub batch_data: Bytes,
}

/// The values of rows, one row after the other.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ProtoRows {
    #[prost(message, repeated, tag = "2")]
    pub values: Vec<Value>,
}
