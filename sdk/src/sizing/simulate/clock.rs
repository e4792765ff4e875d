//! The clock of a simulation: gives events times that advance as keys are made, and lets events
//! arrive late.

use std::ops::Range;

use crate::{Error, Result};

/// A simulated clock, which gives events their times in any unit. Its time advances as keys are
/// made, so at each moment all writers have nearly the same time.
///
/// ```
/// use tallrow::simulate::{Clock, Simulation};
///
/// // A second of events in milliseconds, of which some arrive up to 20 ms late.
/// let clock = Clock::new(1_700_000_000_000..1_700_000_001_000)?.with_max_delay(20);
/// let middle = 1_700_000_000_500_i64;
/// let halves = Simulation::new([middle.to_be_bytes()])?.keys(10_000);
/// let halves = halves.run_rows(|draw| Ok(draw.time(&clock).to_be_bytes()))?;
/// assert!(halves.busiest_region_share() > 0.98, "only one half is written to at a time");
/// assert!((5_050..5_150).contains(&halves.rows()[0]), "the late ones of the second half");
/// assert!(Clock::new(7..7).is_err());
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    from: i64,
    to: i64,
    late: u64,
}

impl Clock {
    /// Creates a clock that advances evenly from the start of `times`, the time of the first key,
    /// towards the end of `times`, which the last key does not reach.
    ///
    /// # Errors
    /// If the range is empty.
    pub fn new(times: Range<i64>) -> Result<Self> {
        if times.is_empty() {
            let Range { start, end } = times;
            return Err(Error::invalid_argument(format!(
                "a clock from {start} to {end}: it has to end after it starts"
            )));
        }
        Ok(Self { from: times.start, to: times.end, late: 0 })
    }

    /// Makes events arrive late, by up to `by` after their time. All delays up to `by` are equally
    /// likely.
    #[must_use]
    pub fn with_max_delay(mut self, by: u64) -> Self {
        self.late = by;
        self
    }

    /// Returns the time of the event of key `index`, of `keys` keys in all, if the event arrives
    /// `late` after its time.
    pub(super) fn at(&self, index: u64, keys: u64, late: u64) -> i64 {
        // Both factors are below 2^64, so their product fits.
        let passed = u128::from(self.to.abs_diff(self.from)) * u128::from(index);
        let passed = (passed / u128::from(keys.max(1))) as i128;
        let time = i128::from(self.from) + passed - i128::from(late);
        i64::try_from(time).unwrap_or(i64::MIN)
    }

    pub(super) fn max_delay(&self) -> u64 {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_range_of_times_is_used_and_never_left() {
        let clock = Clock::new(i64::MIN..i64::MAX).unwrap();
        assert_eq!(clock.at(0, u64::MAX, 0), i64::MIN);
        assert_eq!(clock.at(0, 1, 7), i64::MIN, "not before the first");
        assert!(clock.at(u64::MAX - 1, u64::MAX, 0) < i64::MAX);
        let clock = Clock::new(10..20).unwrap();
        let times: Vec<_> = (0..5).map(|index| clock.at(index, 5, 0)).collect();
        assert_eq!(times, [10, 12, 14, 16, 18]);
    }
}
