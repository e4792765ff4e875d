//! Times that are as long as a program likes.

use std::time::Duration;

use tokio::time::Instant;

/// Longer than this is this: a moment that far in the future can still be computed.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// A time that can be waited, however long it was given.
pub(crate) fn bounded(time: Duration) -> Duration {
    time.min(LONGEST)
}

/// The moment at which the time `time` has passed, or [`LONGEST`] if it is longer than that.
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + bounded(time)
}
