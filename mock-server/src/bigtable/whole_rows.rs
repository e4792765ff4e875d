//! Rows in few messages: several small rows in one, a large one in several.

use super::chunk::{Chunk, RowEnd};
use super::row_writer::{MESSAGE_BYTES, RowWriter, first_chunk};
use super::seen_cell::SeenCell;

/// Up to this size, a row is in one message: clients of emulators receive at most 4 MiB.
const WHOLE_ROW_BYTES: usize = 3 << 20;

/// The size of the parts of a larger row.
const PART_BYTES: usize = 1 << 20;

/// Writes a row of about `bytes` bytes.
///
/// A part of a row starts with its key where possible: Google's Python client wants that.
pub(super) fn write(writer: &mut RowWriter, key: &[u8], cells: &[SeenCell<'_>], bytes: usize) {
    let large = bytes > WHOLE_ROW_BYTES;
    if large {
        writer.flush();
    }
    writer.reserve(bytes.min(PART_BYTES));
    let last = cells.len().saturating_sub(1);
    let mut before = None;
    for (at, cell) in cells.iter().enumerate() {
        let mut chunk = first_chunk(key, cell, before);
        if large && writer.is_empty() {
            chunk.row_key = Some(key);
        }
        let mut rest = cell.value();
        if rest.len() > WHOLE_ROW_BYTES {
            while rest.len() > PART_BYTES {
                let (value, more) = rest.split_at(PART_BYTES);
                writer.chunk(&Chunk { value, value_size: Some(cell.value().len()), ..chunk });
                writer.flush();
                (chunk, rest) = (Chunk::default(), more);
            }
        }
        let end = (at == last).then_some(RowEnd::Commit);
        writer.chunk(&Chunk { value: rest, end, ..chunk });
        if large {
            writer.flush_from(PART_BYTES);
        }
        before = Some(cell);
    }
    writer.flush_from(MESSAGE_BYTES);
}
