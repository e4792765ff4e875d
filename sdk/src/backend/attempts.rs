//! The attempts of one operation: how long to wait before the next one, and when to give up.
//!
//! # Invariants
//!
//! - No operation waits for ever, and none gives up long before its deadline: each operation has
//!   one deadline, which is passed down. Tests:
//!   `the_last_pauses_are_cut_so_that_the_deadline_is_used`,
//!   `tests/suites/stall/mod.rs::every_call_ends_by_the_deadline_of_its_client_and_names_the_server`.
//! - An operation is retried soon after its region has been opened. Tests:
//!   `an_operation_whose_region_is_not_open_is_tried_every_half_second_at_least`,
//!   `tests/tools/storm`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, sleep};

use crate::config::dialing::ReopenNotifier;
use crate::observe::{Backpressure, ObservedOperation, TraceContext};
use crate::runtime::budget::TokenBucket;
use crate::runtime::deadline::clamp;
use crate::{Error, ErrorKind, RetryBudget};

/// HBase's table of pauses, in multiples of the first pause (`HConstants.RETRY_BACKOFF`).
const BACKOFF: [u32; 13] = [1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200];

/// The longest pause while a region is not open, so that an attempt follows soon after the region
/// has been opened.
const UNTIL_OPEN: Duration = Duration::from_millis(400);
/// The longest pause after a connection was lost. How often servers are dialed is limited
/// separately.
const UNTIL_CONNECTED: Duration = Duration::from_millis(50);

/// The state that the retries of all operations of a client share: the retry budget, and the count
/// of how often a server became reachable again. When the count changes, pauses end early.
pub(crate) struct SharedRetryState {
    /// The budget that retries are taken from.
    pub(crate) budget: TokenBucket,
    pub(crate) reopened: Arc<ReopenNotifier>,
}

impl SharedRetryState {
    pub(crate) fn new(budget: RetryBudget, reopened: &Arc<ReopenNotifier>) -> Arc<Self> {
        Arc::new(Self { budget: TokenBucket::new(budget), reopened: reopened.clone() })
    }
}

/// The attempts of one operation, under one deadline.
pub(crate) struct Attempts {
    operation: &'static str,
    pause: Duration,
    /// The pause for servers that are overloaded.
    overload_pause: Duration,
    max_retries: Option<usize>,
    started: Instant,
    /// When the latest attempt began.
    attempt_started: Instant,
    deadline: Instant,
    count: u32,
    last: Option<Error>,
    /// The state that is shared with the retries of other operations, and the count of `reopened`
    /// when the latest attempt began.
    retries: Option<(Arc<SharedRetryState>, u64)>,
    observed: ObservedOperation,
}

impl Attempts {
    pub(crate) fn new(observed: ObservedOperation, pause: Duration, timeout: Duration) -> Self {
        let (operation, started) = (observed.name(), observed.started());
        let deadline = started + clamp(timeout);
        let attempt_started = started;
        Self {
            operation,
            pause,
            overload_pause: pause,
            max_retries: None,
            started,
            attempt_started,
            deadline,
            count: 0,
            last: None,
            retries: None,
            observed,
        }
    }

    /// Allows at most `max_retries` retries, and sets the pause for overloaded servers to
    /// `overload_pause`, if it is given.
    pub(crate) fn with_max_retries(
        mut self,
        max_retries: Option<usize>,
        overload_pause: Option<Duration>,
    ) -> Self {
        self.max_retries = max_retries;
        self.overload_pause = overload_pause.unwrap_or(self.pause);
        self
    }

    /// Limits the retries by the budget in `retries`, and counts `first_attempts` first attempts,
    /// which add to this budget.
    pub(crate) fn with_retry_budget(
        mut self,
        retries: &Arc<SharedRetryState>,
        first_attempts: u64,
    ) -> Self {
        retries.budget.count_operations(first_attempts);
        self.retries = Some((retries.clone(), retries.reopened.count()));
        self
    }

