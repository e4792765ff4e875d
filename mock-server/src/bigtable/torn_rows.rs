//! Rows in as many shapes as the protocol allows, from a seed: cut values, rows over several messages, rows that start
//! anew, keys that are repeated.

use fastrand::Rng;

use super::chunk::{Chunk, RowEnd};
use super::row_writer::{MESSAGE_BYTES, RowWriter, first_chunk};
use super::seen_cell::SeenCell;

/// Writes a row.
pub(super) fn write(writer: &mut RowWriter, random: &mut Rng, key: &[u8], cells: &[SeenCell<'_>]) {
    if random.u8(..6) == 0 {
        let count = random.usize(1..=cells.len());
        write_cells(writer, random, key, cells.get(..count).unwrap_or_default(), None);
        writer.chunk(&Chunk { end: Some(RowEnd::Reset), ..Chunk::default() });
    }
    write_cells(writer, random, key, cells, Some(RowEnd::Commit));
    writer.flush_from(MESSAGE_BYTES);
}

fn write_cells(
    writer: &mut RowWriter,
    random: &mut Rng,
    key: &[u8],
    cells: &[SeenCell<'_>],
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
            writer.chunk(&Chunk { value, value_size, ..chunk });
            (chunk, rest) = (Chunk::default(), more);
            flush(writer, random);
        }
        writer.chunk(&Chunk { value: rest, end: end.filter(|_| at == last), ..chunk });
        flush(writer, random);
        before = Some(cell);
    }
}

fn flush(writer: &mut RowWriter, random: &mut Rng) {
    if random.u8(..3) == 0 {
        writer.flush();
    }
}
