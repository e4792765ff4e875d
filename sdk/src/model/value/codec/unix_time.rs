//! The codecs that store a point in time as a number of units since 1970, such as milliseconds.

use std::fmt;
use std::marker::PhantomData;

use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::compat::hbase::Bytes;
use crate::key::{Decoding, Encoding, Input, RowBuf, UnixCount, UnixTime};

/// The codec that stores a point in time as the number of units since 1970, where a unit is `NANOS`
/// nanoseconds: 8 bytes, as `Bytes.toBytes(long)` writes them. [`UnixMillis`] is the codec for
/// Java's `System.currentTimeMillis()`.
///
/// The type of the values must implement [`UnixTime`]. The features `chrono`, `jiff` and `time`
/// implement it for the types of these crates. Encoding a time that is not a whole number of units
/// is an error, because the time could not be read back; [`Truncated`] writes the start of the unit
/// instead. Comparisons accept any time.
///
/// ```
/// use tallrow::key::UnixTime;
/// use tallrow::value::{DecodeCell, EncodeCell, UnixMillis};
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
/// let mut cell = Vec::new();
/// UnixMillis::encode(&Second(5), &mut cell)?;
/// assert_eq!(cell, 5_000_i64.to_be_bytes());
/// assert_eq!(UnixMillis::decode(&cell), Ok(Second(5)));
/// assert!(<UnixMillis as DecodeCell<Second>>::decode(&5_001_i64.to_be_bytes()).is_err());
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum UnixTimeCodec<const NANOS: u64> {}

/// The [`UnixTimeCodec`] of days, for dates: `#[cell("d:t", codec = UnixDays)]`.
pub type UnixDays = UnixTimeCodec<86_400_000_000_000>;

/// [`UnixTimeCodec`] of seconds: `#[cell("d:t", codec = UnixSeconds)]`.
pub type UnixSeconds = UnixTimeCodec<1_000_000_000>;

/// [`UnixTimeCodec`] of milliseconds: `#[cell("d:t", codec = UnixMillis)]`.
pub type UnixMillis = UnixTimeCodec<1_000_000>;

/// [`UnixTimeCodec`] of microseconds: `#[cell("d:t", codec = UnixMicros)]`.
pub type UnixMicros = UnixTimeCodec<1_000>;

/// The codec that stores a point in time with the codec `C`, rounded down to a whole unit:
/// `#[cell("d:t", codec = Truncated::<UnixMillis>)]` accepts `Utc::now()`, and reads back the start
/// of its millisecond.
///
/// ```
/// use tallrow::key::UnixTime;
/// use tallrow::value::{EncodeCell, Truncated, UnixMillis};
///
/// struct Nanos(i64);
///
/// impl UnixTime for Nanos {
///     fn to_unix(&self) -> (i64, u32) {
///         (self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000) as u32)
///     }
///
///     fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
///         Some(Self(seconds * 1_000_000_000 + i64::from(nanos)))
///     }
/// }
///
/// let mut cell = Vec::new();
/// Truncated::<UnixMillis>::encode(&Nanos(5_999_999), &mut cell)?;
/// assert_eq!(cell, 5_i64.to_be_bytes());
/// let error = UnixMillis::encode(&Nanos(5_999_999), &mut cell).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected a whole number of the codec's units, found a time between two of them; round it first, or name the \
///      codec as in `codec = Truncated::<UnixMillis>`"
/// );
/// # Ok::<(), tallrow::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Truncated<C>(PhantomData<C>);

fn encode<V, E: Encoding<V>>(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError>
where
    E::Error: fmt::Display,
{
    let mut row = RowBuf::<8>::new();
    E::encode(value, &mut row).map_err(|e| ValueError::custom(e.to_string()))?;
    out.extend_from_slice(&row);
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> EncodeCell<V> for UnixTimeCodec<NANOS> {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let whole = encode::<V, UnixCount<Bytes, NANOS>>(value, out);
        whole.map_err(|error| match <Truncated<Self>>::encode(value, &mut Vec::new()) {
            Ok(()) => ValueError::new(
                "a whole number of the codec's units",
                "a time between two of them; round it first, or name the codec as in `codec = Truncated::<UnixMillis>`",
            ),
            Err(_) => error,
        })
    }
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> EncodeCell<V> for Truncated<UnixTimeCodec<NANOS>> {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        encode::<V, UnixCount<Bytes, NANOS, true>>(value, out)
    }
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> DecodeCell<V> for UnixTimeCodec<NANOS> {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        let mut input = Input::new(bytes);
        let value = UnixCount::<Bytes, NANOS>::decode(&mut input);
        value.and_then(|value| input.expect_end().map(|()| value)).map_err(|_| {
            let fault = input.fault().map_or("other bytes".into(), |fault| fault.to_string());
            ValueError::new("a time as an i64", fault)
        })
    }
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> DecodeCell<V> for Truncated<UnixTimeCodec<NANOS>> {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        UnixTimeCodec::<NANOS>::decode(bytes)
    }
}
