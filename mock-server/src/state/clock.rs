//! The clock of a cluster, in milliseconds since 1970. The clock advances with tokio's time, so a
//! test can pause it. A test can also advance it further.
//!
//! # Invariants
//!
//! - What is written without a timestamp is never older than what was written before, nor than the
//!   system's clock. Tests: `a_clock_that_starts_now_is_not_behind_the_system`,
//!   `tests/suites/client/series.rs`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// The maximum number of attempts to read both clocks within a millisecond. One attempt is enough
/// except on a very busy machine.
const MOST_READS: u32 = 100;

/// The latest time to which a test can advance a clock: the last ms of the year 9999. Adding any
/// limit to it does not overflow.
pub(crate) const LATEST_MS: u64 = 253_402_300_799_999;

/// A clock that advances with tokio's time.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Duration,
    started: Instant,
    /// By how many ms the clock was advanced in addition to tokio's time.
    advanced_ms: AtomicU64,
}

impl Clock {
    /// Makes a clock that starts now at `start_ms`.
    pub(crate) fn starting_at(start_ms: u64) -> Self {
        Self::at(Duration::from_millis(start_ms), Instant::now())
    }

    /// Makes a clock that starts now at the system's time, and never earlier than that: clients on
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
        Self::at(start, started)
    }

    fn at(start: Duration, started: Instant) -> Self {
        Self { start, started, advanced_ms: AtomicU64::new(0) }
    }

    /// The time in ms.
    pub(crate) fn now(&self) -> u64 {
        let unaltered = (self.start + self.started.elapsed()).as_millis() as u64;
        unaltered.saturating_add(self.advanced_ms.load(Ordering::Relaxed))
    }

    /// Advances the clock, unless it would then be after [`LATEST_MS`]; returns whether it did.
    pub(crate) fn advance(&self, by: Duration) -> bool {
        let by = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        let fits = self.now().checked_add(by).is_some_and(|then| then <= LATEST_MS);
        if fits {
            self.advanced_ms.fetch_add(by, Ordering::Relaxed);
        }
        fits
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

    #[tokio::test(start_paused = true)]
    async fn an_advanced_clock_stays_ahead_and_never_passes_the_latest_time() {
        let clock = Clock::starting_at(1_000);
        assert!(clock.advance(Duration::from_secs(60)));
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!(clock.now(), 61_005);
        assert!(!clock.advance(Duration::from_millis(LATEST_MS)));
        assert!(!clock.advance(Duration::MAX));
        assert!(clock.advance(Duration::from_millis(LATEST_MS - 61_005)));
        assert_eq!(clock.now(), LATEST_MS);
    }
}
