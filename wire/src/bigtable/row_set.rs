//! Row keys and ranges of them.

use bytes::Bytes;

/// An empty set is the whole table.
#[derive(Clone, PartialEq, prost::Message)]
pub struct RowSet {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub row_keys: Vec<Bytes>,
    #[prost(message, repeated, tag = "2")]
    pub row_ranges: Vec<RowRange>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct RowRange {
    /// From the first row if it is not set.
    #[prost(oneof = "StartKey", tags = "1, 2")]
    pub start_key: Option<StartKey>,
    /// To the last row if it is not set.
    #[prost(oneof = "EndKey", tags = "3, 4")]
    pub end_key: Option<EndKey>,
}

#[doc(alias = "RowRange.start_key")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum StartKey {
    #[prost(bytes = "bytes", tag = "1")]
    StartKeyClosed(Bytes),
    #[prost(bytes = "bytes", tag = "2")]
    StartKeyOpen(Bytes),
}

#[doc(alias = "RowRange.end_key")]
#[derive(Clone, PartialEq, Eq, prost::Oneof)]
pub enum EndKey {
    #[prost(bytes = "bytes", tag = "3")]
    EndKeyOpen(Bytes),
    #[prost(bytes = "bytes", tag = "4")]
    EndKeyClosed(Bytes),
}
