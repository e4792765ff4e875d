//! The parts that the connected stores, HBase and Bigtable, have in common: the configuration, the
//! observers, the state that the operations of a client share, and how operations begin, wait for
//! each other and end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::attempts::{Attempts, SharedRetryState};
use super::closing::Closing;
use super::repeat::Idempotency;
use crate::config::dialing::ReopenNotifier;
use crate::observe::{Backpressure, JsonWriter, ObservedOperation, Observers};
use crate::runtime::in_flight_limit::InFlightLimit;
use crate::runtime::write_clock::{ReservedTimestamp, ReservedTimestamps, WriteClock};
use crate::{Config, Error, ErrorKind, Result, TableName};

/// The error text of an operation that does not begin because its client was closed.
pub(crate) const CLOSED: &str = "the client was closed";

/// The size in bytes of the operations that were not answered before a client closed.
pub(crate) type UnansweredBytes = usize;

/// The state that all operations of a client share.
pub(crate) struct Core {
    pub(crate) config: Config,
    pub(crate) observers: Arc<Observers>,
    pub(crate) closing: Closing,
    pub(crate) clock: WriteClock,
    pub(crate) retries: Arc<SharedRetryState>,
    room: InFlightLimit,
}

impl Core {
    pub(crate) fn new(
        config: Config,
        observers: Arc<Observers>,
        reopened: &Arc<ReopenNotifier>,
    ) -> Self {
        Self {
            closing: Closing::default(),
            clock: WriteClock::new(),
            retries: SharedRetryState::new(config.retry_budget, reopened),
            room: InFlightLimit::new(config.in_flight_bytes),
            observers,
            config,
        }
    }

    /// Starts the attempts of an operation, on a table or on the whole store.
    pub(crate) fn attempts_on(
        &self,
        operation: &'static str,
        table: Option<&TableName>,
        timeout: Duration,
    ) -> Attempts {
        let observed = ObservedOperation::start(&self.observers, operation, table);
        Attempts::new(observed, self.config.pause, timeout)
            .with_max_retries(self.config.max_retries, self.config.overloaded_pause)
    }

    /// Starts the attempts of a read or write, whose retries are limited by the retry budget of the
    /// client.
    pub(crate) fn budgeted_attempts(
        &self,
        operation: &'static str,
        table: &TableName,
        timeout: Duration,
    ) -> Attempts {
        self.attempts_on(operation, Some(table), timeout).with_retry_budget(&self.retries, 1)
    }

    /// Returns how long one attempt of an operation may take; `own_timeout` is the attempt timeout
    /// set in the operation's options, if any.
    ///
    /// Reads and writes may have different timeouts in the configuration, and the idempotency tells
    /// them apart: [`Idempotency::Read`] is a read, everything else a write.
    pub(crate) fn attempt_timeout(
        &self,
        idempotency: Idempotency,
        own_timeout: Option<Duration>,
    ) -> Duration {
        let of_reads_or_writes = match idempotency {
            Idempotency::Read => self.config.read_attempt_timeout,
            Idempotency::Write
            | Idempotency::WithNonce
            | Idempotency::WithToken
            | Idempotency::Never => self.config.write_attempt_timeout,
        };
        own_timeout.or(of_reads_or_writes).unwrap_or(self.config.attempt_timeout)
    }

