//! `jiff`: `Timestamp`, `civil::Date`.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{DAY, UnixTime, field, midnight};

field! { Timestamp Date }

impl UnixTime for Timestamp {
    fn to_unix(&self) -> (i64, u32) {
        // For a time before 1970, jiff's nanoseconds are negative.
        let (seconds, nanos) = (self.as_second(), self.subsec_nanosecond());
        match u32::try_from(nanos) {
            Ok(nanos) => (seconds, nanos),
            Err(_) => (seconds - 1, (nanos + 1_000_000_000).unsigned_abs()),
        }
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Self::new(seconds, nanos.try_into().ok()?).ok()
    }
}

/// 1970-01-01.
const EPOCH: Date = Date::constant(1970, 1, 1);

impl UnixTime for Date {
    fn to_unix(&self) -> (i64, u32) {
        (EPOCH.duration_until(*self).as_secs() / DAY * DAY, 0)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        let days = midnight(seconds, nanos)?;
        EPOCH.checked_add(jiff::SignedDuration::from_secs(days.checked_mul(DAY)?)).ok()
    }
}
