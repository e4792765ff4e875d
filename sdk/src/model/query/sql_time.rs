//! Points in time and days, as SQL has them.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::value::ValueError;

const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// A point in time: the seconds since 1970, and the nanoseconds after them. Bigtable stores
/// microseconds.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tallrow::query::SqlTimestamp;
///
/// let at = SqlTimestamp::new(1_700_000_000, 5_000).unwrap();
/// assert_eq!((at.seconds(), at.nanos()), (1_700_000_000, 5_000));
/// let time = SystemTime::try_from(at).unwrap();
/// assert_eq!(time, SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 5_000));
/// assert_eq!(SqlTimestamp::from(time), at);
/// assert_eq!(SqlTimestamp::new(0, 1_000_000_000), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SqlTimestamp {
    seconds: i64,
    nanos: u32,
}

impl SqlTimestamp {
    /// Creates a point in time; `None` if `nanos` is a second or more. Before 1970, `seconds` is
    /// negative, and `nanos` is added to it.
    ///
    /// See [`SqlTimestamp`] for an example.
    pub fn new(seconds: i64, nanos: u32) -> Option<Self> {
        (nanos < NANOS_PER_SECOND).then_some(Self { seconds, nanos })
    }

    /// The seconds since 1970.
    ///
    /// See [`SqlTimestamp`] for an example.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// The nanoseconds after [`seconds`](Self::seconds).
    ///
    /// See [`SqlTimestamp`] for an example.
    pub fn nanos(self) -> u32 {
        self.nanos
    }
}

impl From<SystemTime> for SqlTimestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(since) => Self {
                seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
                nanos: since.subsec_nanos(),
            },
            Err(before) => {
                let before = before.duration();
                let seconds = -i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => Self { seconds, nanos: 0 },
                    nanos => Self { seconds: seconds - 1, nanos: NANOS_PER_SECOND - nanos },
                }
            }
        }
    }
}

impl From<crate::Timestamp> for SqlTimestamp {
    fn from(time: crate::Timestamp) -> Self {
        let (seconds, millis) = (time.as_millis() / 1_000, time.as_millis() % 1_000);
        Self {
            seconds: i64::try_from(seconds).unwrap_or(i64::MAX),
            nanos: u32::try_from(millis * 1_000_000).unwrap_or(0),
        }
    }
}

impl TryFrom<SqlTimestamp> for SystemTime {
    type Error = ValueError;

    fn try_from(time: SqlTimestamp) -> Result<Self, ValueError> {
        let whole = Duration::from_secs(time.seconds.unsigned_abs());
        let whole = match time.seconds < 0 {
            true => UNIX_EPOCH.checked_sub(whole),
            false => UNIX_EPOCH.checked_add(whole),
        };
        let found =
            whole.and_then(|whole| whole.checked_add(Duration::from_nanos(time.nanos.into())));
        found.ok_or_else(|| {
            let found = format!("{} s after 1970", time.seconds);
            ValueError::new("a time that the operating system can represent", found)
        })
    }
}

/// A day. `Display` writes it as SQL does.
///
/// ```
/// use tallrow::query::SqlDate;
///
/// let day = SqlDate::new(2024, 9, 1).unwrap();
/// assert_eq!(day.to_string(), "2024-09-01");
/// assert_eq!((day.year(), day.month(), day.day()), (2024, 9, 1));
/// assert!(day < SqlDate::new(2024, 9, 2).unwrap());
/// assert_eq!(SqlDate::new(2024, 13, 1), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SqlDate {
    year: i32,
    month: u8,
    day: u8,
}

impl SqlDate {
    /// Creates a day; `None` if the month has no such day.
    ///
    /// See [`SqlDate`] for an example.
    pub fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        (1..=days).contains(&day).then_some(Self { year, month, day })
    }

    /// The year.
    ///
    /// See [`SqlDate`] for an example.
    pub fn year(self) -> i32 {
        self.year
    }

    /// The month, 1 to 12.
    ///
    /// See [`SqlDate`] for an example.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    ///
    /// See [`SqlDate`] for an example.
    pub fn day(self) -> u8 {
        self.day
    }
}

impl fmt::Display for SqlDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_1970_are_the_same_both_ways() {
        for (seconds, nanos) in [(-1, 999_999_999), (-1, 0), (-2, 1), (0, 0), (5, 7)] {
            let time = SqlTimestamp::new(seconds, nanos).unwrap();
            let system = SystemTime::try_from(time).unwrap();
            assert_eq!(SqlTimestamp::from(system), time);
        }
        let earliest = SqlTimestamp::new(-62_135_596_800, 0).unwrap();
        assert_eq!(SqlTimestamp::from(SystemTime::try_from(earliest).unwrap()), earliest);
    }

    #[test]
    fn a_month_has_its_days() {
        assert!(SqlDate::new(2000, 2, 29).is_some() && SqlDate::new(1900, 2, 29).is_none());
        assert!(SqlDate::new(2024, 4, 31).is_none() && SqlDate::new(2024, 1, 0).is_none());
    }
}
