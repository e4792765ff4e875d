//! The native encoding of integers: big-endian, with the sign bit of signed integers flipped.
//!
//! | type | bytes | order |
//! |---|---|---|
//! | `u8`..`u128` | big-endian | as the numbers |
//! | `i8`..`i128` | big-endian, first bit inverted | as the numbers, negatives first |
//! | `NonZero<u8>`..`NonZero<u128>` | as the plain type | as the numbers |

use core::convert::Infallible;
use core::num::NonZero;

use super::{Decoding, Encoding, Native};
use crate::encoding::NaturalOrder;
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

macro_rules! unsigned {
    ($($int:ty)*) => {$(
        impl Encoding<$int> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline(always)]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), Infallible> {
                out.put(&value.to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $int> for Native {
            #[inline(always)]
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                Ok(<$int>::from_be_bytes(input.read_array()?))
            }
        }

        impl Encoding<NonZero<$int>> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline(always)]
            fn encode<S: Sink>(value: &NonZero<$int>, out: &mut S) -> Result<(), Infallible> {
                out.put(&value.get().to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, NonZero<$int>> for Native {
            #[inline(always)]
            fn decode(input: &mut Input<'_>) -> Result<NonZero<$int>, Failed> {
                NonZero::new(<$int>::from_be_bytes(input.read_array()?))
                    .ok_or_else(|| input.fail(FieldErrorKind::NotCanonical { expected: "a number other than 0" }))
            }
        }
    )*};
}

macro_rules! signed {
    ($($int:ty)*) => {$(
        impl Encoding<$int> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline(always)]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), Infallible> {
                out.put(&(value ^ <$int>::MIN).to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $int> for Native {
            #[inline(always)]
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                Ok(<$int>::from_be_bytes(input.read_array()?) ^ <$int>::MIN)
            }
        }

        impl Encoding<NonZero<$int>> for Native {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline(always)]
            fn encode<S: Sink>(value: &NonZero<$int>, out: &mut S) -> Result<(), Infallible> {
                <Native as Encoding<$int>>::encode(&value.get(), out)
            }
        }

        impl Decoding<'_, NonZero<$int>> for Native {
            #[inline(always)]
            fn decode(input: &mut Input<'_>) -> Result<NonZero<$int>, Failed> {
                let number: $int = Native::decode(input)?;
                NonZero::new(number).ok_or_else(|| {
                    input.fail(FieldErrorKind::NotCanonical { expected: "a number other than 0" })
                })
            }
        }
    )*};
}

unsigned! { u8 u16 u32 u64 u128 }
signed! { i8 i16 i32 i64 i128 }
