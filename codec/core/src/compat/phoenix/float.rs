//! `FLOAT`, `DOUBLE` and their unsigned variants.

use core::convert::Infallible;

use super::Column;
use crate::encoding::{Decoding, Encoding, NaturalOrder};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// `UNSIGNED_FLOAT` and `UNSIGNED_DOUBLE`: the IEEE bits of a number that is not negative.
///
/// Phoenix also accepts every NaN, and -0, which then sorts after every number. This encoding
/// refuses -0. It writes every NaN as Java's NaN, and refuses to decode any other NaN.
///
/// ```
/// use tallrow_codec::{compat::phoenix::UnsignedFloat, Encoding, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <UnsignedFloat as Encoding<f32>>::encode(&1.0, &mut row)?;
/// assert_eq!(row.as_slice(), [0x3f, 0x80, 0, 0]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum UnsignedFloat {}

macro_rules! float {
    ($($float:ty, $bits:ty;)*) => {$(
        impl Encoding<$float> for Column {
            type Order = NaturalOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$float>());
            const PREFIX_FREE: bool = true;

            fn encode<S: Sink>(value: &$float, out: &mut S) -> Result<(), Infallible> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let value = if value.is_nan() { <$float>::NAN.abs() } else { *value };
                let bits = value.to_bits();
                let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                out.put(&(ordered + 1).to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $float> for Column {
            fn decode(input: &mut Input<'_>) -> Result<$float, Failed> {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let ordered = <$bits>::from_be_bytes(input.read_array()?).wrapping_sub(1);
                let bits = if ordered & SIGN == 0 { !ordered } else { ordered & !SIGN };
                let value = <$float>::from_bits(bits);
                if value.is_nan() && bits != <$float>::NAN.abs().to_bits() {
                    let expected = "a number or the one NaN";
                    return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
                }
                Ok(value)
            }
        }

        impl Encoding<$float> for UnsignedFloat {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = Some(size_of::<$float>());
            const PREFIX_FREE: bool = true;

            fn encode<S: Sink>(value: &$float, out: &mut S) -> Result<(), FieldError> {
                let value = if value.is_nan() { <$float>::NAN.abs() } else { *value };
                if value.is_sign_negative() {
                    return Err(FieldErrorKind::OutOfRange { allowed: "at least +0" }.into());
                }
                out.put(&value.to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $float> for UnsignedFloat {
            fn decode(input: &mut Input<'_>) -> Result<$float, Failed> {
                let value = <$float>::from_be_bytes(input.read_array()?);
                let strange = value.is_nan() && value.to_bits() != <$float>::NAN.abs().to_bits();
                if strange || value.is_sign_negative() {
                    let expected = "a number of at least +0, or the one NaN";
                    return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
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
