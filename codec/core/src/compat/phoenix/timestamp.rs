//! `TIMESTAMP`.

use core::convert::Infallible;

use super::Column;
use crate::const_schema::TypeName;
use crate::encoding::{Decoding, Encoding, Field, Native, NaturalOrder};
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

/// A time with nanoseconds, as a `TIMESTAMP` column holds it.
///
/// ```
/// use tallrow_codec::compat::phoenix::{Column, Timestamp};
/// use tallrow_codec::{Encoding, RowBuf};
///
/// let time = Timestamp::new(1, 456).unwrap();
/// let mut row = RowBuf::<16>::new();
/// Column::encode(&time, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 200]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    millis: i64,
    nanos_after_millis: u32,
}

impl Timestamp {
    /// Returns the time `millis` milliseconds since 1970 plus `nanos_after_millis` nanoseconds,
    /// which must be less than a million.
    ///
    /// ```
    /// use tallrow_codec::compat::phoenix::Timestamp;
    ///
    /// assert_eq!(Timestamp::new(-1, 1_000_000), None);
    /// ```
    pub fn new(millis: i64, nanos_after_millis: u32) -> Option<Self> {
        (nanos_after_millis < 1_000_000).then_some(Self { millis, nanos_after_millis })
    }

    /// Returns the milliseconds since 1970.
    ///
    /// ```
    /// use tallrow_codec::compat::phoenix::Timestamp;
    ///
    /// assert_eq!(Timestamp::new(-1, 5).unwrap().millis(), -1);
    /// ```
    pub fn millis(&self) -> i64 {
        self.millis
    }

    /// Returns the nanoseconds after the millisecond.
    ///
    /// ```
    /// use tallrow_codec::compat::phoenix::Timestamp;
    ///
    /// assert_eq!(Timestamp::new(-1, 5).unwrap().nanos_after_millis(), 5);
    /// ```
    pub fn nanos_after_millis(&self) -> u32 {
        self.nanos_after_millis
    }
}

#[diagnostic::do_not_recommend]
impl Field for Timestamp {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::word("timestamp");

    fn as_arg(&self) -> &Self {
        self
    }
}

impl Encoding<Timestamp> for Column {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = Some(12);
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &Timestamp, out: &mut S) -> Result<(), Infallible> {
        Native::encode(&value.millis, out)?;
        Native::encode(&value.nanos_after_millis, out)
    }
}

impl Decoding<'_, Timestamp> for Column {
    fn decode(input: &mut Input<'_>) -> Result<Timestamp, Failed> {
        let (millis, nanos_after_millis) = (Native::decode(input)?, Native::decode(input)?);
        let expected = "less than a million nanoseconds";
        Timestamp::new(millis, nanos_after_millis)
            .ok_or_else(|| input.fail(FieldErrorKind::NotCanonical { expected }))
    }
}
