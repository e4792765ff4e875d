//! Encodings of numbers with a fixed width, after a byte for their type.

use core::convert::Infallible;

use super::Ordered;
use crate::encoding::{Decoding, Encoding, Native, NaturalOrder};
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

macro_rules! fixed {
    ($($number:ty, $header:literal, $expected:literal;)*) => {$(
        impl Encoding<$number> for Ordered {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(1 + size_of::<$number>());
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$number, out: &mut S) -> Result<(), Infallible> {
                out.put(&[$header]);
                Native::encode(value, out)
            }
        }

        impl Decoding<'_, $number> for Ordered {
            #[inline]
            fn decode(input: &mut Input<'_>) -> Result<$number, Failed> {
                match input.read_array()? {
                    [$header] => Native::decode(input),
                    _ => Err(input.fail(FieldErrorKind::NotCanonical { expected: $expected })),
                }
            }
        }
    )*};
}

fixed! {
    i8, 0x29, "an int8, which starts with 29 (D6 when descending)";
    i16, 0x2a, "an int16, which starts with 2a (D5 when descending)";
    i32, 0x2b, "an int32, which starts with 2b (D4 when descending)";
    i64, 0x2c, "an int64, which starts with 2c (D3 when descending)";
    f32, 0x30, "a float32, which starts with 30 (CF when descending)";
    f64, 0x31, "a float64, which starts with 31 (CE when descending)";
}
