//! `bool`, `char`, floats, byte arrays and `Option`.
//!
//! | type | bytes | order |
//! |---|---|---|
//! | `bool` | 00 or 01 | false first |
//! | `char` | its number, 4 bytes big-endian | by number |
//! | `f32`, `f64` | IEEE bits, the sign bit flipped, all bits when negative; every NaN as 7FC0.. / 7FF8.. | `total_cmp`: -inf .. -0 < +0 .. inf < NaN |
//! | `[u8; N]` | as it is | bytewise |
//! | `Option<T>` | 00, or 01 and the bytes of `T` | none first |

use core::convert::Infallible;
use core::marker::PhantomData;

use super::{Decoding, Encoding, Field, Native, ValuesWithBoundBytes};
use crate::encoding::NaturalOrder;
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

impl Encoding<bool> for Native {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(1);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &bool, out: &mut S) -> Result<(), Infallible> {
        out.put(&[u8::from(*value)]);
        Ok(())
    }
}

impl Decoding<'_, bool> for Native {
    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<bool, Failed> {
        match input.read_array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(input.fail(FieldErrorKind::NotCanonical { expected: "a bool, 00 or 01" })),
        }
    }
}

impl Encoding<char> for Native {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(4);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &char, out: &mut S) -> Result<(), Infallible> {
        out.put(&u32::from(*value).to_be_bytes());
        Ok(())
    }
}

impl Decoding<'_, char> for Native {
    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<char, Failed> {
        char::from_u32(u32::from_be_bytes(input.read_array()?)).ok_or_else(|| {
            input.fail(FieldErrorKind::NotCanonical { expected: "the number of a character" })
        })
    }
}

macro_rules! float {
    ($($float:ty, $bits:ty;)*) => {$(
        impl Encoding<$float> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$float>());
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$float, out: &mut S) -> Result<(), Infallible> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let bits = if value.is_nan() { <$float>::NAN.to_bits() & !SIGN } else { value.to_bits() };
                let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                out.put(&ordered.to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $float> for Native {
            #[inline]
            fn decode(input: &mut Input<'_>) -> Result<$float, Failed> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let ordered = <$bits>::from_be_bytes(input.read_array()?);
                let bits = if ordered & SIGN == 0 { !ordered } else { ordered & !SIGN };
                let value = <$float>::from_bits(bits);
                if value.is_nan() && bits != <$float>::NAN.to_bits() & !SIGN {
                    return Err(input.fail(FieldErrorKind::NotCanonical { expected: "a number or the one NaN" }));
                }
                Ok(value)
            }
        }
    )*};
}

float! {
    f32, u32;
    f64, u64;
}

impl<const N: usize> Encoding<[u8; N]> for Native {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &[u8; N], out: &mut S) -> Result<(), Infallible> {
        out.put(value);
        Ok(())
    }
}

impl<const N: usize> Decoding<'_, [u8; N]> for Native {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<[u8; N], Failed> {
        input.read_array()
    }
}

/// An `Option` whose value has the encoding `F`: 00 for none, 01 before a value.
///
/// ```
/// use tallrow_codec::{Escaped, Encoding, Nullable, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Nullable<Escaped> as Encoding<Option<String>>>::encode(&Some("a".into()), &mut row)
///     .unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), b"\x01a\x00\x01");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nullable<F>(PhantomData<F>);

impl<T: Field, F: Encoding<T::Arg, Order = NaturalOrder>> Encoding<Option<T>> for Nullable<F> {
    type Order = NaturalOrder;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &Option<T>, out: &mut S) -> Result<(), Self::Error> {
        match value {
            None => {
                out.put(&[0]);
                Ok(())
            }
            Some(value) => {
                out.put(&[1]);
                F::encode(value.as_arg(), out)
            }
        }
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &Option<T>,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, Self::Error> {
        let Some(value) = bound else {
            out.put(&[0]);
            return Ok(Some(ValuesWithBoundBytes::BOUND_ONLY));
        };
        let mark = out.position();
        out.put(&[1]);
        let at = F::encode_bound(value.as_arg(), out)?;
        // `None` sorts below all values.
        if let (None, [some, ..]) = (at, out.written_since(mark)) {
            *some = 0;
        }
        Ok(at.or(Some(ValuesWithBoundBytes::BELOW)))
    }
}

impl<'a, T, F: Decoding<'a, T>> Decoding<'a, Option<T>> for Nullable<F> {
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<Option<T>, Failed> {
        if read_is_some(input)? { F::decode(input).map(Some) } else { Ok(None) }
    }
}

/// Reads the mark before an optional value, and returns whether a value follows.
#[inline]
pub(crate) fn read_is_some(input: &mut Input<'_>) -> Result<bool, Failed> {
    match input.read_array()? {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => {
            let expected = "the mark of an Option, 00 or 01";
            Err(input.fail(FieldErrorKind::NotCanonical { expected }))
        }
    }
}
