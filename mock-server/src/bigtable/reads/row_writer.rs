//! Writes rows as chunks in messages. Rows are either whole (several small rows share a message,
//! and a large row takes several messages, unless the client needs it in one), or torn at random
//! into any shape that the protocol allows.

use std::collections::VecDeque;

use bytes::Bytes;
use fastrand::Rng;

use super::chunk::{Chunk, RowEnd};
use crate::bigtable::call::{PREFIX_BYTES, finish_frame, start_frame};
use crate::bigtable::filter::FilteredCell;

/// A message with at least this size is complete.
pub(super) const MESSAGE_BYTES: usize = 128 << 10;

/// An upper bound of the bytes of a chunk besides its row key, family, qualifier and value.
const CHUNK_BYTES: usize = 64;

/// Writes rows into messages.
#[derive(Debug)]
pub(super) struct RowWriter {
    out: Vec<u8>,
    ready: VecDeque<Bytes>,
}

impl RowWriter {
    /// Makes a writer without rows.
    pub(super) fn new() -> Self {
        Self { out: start_frame(0), ready: VecDeque::new() }
    }

    /// Takes the first complete message.
    pub(super) fn pop_message(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    /// Returns whether a message is complete.
    pub(super) fn has_message(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns whether no message has been started.
    pub(super) fn is_at_message_start(&self) -> bool {
        self.out.len() <= PREFIX_BYTES
    }

    /// Completes the message that has been started, if any.
    pub(super) fn flush(&mut self) {
        if !self.is_at_message_start() {
            // Most messages of a read have about the same size.
            let next = match self.out.len() {
                ..MESSAGE_BYTES => 0,
                bytes => bytes.min(WHOLE_ROW_BYTES),
            };
            let next = start_frame(next);
            let whole = std::mem::replace(&mut self.out, next);
            self.ready.push_back(finish_frame(whole));
        }
    }

    /// Adds a complete message. The message that has been started is completed before it.
    pub(super) fn push_message(&mut self, frame: Bytes) {
        self.flush();
        self.ready.push_back(frame);
    }

    /// Makes room for `bytes` more bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Writes a chunk.
    pub(super) fn write_chunk(&mut self, chunk: &Chunk<'_>) {
        chunk.append(&mut self.out);
    }

    /// Completes the message if it has at least `bytes` bytes.
    pub(super) fn flush_if_at_least(&mut self, bytes: usize) {
        if self.out.len() >= bytes {
            self.flush();
        }
    }
}

/// Makes the first chunk of a cell, without its value. Names that are the same as in the cell
/// before are left out.
pub(super) fn first_chunk<'a>(
    key: &'a [u8],
    cell: &FilteredCell<'a>,
    before: Option<&FilteredCell<'_>>,
) -> Chunk<'a> {
    let same_family = before.is_some_and(|b| b.family() == cell.family());
    let same_column = same_family && before.is_some_and(|b| b.qualifier() == cell.qualifier());
    Chunk {
        row_key: before.is_none().then_some(key),
        family: (!same_family).then(|| cell.family()),
        qualifier: (!same_column).then(|| cell.qualifier()),
        timestamp_micros: cell.micros(),
        label: cell.label,
        ..Chunk::default()
    }
}

/// Returns the approximate size of the chunks of a row.
pub(super) fn row_bytes(key: &[u8], cells: &[FilteredCell<'_>]) -> usize {
    let chunk = |c: &FilteredCell<'_>| CHUNK_BYTES + c.qualifier().len() + c.value().len();
    key.len() + cells.iter().map(chunk).sum::<usize>()
}

/// A row up to this size is sent in one message. Clients of emulators receive at most 4 MiB per
/// message.
const WHOLE_ROW_BYTES: usize = 3 << 20;

/// The size of the parts of a larger row.
const PART_BYTES: usize = 1 << 20;

/// Writes a whole row of about `bytes` bytes. A large row is divided over several messages, unless
/// the client `needs_one_message`.
///
/// A part of a large row starts with the row key where possible, as Google's Python client
/// requires.
pub(super) fn write_whole(
    writer: &mut RowWriter,
    key: &[u8],
    cells: &[FilteredCell<'_>],
    bytes: usize,
    needs_one_message: bool,
) {
    let large = bytes > WHOLE_ROW_BYTES;
    let in_parts = large && !needs_one_message;
    if large {
        // With other rows before it, its message could be larger than the client can receive.
        writer.flush();
    }
    writer.reserve(if in_parts { PART_BYTES } else { bytes });
    let last = cells.len().saturating_sub(1);
    let mut before = None;
    for (at, cell) in cells.iter().enumerate() {
        let mut chunk = first_chunk(key, cell, before);
        if in_parts && writer.is_at_message_start() {
            chunk.row_key = Some(key);
        }
        let mut rest = cell.value();
        if in_parts && rest.len() > WHOLE_ROW_BYTES {
            while rest.len() > PART_BYTES {
                let (value, more) = rest.split_at(PART_BYTES);
                writer.write_chunk(&Chunk { value, value_size: Some(cell.value().len()), ..chunk });
                writer.flush();
                (chunk, rest) = (Chunk::default(), more);
            }
        }
        let end = (at == last).then_some(RowEnd::Commit);
        writer.write_chunk(&Chunk { value: rest, end, ..chunk });
        if in_parts {
            writer.flush_if_at_least(PART_BYTES);
        }
        before = Some(cell);
    }
    writer.flush_if_at_least(MESSAGE_BYTES);
}

/// Writes a row that is torn at random; the row may also be reset and written again.
pub(super) fn write_torn(
    writer: &mut RowWriter,
    random: &mut Rng,
    key: &[u8],
    cells: &[FilteredCell<'_>],
) {
    if random.u8(..6) == 0 {
        let count = random.usize(1..=cells.len());
        write_torn_cells(writer, random, key, cells.get(..count).unwrap_or_default(), None);
        writer.write_chunk(&Chunk { end: Some(RowEnd::Reset), ..Chunk::default() });
    }
    write_torn_cells(writer, random, key, cells, Some(RowEnd::Commit));
    writer.flush_if_at_least(MESSAGE_BYTES);
}

fn write_torn_cells(
    writer: &mut RowWriter,
    random: &mut Rng,
    key: &[u8],
    cells: &[FilteredCell<'_>],
    end: Option<RowEnd>,
) {
    let last = cells.len().saturating_sub(1);
    let mut before = None;
    for (at, cell) in cells.iter().enumerate() {
        let mut chunk = first_chunk(key, cell, before);
        if random.u8(..3) == 0 {
            chunk.row_key = Some(key);
            (chunk.family, chunk.qualifier) = (Some(cell.family()), Some(cell.qualifier()));
        }
        let mut rest = cell.value();
        let cuts = if random.bool() { random.u8(1..=3) } else { 0 };
        for _ in 0..cuts {
            if rest.is_empty() {
                break;
            }
            // The last part may be empty.
            let (value, more) = rest.split_at(random.usize(1..=rest.len()));
            let value_size = Some(cell.value().len());
            writer.write_chunk(&Chunk { value, value_size, ..chunk });
            (chunk, rest) = (Chunk::default(), more);
            flush_at_random(writer, random);
        }
        writer.write_chunk(&Chunk { value: rest, end: end.filter(|_| at == last), ..chunk });
        flush_at_random(writer, random);
        before = Some(cell);
    }
}

fn flush_at_random(writer: &mut RowWriter, random: &mut Rng) {
    if random.u8(..3) == 0 {
        writer.flush();
    }
}
