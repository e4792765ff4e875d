//! Numbers in encodings other than the native one: decimal digits, plain two's complement, whole
//! periods.
//!
//! | encoding | bytes of 42 as `u32` | order |
//! |---|---|---|
//! | [`Digits<5>`](Digits) | `30 30 30 34 32` (`00042`) | as the numbers |
//! | [`ReversedDigits<5>`](ReversedDigits) | `32 34 30 30 30` (`24000`) | grouped |
//! | [`RawBe`] | `00 00 00 2A`, for signed numbers too, negatives refused | as the numbers |
//! | [`Floor<Native, 10>`](Floor) | `00 00 00 28` (40) | as the numbers, in steps of ten |

use core::marker::PhantomData;

use super::{Decoding, Encoding, ValuesWithBoundBytes};
use crate::encoding::{GroupedOrder, NaturalOrder};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// An unsigned number as `N` decimal digits with leading zeros; `#[key(digits = N)]`.
///
/// ```
/// use tallrow_codec::{Digits, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Digits<5> as Encoding<u32>>::encode(&42, &mut row)?;
/// assert_eq!(row.as_slice(), b"00042");
/// assert!(<Digits<5> as Encoding<u32>>::encode(&100_000, &mut row).is_err());
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Digits<const N: usize> {}

/// An unsigned number as `N` decimal digits with leading zeros, last digit first, for phone numbers
/// and ids whose last digits spread the rows; `#[key(digits = N, reverse)]`.
///
/// ```
/// use tallrow_codec::{ReversedDigits, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <ReversedDigits<5> as Encoding<u32>>::encode(&42, &mut row)?;
/// assert_eq!(row.as_slice(), b"24000");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ReversedDigits<const N: usize> {}

/// Writes `number` into `digits`, last digit first.
#[inline]
pub(crate) fn write_digits_reversed(mut number: u128, digits: &mut [u8]) -> Result<(), FieldError> {
    for digit in digits {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    if number == 0 {
        Ok(())
    } else {
        Err(FieldErrorKind::OutOfRange { allowed: "a number of at most the field's digits" }.into())
    }
}

/// Returns the number with these decimal digits, first digit first. The digits were read from
/// `input`, where an error is recorded.
pub(crate) fn parse_decimal(
    digits: impl Iterator<Item = u8>,
    input: &mut Input<'_>,
) -> Result<u128, Failed> {
    let mut number: u128 = 0;
    for digit in digits {
        let value = match digit {
            b'0'..=b'9' => u128::from(digit - b'0'),
            _ => {
                return Err(
                    input.fail(FieldErrorKind::NotCanonical { expected: "a decimal digit" })
                );
            }
        };
        let next = number.checked_mul(10).and_then(|n| n.checked_add(value));
        number = next.ok_or_else(|| input.fail(TOO_LARGE))?;
    }
    Ok(number)
}

pub(crate) const TOO_LARGE: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "a number that fits the field's type" };

macro_rules! digits {
    ($($int:ty)*) => {$(
        impl<const N: usize> Encoding<$int> for Digits<N> {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = Some(N);
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), FieldError> {
                let mut digits = [b'0'; N];
                write_digits_reversed(u128::from(*value), &mut digits)?;
                digits.reverse();
                out.put(&digits);
                Ok(())
            }

            #[inline]
            fn encode_bound<S: Sink>(
                bound: &$int,
                out: &mut S,
            ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
                if write_digits_reversed(u128::from(*bound), &mut [0; N]).is_ok() {
                    Self::encode(bound, out)?;
                    return Ok(Some(ValuesWithBoundBytes::BOUND_ONLY));
                }
                out.put(&[b'9'; N]);
                Ok(Some(ValuesWithBoundBytes::BELOW))
            }
        }

        impl<const N: usize> Decoding<'_, $int> for Digits<N> {
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                let digits = input.read_array::<N>()?;
                let number = parse_decimal(digits.into_iter(), input)?;
                number.try_into().map_err(|_| input.fail(TOO_LARGE))
            }
        }

        impl<const N: usize> Encoding<$int> for ReversedDigits<N> {
            type Order = GroupedOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = Some(N);
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), FieldError> {
                let mut digits = [b'0'; N];
                write_digits_reversed(u128::from(*value), &mut digits)?;
                out.put(&digits);
                Ok(())
            }
        }

        impl<const N: usize> Decoding<'_, $int> for ReversedDigits<N> {
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                let digits = input.read_array::<N>()?;
                let number = parse_decimal(digits.into_iter().rev(), input)?;
                number.try_into().map_err(|_| input.fail(TOO_LARGE))
            }
        }
    )*};
}

digits! { u8 u16 u32 u64 u128 }

