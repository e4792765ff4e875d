//! The codec that stores a value as CBOR, by `serde`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{DecodeCell, EncodeCell, ValueError};

/// The codec that stores a value as one CBOR item (RFC 8949), serialized by `serde`: a struct is a
/// map with the names of its fields (`codec = cbor`, feature `cbor`).
///
/// ```
/// use tallrow::value::{Cbor, DecodeCell, EncodeCell};
///
/// let mut cell = Vec::new();
/// Cbor::encode(&("a".to_string(), 7_u8), &mut cell)?;
/// assert_eq!(cell, [0x82, 0x61, b'a', 7]);
/// assert_eq!(<Cbor as DecodeCell<(String, u8)>>::decode(&cell)?, ("a".into(), 7));
/// assert!(<Cbor as DecodeCell<u8>>::decode(&[7, 7]).is_err(), "one item, not two");
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Cbor {}

impl<V: Serialize> EncodeCell<V> for Cbor {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        ciborium::into_writer(value, out)
            .map_err(|e| ValueError::new("a value that CBOR can hold", e.to_string()))
    }
}

impl<V: DeserializeOwned> DecodeCell<V> for Cbor {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        let mut rest = bytes;
        let value = ciborium::from_reader(&mut rest)
            .map_err(|e| ValueError::new("CBOR of the field's type", e.to_string()))?;
        match rest.len() {
            0 => Ok(value),
            more => Err(ValueError::new("one CBOR item", format!("{more} bytes after it"))),
        }
    }
}
