//! Changes replies into replies that only a broken server sends, for faults.

use std::mem;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{CellChunk, MutateRowsResponse, ReadRowsResponse, RowStatus};

use super::call::{PREFIX_BYTES, frame};

/// Returns the first half of the chunks of a ReadRows reply, in which a row may be incomplete, or
/// the first half of the entries of a MutateRows reply, or the first part of the results of an
/// ExecuteQuery or of a change stream.
pub(crate) fn with_first_half(path: &str, message: &Bytes) -> Option<Bytes> {
    if let Some(mut rows) = rows(path, message) {
        rows.chunks.truncate(rows.chunks.len() / 2);
        return (!rows.chunks.is_empty()).then(|| frame(&rows));
    }
    let is_of_parts = path.ends_with("/ExecuteQuery") || path.ends_with("/ReadChangeStream");
    if is_of_parts && message.len() > PREFIX_BYTES {
        return Some(message.clone());
    }
    let mut entries = entries(path, message)?;
    entries.entries.truncate(entries.entries.len() / 2);
    Some(frame(&entries))
}

/// Returns the rows with the last row never committed.
pub(crate) fn without_last_commit(path: &str, message: &Bytes) -> Option<Bytes> {
    let mut rows = rows(path, message)?;
    if let Some(last) = rows.chunks.last_mut() {
        last.row_status = None;
    }
    Some(frame(&rows))
}

/// Returns the rows in reverse order.
pub(crate) fn with_reversed_rows(path: &str, message: &Bytes) -> Option<Bytes> {
    let mut message = rows(path, message)?;
    let mut rows: Vec<Vec<CellChunk>> = Vec::new();
    let mut row = Vec::new();
    for chunk in mem::take(&mut message.chunks) {
        let ends = chunk.row_status == Some(RowStatus::CommitRow(true));
        row.push(chunk);
        if ends {
            rows.push(mem::take(&mut row));
        }
    }
    message.chunks = rows.into_iter().rev().flatten().chain(row).collect();
    Some(frame(&message))
}

/// Returns the outcomes without the outcome of the last entry.
pub(crate) fn without_last_entry(path: &str, message: &Bytes) -> Option<Bytes> {
    let mut entries = entries(path, message)?;
    entries.entries.pop();
    Some(frame(&entries))
}

fn rows(path: &str, message: &Bytes) -> Option<ReadRowsResponse> {
    decode(path, "/ReadRows", message)
}

fn entries(path: &str, message: &Bytes) -> Option<MutateRowsResponse> {
    decode(path, "/MutateRows", message)
}

fn decode<M: Message + Default>(path: &str, method: &str, message: &Bytes) -> Option<M> {
    let message =
        path.ends_with(method).then(|| message.slice(PREFIX_BYTES.min(message.len())..))?;
    M::decode(message).ok()
}
