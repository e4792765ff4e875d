//! The readers of bytes from outside, for tests and fuzz targets that change such bytes at random.
//! Not part of the public API. Each function returns whether the bytes were accepted.

use std::path::Path;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::{CellType, KeyValue};
use tallrow_wire::proto;

use crate::cells::{RowOrder, StoredCell};
use crate::filters;
use crate::journal::{self, Record};
use crate::recovery::Image;

/// Reads a data file, with the state that its records describe.
pub fn data_file(bytes: &[u8]) -> bool {
    let mut image = Image::default();
    journal::read_bytes(bytes, Path::new("tables.log"), |record| image.apply(record)).is_ok()
}

/// Reads the records of a data file, each after its length as four bytes, the lowest first. Few of
/// the changed files have the right checksums; these records need none.
pub fn data_records(bytes: &[u8]) -> bool {
    let (mut image, mut rest) = (Image::default(), bytes);
    while let Some((len, after)) = rest.split_first_chunk() {
        let len = usize::try_from(u32::from_le_bytes(*len)).unwrap_or(usize::MAX);
        let Some((payload, after)) = after.split_at_checked(len) else { return false };
        let Ok(record) = Record::decode(Bytes::copy_from_slice(payload)) else { return false };
        if image.apply(record).is_err() {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

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
