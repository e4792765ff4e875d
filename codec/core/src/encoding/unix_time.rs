//! Points in time of other crates, as a number of seconds, milliseconds or microseconds since 1970.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time;

use core::marker::PhantomData;

use super::{Decoding, Encoding, SharedEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::input::{Failed, Input};
use crate::sink::Sink;

/// A point in time, which `#[key(unit = "ms")]` writes as an `i64` since 1970 in this unit.
///
/// Implemented for the instants and dates of chrono, jiff and time, with the features of these names; a date is its
/// midnight in UTC. A type of your own can implement it.
///
/// ```
/// use tallrow_codec::{RowKey, UnixTime};
///
/// #[derive(Debug, PartialEq)]
/// struct Second(u32);
///
/// impl UnixTime for Second {
///     fn to_unix(&self) -> (i64, u32) {
///         (self.0.into(), 0)
///     }
///
///     fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
///         if nanos == 0 { seconds.try_into().ok().map(Self) } else { None }
///     }
/// }
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct Reading {
///     device: u8,
///     #[key(unit = "ms")]
///     at: Second,
/// }
///
/// let row = Reading { device: 1, at: Second(5) }.encode()?;
/// assert_eq!(row, [1, 0x80, 0, 0, 0, 0, 0, 0x13, 0x88]);
/// assert_eq!(Reading::decode(&row)?.at, Second(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait UnixTime: Sized {
    /// Returns the whole seconds since 1970, and the nanoseconds after them: less than 1,000,000,000, also before 1970.
    fn to_unix(&self) -> (i64, u32);

    /// Returns the point in time that [`to_unix`](Self::to_unix) returns these numbers for, if there is one.
    fn from_unix(seconds: i64, nanos: u32) -> Option<Self>;
}

const NANOS: i64 = 1_000_000_000;

/// A [`UnixTime`] as a number of which a second has `PER_SECOND`, in the encoding `F`; `#[key(unit = "ms")]`.
///
/// A time that is not a whole number of them is refused: rounding it is up to the caller.
///
/// ```
/// use tallrow_codec::{Encoding, Native, RowBuf, UnixCount, UnixTime};
///
/// struct Nanos(u32);
///
/// impl UnixTime for Nanos {
///     fn to_unix(&self) -> (i64, u32) {
///         (0, self.0)
///     }
///
///     fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
///         (seconds == 0).then_some(Self(nanos))
///     }
/// }
///
/// let mut row = RowBuf::<8>::new();
/// UnixCount::<Native, 1000>::encode(&Nanos(3_000_000), &mut row)?;
/// assert_eq!(row.as_slice(), [0x80, 0, 0, 0, 0, 0, 0, 3]);
/// let error = UnixCount::<Native, 1000>::encode(&Nanos(3_000_001), &mut row).unwrap_err();
/// assert_eq!(error.to_string(), "the value must be a time in whole milliseconds; round it first");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnixCount<F, const PER_SECOND: u32>(PhantomData<F>);

/// Returns the number of units since 1970.
///
/// # Errors
/// When it is not whole, or does not fit.
pub(crate) fn count(time: &impl UnixTime, per_second: u32) -> Result<i64, FieldError> {
    let (seconds, nanos) = time.to_unix();
    let nanos_of_one = NANOS / i64::from(per_second).max(1);
    let rest = i64::from(nanos);
    let whole = seconds.checked_mul(per_second.into());
    match whole.and_then(|whole| whole.checked_add(rest / nanos_of_one)) {
        Some(count) if rest % nanos_of_one == 0 => Ok(count),
        _ => Err(FieldErrorKind::OutOfRange { allowed: whole_units(per_second) }.into()),
    }
}

/// Returns the time of a number of units since 1970.
pub(crate) fn time<T: UnixTime>(count: i64, per_second: u32) -> Option<T> {
    let per_second = i64::from(per_second).max(1);
    let rest = count.rem_euclid(per_second) * (NANOS / per_second);
    T::from_unix(count.div_euclid(per_second), rest.try_into().ok()?)
}

const fn whole_units(per_second: u32) -> &'static str {
    match per_second {
        1 => "a time in whole seconds; round it first",
        1_000 => "a time in whole milliseconds; round it first",
        _ => "a time in whole microseconds that fits an i64; round it first",
    }
}

/// Reads a number of units since 1970.
fn read<'a, F: Decoding<'a, i64>, T: UnixTime>(
    input: &mut Input<'a>,
    per_second: u32,
) -> Result<T, Failed> {
    let count = F::decode(input)?;
    let expected = "a time that the field's type can hold";
    time(count, per_second).ok_or_else(|| input.fail(FieldErrorKind::NotCanonical { expected }))
}

impl<T: UnixTime, F: Encoding<i64, Error: Into<FieldError>>, const PER_SECOND: u32> Encoding<T>
    for UnixCount<F, PER_SECOND>
{
    type Order = F::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), FieldError> {
        F::encode(&count(value, PER_SECOND)?, out).map_err(Into::into)
    }

    #[inline]
    fn shared_encoding(value: &T) -> SharedEncoding {
        match count(value, PER_SECOND) {
            Ok(count) => F::shared_encoding(&count),
            Err(_) => SharedEncoding { below: false, above: false },
        }
    }
}

impl<'a, T: UnixTime, F: Decoding<'a, i64>, const PER_SECOND: u32> Decoding<'a, T>
    for UnixCount<F, PER_SECOND>
{
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        read::<F, T>(input, PER_SECOND)
    }
}

/// Implements the reverse timestamp of milliseconds, which needs no unit.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
macro_rules! field {
    ($($time:ty)*) => {$(
        impl crate::encoding::Field for $time {
            type Arg = Self;
            const TYPE_NAME: crate::schema::TypeName = crate::schema::TypeName::word("i64");

            #[inline]
            fn arg(&self) -> &Self {
                self
            }
        }

        impl crate::encoding::Encoding<$time> for crate::encoding::RevTs {
            type Order = crate::order::ReversedOrder;
            type Error = crate::error::FieldError;
            const WIDTH: Option<usize> = Some(8);
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: crate::sink::Sink>(
                value: &$time,
                out: &mut S,
            ) -> Result<(), crate::error::FieldError> {
                super::UnixCount::<Self, 1_000>::encode(value, out)
            }
        }

        impl crate::encoding::Decoding<'_, $time> for crate::encoding::RevTs {
            #[inline]
            fn decode(
                input: &mut crate::input::Input<'_>,
            ) -> Result<$time, crate::input::Failed> {
                super::UnixCount::<Self, 1_000>::decode(input)
            }
        }
    )*};
}

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
use field;

/// The seconds of a day.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
const DAY: i64 = 86_400;

/// Returns the days since 1970 at whose midnight it is.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
fn midnight(seconds: i64, nanos: u32) -> Option<i64> {
    (seconds % DAY == 0 && nanos == 0).then_some(seconds / DAY)
}
