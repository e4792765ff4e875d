//! Reading rows: a stream of chunks of cells.

use bytes::Bytes;

use super::{RowFilter, RowSet};

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
    #[prost(bool, tag = "7")]
    pub reversed: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadRowsResponse {
    #[prost(message, repeated, tag = "1")]
    pub chunks: Vec<CellChunk>,
    /// The key up to which the server has read, if that is further than the last row.
    #[prost(bytes = "bytes", tag = "2")]
    pub last_scanned_row_key: Bytes,
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
