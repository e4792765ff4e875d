//! `time`: `OffsetDateTime`, `UtcDateTime`, `Date`.

use time::{Date, OffsetDateTime, UtcDateTime};

use super::{DAY, UnixTime, field, midnight};

field! { OffsetDateTime UtcDateTime Date }

/// Equal times have the same bytes, whatever their offsets; a time is read back in UTC.
impl UnixTime for OffsetDateTime {
    fn to_unix(&self) -> (i64, u32) {
        (self.unix_timestamp(), self.nanosecond())
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Self::from_unix_timestamp(seconds).ok()?.replace_nanosecond(nanos).ok()
    }
}

impl UnixTime for UtcDateTime {
    fn to_unix(&self) -> (i64, u32) {
        (self.unix_timestamp(), self.nanosecond())
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Self::from_unix_timestamp(seconds).ok()?.replace_nanosecond(nanos).ok()
    }
}

impl UnixTime for Date {
    fn to_unix(&self) -> (i64, u32) {
        (UtcDateTime::new(*self, time::Time::MIDNIGHT).unix_timestamp(), 0)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        let days = midnight(seconds, nanos)?;
        UtcDateTime::from_unix_timestamp(days.checked_mul(DAY)?).ok().map(UtcDateTime::date)
    }
}
