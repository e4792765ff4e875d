//! The codec `foundationdb-tuple`: the keys as tuples of FoundationDB's tuple layer.

use std::borrow::Cow;
use std::hint::black_box;

use foundationdb_tuple::{Bytes, pack, pack_into, unpack};

use crate::keys::{Fixed, Variable};
use crate::race::Line;

const CODEC: &str = "foundationdb-tuple";

/// Returns the key as a tuple. The host is a byte string, which is the layer's only type for 16
/// bytes.
fn of_fixed(key: &Fixed) -> (Bytes<'_>, u64, u64) {
    (Bytes(Cow::Borrowed(&key.host)), key.event, key.reverse)
}

fn of_variable(key: &Variable) -> (&str, i64, u32) {
    (&key.user, key.number, key.part)
}

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    let mut row = Vec::new();
    Line::new(CODEC, keys, move |key| {
        row.clear();
        pack_into(&of_fixed(key), &mut row);
        black_box(&row);
    })
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| pack(&of_fixed(key))).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert!(unpack::<(Bytes<'_>, u64, u64)>(row).is_ok_and(|read| read == of_fixed(key)));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        let _ = black_box(&unpack::<(Bytes<'_>, u64, u64)>(row));
    })
}

pub(crate) fn variable_encode(keys: &[Variable]) -> Line<'_> {
    let mut row = Vec::new();
    Line::new(CODEC, keys, move |key| {
        row.clear();
        pack_into(&of_variable(key), &mut row);
        black_box(&row);
    })
}

pub(crate) fn variable_decode(keys: &[Variable]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| pack(&of_variable(key))).collect();
    for (key, row) in keys.iter().zip(&rows) {
        let read = unpack::<(Cow<'_, str>, i64, u32)>(row);
        assert!(read.is_ok_and(|(user, number, part)| (&*user, number, part) == of_variable(key)));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        let _ = black_box(&unpack::<(Cow<'_, str>, i64, u32)>(row));
    })
}
