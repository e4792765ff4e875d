//! Reading rows: a stream of chunks of cells.

use bytes::Bytes;

use super::{RowFilter, RowSet};

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadRowsRequest {
    #[prost(string, tag = "1")]
    pub table_name: String,
    /// The whole table if it is not set or empty.
    #[prost(message, optional, tag = "2")]
    pub rows: Option<RowSet>,
    #[prost(message, optional, tag = "3")]
    pub filter: Option<RowFilter>,
    /// 0 is no limit.
    #[prost(int64, tag = "4")]
    pub rows_limit: i64,
    #[prost(string, tag = "5")]
    pub app_profile_id: String,
    #[prost(bool, tag = "7")]
    pub reversed: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadRowsResponse {
    #[prost(message, repeated, tag = "1")]
    pub chunks: Vec<CellChunk>,
    /// How far the server has read, when that is further than the last row.
    #[prost(bytes = "bytes", tag = "2")]
    pub last_scanned_row_key: Bytes,
}

/// A cell, or a part of one. Row key, family and qualifier are those of the chunk before it if they
/// are not set.
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
    /// The size of the whole value, in all chunks of a cell but the last.
    #[prost(int32, tag = "7")]
    pub value_size: i32,
    #[prost(oneof = "RowStatus", tags = "8, 9")]
    pub row_status: Option<RowStatus>,
}

#[doc(alias = "ReadRowsResponse.CellChunk.row_status")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Oneof)]
pub enum RowStatus {
    /// Everything of the row so far is void.
    #[prost(bool, tag = "8")]
    ResetRow(bool),
    /// The row is complete.
    #[prost(bool, tag = "9")]
    CommitRow(bool),
}
