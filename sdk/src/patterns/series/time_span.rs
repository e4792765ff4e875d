//! A span of time, and the hours that it touches, which are the rows to read.

use std::ops::RangeBounds;

use super::stored_point::HOUR;
use crate::Timestamp;
use crate::model::columns::TimeRange;

/// A span of time in milliseconds, from `from` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSpan {
    pub(super) from: u64,
    pub(super) end: u64,
}

/// The start of the hour that contains the largest second in 32 bits.
const LAST_HOUR: u32 = u32::MAX - u32::MAX % HOUR;

impl TimeSpan {
    pub(super) fn new(range: impl RangeBounds<Timestamp>) -> Self {
        let TimeRange { from, to } = TimeRange::new(range);
        Self {
            from: from.map_or(0, Timestamp::as_millis),
            end: to.map_or(u64::MAX, Timestamp::as_millis),
        }
    }

    /// Returns the first and the last hour of the span, as the seconds at which they start; `None`
    /// if the span is empty, or starts after the largest second in 32 bits.
    pub(super) fn first_and_last_hour(self) -> Option<(u32, u32)> {
        let hour = |millis: u64| {
            let seconds = u32::try_from(millis / 1_000).ok()?;
            Some(seconds - seconds % HOUR)
        };
        let first = hour(self.from).filter(|_| self.from < self.end)?;
        Some((first, hour(self.end - 1).unwrap_or(LAST_HOUR)))
    }

    pub(super) fn contains(self, time: Timestamp) -> bool {
        (self.from..self.end).contains(&time.as_millis())
    }
}
