//! Limits timeouts of any length, so that the instant at which they end can be computed.

use std::time::Duration;

use tokio::time::Instant;

/// The longest timeout. An instant that far in the future can still be computed.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// Returns the timeout, or [`LONGEST`] if it is longer than that.
pub(crate) fn clamp(time: Duration) -> Duration {
    time.min(LONGEST)
}

/// Returns the instant that is `time` from now, but at most [`LONGEST`] from now.
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + clamp(time)
}
