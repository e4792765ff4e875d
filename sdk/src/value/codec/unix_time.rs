use super::{DecodeCell, EncodeCell, ValueError};
use crate::key::compat::hbase::Bytes;
use crate::key::{Decoding, Encoding, Input, RowBuf, UnixCount, UnixTime};

/// A point in time as the number of units since 1970, of which a second has `PER_SECOND`: 8 bytes, as
/// `Bytes.toBytes(long)` writes them. [`UnixMillis`] is the codec for Java's `System.currentTimeMillis()`.
///
/// The types are those of the features `chrono`, `jiff` and `time`, and your own with [`UnixTime`]. A time that is not a
/// whole number of units is refused.
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
pub enum UnixTimeCodec<const PER_SECOND: u32> {}

/// [`UnixTimeCodec`] of seconds: `#[cell("d:t", codec = UnixSeconds)]`.
pub type UnixSeconds = UnixTimeCodec<1>;

/// [`UnixTimeCodec`] of milliseconds: `#[cell("d:t", codec = UnixMillis)]`.
pub type UnixMillis = UnixTimeCodec<1_000>;

/// [`UnixTimeCodec`] of microseconds: `#[cell("d:t", codec = UnixMicros)]`.
pub type UnixMicros = UnixTimeCodec<1_000_000>;

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const PER_SECOND: u32> EncodeCell<V> for UnixTimeCodec<PER_SECOND> {
    fn encode(value: &V, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let mut row = RowBuf::<8>::new();
        UnixCount::<Bytes, PER_SECOND>::encode(value, &mut row)
            .map_err(|e| ValueError::custom(e.to_string()))?;
        out.extend_from_slice(&row);
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const PER_SECOND: u32> DecodeCell<V> for UnixTimeCodec<PER_SECOND> {
    fn decode(bytes: &[u8]) -> Result<V, ValueError> {
        let mut input = Input::new(bytes);
        let value = UnixCount::<Bytes, PER_SECOND>::decode(&mut input);
        value.and_then(|value| input.end().map(|()| value)).map_err(|_| {
            let fault = input.fault().map_or("other bytes".into(), |fault| fault.to_string());
            ValueError::new("a time as an i64", fault)
        })
    }
}
