//! The records of change streams.

use bytes::Bytes;

/// The change stream of a table that is new, or of which this much was added.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StreamRecord {
    /// The full name of the table.
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) table: Bytes,
    /// The id of its log.
    #[prost(uint64, tag = "2")]
    pub(crate) id: u64,
    /// The first position that can be read.
    #[prost(uint64, tag = "3")]
    pub(crate) first: u64,
    /// A position to which the next entry comes at the earliest.
    #[prost(uint64, tag = "4")]
    pub(crate) next: u64,
    /// The time of the last change in microseconds.
    #[prost(uint64, tag = "5")]
    pub(crate) last_micros: u64,
    /// The entries that were added.
    #[prost(message, repeated, tag = "6")]
    pub(crate) entries: Vec<StreamEntryRecord>,
}

/// A change of a row in a stream, or a division or merge of its partitions.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StreamEntryRecord {
    /// The id of the log.
    #[prost(uint64, tag = "1")]
    pub(crate) stream: u64,
    #[prost(uint64, tag = "2")]
    pub(crate) position: u64,
    /// When it was added, in ms.
    #[prost(uint64, tag = "3")]
    pub(crate) added_ms: u64,
    /// The row.
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) row: Bytes,
    /// Its mutations, as messages of Bigtable.
    #[prost(bytes = "bytes", repeated, tag = "5")]
    pub(crate) mutations: Vec<Bytes>,
    /// The time of the change in microseconds.
    #[prost(uint64, tag = "6")]
    pub(crate) micros: u64,
    /// The partitions that were replaced, if any were.
    #[prost(message, repeated, tag = "7")]
    pub(crate) old: Vec<SpanRecord>,
    /// The partitions by which they were replaced.
    #[prost(message, repeated, tag = "8")]
    pub(crate) new: Vec<SpanRecord>,
}

/// A range of row keys.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SpanRecord {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) start: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) end: Bytes,
}
