//! The clock of a cluster, in milliseconds since 1970. The clock advances with tokio's time, so a
//! test can pause it.
//!
//! # Invariants
//!
//! - What is written without a timestamp is never older than what was written before, nor than the
//!   system's clock. Tests: `a_clock_that_starts_now_is_not_behind_the_system`,
//!   `tests/suites/client/series.rs`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// The maximum number of attempts to read both clocks in less than a millisecond. One attempt is
/// enough except on a very busy machine.
const MOST_READS: u32 = 100;

/// A clock that advances with tokio's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Duration,
    started: Instant,
}

impl Clock {
    /// Makes a clock that starts now at `start_ms`.
    pub(crate) fn starting_at(start_ms: u64) -> Self {
        Self { start: Duration::from_millis(start_ms), started: Instant::now() }
    }

    /// Makes a clock that starts now at the system's time, and never at an earlier time: clients on
    /// the same machine compare the timestamps of cells with their own clock.
    pub(crate) fn starting_now() -> Self {
        // If the process is stopped between the two reads, the clock is ahead of the system's clock
        // by the length of the stop.
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
