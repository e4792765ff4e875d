//! The codec `zerocopy`: only the key of fixed width, as a struct whose memory is the encoded row.

use std::hint::black_box;

use zerocopy::big_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::hand;
use crate::keys::Fixed;
use crate::race::Line;

const CODEC: &str = "zerocopy";

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Bytes {
    host: [u8; 16],
    event: U64,
    reverse: U64,
}

impl From<&Fixed> for Bytes {
    #[inline]
    fn from(key: &Fixed) -> Self {
        Self { host: key.host, event: key.event.into(), reverse: key.reverse.into() }
    }
}

#[inline]
fn decode(row: &[u8]) -> Option<Fixed> {
    let row = Bytes::ref_from_bytes(row).ok()?;
    Some(Fixed { host: row.host, event: row.event.get(), reverse: row.reverse.get() })
}

pub(crate) fn fixed_encode(keys: &[Fixed]) -> Line<'_> {
    for key in keys {
        assert_eq!(Bytes::from(key).as_bytes(), hand::encode_fixed(key));
    }
    Line::new(CODEC, keys, |key| {
        black_box(Bytes::from(key).as_bytes());
    })
}

pub(crate) fn fixed_decode(keys: &[Fixed]) -> Line<'_> {
    let rows: Vec<_> = keys.iter().map(|key| Bytes::from(key).as_bytes().to_vec()).collect();
    for (key, row) in keys.iter().zip(&rows) {
        assert_eq!(decode(row).as_ref(), Some(key));
    }
    Line::new(CODEC, rows, |row: &Vec<u8>| {
        black_box(&decode(row));
    })
}
