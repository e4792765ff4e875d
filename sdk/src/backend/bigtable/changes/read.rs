//! Converts the messages of a change stream.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use prost::Message;

use super::partitions::read_partition;
use crate::backend::bigtable::micros;
use crate::model::changes::{
    CellChange, ChangePartition, ChangePosition, ChangeSource, Frontier, PartitionToken,
    RowChanges, StreamStart,
};
use crate::model::query::SqlValue;
use crate::wire::bigtable::{
    Change, ChangeMerger, CloseStream, DataChange, DataChangeType, MutationChunk,
    ReadChangeStreamResponse, StreamContinuationToken, StreamRecord, Timestamp, Value, ValueKind,
};
use crate::{Error, ErrorKind, Result};

/// Converts a whole change, which was read from this partition.
pub(super) fn read_change(change: DataChange, partition: &ChangePartition) -> Result<RowChanges> {
    let cells = change.chunks.into_iter().map(read_cell).collect::<Result<_>>();
    let cells = cells.map_err(|error| error.on_row(&change.row_key))?;
    let source = match DataChangeType::try_from(change.r#type) {
        Ok(DataChangeType::GarbageCollection) => ChangeSource::GarbageCollection,
        _ => ChangeSource::User { cluster: change.source_cluster_id },
    };
    Ok(RowChanges {
        row: change.row_key,
        cells,
        source,
        committed_at: change.commit_timestamp.as_ref().map_or(UNIX_EPOCH, read_time),
        tiebreaker: change.tiebreaker,
        low_watermark: change.estimated_low_watermark.as_ref().map(read_time),
        partition: partition.clone(),
    })
}

fn read_cell(chunk: MutationChunk) -> Result<CellChange> {
    let change = chunk.mutation.and_then(|mutation| mutation.mutation).ok_or_else(|| {
        let text = "a change of a kind that this version of the client does not know; update it";
        Error::new(ErrorKind::Decode, text)
    })?;
    Ok(match change {
        Change::SetCell(set) => CellChange::Set {
            family: set.family_name,
            qualifier: set.column_qualifier,
            timestamp: micros::timestamp(set.timestamp_micros)?,
            value: set.value,
        },
        Change::AddToCell(add) => CellChange::Add {
            family: add.family_name,
            qualifier: bytes_of(add.column_qualifier),
            timestamp: time_of(add.timestamp)?,
            input: value_of(add.input),
        },
        Change::MergeToCell(merge) => CellChange::Merge {
            family: merge.family_name,
            qualifier: bytes_of(merge.column_qualifier),
            timestamp: time_of(merge.timestamp)?,
            state: value_of(merge.input),
        },
        Change::DeleteFromColumn(delete) => {
            let range = delete.time_range.unwrap_or_default();
            let bound = |at: i64| (at != 0).then(|| micros::timestamp(at)).transpose();
            CellChange::DeleteColumn {
                family: delete.family_name,
                qualifier: delete.column_qualifier,
                from: bound(range.start_timestamp_micros)?,
                to: bound(range.end_timestamp_micros)?,
            }
        }
        Change::DeleteFromFamily(delete) => CellChange::DeleteFamily { family: delete.family_name },
        Change::DeleteFromRow(_) => CellChange::DeleteRow,
    })
}

fn bytes_of(value: Option<Value>) -> Bytes {
    match value.and_then(|value| value.kind) {
        Some(ValueKind::RawValue(bytes) | ValueKind::BytesValue(bytes)) => bytes,
        _ => Bytes::new(),
    }
}

fn time_of(value: Option<Value>) -> Result<crate::Timestamp> {
    match value.and_then(|value| value.kind) {
        Some(ValueKind::RawTimestampMicros(at)) => micros::timestamp(at),
        _ => Ok(crate::Timestamp::default()),
    }
}

/// Converts a value that is added or merged: an integer, a text or bytes.
fn value_of(value: Option<Value>) -> SqlValue {
    match value.and_then(|value| value.kind) {
        Some(ValueKind::IntValue(number)) => SqlValue::Int64(number),
        Some(ValueKind::RawValue(bytes) | ValueKind::BytesValue(bytes)) => SqlValue::Bytes(bytes),
        Some(ValueKind::StringValue(text)) => SqlValue::String(text),
        _ => SqlValue::Null,
    }
}

