use std::fmt::Display;

use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::{self, Decoding, Encoding, Fallibility, Field, Input, Sink};

/// A value in the bytes it would have as the last field of a row key (`codec = ordered`): they sort as the values do,
/// also negative numbers and floats.
///
/// HBase's own tools do not read them; filters and checks that compare may be used on them.
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

impl<V> EncodeCell<V> for Ordered
where
    V: Field,
    key::Native: Encoding<V::Arg>,
    <key::Native as Encoding<V::Arg>>::Error: Fallibility + Display,
{
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let encoded = <key::Native as Encoding<V::Arg>>::encode(value.arg(), &mut Out(out));
        encoded.map_err(|e| ValueError::new("a value that can be encoded", e.to_string()))
    }
}

impl<V> DecodeCell<V> for Ordered
where
    key::Native: for<'a> Decoding<'a, V>,
{
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        let mut input = Input::new(bytes);
        let value = key::Native::decode(&mut input);
        let value = value.and_then(|value| input.end().map(|()| value));
        value.map_err(|_| {
            let fault = input.fault().map_or("other bytes".into(), |fault| fault.to_string());
            ValueError::new("an ordered value", fault)
        })
    }
}

struct Out<'a>(&'a mut Vec<u8>);

impl Sink for Out<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.0.len()
    }

    fn written(&mut self, from: usize) -> &mut [u8] {
        self.0.get_mut(from..).unwrap_or_default()
    }
}
