//! Whether to try again, how long to wait before, and when to give up.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, sleep};

use super::reaction::{self, Reaction};
use super::region::LocateError;
use super::rpc::CallError;
use crate::{Error, ErrorKind};

/// HBase's table of pauses, in multiples of the first (`HConstants.RETRY_BACKOFF`).
const BACKOFF: [u32; 13] = [1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200];

/// The attempts of one operation, under one deadline.
pub(crate) struct Attempts {
    operation: &'static str,
    pause: Duration,
    started: Instant,
    /// The latest attempt.
    begun: Instant,
    deadline: Instant,
    count: u32,
    last: Option<Error>,
}

impl Attempts {
    pub(crate) fn new(operation: &'static str, pause: Duration, timeout: Duration) -> Self {
        let started = Instant::now();
        let deadline = started + timeout.min(Duration::from_secs(1 << 30));
        let begun = started;
        Self { operation, pause, started, begun, deadline, count: 0, last: None }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The time that is left for the next attempt, at most `max`.
    pub(crate) fn left(&self, max: Duration) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).min(max)
    }

    /// The deadline of an attempt that is sent now and may take at most `max`.
    pub(crate) fn deadline_of(&self, now: Instant, max: Duration) -> Instant {
        now + self.deadline.saturating_duration_since(now).min(max)
    }

    /// Counts an attempt.
    pub(crate) fn begin(&mut self) {
        self.count += 1;
        self.begun = Instant::now();
    }

    /// How many attempts were made.
    pub(crate) fn made(&self) -> u32 {
        self.count
    }

    /// Remembers why the attempt failed and waits before the next one; fails if there is no time for another.
    ///
    /// A pause takes at most half of the time that is left, so that the last attempts come close to the deadline. One
    /// that the server requested is kept in full, or not begun.
    pub(crate) async fn again(&mut self, error: Error, wait: Wait) -> Result<(), Error> {
        let left = self.left(Duration::MAX);
        let pause = match wait {
            _ if self.is_spent() => return Err(self.final_error(error)),
            Wait::AtOnce => Duration::ZERO,
            Wait::Exactly(pause) if pause >= left => return Err(self.finish(error)),
            Wait::Exactly(pause) => pause,
            Wait::Backoff => {
                let step = BACKOFF.get(self.count.saturating_sub(1) as usize).unwrap_or(&200);
                let max = u64::try_from((self.pause * *step).as_micros()).unwrap_or(u64::MAX);
                Duration::from_micros(fastrand::u64(..=max)).min(left / 2)
            }
        };
        self.last = Some(error);
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Ok(())
    }

    /// The error to end with: an attempt that the deadline cut short is less informative than those before it.
    fn final_error(&mut self, error: Error) -> Error {
        let cut = error.kind() == ErrorKind::Timeout && self.begun.elapsed() < self.total() / 8;
        let error = self.last.take().filter(|_| cut).unwrap_or(error);
        self.finish(error)
    }

    fn total(&self) -> Duration {
        self.deadline.duration_since(self.started)
    }

    /// Whether too little time is left for an attempt: it would only turn a known outcome into an unknown one.
    pub(crate) fn is_spent(&self) -> bool {
        self.left(Duration::MAX) <= self.pause.min(self.total() / 8)
    }

    /// How long it may take in all, as text.
    pub(crate) fn limit(&self) -> String {
        format!("{:.1} s", self.total().as_secs_f64())
    }

    /// The error of an operation whose deadline passed: the last attempt's, or that `what` on this server is late.
    pub(crate) fn late(&mut self, server: &str, what: &str) -> Error {
        let error = self.last.take().unwrap_or_else(|| {
            let text = format!("{what} did not answer within {}", self.limit());
            Error::new(ErrorKind::Timeout, text).on_server(server)
        });
        self.finish(error)
    }

    /// Completes an error with what was attempted, how often and how long.
    pub(crate) fn finish(&self, error: Error) -> Error {
        let error = match error.kind() {
            ErrorKind::Timeout => error.adding(&format!(
                "; it had {} in all, by `with_timeout` or the timeouts of `Config`",
                self.limit()
            )),
            _ => error,
        };
        error.during(self.operation).after(self.count, self.started.elapsed())
    }
}

/// How long to wait before the next attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    AtOnce,
    Exactly(Duration),
    Backoff,
}

/// What a failed call means for the next attempt.
pub(crate) enum RetryDecision {
    /// Give up with this error.
    Fail(Error),
    /// Try again: why, after what pause, and which locations to forget.
    Again(Error, Wait, CacheInvalidation),
}

/// What a failed call reports about the location of regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheInvalidation {
    Nothing,
    Region,
    Server,
    Moved { host: String, port: u16, start_code: u64, sequence: u64 },
}

