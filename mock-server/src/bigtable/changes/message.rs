//! The messages of changes, which may be divided.

use std::mem;

use bytes::Bytes;
use fastrand::Rng;
use prost::Message;
use tallrow_wire::bigtable::{
    Change, ChunkInfo, DataChange, DataChangeType, Mutation, MutationChunk,
    ReadChangeStreamResponse, SetCell, StreamRecord, Timestamp,
};

use crate::bigtable::call::frame;
use crate::state::LoggedChange;

/// The only cluster of the instance.
const CLUSTER: &str = "mock-c1";
/// The most bytes of a value in one part, and of a message, unless changes are torn.
const PART_BYTES: usize = 1 << 20;
/// The most bytes of a value in one part if changes are torn.
const TORN_BYTES: usize = 4;

/// Returns the frames of a change, the last first.
pub(super) fn frames_of_change(
    change: &LoggedChange,
    token: String,
    torn: &mut Option<Rng>,
) -> Vec<Bytes> {
    let mut chunks = Vec::new();
    for mutation in &change.mutations {
        let most = torn.as_mut().map_or(PART_BYTES, |random| random.usize(1..=TORN_BYTES));
        add_chunks(mutation, most, &mut chunks);
    }
    let commit_timestamp = Some(timestamp(change.micros));
    let mut message = DataChange {
        r#type: DataChangeType::User as i32,
        source_cluster_id: CLUSTER.to_owned(),
        row_key: change.row.clone(),
        commit_timestamp,
        ..DataChange::default()
    };
    let mut frames = Vec::new();
    let mut bytes = 0;
    let mut send = |message: &mut DataChange| {
        let r#type = DataChangeType::Continuation as i32;
        let whole = mem::replace(message, DataChange { r#type, ..DataChange::default() });
        frames.push(frame_of(StreamRecord::DataChange(whole)));
    };
    for chunk in chunks {
        // A part of a value that is not the last one ends its message.
        let ends = chunk.chunk_info.is_some_and(|info| !info.last_chunk);
        bytes += chunk.encoded_len();
        message.chunks.push(chunk);
        if ends || bytes >= PART_BYTES || torn.as_mut().is_some_and(Rng::bool) {
            bytes = 0;
            send(&mut message);
        }
    }
    message.done = true;
    message.token = token;
    message.estimated_low_watermark = commit_timestamp;
    send(&mut message);
    frames.reverse();
    frames
}

/// Divides a mutation into parts, if it sets a cell to a value of more than `most` bytes.
fn add_chunks(mutation: &Mutation, most: usize, chunks: &mut Vec<MutationChunk>) {
    let Some(Change::SetCell(cell)) = mutation.mutation.as_ref().filter(|of| is_large(of, most))
    else {
        chunks.push(MutationChunk { chunk_info: None, mutation: Some(mutation.clone()) });
        return;
    };
    let whole = i32::try_from(cell.value.len()).unwrap_or(i32::MAX);
    for at in (0..cell.value.len()).step_by(most) {
        let end = (at + most).min(cell.value.len());
        let info = ChunkInfo {
            chunked_value_size: whole,
            chunked_value_offset: i32::try_from(at).unwrap_or(i32::MAX),
            last_chunk: end == cell.value.len(),
        };
        let value = cell.value.slice(at..end);
        let part = match at {
            0 => SetCell { value, ..cell.clone() },
            _ => SetCell { value, ..SetCell::default() },
        };
        let mutation = Some(Mutation { mutation: Some(Change::SetCell(part)) });
        chunks.push(MutationChunk { chunk_info: Some(info), mutation });
    }
}

fn is_large(change: &Change, most: usize) -> bool {
    matches!(change, Change::SetCell(cell) if cell.value.len() > most)
}

/// Makes the frame of a record.
pub(super) fn frame_of(record: StreamRecord) -> Bytes {
    frame(&ReadChangeStreamResponse { stream_record: Some(record) })
}

/// Returns a time in microseconds as a message.
pub(super) fn timestamp(micros: u64) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX),
        nanos: i32::try_from(micros % 1_000_000 * 1_000).unwrap_or(0),
    }
}

/// Returns the microseconds of a time; `None` before 1970.
pub(super) fn micros(time: &Timestamp) -> Option<u64> {
    let nanos = u64::try_from(time.nanos).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    u64::try_from(time.seconds).ok()?.checked_mul(1_000_000)?.checked_add(nanos / 1_000)
}
