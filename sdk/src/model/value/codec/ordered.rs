//! The codec that stores a value in bytes that sort as the values do.

use std::fmt::Display;

use super::encoded::{KeyEncoded, decode};
use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::{self, Decoding, Encoding, Fallibility, Field};

/// The codec that stores a value in the same bytes as the last field of a row key (`codec =
/// ordered`). The bytes sort in the order of the values, even for negative numbers and floats.
///
/// HBase's own tools cannot read these bytes, but filters and checks that compare cells work with
/// them.
///
/// ```
/// use tallrow::value::{DecodeCell, EncodeCell, Ordered};
///
/// let bytes = |n: f64| {
///     let mut cell = Vec::new();
///     Ordered::encode(&n, &mut cell).map(|()| cell)
/// };
/// assert!(bytes(-2.5)? < bytes(-1.0)? && bytes(-1.0)? < bytes(0.5)?);
/// assert_eq!(<Ordered as DecodeCell<f64>>::decode(&bytes(-2.5)?)?, -2.5);
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ordered {}

#[diagnostic::do_not_recommend]
impl<V> EncodeCell<V> for Ordered
where
    V: Field,
    key::Native: Encoding<V::Arg>,
    <key::Native as Encoding<V::Arg>>::Error: Fallibility + Display,
{
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        KeyEncoded::<key::Native>::encode(value, out)
    }
}

#[diagnostic::do_not_recommend]
impl<V> DecodeCell<V> for Ordered
where
    key::Native: for<'a> Decoding<'a, V>,
{
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        decode::<V, key::Native>("an ordered value", bytes)
    }
}