impl RetryDecision {
    /// The same, of a call about this region.
    pub(crate) fn in_region(self, region: &Bytes) -> Self {
        match self {
            Self::Fail(error) => Self::Fail(error.in_region(region)),
            Self::Again(error, wait, stale) => Self::Again(error.in_region(region), wait, stale),
        }
    }
}

/// Classifies a failed call. An exception about a scanner is final here; scans handle it themselves.
pub(crate) fn classify(error: CallError, server: &str) -> RetryDecision {
    let on_server = |e: Error| e.on_server(server);
    let text = error.to_string();
    let again =
        |kind, wait, stale| RetryDecision::Again(on_server(Error::new(kind, text)), wait, stale);
    match error {
        CallError::Exception(exception) => {
            let with = |kind| on_server(reaction::error(kind, &exception));
            match reaction::to(&exception) {
                Reaction::Fail(kind) => RetryDecision::Fail(with(kind)),
                Reaction::Reopen => RetryDecision::Fail(with(ErrorKind::DoNotRetry)),
                Reaction::Again => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::Backoff,
                    CacheInvalidation::Nothing,
                ),
                Reaction::Failed => RetryDecision::Again(
                    with(ErrorKind::ServerError),
                    Wait::Backoff,
                    CacheInvalidation::Nothing,
                ),
                Reaction::AtOnce => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::AtOnce,
                    CacheInvalidation::Nothing,
                ),
                Reaction::Wait(pause) => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::Exactly(pause),
                    CacheInvalidation::Nothing,
                ),
                Reaction::Relocate => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::Backoff,
                    CacheInvalidation::Region,
                ),
                Reaction::ServerGone => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::Backoff,
                    CacheInvalidation::Server,
                ),
                Reaction::Moved { host, port, start_code, sequence } => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::Backoff,
                    CacheInvalidation::Moved { host, port, start_code, sequence },
                ),
            }
        }
        CallError::Unreachable { .. } | CallError::Broken { .. } => {
            again(ErrorKind::Unreachable, Wait::Backoff, CacheInvalidation::Server)
        }
        CallError::TimedOut { sent: true, .. } => {
            again(ErrorKind::Timeout, Wait::AtOnce, CacheInvalidation::Region)
        }
        CallError::TimedOut { sent: false, .. } => {
            again(ErrorKind::Busy, Wait::AtOnce, CacheInvalidation::Nothing)
        }
        CallError::Protocol(e) => RetryDecision::Fail(on_server(Error::protocol(e))),
    }
}

/// What a failed lookup means: final, or why and how long to wait.
pub(crate) fn classify_lookup(error: LocateError) -> Result<(Error, Wait), Error> {
    match error {
        LocateError::NoSuchTable => {
            Err(Error::new(ErrorKind::TableNotFound, "the table does not exist; create it first"))
        }
        LocateError::Disabled => {
            Err(Error::new(ErrorKind::TableState, "the table is disabled; enable it first"))
        }
        LocateError::NotNow { server, why } => {
            Ok((Error::new(ErrorKind::Timeout, why).on_server(server), Wait::Backoff))
        }
        LocateError::Call { server, error } => {
            let text = format!("hbase:meta could not be read: {error}");
            let failed = |kind| Error::new(kind, text).on_server(&server);
            match error {
                CallError::Protocol(e) => Err(Error::protocol(e).on_server(&server)),
                CallError::Exception(_) => match classify(error, &server) {
                    RetryDecision::Fail(error) => Err(error),
                    RetryDecision::Again(error, wait, _) => Ok((error, wait)),
                },
                CallError::TimedOut { .. } => Ok((failed(ErrorKind::Timeout), Wait::AtOnce)),
                _ => Ok((failed(ErrorKind::Unreachable), Wait::Backoff)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy() -> Error {
        Error::new(ErrorKind::Busy, "too much to do")
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_pauses_are_cut_so_that_the_deadline_is_used() {
        let mut attempts = Attempts::new("get", Duration::from_millis(50), Duration::from_secs(10));
        let error = loop {
            attempts.begin();
            if let Err(error) = attempts.again(busy(), Wait::Backoff).await {
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
    async fn a_pause_the_server_requested_is_kept_or_not_begun() {
        let mut attempts = Attempts::new("get", Duration::from_millis(50), Duration::from_secs(10));
        attempts.begin();
        let before = Instant::now();
        attempts.again(busy(), Wait::Exactly(Duration::from_secs(4))).await.unwrap();
        assert_eq!(before.elapsed(), Duration::from_secs(4));
        let error =
            attempts.again(busy(), Wait::Exactly(Duration::from_secs(7))).await.unwrap_err();
        assert_eq!(error.to_string(), "get: too much to do");
        assert_eq!(before.elapsed(), Duration::from_secs(4));
    }
}