    /// Returns the attempts of one operation of this batch. `attempts_made` attempts of the
    /// operation were already made together with other operations; the latest of these attempts
    /// began at `attempt_started`.
    pub(crate) fn of_part(
        &self,
        operation: &'static str,
        attempts_made: u32,
        attempt_started: Instant,
    ) -> Self {
        let &Self { pause, overload_pause, max_retries, started, deadline, .. } = self;
        Self {
            operation,
            pause,
            overload_pause,
            max_retries,
            started,
            attempt_started,
            deadline,
            count: attempts_made,
            last: None,
            retries: self.retries.clone(),
            observed: self.observed.part(),
        }
    }

    /// Sets whether the following events are kept from observers, and only added to the history of
    /// the operation. This is set while another part of the batch reports the same events.
    pub(crate) fn set_observers_muted(&mut self, muted: bool) {
        self.observed.set_observers_muted(muted);
    }

    /// Sets the row that the operation is on.
    pub(crate) fn on_row(mut self, row: &Bytes) -> Self {
        self.observed.record_row(row);
        self
    }

    /// Notes that the current attempt is sent to this server.
    pub(crate) fn record_server(&mut self, server: &Arc<str>) {
        self.observed.record_server(server);
    }

    /// Reports what holds the operation back.
    pub(crate) fn report_backpressure(&self, by: Backpressure) {
        self.observed.report_backpressure(by);
    }

    /// Notes that this is a batch of `operations` operations.
    pub(crate) fn with_batch_size(self, operations: usize) -> Self {
        Self { observed: self.observed.with_batch_size(operations), ..self }
    }

    /// Returns the trace context for a call that is made for the current attempt.
    pub(crate) fn trace_context(&self) -> Option<TraceContext> {
        self.observed.trace_context()
    }

