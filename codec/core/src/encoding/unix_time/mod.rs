//! Points in time of other crates, written as a number of days, seconds, milliseconds or
//! microseconds since 1970.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time;

use core::marker::PhantomData;

use super::{Decoding, Encoding, ValuesWithBoundBytes};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// A point in time, which `#[key(unit = "ms")]` writes as an `i64`: the number of units since 1970.
/// A time that is not a whole number of units is refused; with `#[key(unit = "ms", truncate)]` the
/// part below one unit is left out.
///
/// The features `chrono`, `jiff` and `time` implement the trait for the instants and dates of these
/// crates; a date is its midnight in UTC. A type of your own can implement the trait.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point in time that `unit` can write",
    label = "not a point in time",
    note = "with the features of their names, `DateTime<Utc>` and `NaiveDate` of chrono, `Timestamp` and `civil::Date` of jiff, and \
            `OffsetDateTime`, `UtcDateTime` and `Date` of time are some; a type of your own, such as a newtype around a \
            `std::time::SystemTime`, implements `UnixTime`",
    note = "a number has no `unit`: `display_time` says what it counts"
)]
pub trait UnixTime: Sized {
    /// Returns the whole seconds since 1970, and the nanoseconds after them: less than
    /// 1,000,000,000, also before 1970.
    fn to_unix(&self) -> (i64, u32);

    /// Returns the point in time for which [`to_unix`](Self::to_unix) returns these numbers, if
    /// there is one.
    fn from_unix(seconds: i64, nanos: u32) -> Option<Self>;
}

const SECOND: u64 = 1_000_000_000;

/// A [`UnixTime`] as a number of units of `NANOS` nanoseconds since 1970, in the encoding `F`;
/// `#[key(unit = "ms")]`.
///
/// `NANOS` must be a whole number of seconds, or divide a second. A time that is not a whole number
/// of units is refused, because it could not be read back; with `TRUNCATED` the start of its unit
/// is written, `#[key(unit = "ms", truncate)]`. The ends of a range need not be whole numbers of
/// units: the range contains the rows of all times between its ends.
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
/// UnixCount::<Native, 1_000_000>::encode(&Nanos(3_000_000), &mut row)?;
/// assert_eq!(row.as_slice(), [0x80, 0, 0, 0, 0, 0, 0, 3]);
/// let error = UnixCount::<Native, 1_000_000>::encode(&Nanos(3_000_001), &mut row).unwrap_err();
/// assert!(
///     error
///         .to_string()
///         .starts_with("the value must be a time in whole milliseconds; round it first")
/// );
///
/// let mut row = RowBuf::<8>::new();
/// UnixCount::<Native, 1_000_000, true>::encode(&Nanos(3_000_001), &mut row)?;
/// assert_eq!(row.as_slice(), [0x80, 0, 0, 0, 0, 0, 0, 3]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnixCount<F, const NANOS: u64, const TRUNCATED: bool = false>(PhantomData<F>);

/// Returns the number of whole units of `unit` nanoseconds since 1970, and the nanoseconds after
/// them.
#[inline]
fn units(time: &impl UnixTime, unit: u64) -> (i128, u64) {
    let (seconds, nanos) = time.to_unix();
    let nanos = u64::from(nanos);
    if unit < SECOND {
        let per_second = SECOND / unit.max(1);
        let whole = i128::from(seconds) * i128::from(per_second) + i128::from(nanos / unit.max(1));
        return (whole, nanos % unit.max(1));
    }
    let unit_seconds = i64::try_from(unit / SECOND).unwrap_or(i64::MAX);
    let rest = seconds.rem_euclid(unit_seconds).unsigned_abs() * SECOND + nanos;
    (seconds.div_euclid(unit_seconds).into(), rest)
}

/// Returns the time of a number of units of `unit` nanoseconds since 1970.
#[inline]
fn time<T: UnixTime>(count: i64, unit: u64) -> Option<T> {
    if unit < SECOND {
        let per_second = i64::try_from(SECOND / unit.max(1)).ok()?;
        let rest = count.rem_euclid(per_second).unsigned_abs() * unit;
        return T::from_unix(count.div_euclid(per_second), rest.try_into().ok()?);
    }
    T::from_unix(count.checked_mul((unit / SECOND).try_into().ok()?)?, 0)
}

