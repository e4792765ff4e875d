//! How long tests wait for a real server: longer on machines where its start took longer.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::sleep;

/// The seconds that the start of the real cluster took, as `tests/servers/hbase/cluster` prints
/// them.
const STARTED: &str = "TALLROW_REAL_PATIENCE";
const LEAST: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_millis(50);

/// How long to wait for something that a server does, before it is said that it never will.
///
/// No wait for a server can have a fixed bound, because machines differ and have other work. This
/// one is ten times what the start of the cluster took here, and at least five minutes: nothing
/// that is asked of a server takes as long as a start. Only a test that fails waits for so long.
pub fn patience() -> Duration {
    LEAST.max(Duration::from_secs(TOOK.load(Ordering::Relaxed)) * 10)
}

/// What the longest start of a cluster took, in seconds.
static TOOK: LazyLock<AtomicU64> = LazyLock::new(|| {
    let seconds = std::env::var(STARTED).ok().and_then(|seconds| seconds.parse().ok());
    AtomicU64::new(seconds.unwrap_or(0))
});

/// Takes into account that the start of another cluster took as many seconds.
pub(crate) fn seen_to_take(seconds: u64) {
    TOOK.fetch_max(seconds, Ordering::Relaxed);
}

/// Waits until there is a value.
///
/// Only the pauses between the questions are counted, so that neither slow answers nor the time in
/// which this process is stopped are taken for failures.
///
/// # Panics
/// If it is not there after all [`patience`]. The text says what is waited for.
pub async fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(found) = find().await {
            return found;
        }
        assert!(waited < patience(), "not after {waited:?}: {what}");
        sleep(PAUSE).await;
        waited += PAUSE;
    }
}

/// The same for a condition.
///
/// # Panics
/// If it does not hold after all [`patience`].
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until_some(what, async || holds().await.then_some(())).await;
}
