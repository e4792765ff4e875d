//! The messages of the data service for calls other than ReadRows.

use bytes::Bytes;

use super::{Duration, Mutation, ReadModifyWriteRule, Row, RowFilter, RowRange, Status, Timestamp};

#[derive(Clone, PartialEq, prost::Message)]
pub struct SampleRowKeysRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "4")]
    pub authorized_view_name: String,
    /// The materialized view to read in place of a table, if any.
    #[prost(string, tag = "5")]
    pub materialized_view_name: String,
    /// The rows to sample; the whole table if it is not set. The last sample is the end of the
    /// range.
    #[prost(message, optional, tag = "6")]
    pub row_range: Option<RowRange>,
}

/// A sampled row key. The last response of a stream has the end of the requested range; the
/// empty key is the end of the table.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SampleRowKeysResponse {
    #[prost(bytes = "bytes", tag = "1")]
    pub row_key: Bytes,
    /// The approximate size of all rows before the key, in bytes.
    #[prost(int64, tag = "2")]
    pub offset_bytes: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub row_key: Bytes,
    #[prost(message, repeated, tag = "3")]
    pub mutations: Vec<Mutation>,
    #[prost(string, tag = "4")]
    pub app_profile_id: String,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "6")]
    pub authorized_view_name: String,
    #[prost(message, optional, tag = "8")]
    pub idempotency: Option<Idempotency>,
}

/// Prevents mutations from being applied twice: for some time after the first attempt, the service
/// recognizes mutations that it has applied before.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Idempotency {
    /// At least 8 bytes, the same in all attempts.
    #[prost(bytes = "bytes", tag = "1")]
    pub token: Bytes,
    /// The client's time of the first attempt. The service refuses mutations that are so old that it
    /// may have forgotten the token.
    #[prost(message, optional, tag = "2")]
    pub start_time: Option<Timestamp>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct MutateRowResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(message, repeated, tag = "2")]
    pub entries: Vec<MutateRowsEntry>,
    #[prost(string, tag = "3")]
    pub app_profile_id: String,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "5")]
    pub authorized_view_name: String,
}

#[doc(alias = "MutateRowsRequest.Entry")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsEntry {
    #[prost(bytes = "bytes", tag = "1")]
    pub row_key: Bytes,
    #[prost(message, repeated, tag = "2")]
    pub mutations: Vec<Mutation>,
    #[prost(message, optional, tag = "3")]
    pub idempotency: Option<Idempotency>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsResponse {
    #[prost(message, repeated, tag = "1")]
    pub entries: Vec<MutateRowsOutcome>,
    #[prost(message, optional, tag = "3")]
    pub rate_limit_info: Option<RateLimitInfo>,
}

#[doc(alias = "MutateRowsResponse.Entry")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct MutateRowsOutcome {
    /// The index of the entry in the request.
    #[prost(int64, tag = "1")]
    pub index: i64,
    #[prost(message, optional, tag = "2")]
    pub status: Option<Status>,
}

/// Tells the client to multiply its rate by the factor for the next period.
#[derive(Clone, PartialEq, prost::Message)]
pub struct RateLimitInfo {
    #[prost(message, optional, tag = "1")]
    pub period: Option<Duration>,
    #[prost(double, tag = "2")]
    pub factor: f64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CheckAndMutateRowRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub row_key: Bytes,
    #[prost(message, repeated, tag = "4")]
    pub true_mutations: Vec<Mutation>,
    #[prost(message, repeated, tag = "5")]
    pub false_mutations: Vec<Mutation>,
    /// The predicate matches if this filter returns any cell of the row. If it is not set, the
    /// predicate matches if the row has any cell.
    #[prost(message, optional, tag = "6")]
    pub predicate_filter: Option<RowFilter>,
    #[prost(string, tag = "7")]
    pub app_profile_id: String,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "9")]
    pub authorized_view_name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct CheckAndMutateRowResponse {
    #[prost(bool, tag = "1")]
    pub predicate_matched: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct PingAndWarmRequest {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct PingAndWarmResponse {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadModifyWriteRowRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub row_key: Bytes,
    #[prost(message, repeated, tag = "3")]
    pub rules: Vec<ReadModifyWriteRule>,
    #[prost(string, tag = "4")]
    pub app_profile_id: String,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "6")]
    pub authorized_view_name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadModifyWriteRowResponse {
    /// The cells that were changed.
    #[prost(message, optional, tag = "1")]
    pub row: Option<Row>,
}
