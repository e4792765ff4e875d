//! Rows as messages: several small rows in one, a large one in several.

use std::collections::VecDeque;

use bytes::{Bytes, BytesMut};
use fastrand::Rng;

use super::chunk::{Chunk, RowEnd};
use super::frame;
use super::seen_cell::SeenCell;
use super::torn_rows;

/// From this size on, a message is sent.
const MESSAGE_BYTES: usize = 128 << 10;

/// Up to this size, a row is in one message: clients of emulators receive at most 4 MiB.
const WHOLE_ROW_BYTES: usize = 3 << 20;

/// The size of the parts of a larger row.
const PART_BYTES: usize = 1 << 20;

/// More than a chunk has besides its row key, family, qualifier and value.
const CHUNK_BYTES: usize = 64;

/// Writes rows into messages.
#[derive(Debug)]
pub(super) struct RowWriter {
    out: BytesMut,
    ready: VecDeque<Bytes>,
    /// Where the decisions come from if rows are torn.
    torn: Option<Rng>,
}

impl RowWriter {
    /// No rows yet.
    pub(super) fn new(torn: Option<Rng>) -> Self {
        Self { out: frame::start(0), ready: VecDeque::new(), torn }
    }

    /// The first message that is complete.
    pub(super) fn take(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    /// Whether a message is complete.
    pub(super) fn has_message(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Completes the message that has been started.
    pub(super) fn flush(&mut self) {
        if self.out.len() > frame::PREFIX_BYTES {
            let whole = std::mem::replace(&mut self.out, frame::start(0));
            self.ready.push_back(frame::finish(whole));
        }
    }

    /// Adds a message that is complete.
    pub(super) fn add(&mut self, frame: Bytes) {
        self.flush();
        self.ready.push_back(frame);
    }

    /// Writes a chunk.
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>) {
        chunk.append(&mut self.out);
    }

    /// Writes a row. It has at least one cell.
    pub(super) fn row(&mut self, key: &[u8], cells: &[SeenCell<'_>]) {
        match self.torn.take() {
            None => self.whole_row(key, cells),
            Some(mut random) => {
                torn_rows::write(self, &mut random, key, cells);
                self.torn = Some(random);
            }
        }
        if self.out.len() >= MESSAGE_BYTES {
            self.flush();
        }
    }

    fn whole_row(&mut self, key: &[u8], cells: &[SeenCell<'_>]) {
        let size = row_bytes(key, cells);
        let part = if size > WHOLE_ROW_BYTES { PART_BYTES } else { usize::MAX };
        if part == PART_BYTES {
            self.flush();
        }
        self.out.reserve(size.min(PART_BYTES));
        let last = cells.len().saturating_sub(1);
        let mut before: Option<&SeenCell<'_>> = None;
        for (at, cell) in cells.iter().enumerate() {
            let mut chunk = first_chunk(key, cell, before);
            let mut rest = cell.value();
            while rest.len() > part {
                let (value, more) = rest.split_at(part);
                Chunk { value, value_size: Some(cell.value().len()), ..chunk }
                    .append(&mut self.out);
                self.flush();
                (chunk, rest) = (Chunk::default(), more);
            }
            let end = (at == last).then_some(RowEnd::Commit);
            Chunk { value: rest, end, ..chunk }.append(&mut self.out);
            if self.out.len() >= part {
                self.flush();
            }
            before = Some(cell);
        }
    }
}

/// The first chunk of a cell, without its value: what is as in the cell before is left out.
pub(super) fn first_chunk<'a>(
    key: &'a [u8],
    cell: &'a SeenCell<'_>,
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