    /// Runs `future` so that its calls belong to the trace of the current attempt.
    pub(crate) fn traced<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        self.observed.instrument(future)
    }

    /// Ends the operation and returns its result; an error is completed by `finish` first.
    pub(crate) fn end<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        let result = result.map_err(|error| self.add_attempt_details(error));
        self.observed.end(result, self.count, self.attempt_started)
    }

    /// Moves the deadline to now plus `from_now`, unless the deadline is earlier already.
    #[cfg(feature = "bigtable")]
    pub(crate) fn with_max_duration(self, from_now: Duration) -> Self {
        Self { deadline: self.deadline.min(Instant::now() + from_now), ..self }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The time that is left for the next attempt, at most `max`.
    pub(crate) fn left(&self, max: Duration) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).min(max)
    }

    /// The deadline of an attempt that is sent at `now` and may take at most `max`.
    pub(crate) fn attempt_deadline(&self, now: Instant, max: Duration) -> Instant {
        now + self.deadline.saturating_duration_since(now).min(max)
    }

    /// Begins an attempt, and counts it.
    pub(crate) fn begin_attempt(&mut self) {
        self.count += 1;
        self.attempt_started = Instant::now();
        if let Some((retries, count)) = &mut self.retries {
            *count = retries.reopened.count();
        }
        self.observed.begin_attempt(self.count);
    }

    /// Begins an attempt of a single operation, and counts it. The first attempt began when the
    /// operation began, or when its wait was over; the later attempts begin now.
    pub(crate) fn begin_attempt_keeping_first_start(&mut self) {
        match self.count {
            0 => {
                self.count = 1;
                self.observed.begin_attempt(1);
            }
            _ => self.begin_attempt(),
        }
    }

    /// Notes that the operation has waited until now, and that its first attempt begins now.
    pub(crate) fn restart_first_attempt(&mut self) {
        self.attempt_started = Instant::now();
    }

    /// When the latest attempt began.
    pub(crate) fn attempt_started_at(&self) -> Instant {
        self.attempt_started
    }

    /// How many attempts were made.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Remembers why the attempt failed, and waits before the next attempt. Fails if there is no
    /// time for another attempt, or if `max_retries` or the retry budget allows none.
    pub(crate) async fn wait_for_retry(&mut self, error: Error, wait: Wait) -> Result<(), Error> {
        let pause = self.next_pause(error, wait)?;
        self.sleep_before_retry(pause, wait).await;
        Ok(())
    }

    /// Waits for `pause` before the next attempt; after [`Wait::NotExecuted`], the wait ends early
    /// when a server can be reached again.
    pub(crate) fn sleep_before_retry(
        &self,
        pause: Duration,
        wait: Wait,
    ) -> impl Future<Output = ()> + use<> {
        let reopened = match &self.retries {
            Some((retries, count)) if wait == Wait::NotExecuted => Some((retries.clone(), *count)),
            _ => None,
        };
        async move {
            match reopened {
                _ if pause.is_zero() => {}
                Some((retries, count)) => retries.reopened.wait(pause, count).await,
                None => sleep(pause).await,
            }
        }
    }

    /// Remembers why the attempt failed, and returns how long to wait before the next attempt.
    /// Fails if there is no time for another attempt, or if `max_retries` or the retry budget
    /// allows none.
    ///
    /// A pause takes at most half of the time that is left, so that the last attempts come close to
    /// the deadline. A pause that the server requested is kept in full; if there is no time for it,
    /// the operation fails at once. The retry also waits for its turn in the retry budget, except
    /// after an attempt that no server works on.
    pub(crate) fn next_pause(&mut self, error: Error, wait: Wait) -> Result<Duration, Error> {
        let left = self.left(Duration::MAX);
        let pause = match wait {
            _ if self.is_out_of_time() => {
                self.observed.record_attempt_failure(
                    self.count,
                    self.attempt_started.elapsed(),
                    &error,
                    None,
                );
                return Err(self.final_error(error));
            }
            _ if self.max_retries.is_some_and(|max| self.count as usize > max) => {
                let error = error.with_suffix_once("; max_retries allows no further attempt");
                return Err(self.add_attempt_details(error));
            }
            Wait::AtOnce => Duration::ZERO,
            Wait::Exactly(pause) if pause >= left => return Err(self.add_attempt_details(error)),
            Wait::Exactly(pause) => pause,
            Wait::Backoff
            | Wait::NotExecuted
            | Wait::Reconnect
            | Wait::RegionMoved
            | Wait::Overloaded => {
                let first =
                    if matches!(wait, Wait::Overloaded) { self.overload_pause } else { self.pause };
                let step = BACKOFF.get(self.count.saturating_sub(1) as usize).unwrap_or(&200);
                let max = match wait {
                    Wait::NotExecuted | Wait::RegionMoved => UNTIL_OPEN.max(first),
                    Wait::Reconnect => UNTIL_CONNECTED,
                    _ => Duration::MAX,
                };
                let max = first.saturating_mul(*step).min(max);
                let max = u64::try_from(max.as_micros()).unwrap_or(u64::MAX);
                Duration::from_micros(fastrand::u64(..=max)).min(left / 2)
            }
        };
        let pause = match &self.retries {
            Some((retries, _)) if !matches!(wait, Wait::NotExecuted | Wait::Reconnect) => {
                match retries.budget.take_retry(left) {
                    Some(delay) if delay > pause => {
                        self.observed.report_backpressure(Backpressure::RetryBudget);
                        delay
                    }
                    Some(_) => pause,
                    None => {
                        self.observed.record_attempt_failure(
                            self.count,
                            self.attempt_started.elapsed(),
                            &error,
                            None,
                        );
                        self.observed.report_backpressure(Backpressure::RetryBudget);
                        let text = "not tried again: this client has made as many retries as its retry_budget allows";
                        return Err(self.add_attempt_details(
                            error.into_kind(ErrorKind::RetryBudgetSpent, text),
                        ));
                    }
                }
            }
            _ => pause,
        };
        self.observed.record_attempt_failure(
            self.count,
            self.attempt_started.elapsed(),
            &error,
            Some(pause),
        );
        if matches!(wait, Wait::Exactly(_)) {
            self.observed.report_throttling(pause);
        }
        self.last = Some(error);
        Ok(pause)
    }

    /// Returns the error with which the operation ends: `error` or, if the deadline cut the last
    /// attempt short, the error of the previous attempt, which is more informative.
    fn final_error(&mut self, error: Error) -> Error {
        let cut =
            error.kind() == ErrorKind::Timeout && self.attempt_started.elapsed() < self.total() / 8;
        let error = self.last.take().filter(|_| cut).unwrap_or(error);
        self.add_attempt_details(error)
    }

    fn total(&self) -> Duration {
        self.deadline.duration_since(self.started)
    }

    /// Whether too little time is left for an attempt. Such an attempt would only turn a known
    /// outcome into an unknown outcome.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.is_spent_at(Instant::now())
    }

    /// Whether too little time was left for an attempt when the latest attempt began.
    pub(crate) fn began_out_of_time(&self) -> bool {
        self.is_spent_at(self.attempt_started)
    }

    fn is_spent_at(&self, now: Instant) -> bool {
        self.deadline.saturating_duration_since(now) <= self.pause.min(self.total() / 8)
    }

    /// How long the operation may take in all, as text.
    pub(crate) fn timeout_text(&self) -> String {
        format!("{:.1} s", self.total().as_secs_f64())
    }

    /// Returns the error of an operation whose deadline has passed: the error of the last failed
    /// attempt. If no attempt has failed, the error says that `what` on `server` did not answer in
    /// time.
    pub(crate) fn timeout_error(&mut self, server: &str, what: &str) -> Error {
        let error = self.last.take().unwrap_or_else(|| {
            let text = format!("{what} did not answer within {}", self.timeout_text());
            Error::new(ErrorKind::Timeout, text).on_server(server)
        });
        self.add_attempt_details(error)
    }

    /// Adds to an error which operation failed, how many attempts were made, and how long they
    /// took.
    pub(crate) fn add_attempt_details(&self, error: Error) -> Error {
        let error = match error.kind() {
            ErrorKind::Timeout => error.with_suffix_once(&format!(
                "; it had {} in all, by `with_timeout` or the timeouts of `Config`",
                self.timeout_text()
            )),
            _ => error,
        };
        error
            .with_operation_if_unset(self.operation)
            .with_attempts(self.count, self.started.elapsed())
    }
}