/// Returns the positions that follow a partition, each with the partition of which it is a part.
pub(super) fn read_close(
    close: &CloseStream,
) -> Result<Vec<(PartitionToken, ChangePartition)>, String> {
    let (tokens, new) = (&close.continuation_tokens, &close.new_partitions);
    if !new.is_empty() && new.len() != tokens.len() {
        return Err(format!(
            "the end of a partition with {} positions in {} new partitions",
            tokens.len(),
            new.len()
        ));
    }
    let read = |(at, token): (usize, &StreamContinuationToken)| {
        let partition = read_partition(&token.partition.clone().unwrap_or_default())?;
        let of = new.get(at).map(read_partition).transpose()?.unwrap_or(partition.clone());
        Ok((PartitionToken { partition, token: token.token.clone() }, of))
    };
    tokens.iter().enumerate().map(read).collect()
}

/// Converts a time; a time that is none becomes 1970.
pub(super) fn read_time(time: &Timestamp) -> SystemTime {
    let nanos = u32::try_from(time.nanos).unwrap_or(0).min(999_999_999);
    let since = u64::try_from(time.seconds).ok().map(|seconds| Duration::new(seconds, nanos));
    since.and_then(|since| UNIX_EPOCH.checked_add(since)).unwrap_or(UNIX_EPOCH)
}

/// Converts microseconds since 1970 to a message.
pub(super) fn time_message(micros: i64) -> Timestamp {
    let nanos = i32::try_from(micros.rem_euclid(1_000_000) * 1_000).unwrap_or(0);
    Timestamp { seconds: micros.div_euclid(1_000_000), nanos }
}

/// Returns the microseconds from 1970 to this time, and 0 before 1970.
pub(super) fn micros_of(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// Reads messages of the stream of a partition, as a client does, for tests that change such bytes.
/// Returns whether all of them were accepted, up to the end of the stream.
pub(crate) fn decode_changes(messages: &[Bytes]) -> bool {
    let read = || {
        let partition = ChangePartition::new(Bytes::new(), Bytes::new())?;
        let mut frontier = Frontier::new(StreamStart::Time(0));
        frontier.begin(vec![partition.clone()], 0);
        let mut merger = ChangeMerger::default();
        for message in messages {
            let response = ReadChangeStreamResponse::decode(message.clone()).ok()?;
            match merger.add(response.stream_record?).ok()? {
                Some(StreamRecord::DataChange(change)) => {
                    frontier.advance(&partition, change.token.clone());
                    read_change(change, &partition).ok()?;
                }
                Some(StreamRecord::CloseStream(close)) => {
                    frontier.close(&partition, read_close(&close).ok()?).ok()?;
                    break;
                }
                Some(StreamRecord::Heartbeat(_)) | None => {}
            }
        }
        let saved = ChangePosition::new("t".to_owned(), frontier);
        assert_eq!(ChangePosition::from_bytes(&saved.to_bytes()).ok(), Some(saved));
        Some(())
    };
    read().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::bigtable::{Mutation, StreamPartition};

    #[test]
    fn times_are_the_same_both_ways() {
        for micros in [0, 1, 999_999, 1_000_000, 1_700_000_000_123_456] {
            assert_eq!(micros_of(read_time(&time_message(micros))), micros);
        }
        for bad in [(-1, 0), (i64::MIN, 0), (0, -1)] {
            let read = read_time(&Timestamp { seconds: bad.0, nanos: bad.1 });
            assert_eq!(read, UNIX_EPOCH);
        }
    }

    #[test]
    fn a_kind_of_change_that_is_not_known_is_an_error() {
        let chunk = MutationChunk { chunk_info: None, mutation: Some(Mutation::default()) };
        let change =
            DataChange { row_key: "r".into(), chunks: vec![chunk], ..DataChange::default() };
        let whole = ChangePartition::new("".into(), "".into()).unwrap();
        let error = read_change(change, &whole).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.to_string().contains("does not know"), "{error}");
    }

    #[test]
    fn positions_belong_to_the_partitions_at_the_same_places() {
        let of =
            |start: &'static str, end: &'static str| StreamPartition::of(start.into(), end.into());
        let token = |start, end| StreamContinuationToken {
            partition: Some(of(start, end)),
            token: "t".into(),
        };
        let mut close = CloseStream {
            continuation_tokens: vec![token("b", "c"), token("c", "d")],
            new_partitions: vec![of("a", "c"), of("c", "e")],
            ..CloseStream::default()
        };
        let read = read_close(&close).unwrap();
        assert_eq!((read[0].0.partition.start(), read[0].1.start()), (&b"b"[..], &b"a"[..]));
        assert_eq!((read[1].0.partition.end(), read[1].1.end()), (&b"d"[..], &b"e"[..]));
        close.new_partitions.pop();
        assert!(read_close(&close).unwrap_err().contains("2 positions in 1 new partitions"));
        close.new_partitions.clear();
        let read = read_close(&close).unwrap();
        assert!(read.iter().all(|(token, of)| token.partition == *of));
        close.continuation_tokens = vec![token("c", "b")];
        assert!(read_close(&close).is_err());
    }
}
