//! The table whose changes are read, and how.

use std::sync::Arc;
use std::time::Duration;

use crate::TableName;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::instance::Instance;

/// The name of the operation in errors and metrics.
pub(super) const READ_CHANGES: &str = "read changes";

/// The time between two heartbeats, unless a stream sets its own.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// After how many heartbeats that did not arrive a stream is opened anew.
const SILENT_HEARTBEATS: u32 = 3;

/// The table whose changes are read.
#[derive(Clone)]
pub(crate) struct ChangesOf {
    pub(super) instance: Arc<Instance>,
    pub(super) table: TableName,
    /// How long the service may fail before the stream fails.
    timeout: Duration,
    pub(super) heartbeat: Duration,
    /// The time of the last changes, in microseconds since 1970.
    pub(super) end: Option<i64>,
}

impl ChangesOf {
    pub(crate) fn new(
        instance: Arc<Instance>,
        table: TableName,
        timeout: Option<Duration>,
    ) -> Self {
        let timeout = timeout.unwrap_or(instance.config.page_timeout);
        Self { instance, table, timeout, heartbeat: HEARTBEAT, end: None }
    }

    /// Returns how long a stream may be silent before another one is opened; `silent` streams in
    /// a row were silent for too long.
    pub(super) fn silence_limit(&self, silent: u32) -> Duration {
        let of_reads = self.instance.stream_silence_limit(None, silent);
        of_reads.max(self.heartbeat.saturating_mul(SILENT_HEARTBEATS))
    }

    /// Returns the attempts to open a stream.
    pub(super) fn attempts(&self) -> Attempts {
        let within = self.timeout.saturating_add(self.silence_limit(0));
        let attempts = self.instance.attempts_on(READ_CHANGES, Some(&self.table), within);
        attempts.with_retry_budget(&self.instance.retries, 1)
    }
}