/// How long to wait before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wait {
    AtOnce,
    Exactly(Duration),
    Backoff,
    /// Like `NotExecuted`, after a connection was lost: another connection may be opened at once.
    Reconnect,
    /// Like `Backoff`, after an attempt that no server works on: the attempt reached no server, or
    /// a server that has ended, or the region is not known. The pause is short, as for
    /// `RegionMoved`.
    NotExecuted,
    /// Like `Backoff`, with a short pause: the region has left the server, and is going to be open
    /// on some server soon.
    RegionMoved,
    /// Like `Backoff`, after the server reported that it is overloaded.
    Overloaded,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::{ObserverSettings, Observers};

    fn attempts() -> Attempts {
        let observers = Arc::new(Observers::new(ObserverSettings::default(), "hbase"));
        let observed = ObservedOperation::start(&observers, "get", None);
        Attempts::new(observed, Duration::from_millis(50), Duration::from_secs(10))
    }

    fn busy() -> Error {
        Error::new(ErrorKind::Busy, "too much to do")
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_pauses_are_cut_so_that_the_deadline_is_used() {
        let mut attempts = attempts();
        let error = loop {
            attempts.begin_attempt();
            if let Err(error) = attempts.wait_for_retry(busy(), Wait::Backoff).await {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::Busy);
        assert!(error.attempts() > 5, "{error}");
        let elapsed = error.elapsed();
        assert!(
            elapsed <= Duration::from_secs(10) && elapsed >= Duration::from_secs(9),
            "{elapsed:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_operation_whose_region_is_not_open_is_tried_every_half_second_at_least() {
        let mut attempts = attempts();
        for _ in 0..20 {
            attempts.begin_attempt();
            for wait in [Wait::NotExecuted, Wait::Reconnect, Wait::RegionMoved] {
                let pause = attempts.next_pause(busy(), wait).unwrap();
                assert!(pause <= UNTIL_OPEN, "{pause:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_the_server_requested_is_kept_or_not_begun() {
        let mut attempts = attempts();
        attempts.begin_attempt();
        let before = Instant::now();
        attempts.wait_for_retry(busy(), Wait::Exactly(Duration::from_secs(4))).await.unwrap();
        assert_eq!(before.elapsed(), Duration::from_secs(4));
        let error = attempts
            .wait_for_retry(busy(), Wait::Exactly(Duration::from_secs(7)))
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), "get: too much to do");
        assert_eq!(before.elapsed(), Duration::from_secs(4));
    }
}
