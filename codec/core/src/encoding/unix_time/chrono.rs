//! `chrono`: `DateTime<Utc>`, `NaiveDate`.

use chrono::{DateTime, NaiveDate, Utc};

use super::{DAY, UnixTime, field, midnight};

field! { DateTime<Utc> NaiveDate }

impl UnixTime for DateTime<Utc> {
    fn to_unix(&self) -> (i64, u32) {
        (self.timestamp(), self.timestamp_subsec_nanos())
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Self::from_timestamp(seconds, nanos)
    }
}

impl UnixTime for NaiveDate {
    fn to_unix(&self) -> (i64, u32) {
        (i64::from(self.to_epoch_days()) * DAY, 0)
    }

    fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        Self::from_epoch_days(midnight(seconds, nanos)?.try_into().ok()?)
    }
}
