//! The codec that stores a value as a message of Protocol Buffers.

use prost::Message;

use super::{DecodeCell, EncodeCell, ValueError};

/// The codec that stores a value as a protobuf message (`codec = protobuf`). The value can be of
/// any type that implements `prost::Message` (prost 0.14).
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, Protobuf};
///
/// // prost implements Message for the wrapper types of protobuf, among them u32 for UInt32Value.
/// let mut cell = Vec::new();
/// Protobuf::encode(&7_u32, &mut cell)?;
/// assert_eq!(cell, [8, 7]);
/// assert_eq!(<Protobuf as DecodeCell<u32>>::decode(&cell)?, 7);
/// assert!(<Protobuf as DecodeCell<u32>>::decode(&[8]).is_err());
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Protobuf {}

#[diagnostic::do_not_recommend]
impl<V: Message> EncodeCell<V> for Protobuf {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        value.encode(out).map_err(|e| ValueError::new("capacity for the message", e.to_string()))
    }
}

#[diagnostic::do_not_recommend]
impl<V: Message + Default> DecodeCell<V> for Protobuf {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        V::decode(bytes)
            .map_err(|e| ValueError::new("a message of the field's type", e.to_string()))
    }
}
