//! The codec `memcomparable`: the keys through serde, as bytes that sort like the values.

use std::hint::black_box;

use memcomparable::{Serializer, from_slice, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::keys::{Fixed, Variable};
use crate::race::Line;

const CODEC: &str = "memcomparable";

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    encode(keys)
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    decode(keys)
}

pub(crate) fn variable_encode(keys: &[Variable]) -> Line<'_> {
    encode(keys)
}

pub(crate) fn variable_decode(keys: &[Variable]) -> Line<'_> {
    decode(keys)
}

fn encode<K: Serialize>(keys: &[K]) -> Line<'_> {
    let mut row = Vec::new();
    Line::new(CODEC, keys, move |key: &K| {
        row.clear();
        let _ = black_box(key.serialize(&mut Serializer::new(&mut row)));
        black_box(&row);
    })
}

fn decode<K: Serialize + DeserializeOwned + PartialEq>(keys: &[K]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().filter_map(|key| to_vec(key).ok()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert!(from_slice::<K>(row).is_ok_and(|read| read == *key));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        let _ = black_box(&from_slice::<K>(row));
    })
}
