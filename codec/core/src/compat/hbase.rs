//! The encoding that `org.apache.hadoop.hbase.util.Bytes` writes.
//!
//! | type | bytes | order of the rows |
//! |---|---|---|
//! | `i8`..`i64` | big-endian two's complement | grouped: negatives after positives |
//! | `NonNeg` of them | the same | as the numbers |
//! | `u8`..`u64` | big-endian | as the numbers |
//! | `f32`, `f64` | IEEE bits | grouped: negatives after positives, in reverse |
//! | `bool` | 00, FF | false first |
//! | text, bytes | as they are; last field only | bytewise |
//! | [`Decimal`] | scale in 4 bytes, then the digits as a number; last field only | grouped |

use core::convert::Infallible;

use super::Decimal;
use crate::encoding::{Decoding, Encoding, GroupedOrder, NaturalOrder, NonNeg};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// The encoding of `Bytes.toBytes`.
///
/// The order of signed numbers is grouped, because -1 sorts after every positive number; use
/// [`NonNeg`] for a number that is scanned by range.
///
/// ```
/// use tallrow_codec::{compat::hbase::Bytes, Encoding, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Bytes as Encoding<i32>>::encode(&-2, &mut row).unwrap_or_else(|never| match never {});
/// <Bytes as Encoding<bool>>::encode(&true, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0xff, 0xff, 0xff, 0xfe, 0xff]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Bytes {}

macro_rules! big_endian {
    ($($number:ty)*) => {$(
        impl Encoding<$number> for Bytes {
            type Order = GroupedOrder;
            type Error = Infallible;
            const WIDTH: Option<usize> = Some(size_of::<$number>());
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$number, out: &mut S) -> Result<(), Infallible> {
                out.put(&value.to_be_bytes());
                Ok(())
            }
        }

        impl Decoding<'_, $number> for Bytes {
            #[inline]
            fn decode(input: &mut Input<'_>) -> Result<$number, Failed> {
                Ok(<$number>::from_be_bytes(input.read_array()?))
            }
        }
    )*};
}

big_endian!(i8 i16 i32 i64 f32 f64);

as_native! {
    Bytes:
    [] u8; [] u16; [] u32; [] u64;
    [] NonNeg<i8>; [] NonNeg<i16>; [] NonNeg<i32>; [] NonNeg<i64>;
    [const N: usize] [u8; N];
}

impl Encoding<bool> for Bytes {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(1);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &bool, out: &mut S) -> Result<(), Infallible> {
        out.put(&[if *value { 0xff } else { 0 }]);
        Ok(())
    }
}

impl Decoding<'_, bool> for Bytes {
    fn decode(input: &mut Input<'_>) -> Result<bool, Failed> {
        match input.read_array()? {
            [0] => Ok(false),
            [0xff] => Ok(true),
            _ => {
                Err(input
                    .fail(FieldErrorKind::NotCanonical { expected: "a bool of HBase, 00 or ff" }))
            }
        }
    }
}

raw!(Bytes);

impl Encoding<Decimal> for Bytes {
    type Order = GroupedOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    /// Writes 1.5 and 1.50 as different bytes, as HBase does; encode
    /// [`normalized`](Decimal::normalized) numbers if equal numbers must be one row.
    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), FieldError> {
        let scale = value.exponent().checked_neg();
        let scale =
            scale.ok_or(FieldErrorKind::OutOfRange { allowed: "of an exponent above -2^31" })?;
        out.put(&scale.to_be_bytes());
        out.put(&value.to_unscaled_bytes());
        Ok(())
    }
}

impl Decoding<'_, Decimal> for Bytes {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        let scale = i32::from_be_bytes(input.read_array()?);
        let unscaled = input.read_bytes(input.remaining())?;
        let value =
            scale.checked_neg().and_then(|exponent| Decimal::from_unscaled(&unscaled, exponent));
        value.ok_or_else(|| {
            input.fail(FieldErrorKind::NotCanonical {
                expected: "a scale, then a number in as few bytes as it takes",
            })
        })
    }
}
