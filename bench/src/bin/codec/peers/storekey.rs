//! The codec `storekey`: the keys through its derives; the key of variable width is decoded as a
//! borrowed value.

use std::hint::black_box;

use storekey::{decode, decode_borrow, encode, encode_vec};

use crate::keys::{Borrowed, Fixed, Variable};
use crate::race::Line;

const CODEC: &str = "storekey";

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    Line::new(CODEC, keys, |key| {
        let mut row = [0; 32];
        let _ = black_box(encode(&mut row[..], key));
        black_box(&row);
    })
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().filter_map(|key| encode_vec(key).ok()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert!(decode::<_, Fixed>(&row[..]).is_ok_and(|read| read == *key), "{key:?}");
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        let _ = black_box(&decode::<_, Fixed>(&row[..]));
    })
}

pub(crate) fn variable_encode(keys: &[Variable]) -> Line<'_> {
    let mut row = Vec::new();
    Line::new(CODEC, keys, move |key| {
        row.clear();
        let _ = black_box(encode(&mut row, key));
        black_box(&row);
    })
}

pub(crate) fn variable_decode(keys: &[Variable]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().filter_map(|key| encode_vec(key).ok()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert!(decode_borrow::<Borrowed<'_>>(row).is_ok_and(|read| read == *key), "{key:?}");
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        let _ = black_box(&decode_borrow::<Borrowed<'_>>(row));
    })
}