/// A signed number as plain two's complement, big-endian, as `Bytes.toBytes(long)` of HBase writes
/// it; `#[key(raw_be)]`. Negative numbers are refused, because they would sort after all others.
///
/// ```
/// use tallrow_codec::{Encoding, RawBe, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <RawBe as Encoding<i32>>::encode(&258, &mut row)?;
/// assert_eq!(row.as_slice(), [0, 0, 1, 2]);
/// let fault = <RawBe as Encoding<i32>>::encode(&-1, &mut row).unwrap_err();
/// assert_eq!(fault.to_string(), "the value must be at least 0");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum RawBe {}

macro_rules! raw_be {
    ($($int:ty)*) => {$(
        impl Encoding<$int> for RawBe {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = Some(size_of::<$int>());
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), FieldError> {
                if *value < 0 {
                    return Err(FieldErrorKind::OutOfRange { allowed: "at least 0" }.into());
                }
                out.put(&value.to_be_bytes());
                Ok(())
            }

            #[inline]
            fn encode_bound<S: Sink>(
                bound: &$int,
                out: &mut S,
            ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
                if *bound < 0 {
                    return Ok(None);
                }
                Self::encode(bound, out)?;
                Ok(Some(ValuesWithBoundBytes::BOUND_ONLY))
            }
        }

        impl Decoding<'_, $int> for RawBe {
            #[inline]
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                let value = <$int>::from_be_bytes(input.read_array()?);
                if value < 0 {
                    return Err(input.fail(FieldErrorKind::NotCanonical { expected: "a number of at least 0" }));
                }
                Ok(value)
            }
        }
    )*};
}

raw_be! { i8 i16 i32 i64 i128 }

/// The start of the period of `STEP` that contains a number, in the encoding `F`: for example the
/// hour of a time in seconds, with `STEP` 3600; `#[key(floor = STEP)]`.
///
/// The remainder of the number is not in the row key; store it in the column. A range of values
/// includes every period that it overlaps.
///
/// ```
/// use tallrow_codec::{Floor, Encoding, Native, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <Floor<Native, 3600> as Encoding<u32>>::encode(&7300, &mut row)
///     .unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), 7200_u32.to_be_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Floor<F, const STEP: u32>(PhantomData<F>);

macro_rules! floor {
    ($($int:ty)*) => {$(
        impl<F: Encoding<$int>, const STEP: u32> Encoding<$int> for Floor<F, STEP> {
            type Order = F::Order;
            type Error = F::Error;
            const WIDTH: Option<usize> = F::WIDTH;
            const PREFIX_FREE: bool = F::PREFIX_FREE;

            #[inline]
            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), F::Error> {
                let floored = floor_to(STEP, i128::from(*value), <$int>::MIN.into());
                F::encode(&floored.map_or(*value, |v| v as $int), out)
            }

            #[inline]
            fn encode_bound<S: Sink>(
                bound: &$int,
                out: &mut S,
            ) -> Result<Option<ValuesWithBoundBytes>, F::Error> {
                let period = |value: $int| {
                    let start = floor_to(STEP, value.into(), <$int>::MIN.into());
                    start.map_or(value, |start| start as $int)
                };
                let start = period(*bound);
                let at = F::encode_bound(&start, out)?;
                Ok(at.map(|at| match at.equal {
                    true => ValuesWithBoundBytes {
                        below: start != *bound,
                        equal: true,
                        above: bound.checked_add(1).is_some_and(|next| period(next) == start),
                    },
                    // The start of the period does not fit; the value that was written is below it.
                    false => at,
                }))
            }
        }

        impl<'a, F: Decoding<'a, $int>, const STEP: u32> Decoding<'a, $int> for Floor<F, STEP> {
            #[inline]
            fn decode(input: &mut Input<'a>) -> Result<$int, Failed> {
                let value = F::decode(input)?;
                check_period_start(STEP, i128::from(value), <$int>::MIN.into(), input)?;
                Ok(value)
            }
        }
    )*};
}

/// Returns the start of the period of `value`, where `least` is the smallest number of the type;
/// `None` for a step of 0.
#[inline]
pub(crate) fn floor_to(step: u32, value: i128, least: i128) -> Option<i128> {
    value.checked_rem_euclid(i128::from(step)).map(|rest| (value - rest).max(least))
}

/// Refuses a number that is not the start of its period.
#[inline]
pub(crate) fn check_period_start(
    step: u32,
    value: i128,
    least: i128,
    input: &mut Input<'_>,
) -> Result<(), Failed> {
    if floor_to(step, value, least) == Some(value) {
        return Ok(());
    }
    Err(input.fail(FieldErrorKind::NotCanonical { expected: "the start of a period" }))
}

floor! { u8 u16 u32 u64 i32 i64 }
