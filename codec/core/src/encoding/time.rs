//! Reverse timestamps: newest first.

use core::convert::Infallible;

use super::{Decoding, Encoding, ValuesWithBoundBytes};
use crate::encoding::ReversedOrder;
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// A time as `i64::MAX - time`, 8 bytes big-endian: the `Long.MAX_VALUE - timestamp` of the HBase
/// book, and the same bytes as a descending `i64`; `#[key(rev_ts)]`.
///
/// Correct for every `i64`, including times before the epoch. A `u64` above `i64::MAX` is refused,
/// because its bytes would sort after all others.
///
/// ```
/// use tallrow_codec::{Encoding, RevTs, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <RevTs as Encoding<i64>>::encode(&1, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), (i64::MAX - 1).to_be_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum RevTs {}

impl Encoding<i64> for RevTs {
    type Order = ReversedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(8);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &i64, out: &mut S) -> Result<(), Infallible> {
        out.put(&i64::MAX.wrapping_sub(*value).to_be_bytes());
        Ok(())
    }
}

impl Decoding<'_, i64> for RevTs {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<i64, Failed> {
        Ok(i64::MAX.wrapping_sub(i64::from_be_bytes(input.read_array()?)))
    }
}

impl Encoding<u64> for RevTs {
    type Order = ReversedOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = Some(8);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &u64, out: &mut S) -> Result<(), FieldError> {
        match i64::MAX.cast_unsigned().checked_sub(*value) {
            Some(reversed) => {
                out.put(&reversed.to_be_bytes());
                Ok(())
            }
            None => Err(FieldErrorKind::OutOfRange { allowed: "at most i64::MAX" }.into()),
        }
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &u64,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        let latest = i64::MAX.cast_unsigned();
        Self::encode(&(*bound).min(latest), out)?;
        Ok(Some(if *bound > latest {
            ValuesWithBoundBytes::BELOW
        } else {
            ValuesWithBoundBytes::BOUND_ONLY
        }))
    }
}

impl Decoding<'_, u64> for RevTs {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<u64, Failed> {
        i64::MAX.cast_unsigned().checked_sub(u64::from_be_bytes(input.read_array()?)).ok_or_else(
            || {
                input.fail(FieldErrorKind::NotCanonical {
                    expected: "a reverse timestamp of at most i64::MAX",
                })
            },
        )
    }
}

/// A time with every bit inverted, 8 bytes big-endian: the other common reverse timestamp, defined
/// for every `u64`; `#[key(rev_ts = "inverted")]`.
///
/// ```
/// use tallrow_codec::{Encoding, InvertedRevTs, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <InvertedRevTs as Encoding<u64>>::encode(&1, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), (u64::MAX - 1).to_be_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum InvertedRevTs {}

impl Encoding<u64> for InvertedRevTs {
    type Order = ReversedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(8);
    const PREFIX_FREE: bool = true;

    #[inline(always)]
    fn encode<S: Sink>(value: &u64, out: &mut S) -> Result<(), Infallible> {
        out.put(&(!value).to_be_bytes());
        Ok(())
    }
}

impl Decoding<'_, u64> for InvertedRevTs {
    #[inline(always)]
    fn decode(input: &mut Input<'_>) -> Result<u64, Failed> {
        Ok(!u64::from_be_bytes(input.read_array()?))
    }
}
