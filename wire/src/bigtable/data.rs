//! A row as a message: the response of ReadModifyWriteRow contains one.

use bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub struct Row {
    #[prost(bytes = "bytes", tag = "1")]
    pub key: Bytes,
    #[prost(message, repeated, tag = "2")]
    pub families: Vec<Family>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Family {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    pub columns: Vec<Column>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Column {
    #[prost(bytes = "bytes", tag = "1")]
    pub qualifier: Bytes,
    /// The cells, newest first.
    #[prost(message, repeated, tag = "2")]
    pub cells: Vec<Cell>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct Cell {
    #[prost(int64, tag = "1")]
    pub timestamp_micros: i64,
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
    #[prost(string, repeated, tag = "3")]
    pub labels: Vec<String>,
}
