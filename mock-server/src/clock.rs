//! The cluster's time: milliseconds since 1970, taken from tokio's clock, so that paused time pauses it too.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// A clock that starts at a given millisecond and goes on with tokio's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start_ms: u64,
    started: Instant,
}

impl Clock {
    /// A clock that shows `start_ms` now.
    pub(crate) fn starting_at(start_ms: u64) -> Self {
        Self { start_ms, started: Instant::now() }
    }

    /// A clock that shows the machine's time now.
    pub(crate) fn of_the_machine() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::starting_at(since.as_millis() as u64)
    }

    /// The time in ms.
    pub(crate) fn now(&self) -> u64 {
        self.start_ms + self.started.elapsed().as_millis() as u64
    }
}
