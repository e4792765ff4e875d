//! Cells as a `Result` message.

use std::borrow::Borrow;

use bytes::BytesMut;
use tallrow_wire::cell_block;
use tallrow_wire::proto;

use crate::cell::StoredCell;

/// Cells as a result: in a cell block if the client reads those, else in the message.
pub(super) fn result(
    cells: &[impl Borrow<StoredCell>],
    in_block: bool,
    block: &mut BytesMut,
) -> proto::Result {
    if cells.is_empty() {
        return proto::Result { associated_cell_count: Some(0), ..Default::default() };
    }
    if !in_block {
        let cell = cells.iter().map(|c| c.borrow().to_proto()).collect();
        let (stale, partial) = (Some(false), Some(false));
        return proto::Result { cell, stale, partial, ..Default::default() };
    }
    cells.iter().for_each(|c| put_cell(c.borrow(), block));
    proto::Result {
        associated_cell_count: Some(cells.len() as i32),
        stale: Some(false),
        ..Default::default()
    }
}

/// The result of a Get that only checks whether the row exists.
pub(super) fn existence(exists: bool) -> proto::Result {
    proto::Result { associated_cell_count: Some(0), exists: Some(exists), ..Default::default() }
}

/// Appends a cell to a cell block.
pub(super) fn put_cell(cell: &StoredCell, block: &mut BytesMut) {
    cell_block::put_bytes(cell.key_value(), block);
}
