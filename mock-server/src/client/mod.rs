//! `ClientService`: reads and writes of rows.

mod get;
mod multi;
mod mutate;
mod scan;

use std::borrow::Borrow;

use bytes::BytesMut;
use tallrow_wire::proto;

use crate::call::put_cell;
use crate::cells::StoredCell;

pub(crate) use get::get;
pub(crate) use multi::multi;
pub(crate) use mutate::mutate;
pub(crate) use scan::scan;

/// Cells as a result: beside the message when the client reads blocks, else inside it.
fn result(
    cells: &[impl Borrow<StoredCell>],
    in_block: bool,
    block: &mut BytesMut,
) -> proto::Result {
    if !in_block {
        let cell = cells.iter().map(|c| c.borrow().to_proto()).collect();
        return proto::Result { cell, stale: Some(false), ..Default::default() };
    }
    cells.iter().for_each(|c| put_cell(c.borrow(), block));
    proto::Result {
        associated_cell_count: Some(cells.len() as i32),
        stale: Some(false),
        ..Default::default()
    }
}

/// The answer to "does the row exist".
fn existence(exists: bool) -> proto::Result {
    proto::Result { associated_cell_count: Some(0), exists: Some(exists), ..Default::default() }
}
