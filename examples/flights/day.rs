//! Days, and points in time.

use std::fmt;

use tallrow::{
    RowKey,
    key::DecodeRowKey,
    value::{CellValue, ValueError},
};

/// A day in New York; part of a row key, so it sorts by date.
#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Day {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
}

impl Day {
    /// Returns a day; `None` if the day does not exist.
    pub(crate) fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=length).contains(&day).then_some(Self { year, month, day })
    }

    /// Returns the number of days from 1970-01-01 to this day.
    fn since_1970(self) -> i64 {
        // Years that start in March have their leap day at the end.
        let month = i64::from(self.month);
        let year = i64::from(self.year) - i64::from(month < 3);
        let month = (month + 9) % 12;
        let leap_days = year / 4 - year / 100 + year / 400;
        365 * year + leap_days + (153 * month + 2) / 5 + i64::from(self.day) - 719_469
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The same encoding in a cell as in a row key.
impl CellValue for Day {
    fn write_cell(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.encode());
    }

    fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
        let found = |_| ValueError::new("a day in 4 bytes", format!("{bytes:02x?}"));
        Self::decode_key(bytes).map_err(found)
    }
}

/// Reads `2013-01-01T10:00:00Z` as milliseconds since 1970.
pub(crate) fn millis(text: &str) -> Option<i64> {
    let (day, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut parts = day.splitn(3, '-');
    let day = Day::new(
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    )?;
    let mut parts = time.splitn(3, ':');
    let mut below = |limit: i64| {
        let number = parts.next()?.parse().ok()?;
        (0..limit).contains(&number).then_some(number)
    };
    let (hour, minute, second) = (below(24)?, below(60)?, below(60)?);
    Some((((day.since_1970() * 24 + hour) * 60 + minute) * 60 + second) * 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_milliseconds() {
        assert_eq!(millis("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(millis("2013-01-01T10:00:00Z"), Some(1_357_034_400_000));
        assert_eq!(millis("2000-02-29T23:59:59Z"), Some(951_868_799_000));
        for wrong in ["2013-02-29T10:00:00Z", "2013-01-01T24:00:00Z", "2013-01-01", "-1-1-1T1:1:1Z"]
        {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }
}
