//! The codec that stores a value in any of the encodings of row keys.

use std::fmt::Display;
use std::marker::PhantomData;

use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::{Decoding, Encoding, Fallibility, Field, Input, Sink};

/// The codec that stores a value in the row key encoding `E`, in the same bytes as the last field
/// of a key: `codec = KeyEncoded::<Sep<b'/'>>`.
///
/// [`Ordered`](super::Ordered) and [`Phoenix`](super::Phoenix) are the two most used codecs of this
/// kind.
///
/// ```
/// use tallrow::key::compat::{ordered::Ordered, phoenix::Char};
/// use tallrow::value::{DecodeCell, EncodeCell, KeyEncoded};
///
/// let mut cell = Vec::new();
/// KeyEncoded::<Ordered>::encode(&7i32, &mut cell)?;
/// assert_eq!(cell, [0x2b, 0x80, 0, 0, 7], "as OrderedBytes writes it");
///
/// cell.clear();
/// KeyEncoded::<Char<4>>::encode(&"ab".to_owned(), &mut cell)?;
/// assert_eq!(cell, b"ab  ", "a CHAR(4) of Phoenix");
/// assert_eq!(<KeyEncoded<Char<4>> as DecodeCell<String>>::decode(&cell)?, "ab");
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KeyEncoded<E>(PhantomData<E>);

#[diagnostic::do_not_recommend]
impl<V, E> EncodeCell<V> for KeyEncoded<E>
where
    V: Field,
    E: Encoding<V::Arg>,
    E::Error: Fallibility + Display,
{
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let encoded = E::encode(value.as_arg(), &mut Out(out));
        encoded.map_err(|e| ValueError::new("a value that can be encoded", e.to_string()))
    }
}

#[diagnostic::do_not_recommend]
impl<V, E> DecodeCell<V> for KeyEncoded<E>
where
    E: for<'a> Decoding<'a, V>,
{
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        decode::<V, E>("an encoded value", bytes)
    }
}

/// Decodes a value; bytes that are left after it are an error.
pub(super) fn decode<V, E>(expected: &str, bytes: &[u8]) -> Result<V, ValueError>
where
    E: for<'a> Decoding<'a, V>,
{
    let mut input = Input::new(bytes);
    let value = E::decode(&mut input);
    let value = value.and_then(|value| input.expect_end().map(|()| value));
    value.map_err(|_| {
        let fault = input.fault().map_or("other bytes".into(), |fault| fault.to_string());
        ValueError::new(expected, fault)
    })
}

struct Out<'a>(&'a mut Vec<u8>);

impl Sink for Out<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.0.len()
    }

    fn written_since(&mut self, from: usize) -> &mut [u8] {
        self.0.get_mut(from..).unwrap_or_default()
    }
}
