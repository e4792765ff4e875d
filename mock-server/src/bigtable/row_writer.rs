//! Chunks of rows in messages.

use std::collections::VecDeque;

use bytes::Bytes;

use super::chunk::Chunk;
use super::frame;
use super::seen_cell::SeenCell;

/// The size of a message from which on it is sent.
pub(super) const MESSAGE_BYTES: usize = 128 << 10;

/// More than a chunk has besides its row key, family, qualifier and value.
const CHUNK_BYTES: usize = 64;

/// Writes rows into messages.
#[derive(Debug)]
pub(super) struct RowWriter {
    out: Vec<u8>,
    ready: VecDeque<Bytes>,
}

impl RowWriter {
    /// No rows yet.
    pub(super) fn new() -> Self {
        Self { out: frame::start(0), ready: VecDeque::new() }
    }

    /// The first message that is complete.
    pub(super) fn take(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    /// Whether a message is complete.
    pub(super) fn has_message(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Whether no message has been started.
    pub(super) fn is_empty(&self) -> bool {
        self.out.len() <= frame::PREFIX_BYTES
    }

    /// Completes the message that has been started.
    pub(super) fn flush(&mut self) {
        if !self.is_empty() {
            // Most messages of a read have about the same size.
            let next =
                frame::start(if self.out.len() < MESSAGE_BYTES { 0 } else { self.out.len() });
            let whole = std::mem::replace(&mut self.out, next);
            self.ready.push_back(frame::finish(whole));
        }
    }

    /// Adds a message that is complete.
    pub(super) fn add(&mut self, frame: Bytes) {
        self.flush();
        self.ready.push_back(frame);
    }

    /// Makes room for `bytes` more bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// Writes a chunk.
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>) {
        chunk.append(&mut self.out);
    }

    /// Completes the message if it has at least `bytes` bytes.
    pub(super) fn flush_from(&mut self, bytes: usize) {
        if self.out.len() >= bytes {
            self.flush();
        }
    }
}

/// The first chunk of a cell, without its value: what is as in the cell before is left out.
pub(super) fn first_chunk<'a>(
    key: &'a [u8],
    cell: &SeenCell<'a>,
    before: Option<&SeenCell<'_>>,
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

/// About how many bytes the chunks of a row have.
pub(super) fn row_bytes(key: &[u8], cells: &[SeenCell<'_>]) -> usize {
    let chunk = |c: &SeenCell<'_>| CHUNK_BYTES + c.qualifier().len() + c.value().len();
    key.len() + cells.iter().map(chunk).sum::<usize>()
}