    /// Chooses the timestamp of a write of `row`, waits until this timestamp may be used, and
    /// returns it as a `ReservedTimestamp`. No other write of the row gets the same timestamp while
    /// this write may still be sent. `is_conditional` is true for a write with a condition.
    ///
    /// A write that waits in vain leaves its timestamp to the next write of the row. Otherwise each
    /// such write would move the timestamps of the row further ahead of the clock, and the next
    /// writes would wait even longer.
    pub(crate) async fn await_write_timestamp(
        &self,
        row: &[u8],
        is_conditional: bool,
        attempts: &mut Attempts,
    ) -> Result<ReservedTimestamp<'_>> {
        let timestamp =
            timeout_at(attempts.deadline(), self.clock.reserve(row, is_conditional)).await;
        let mut timestamp = timestamp.map_err(|_| unanswered_writes_error("the row", attempts))?;
        until_valid(timestamp.time(), "the row", attempts).await?;
        timestamp.mark_sendable();
        Ok(timestamp)
    }

    /// Returns the timestamps for a step that writes all of `rows`, like
    /// [`await_write_timestamp`](Self::await_write_timestamp).
    pub(crate) async fn await_write_timestamps(
        &self,
        rows: &[impl AsRef<[u8]>],
        attempts: &mut Attempts,
    ) -> Result<ReservedTimestamps<'_>> {
        let timestamps = timeout_at(attempts.deadline(), self.clock.reserve_all(rows)).await;
        let mut timestamps =
            timestamps.map_err(|_| unanswered_writes_error("one of the rows", attempts))?;
        until_valid(timestamps.latest(), "one of the rows", attempts).await?;
        timestamps.mark_sendable();
        Ok(timestamps)
    }

    /// Takes `bytes` of the bytes that may be in flight; returns `None` if too few are free. Fails
    /// if the client was closed, or if no time was left for an attempt.
    pub(crate) fn reserve(
        &self,
        bytes: usize,
        attempts: &Attempts,
    ) -> Result<Option<OwnedSemaphorePermit>> {
        if self.closing.is_closed() {
            return Err(Error::new(ErrorKind::Closed, CLOSED));
        }
        if attempts.began_out_of_time() {
            return Err(Error::new(ErrorKind::Timeout, "there was no time left to send it"));
        }
        Ok(self.room.try_take(bytes))
    }

    /// Takes `bytes` after [`reserve`](Self::reserve) found too few free bytes. First tries the
    /// additional bytes of one of `servers`. If these are in use too, waits for free bytes until
    /// the deadline if `waits` is true, and fails at once otherwise. `known_servers` is the number
    /// of servers that the client knows.
    pub(crate) async fn await_in_flight_bytes(
        &self,
        bytes: usize,
        waits: bool,
        (servers, known_servers): (&[Arc<str>], usize),
        attempts: &mut Attempts,
    ) -> Result<OwnedSemaphorePermit> {
        if let Some(permit) = self.room.try_take_server_share(bytes, servers, known_servers) {
            return Ok(permit);
        }
        attempts.report_backpressure(Backpressure::InFlightBytes);
        if !waits {
            let limit = self.config.in_flight_bytes;
            return Err(no_wait_error(&format!("operations of {limit} bytes are in flight")));
        }
        let permit = self.room.take(bytes, (servers, known_servers), attempts.deadline()).await;
        attempts.restart_first_attempt();
        match permit {
            Some(permit) if !attempts.began_out_of_time() => Ok(permit),
            _ => Err(self.in_flight_timeout_error(attempts)),
        }
    }

    /// Returns the error of an operation that waited too long for the operations before it.
    pub(crate) fn in_flight_timeout_error(&self, attempts: &Attempts) -> Error {
        let text = format!(
            "it was not sent within {}: operations of {} bytes are in flight and have no answer \
             yet; start fewer at a time, or raise in_flight_bytes",
            attempts.timeout_text(),
            self.config.in_flight_bytes
        );
        Error::new(ErrorKind::Busy, text)
    }

    /// Executes the operations that writers have collected, stops accepting new operations, and
    /// waits until the deadline for those under way. Returns the size in bytes of the operations
    /// that were not answered.
    pub(crate) async fn drain(&self, deadline: Instant) -> UnansweredBytes {
        self.closing.drain_writers(deadline).await;
        self.closing.close();
        self.room.wait_until_idle(deadline).await
    }

    /// Adds the number of bytes in flight, and the number of retries that are left, to the current
    /// JSON object.
    pub(crate) fn write_limits(&self, json: &mut JsonWriter) {
        let (used, limit) = self.room.used_and_limit();
        json.object_member("in_flight", |json| {
            json.number("bytes", used as u64);
            json.number("limit", limit as u64);
        });
        json.object_member("retry_budget", |json| match self.retries.budget.retries_left() {
            Some(left) => json.number("left", left),
            None => json.boolean("unlimited", true),
        });
    }

    /// Adds the writers, the slowest operations and the metrics to the current JSON object.
    pub(crate) fn write_activity(&self, json: &mut JsonWriter) {
        json.array("writers", self.closing.drains(), |json, writer| writer.write_state(json));
        self.observers.write_slow(json);
        #[cfg(feature = "metrics")]
        json.member("metrics", |json| self.observers.metrics().write(json));
    }
}

/// Waits until a write may be sent with this timestamp, which may be ahead of the clock. Fails if
/// the deadline is earlier.
async fn until_valid(time: u64, of: &str, attempts: &mut Attempts) -> Result<()> {
    let wait = WriteClock::delay_before_sending(time);
    let valid_from = Instant::now() + wait;
    if !wait.is_zero() {
        sleep_until(attempts.deadline().min(valid_from)).await;
    }
    attempts.restart_first_attempt();
    if wait.is_zero() || valid_from < attempts.deadline() {
        return Ok(());
    }
    let text = format!(
        "it was not sent within {}: writes of {of} are so frequent that the next timestamp is too \
         far ahead of the clock, and could be used only after {} ms; write it less often, or give \
         the cells timestamps",
        attempts.timeout_text(),
        wait.as_millis()
    );
    Err(Error::new(ErrorKind::Timeout, text))
}

/// Returns the error of a write that waited in vain for earlier writes of `of` to be answered.
fn unanswered_writes_error(of: &str, attempts: &Attempts) -> Error {
    let limit = attempts.timeout_text();
    let text = format!("earlier writes of {of} were not answered within {limit}");
    Error::new(ErrorKind::Busy, text)
}

/// Returns the error of an operation that would have to wait, but whose options forbid waiting.
pub(crate) fn no_wait_error(why: &str) -> Error {
    Error::new(
        ErrorKind::TooManyInFlight,
        format!("it was not sent, and not to wait: {why}; start fewer at a time"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::ObserverSettings;

    fn core() -> Core {
        let observers = Arc::new(Observers::new(ObserverSettings::default(), "hbase"));
        Core::new(Config::new(), observers, &Arc::default())
    }

    fn attempts(core: &Core) -> Attempts {
        core.attempts_on("put", None, Duration::from_secs(1))
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_waits_in_vain_for_its_timestamp_moves_no_time() {
        let core = core();
        let ahead = core.clock.move_ahead(b"r", 3_600_000);
        for is_conditional in [false, true] {
            let mut attempts = attempts(&core);
            let error = core
                .await_write_timestamp(b"r", is_conditional, &mut attempts)
                .await
                .err()
                .unwrap();
            assert_eq!(error.kind(), ErrorKind::Timeout);
            assert!(error.message().contains("too far ahead of the clock"), "{error}");
        }
        let error = core.await_write_timestamps(&[b"r"], &mut attempts(&core)).await.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert_eq!(core.clock.reserve(b"r", false).await.time(), ahead);
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_is_dropped_while_it_waits_for_its_timestamp_moves_no_time() {
        let core = core();
        let ahead = core.clock.move_ahead(b"r", 3_600_000);
        let mut attempts = attempts(&core);
        let timestamp = core.await_write_timestamp(b"r", false, &mut attempts);
        timeout_at(Instant::now() + Duration::from_millis(1), timestamp).await.err().unwrap();
        assert_eq!(core.clock.reserve(b"r", false).await.time(), ahead);
    }
}
