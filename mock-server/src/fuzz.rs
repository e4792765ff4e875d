//! The readers of bytes from outside, for tests and fuzz targets that change such bytes at random.
//! Not part of the public API. Each function returns whether the bytes were accepted.

use prost::Message;
use tallrow_wire::cell::{CellType, KeyValue};
use tallrow_wire::proto;

use crate::cells::{RowOrder, StoredCell};
use crate::filters;

/// Reads a filter for both directions of scans, and applies it to a row.
pub fn filter(bytes: &[u8]) -> bool {
    let Ok(message) = proto::Filter::decode(bytes) else { return false };
    let cell = KeyValue {
        row: b"row",
        family: b"f",
        qualifier: b"qualifier",
        timestamp: 7,
        kind: CellType::Put,
        value: b"value",
    };
    let Ok(cell) = StoredCell::new(&cell, None, 1, RowOrder::Bytes) else { return false };
    let mut accepted = false;
    for reversed in [false, true] {
        let Ok(mut filter) = filters::decode(&message, reversed) else { continue };
        accepted = true;
        filter.reset();
        if !filter.filter_row_key(cell.row()) {
            let _ = filter.filter_cell(&cell);
            let _ = filter.hint(&cell);
            let _ = filter.filter_row();
        }
    }
    accepted
}
