use std::ops::{Bound, RangeBounds};

use super::stored_point::HOUR;
use crate::Timestamp;

/// Times in milliseconds, from the first up to and without the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSpan {
    pub(super) from: u64,
    pub(super) end: u64,
}

/// The hour that has the last second of 32 bits.
const LAST_HOUR: u32 = u32::MAX - u32::MAX % HOUR;

impl TimeSpan {
    pub(super) fn new(range: impl RangeBounds<Timestamp>) -> Self {
        let from = match range.start_bound() {
            Bound::Included(time) => time.as_millis(),
            Bound::Excluded(time) => time.as_millis() + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(time) => time.as_millis() + 1,
            Bound::Excluded(time) => time.as_millis(),
            Bound::Unbounded => u64::MAX,
        };
        Self { from, end }
    }

    /// The hours that have its times, as the seconds at which they start; none if it has no time.
    pub(super) fn hours(self) -> Option<(u32, u32)> {
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
