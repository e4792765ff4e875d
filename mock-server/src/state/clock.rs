//! The clock of a cluster: milliseconds since 1970 that advance with tokio's time, so that a test
//! can pause them.
//!
//! # Invariants
//!
//! - What is written without a timestamp is never older than what was written before, nor than the
//!   system's clock. Tests: `a_clock_that_starts_now_is_not_behind_the_system`,
//!   `tests/suites/client/series.rs`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// How often both clocks are read until it takes less than a millisecond: one time in all but the
/// busiest moments.
const MOST_READS: u32 = 100;

/// A clock that advances with tokio's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Duration,
    started: Instant,
}

impl Clock {
    /// A clock whose present time is `start_ms`.
    pub(crate) fn starting_at(start_ms: u64) -> Self {
        Self { start: Duration::from_millis(start_ms), started: Instant::now() }
    }

    /// A clock whose present time is the system's, and never an earlier one: clients on the same
    /// machine compare the times of cells with their own.
    pub(crate) fn starting_now() -> Self {
        // A process that is stopped between the two reads would be ahead of the system by as long
        // as it was stopped.
        for _ in 0..MOST_READS {
            let clock = Self::read();
            if clock.started.elapsed() < Duration::from_millis(1) {
                return clock;
            }
        }
        Self::read()
    }

    fn read() -> Self {
        let started = Instant::now();
        let start = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self { start, started }
    }

    /// The time in ms.
    pub(crate) fn now(&self) -> u64 {
        (self.start + self.started.elapsed()).as_millis() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_starts_now_is_not_behind_the_system() {
        for _ in 0..10 {
            let clock = Clock::starting_now();
            let end = clock.now() + 3;
            while clock.now() < end {
                let system = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
                assert!(u128::from(clock.now()) >= system);
            }
        }
    }
}
