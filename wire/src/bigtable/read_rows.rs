//! Reading rows: a stream of chunks of cells.

use bytes::Bytes;

use super::{Duration, RowFilter, RowSet};

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadRowsRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    /// The rows to read; the whole table if it is not set or empty.
    #[prost(message, optional, tag = "2")]
    pub rows: Option<RowSet>,
    #[prost(message, optional, tag = "3")]
    pub filter: Option<RowFilter>,
    /// The maximum number of rows; 0 means no limit.
    #[prost(int64, tag = "4")]
    pub rows_limit: i64,
    #[prost(string, tag = "5")]
    pub app_profile_id: String,
    /// Which statistics of the read the service sends after the last row.
    #[prost(enumeration = "RequestStatsView", tag = "6")]
    pub request_stats_view: i32,
    #[prost(bool, tag = "7")]
    pub reversed: bool,
    /// The authorized view to use in place of the table, if any.
    #[prost(string, tag = "9")]
    pub authorized_view_name: String,
    /// The materialized view to read in place of a table, if any.
    #[prost(string, tag = "11")]
    pub materialized_view_name: String,
}

/// The statistics of a read that a request asks for.
#[doc(alias = "ReadRowsRequest.RequestStatsView")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum RequestStatsView {
    /// The same as none.
    RequestStatsViewUnspecified = 0,
    RequestStatsNone = 1,
    /// All of them, in a response after the last row.
    RequestStatsFull = 2,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadRowsResponse {
    #[prost(message, repeated, tag = "1")]
    pub chunks: Vec<CellChunk>,
    /// The key up to which the server has read, if that is further than the last row.
    #[prost(bytes = "bytes", tag = "2")]
    pub last_scanned_row_key: Bytes,
    /// In the last response, if the request asks for statistics.
    #[prost(message, optional, tag = "3")]
    pub request_stats: Option<RequestStats>,
}

/// The statistics of a read.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct RequestStats {
    #[prost(message, optional, tag = "1")]
    pub full_read_stats_view: Option<FullReadStatsView>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct FullReadStatsView {
    #[prost(message, optional, tag = "1")]
    pub read_iteration_stats: Option<ReadIterationStats>,
    #[prost(message, optional, tag = "2")]
    pub request_latency_stats: Option<RequestLatencyStats>,
}

/// What a read has looked at, and what it has returned of that.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct ReadIterationStats {
    #[prost(int64, tag = "1")]
    pub rows_seen_count: i64,
    #[prost(int64, tag = "2")]
    pub rows_returned_count: i64,
    #[prost(int64, tag = "3")]
    pub cells_seen_count: i64,
    #[prost(int64, tag = "4")]
    pub cells_returned_count: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct RequestLatencyStats {
    /// From the arrival of the request to the end of the answer.
    #[prost(message, optional, tag = "1")]
    pub frontend_server_latency: Option<Duration>,
}

/// A cell, or a part of one. A row key, family or qualifier that is not set is the same as in the
/// chunk before.
#[doc(alias = "ReadRowsResponse.CellChunk")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct CellChunk {
    #[prost(bytes = "bytes", tag = "1")]
    pub row_key: Bytes,
    #[prost(message, optional, tag = "2")]
    pub family_name: Option<String>,
    #[prost(message, optional, tag = "3")]
    pub qualifier: Option<Bytes>,
    #[prost(int64, tag = "4")]
    pub timestamp_micros: i64,
    #[prost(string, repeated, tag = "5")]
    pub labels: Vec<String>,
    #[prost(bytes = "bytes", tag = "6")]
    pub value: Bytes,
    /// The size of the cell's whole value; set in all chunks of a cell except the last.
    #[prost(int32, tag = "7")]
    pub value_size: i32,
    #[prost(oneof = "RowStatus", tags = "8, 9")]
    pub row_status: Option<RowStatus>,
}

#[doc(alias = "ReadRowsResponse.CellChunk.row_status")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Oneof)]
pub enum RowStatus {
    /// All chunks of the row so far are to be dropped.
    #[prost(bool, tag = "8")]
    ResetRow(bool),
    /// The row is complete.
    #[prost(bool, tag = "9")]
    CommitRow(bool),
}