/// Returns the number of units since 1970 that is written for `time`.
///
/// # Errors
/// When the number is not whole and not `truncated`, or does not fit an `i64`.
#[inline]
fn units_since_1970(time: &impl UnixTime, unit: u64, truncated: bool) -> Result<i64, FieldError> {
    let (count, rest) = units(time, unit);
    let allowed = match i64::try_from(count) {
        Ok(count) if rest == 0 || truncated => return Ok(count),
        Ok(_) => whole_units(unit),
        Err(_) => "a time whose number of units since 1970 fits an i64; use a longer unit",
    };
    Err(FieldErrorKind::OutOfRange { allowed }.into())
}

const fn whole_units(unit: u64) -> &'static str {
    const DAY: u64 = 86_400 * SECOND;
    match unit {
        DAY => {
            "a time in whole days; round it first, or let the field do so: `unit = \"d\", truncate`"
        }
        SECOND => {
            "a time in whole seconds; round it first, or let the field do so: `unit = \"s\", \
             truncate`"
        }
        1_000_000 => {
            "a time in whole milliseconds; round it first, or let the field do so: `unit = \"ms\", \
             truncate`"
        }
        1_000 => {
            "a time in whole microseconds; round it first, or let the field do so: `unit = \"us\", \
             truncate`"
        }
        _ => "a time in whole units; round it first",
    }
}

impl<T, F, const NANOS: u64, const TRUNCATED: bool> Encoding<T> for UnixCount<F, NANOS, TRUNCATED>
where
    T: UnixTime,
    F: Encoding<i64, Error: Into<FieldError>>,
{
    type Order = F::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), FieldError> {
        F::encode(&units_since_1970(value, NANOS, TRUNCATED)?, out).map_err(Into::into)
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &T,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        let (count, rest) = units(bound, NANOS);
        let written = match i64::try_from(count) {
            Ok(count) => count,
            Err(_) if count < 0 => return Ok(None),
            Err(_) => i64::MAX,
        };
        let Some(at) = F::encode_bound(&written, out).map_err(Into::into)? else { return Ok(None) };
        Ok(Some(if i128::from(written) != count || !at.equal {
            ValuesWithBoundBytes::BELOW
        } else if TRUNCATED {
            // A unit contains the times from its start to one nanosecond before the next unit.
            ValuesWithBoundBytes {
                below: at.below || rest > 0,
                equal: true,
                above: at.above || rest + 1 < NANOS,
            }
        } else if rest > 0 {
            ValuesWithBoundBytes { below: true, equal: false, above: at.above }
        } else {
            at
        }))
    }
}

impl<'a, T: UnixTime, F: Decoding<'a, i64>, const NANOS: u64, const TRUNCATED: bool> Decoding<'a, T>
    for UnixCount<F, NANOS, TRUNCATED>
{
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        let count = F::decode(input)?;
        let expected = "a time that the field's type can hold";
        time(count, NANOS).ok_or_else(|| input.fail(FieldErrorKind::OutsideType { expected }))
    }
}

/// Implements [`Field`](crate::Field) and the reverse timestamp in milliseconds, which needs no
/// unit.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
macro_rules! field {
    ($($time:ty)*) => {$(
        impl crate::encoding::Field for $time {
            type Arg = Self;
            const TYPE_NAME: crate::const_schema::TypeName = crate::const_schema::TypeName::word(
                "i64");

            #[inline]
            fn as_arg(&self) -> &Self {
                self
            }
        }

        impl crate::encoding::Encoding<$time> for crate::encoding::RevTs {
            type Order = crate::encoding::ReversedOrder;
            type Error = crate::error::FieldError;
            const WIDTH: Option<usize> = Some(8);
            const PREFIX_FREE: bool = true;

            #[inline]
            fn encode<S: crate::row::Sink>(
                value: &$time,
                out: &mut S,
            ) -> Result<(), crate::error::FieldError> {
                super::UnixCount::<Self, 1_000_000>::encode(value, out)
            }

            #[inline]
            fn encode_bound<S: crate::row::Sink>(
                bound: &$time,
                out: &mut S,
            ) -> Result<Option<crate::encoding::ValuesWithBoundBytes>, crate::error::FieldError> {
                super::UnixCount::<Self, 1_000_000>::encode_bound(bound, out)
            }
        }

        impl crate::encoding::Decoding<'_, $time> for crate::encoding::RevTs {
            #[inline]
            fn decode(
                input: &mut crate::row::Input<'_>,
            ) -> Result<$time, crate::row::Failed> {
                super::UnixCount::<Self, 1_000_000>::decode(input)
            }
        }
    )*};
}

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
use field;

/// The number of seconds in a day.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
const DAY: i64 = 86_400;

/// Returns the number of days since 1970, if the time is midnight.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
fn midnight(seconds: i64, nanos: u32) -> Option<i64> {
    (seconds % DAY == 0 && nanos == 0).then_some(seconds / DAY)
}
