//! The codec that stores a value as JSON, by `serde`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{DecodeCell, EncodeCell, ValueError};

/// The codec that stores a value as one JSON document without white space, serialized by `serde`
/// (`codec = json`, feature `json`).
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, Json};
///
/// let mut cell = Vec::new();
/// Json::encode(&vec![Some(1), None], &mut cell)?;
/// assert_eq!(cell, b"[1,null]");
/// assert_eq!(<Json as DecodeCell<Vec<Option<u8>>>>::decode(&cell)?, [Some(1), None]);
/// let bad = <Json as DecodeCell<u8>>::decode(b"{}").unwrap_err();
/// assert!(
///     bad.to_string().starts_with(
///         "expected JSON of the field's type, found something else: invalid type: map"
///     )
/// );
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Json {}

impl<V: Serialize> EncodeCell<V> for Json {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        serde_json::to_writer(out, value)
            .map_err(|e| ValueError::new("a value that JSON can hold", e.to_string()))
    }
}

impl<V: DeserializeOwned> DecodeCell<V> for Json {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        serde_json::from_slice(bytes).map_err(|e| {
            ValueError::new("JSON of the field's type", format!("something else: {e}"))
        })
    }
}
