//! The clock of a cluster: milliseconds since 1970 that advance with tokio's time, so that a test can pause them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// A clock that advances with tokio's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start_ms: u64,
    started: Instant,
}

impl Clock {
    /// A clock whose present time is `start_ms`.
    pub(crate) fn starting_at(start_ms: u64) -> Self {
        Self { start_ms, started: Instant::now() }
    }

    /// A clock whose present time is the system's.
    pub(crate) fn starting_now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::starting_at(since.as_millis() as u64)
    }

    /// The time in ms.
    pub(crate) fn now(&self) -> u64 {
        self.start_ms + self.started.elapsed().as_millis() as u64
    }
}
