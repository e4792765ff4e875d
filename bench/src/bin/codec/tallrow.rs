//! Times `#[derive(RowKey)]`, after comparing its keys with those of the hand-written code.

use std::hint::black_box;
use std::mem::forget;

use tallrow_codec::{RowBuf, RowKey};

use crate::hand;
use crate::keys::{Borrowed, Fixed, PREFIX, Variable, times};
use crate::race::Line;

// Errors, which no key here returns, are forgotten instead of dropped: with the code that drops
// them, the loop of a fixed key makes a call for each key. The peers are faster without this.

const CODEC: &str = "tallrow";

/// A metric of a host, newest first.
#[derive(RowKey)]
pub(crate) struct Metric {
    #[key(md5)]
    #[allow(dead_code, reason = "only its prefix handle is used")]
    host: String,
    event: u64,
    #[key(rev_ts)]
    at: i64,
}

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    for key in keys {
        assert_eq!(key.encode(), hand::encode_fixed(key), "{key:?}");
    }
    Line::new(CODEC, keys, |key| {
        black_box(&key.encode());
    })
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| key.encode().to_vec()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert_eq!(Fixed::decode(row).as_ref(), Ok(key));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        black_box(&Fixed::decode(row).map_err(forget));
    })
}

pub(crate) fn variable_encode(keys: &[Variable]) -> Line<'_> {
    let mut buffer = [0; 128];
    let mut row = RowBuf::new();
    for key in keys {
        key.encode_into(&mut row);
        assert_eq!(Some(row.as_slice()), hand::encode_variable(key, &mut buffer));
    }
    Line::new(CODEC, keys, move |key| {
        key.encode_into(&mut row);
        black_box(&row);
    })
}

/// Like [`variable_encode`], but each key is returned: this measures an encoded key that is moved
/// once.
pub(crate) fn variable_encode_returned(keys: &[Variable]) -> Line<'_> {
    Line::new("tallrow-returned", keys, |key| {
        black_box(&key.encode());
    })
}

pub(crate) fn variable_decode(keys: &[Variable]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| key.encode().as_slice().to_vec()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert!(Borrowed::decode(row).is_ok_and(|read| read == *key), "{key:?}");
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        black_box(&Borrowed::decode(row).map_err(forget));
    })
}

pub(crate) fn prefix_handle<'k>() -> Line<'k> {
    let (host, event) = PREFIX;
    let prefix = Metric::prefix().host(host).event(event);
    let template = hand::prefix();
    for at in times() {
        assert_eq!(prefix.at(at), hand::stamp(template, at));
    }
    Line::new(CODEC, times(), move |at: &i64| {
        black_box(&prefix.at(*at));
    })
}
