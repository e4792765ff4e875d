//! The messages of the stream of a partition, each with its length before it, and saved positions,
//! for the readers of `tallrow::fuzz`.

use prost::Message;
use tallrow_wire::bigtable::{
    AddToCell, Change, ChunkInfo, CloseStream, DataChange, DataChangeType, DeleteFromColumn,
    DeleteFromFamily, DeleteFromRow, Heartbeat, MergeToCell, Mutation, MutationChunk,
    ReadChangeStreamResponse, SetCell, StreamContinuationToken, StreamPartition, StreamRecord,
    Timestamp, TimestampRange, Value,
};

use crate::queries::framed;

/// The first byte of a position is its version.
pub(crate) const POSITION_OF_A_LATER_VERSION: &[u8] = b"\x02\x0a\x01t";

/// A position before the stream has begun, and one with two partitions that are read, of which one
/// waits for the end of another.
pub(crate) fn positions() -> Vec<Vec<u8>> {
    let begun = [
        &b"\x01\x0a\x01t\x10\x01"[..],
        b"\x22\x12\x0a\x03\x12\x01c\x1a\x0b\x0a\x03\x12\x01c\x12\x04here",
        b"\x22\x13\x0a\x06\x0a\x01c\x12\x01m\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x2a\x12\x0a\x0b\x0a\x03\x0a\x01m\x12\x04at m\x12\x03\x0a\x01c",
        b"\x30\x03",
    ];
    vec![b"\x01\x0a\x01t\x30\x00".into(), begun.concat()]
}

fn mutation(change: Change) -> MutationChunk {
    MutationChunk { chunk_info: None, mutation: Some(Mutation { mutation: Some(change) }) }
}

fn set(value: &'static str) -> SetCell {
    SetCell {
        family_name: "f".into(),
        column_qualifier: "q".into(),
        timestamp_micros: 5_000,
        value: value.into(),
    }
}

/// A part of a value of five bytes.
fn part(value: &'static str, chunked_value_offset: i32, last_chunk: bool) -> MutationChunk {
    let info = ChunkInfo { chunked_value_size: 5, chunked_value_offset, last_chunk };
    MutationChunk { chunk_info: Some(info), ..mutation(Change::SetCell(set(value))) }
}

fn first(chunks: Vec<MutationChunk>) -> DataChange {
    DataChange {
        r#type: DataChangeType::User as i32,
        source_cluster_id: "c".into(),
        row_key: "row".into(),
        commit_timestamp: Some(Timestamp { seconds: 7, nanos: 8 }),
        chunks,
        ..DataChange::default()
    }
}

fn done(change: DataChange) -> StreamRecord {
    StreamRecord::DataChange(DataChange { done: true, token: "after".into(), ..change })
}

/// A change of each kind.
fn whole() -> StreamRecord {
    let (family_name, column) = ("f".to_owned(), Some(Value::raw("q")));
    let timestamp = Some(Value::timestamp(5_000));
    done(first(vec![
        mutation(Change::SetCell(set("value"))),
        mutation(Change::AddToCell(AddToCell {
            family_name: family_name.clone(),
            column_qualifier: column.clone(),
            timestamp: timestamp.clone(),
            input: Some(Value::int(-1)),
        })),
        mutation(Change::MergeToCell(MergeToCell {
            family_name: family_name.clone(),
            column_qualifier: column,
            timestamp,
            input: Some(Value::raw("state")),
        })),
        mutation(Change::DeleteFromColumn(DeleteFromColumn {
            family_name: family_name.clone(),
            column_qualifier: "q".into(),
            time_range: Some(TimestampRange {
                start_timestamp_micros: 1_000,
                end_timestamp_micros: 2_000,
            }),
        })),
        mutation(Change::DeleteFromFamily(DeleteFromFamily { family_name })),
        mutation(Change::DeleteFromRow(DeleteFromRow {})),
    ]))
}

/// A change in three messages, with a value in two parts.
fn divided() -> [StreamRecord; 3] {
    let r#type = DataChangeType::Continuation as i32;
    let next = |chunks| DataChange { r#type, chunks, ..DataChange::default() };
    [
        StreamRecord::DataChange(first(vec![part("val", 0, false)])),
        StreamRecord::DataChange(next(vec![part("ue", 3, true)])),
        done(next(vec![])),
    ]
}

fn token(start: &'static str, end: &'static str) -> StreamContinuationToken {
    let partition = Some(StreamPartition::of(start.into(), end.into()));
    StreamContinuationToken { partition, token: "here".into() }
}

fn heartbeat() -> StreamRecord {
    let estimated_low_watermark = Some(Timestamp { seconds: 6, nanos: 0 });
    StreamRecord::Heartbeat(Heartbeat {
        continuation_token: Some(token("", "")),
        estimated_low_watermark,
    })
}

/// The end of the partition, which is followed by partitions with these rows.
fn close(follow: &[(&'static str, &'static str)]) -> StreamRecord {
    let follow = follow.iter().map(|(start, end)| token(start, end));
    let continuation_tokens: Vec<_> = follow.collect();
    let new_partitions =
        continuation_tokens.iter().flat_map(|token| token.partition.clone()).collect();
    StreamRecord::CloseStream(CloseStream { status: None, continuation_tokens, new_partitions })
}

fn stream(records: impl IntoIterator<Item = StreamRecord>) -> Vec<u8> {
    let message = |record| ReadChangeStreamResponse { stream_record: Some(record) }.encode_to_vec();
    framed(&records.into_iter().map(message).collect::<Vec<_>>())
}

pub(crate) fn streams() -> Vec<Vec<u8>> {
    let all = [heartbeat(), whole()].into_iter().chain(divided());
    vec![
        stream(all.chain([close(&[("", "m"), ("m", "")])])),
        stream(divided()),
        stream([whole(), close(&[])]),
    ]
}

/// A heartbeat within a change, and a partition that is followed by a part of its rows.
pub(crate) fn refused_streams() -> Vec<Vec<u8>> {
    let [begin, ..] = divided();
    vec![stream([begin, heartbeat()]), stream([close(&[("", "m")])])]
}
