//! Change streams: the partitions of a table's stream, and the changes in one of them.

use bytes::Bytes;

use super::{Duration, Mutation, RowRange, Status, Timestamp};

#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct GenerateInitialChangeStreamPartitionsRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GenerateInitialChangeStreamPartitionsResponse {
    #[prost(message, optional, tag = "1")]
    pub partition: Option<StreamPartition>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadChangeStreamRequest {
    /// `projects/P/instances/I/tables/T`.
    #[prost(string, tag = "1")]
    pub table_name: String,
    #[prost(string, tag = "2")]
    pub app_profile_id: String,
    #[prost(message, optional, tag = "3")]
    pub partition: Option<StreamPartition>,
    /// Where the changes begin: with those that are made from now on if it is not set.
    #[prost(oneof = "StartFrom", tags = "4, 6")]
    pub start_from: Option<StartFrom>,
    /// The time of the last changes; the stream has no end if it is not set.
    #[prost(message, optional, tag = "5")]
    pub end_time: Option<Timestamp>,
    /// The time between two heartbeats: 5 s if it is not set.
    #[prost(message, optional, tag = "7")]
    pub heartbeat_duration: Option<Duration>,
}

#[doc(alias = "ReadChangeStreamRequest.start_from")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum StartFrom {
    #[prost(message, tag = "4")]
    StartTime(Timestamp),
    /// Tokens whose partitions cover the partition of the request exactly.
    #[prost(message, tag = "6")]
    ContinuationTokens(StreamContinuationTokens),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReadChangeStreamResponse {
    #[prost(oneof = "StreamRecord", tags = "1, 2, 3")]
    pub stream_record: Option<StreamRecord>,
}

#[doc(alias = "ReadChangeStreamResponse.stream_record")]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum StreamRecord {
    #[prost(message, tag = "1")]
    DataChange(DataChange),
    #[prost(message, tag = "2")]
    Heartbeat(Heartbeat),
    #[prost(message, tag = "3")]
    CloseStream(CloseStream),
}

/// A mutation, or a part of one.
#[doc(alias = "ReadChangeStreamResponse.MutationChunk")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct MutationChunk {
    /// Set if this is a part of a `SetCell`.
    #[prost(message, optional, tag = "1")]
    pub chunk_info: Option<ChunkInfo>,
    /// In the parts of a `SetCell` after the first, everything but the value is to be ignored.
    #[prost(message, optional, tag = "2")]
    pub mutation: Option<Mutation>,
}

/// Which part of a value this is.
#[doc(alias = "ReadChangeStreamResponse.MutationChunk.ChunkInfo")]
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct ChunkInfo {
    /// The size of the whole value.
    #[prost(int32, tag = "1")]
    pub chunked_value_size: i32,
    #[prost(int32, tag = "2")]
    pub chunked_value_offset: i32,
    #[prost(bool, tag = "3")]
    pub last_chunk: bool,
}

/// The mutations of a row that were made in one step, or a part of them. In the parts after the
/// first, only the type and the chunks are set, and in the last also `done` and what follows it.
#[doc(alias = "ReadChangeStreamResponse.DataChange")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct DataChange {
    #[prost(enumeration = "DataChangeType", tag = "1")]
    pub r#type: i32,
    /// The cluster that was written to; not set for garbage collection.
    #[prost(string, tag = "2")]
    pub source_cluster_id: String,
    #[prost(bytes = "bytes", tag = "3")]
    pub row_key: Bytes,
    #[prost(message, optional, tag = "4")]
    pub commit_timestamp: Option<Timestamp>,
    /// Of mutations of a cell that clusters made at the same time, the one with the largest number
    /// remains.
    #[prost(int32, tag = "5")]
    pub tiebreaker: i32,
    #[prost(message, repeated, tag = "6")]
    pub chunks: Vec<MutationChunk>,
    #[prost(bool, tag = "8")]
    pub done: bool,
    /// The position after this change.
    #[prost(string, tag = "9")]
    pub token: String,
    #[prost(message, optional, tag = "10")]
    pub estimated_low_watermark: Option<Timestamp>,
}

#[doc(alias = "ReadChangeStreamResponse.DataChange.Type")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum DataChangeType {
    TypeUnspecified = 0,
    User = 1,
    GarbageCollection = 2,
    /// A part after the first.
    Continuation = 3,
}

/// Says how far the stream has come.
#[doc(alias = "ReadChangeStreamResponse.Heartbeat")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct Heartbeat {
    #[prost(message, optional, tag = "1")]
    pub continuation_token: Option<StreamContinuationToken>,
    #[prost(message, optional, tag = "2")]
    pub estimated_low_watermark: Option<Timestamp>,
}

/// Ends the stream of a partition. If the partition was divided or merged, the token at each place
/// of the list belongs to the new partition at the same place, of which it covers a part or all.
#[doc(alias = "ReadChangeStreamResponse.CloseStream")]
#[derive(Clone, PartialEq, prost::Message)]
pub struct CloseStream {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(message, repeated, tag = "2")]
    pub continuation_tokens: Vec<StreamContinuationToken>,
    #[prost(message, repeated, tag = "3")]
    pub new_partitions: Vec<StreamPartition>,
}

/// A part of a table, from a row key to before another.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamPartition {
    #[prost(message, optional, tag = "1")]
    pub row_range: Option<RowRange>,
}

impl StreamPartition {
    /// Makes the partition of the rows from `start` to before `end`; an empty key stands for an
    /// end of the table.
    ///
    /// ```
    /// use tallrow_wire::bigtable::StreamPartition;
    ///
    /// let partition = StreamPartition::of("a".into(), "m".into());
    /// assert_eq!(partition.keys().unwrap(), ("a".into(), "m".into()));
    /// assert_eq!(StreamPartition::default().keys().unwrap(), ("".into(), "".into()));
    /// ```
    pub fn of(start: Bytes, end: Bytes) -> Self {
        let start_key = Some(super::StartKey::StartKeyClosed(start));
        let row_range = RowRange { start_key, end_key: Some(super::EndKey::EndKeyOpen(end)) };
        Self { row_range: Some(row_range) }
    }

    /// Returns the first key, and the key after the last; an empty key stands for an end of the
    /// table. Returns `None` if the partition excludes its first key or includes its last, which
    /// partitions never do.
    ///
    /// See [`StreamPartition::of`] for an example.
    pub fn keys(&self) -> Option<(Bytes, Bytes)> {
        let range = self.row_range.clone().unwrap_or_default();
        let start = match range.start_key {
            None => Bytes::new(),
            Some(super::StartKey::StartKeyClosed(start)) => start,
            Some(super::StartKey::StartKeyOpen(_)) => return None,
        };
        match range.end_key {
            None => Some((start, Bytes::new())),
            Some(super::EndKey::EndKeyOpen(end)) => Some((start, end)),
            Some(super::EndKey::EndKeyClosed(_)) => None,
        }
    }
}

/// A position in the stream of a partition.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamContinuationToken {
    #[prost(message, optional, tag = "1")]
    pub partition: Option<StreamPartition>,
    #[prost(string, tag = "2")]
    pub token: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamContinuationTokens {
    #[prost(message, repeated, tag = "1")]
    pub tokens: Vec<StreamContinuationToken>,
}
