//! Timestamps: microseconds in messages, milliseconds in the store.

use std::ops::Range;

use tallrow_wire::WireError;
use tallrow_wire::bigtable::{Fields, TimestampRange};

use super::status::{StatusResult, invalid};

/// A range of timestamps in microseconds, as it is in a message: an end of 0 means no end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeRange {
    start: i64,
    end: i64,
}

impl TimeRange {
    /// Returns the range with the fields that an encoded message sets.
    pub(super) fn merge_encoded(mut self, message: &[u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => self.start = field.int64()?,
                2 => self.end = field.int64()?,
                _ => {}
            }
        }
        Ok(self)
    }

    /// Returns the timestamps of the range, after checking that they are whole milliseconds.
    pub(super) fn checked_range(self) -> StatusResult<Range<i64>> {
        micros_to_millis(self.start)?;
        micros_to_millis(self.end)?;
        self.checked_range_of_filter()
    }

    /// Returns the timestamps of the range of a filter, after checking them. They may be finer than
    /// those of the tables.
    pub(super) fn checked_range_of_filter(self) -> StatusResult<Range<i64>> {
        let Self { start, end } = self;
        check_not_negative(start)?;
        check_not_negative(end)?;
        match end {
            0 => Ok(start..i64::MAX),
            end if start < end => Ok(start..end),
            _ => Err(invalid(format!(
                "Invalid timestamp range: start {start} is not less than end {end}"
            ))),
        }
    }

    /// Returns whether a timestamp is in the range.
    pub(super) fn contains(self, micros: i64) -> bool {
        self.checked_range().is_ok_and(|range| range.contains(&micros))
    }
}

impl From<&TimestampRange> for TimeRange {
    fn from(range: &TimestampRange) -> Self {
        Self { start: range.start_timestamp_micros, end: range.end_timestamp_micros }
    }
}

impl From<&TimeRange> for TimestampRange {
    fn from(range: &TimeRange) -> Self {
        Self { start_timestamp_micros: range.start, end_timestamp_micros: range.end }
    }
}

/// Converts a timestamp in microseconds into milliseconds; the tables have no finer timestamps.
pub(super) fn micros_to_millis(micros: i64) -> StatusResult<u64> {
    if micros % 1000 != 0 {
        return Err(invalid(format!(
            "Timestamp granularity mismatch. Expected a multiple of 1000 (millisecond \
             granularity), but got {micros}."
        )));
    }
    check_not_negative(micros).map(|micros| micros / 1000)
}

/// Returns an error for a timestamp before 1970, which no cell has.
fn check_not_negative(micros: i64) -> StatusResult<u64> {
    u64::try_from(micros)
        .map_err(|_| invalid(format!("Timestamps must be >= 0 in a range, but got {micros}")))
}

/// Converts a timestamp in milliseconds into microseconds.
pub(super) fn millis_to_micros(millis: u64) -> i64 {
    i64::try_from(millis.saturating_mul(1000)).unwrap_or(i64::MAX / 1000 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds() {
        let of = |start, end| TimeRange { start, end }.checked_range();
        assert_eq!(of(1000, 0).unwrap(), 1000..i64::MAX);
        assert_eq!(of(0, 5000).unwrap(), 0..5000);
        assert!([of(1, 0), of(0, 1), of(5000, 5000), of(-1000, 0)].iter().all(Result::is_err));
    }

    #[test]
    fn times_of_filters_are_microseconds() {
        let of = |start, end| TimeRange { start, end }.checked_range_of_filter();
        assert_eq!(of(1, 0).unwrap(), 1..i64::MAX);
        assert_eq!(of(1000, 1001).unwrap(), 1000..1001);
        assert!([of(1, 1), of(2, 1), of(-1, 0), of(0, -1)].iter().all(Result::is_err));
    }
}
