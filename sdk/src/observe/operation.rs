//! Reports the start, attempts and end of one operation to the observers, and keeps its history for
//! errors and slow operations.
//!
//! # Invariants
//!
//! - The metrics agree with what servers and callers have seen, also after errors, retries and
//!   dropped futures: each event is reported once, and an operation that is dropped reports its
//!   end. Tests: `tests/suites/observe/metrics.rs::calls_and_bytes_are_those_that_the_servers_got`,
//!   `tests/suites/observe/metrics.rs::dropped_operations_are_no_longer_in_flight`,
//!   `tests/suites/observe/events.rs::a_dropped_operation_ends_too`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::event::{AttemptEvent, OperationEnd, OperationInfo};
use super::observer::Observer;
use super::observers::Observers;
use super::pressure::Backpressure;
#[cfg(feature = "metrics")]
use super::series::OperationSeries;
use super::slow::SlowOperation;
use super::span::OperationSpan;
use super::trace_context::TraceContext;
use crate::{Attempt, Error, TableName};

/// An operation that is observed: it reports its start when it is made, and its end at the latest
/// when it is dropped.
#[derive(Debug)]
pub(crate) struct ObservedOperation {
    observers: Arc<Observers>,
    operation: &'static str,
    table: Option<TableName>,
    #[cfg(feature = "metrics")]
    series: Arc<OperationSeries>,
    started: Instant,
    span: OperationSpan,
    /// The number of operations on rows: that of a batch, or 1.
    operations: usize,
    server: Option<Arc<str>>,
    /// The row key, which is kept only if slow operations are reported.
    row: Option<Bytes>,
    /// The attempts that failed.
    history: Vec<Attempt>,
    ended: bool,
    /// Whether the operation is one of many operations that are observed as one.
    is_part: bool,
    /// Whether events are only added to the history, and not reported to the observers.
    is_quiet: bool,
}

impl ObservedOperation {
    pub(crate) fn start(
        observers: &Arc<Observers>,
        operation: &'static str,
        table: Option<&TableName>,
    ) -> Self {
        let this = Self {
            observers: observers.clone(),
            operation,
            table: table.cloned(),
            #[cfg(feature = "metrics")]
            series: observers.counters.operation(operation, table),
            started: Instant::now(),
            span: OperationSpan::start(observers.system, operation, table, observers.has_traces()),
            operations: 1,
            server: None,
            row: None,
            history: Vec::new(),
            ended: false,
            is_part: false,
            is_quiet: false,
        };
        this.observers.operation_started(&this.event());
        this
    }

    /// Makes a part of this operation: one of several operations that are observed as one. The part
    /// has its own history; it reports its failed attempts, but neither its start nor its end.
    pub(crate) fn part(&self) -> Self {
        Self {
            observers: self.observers.clone(),
            operation: self.operation,
            table: self.table.clone(),
            #[cfg(feature = "metrics")]
            series: self.series.clone(),
            started: self.started,
            span: self.span.part(),
            operations: 1,
            server: None,
            row: None,
            history: Vec::new(),
            ended: false,
            is_part: true,
            is_quiet: false,
        }
    }

    pub(crate) fn set_observers_muted(&mut self, muted: bool) {
        self.is_quiet = muted;
    }

    pub(crate) fn name(&self) -> &'static str {
        self.operation
    }

    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// Records that the operation is a batch of `operations` operations.
    pub(crate) fn with_batch_size(mut self, operations: usize) -> Self {
        self.span.record_batch_size(operations);
        self.operations = operations;
        self
    }

    /// Records the row that the operation is on.
    pub(crate) fn record_row(&mut self, row: &Bytes) {
        self.span.record_row(row, self.table.as_ref());
        self.row = self.observers.settings.slow.is_some().then(|| row.clone());
    }

    /// Records that an attempt begins.
    pub(crate) fn begin_attempt(&mut self, number: u32) {
        self.span.begin_attempt(number);
    }

    /// Records that the attempt is sent to this server.
    pub(crate) fn record_server(&mut self, server: &Arc<str>) {
        self.span.record_server(server);
        self.server = Some(server.clone());
    }

    /// Returns the trace of a call that is made for the current attempt.
    pub(crate) fn trace_context(&self) -> Option<TraceContext> {
        self.span.in_scope(|| self.observers.trace_context())
    }

    /// Runs `future` in the span of the current attempt.
    pub(crate) fn instrument<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        self.span.instrument(future)
    }

    /// Records that an attempt failed, and the pause after which the next attempt begins, if there
    /// is one. Only the first call for each attempt has an effect.
    pub(crate) fn record_attempt_failure(
        &mut self,
        number: u32,
        elapsed: Duration,
        error: &Error,
        retry_after: Option<Duration>,
    ) {
        if self.history.last().is_some_and(|last| last.number >= number) {
            return;
        }
        self.span.end_attempt(Some(error));
        let server = self.server.take();
        let attempt = Attempt {
            number,
            server: error.server().or(server.as_deref()).map(str::to_owned),
            region: error.region().and_then(Attempt::encoded_region_name),
            error_type: error.error_type().into_owned(),
            began: self.started.elapsed().saturating_sub(elapsed),
            elapsed,
            wait: retry_after,
        };
        attempt.add_to(&mut self.history);
        if self.is_quiet {
            return;
        }
        let event = AttemptEvent {
            of: self.event(),
            number,
            server: error.server().or(server.as_deref()),
            elapsed,
            error: Some(error),
            error_type: &error.error_type(),
            retry_after,
        };
        self.observers.attempt_finished(&event);
        if let Some(pressure) = error.overload().and_then(Backpressure::of) {
            self.report_backpressure(pressure);
        }
    }

    /// Reports that something holds the operation back.
    pub(crate) fn report_backpressure(&self, by: Backpressure) {
        if !self.is_quiet {
            self.observers.held_back(&self.event(), by);
        }
    }

    /// Reports that the server demanded this pause.
    pub(crate) fn report_throttling(&self, wait: Duration) {
        if !self.is_quiet {
            self.observers.throttled(&self.event(), wait);
        }
    }

    /// Ends the operation, which succeeded or failed in the attempt with this number; this
    /// attempt began at `attempt_began`.
    pub(crate) fn end<T>(
        &mut self,
        result: Result<T, Error>,
        number: u32,
        attempt_began: Instant,
    ) -> Result<T, Error> {
        if self.ended {
            return result;
        }
        self.ended = true;
        // The clock is read only once, because that takes longer than all of the counting here.
        let now = Instant::now();
        let (elapsed, took) = (now.duration_since(attempt_began), now.duration_since(self.started));
        match result {
            Ok(result) if self.is_part => {
                self.span.end_attempt(None);
                Ok(result)
            }
            Ok(result) => {
                let event = AttemptEvent {
                    of: self.event(),
                    number,
                    server: self.server.as_deref(),
                    elapsed,
                    error: None,
                    error_type: "",
                    retry_after: None,
                };
                self.observers.attempt_finished(&event);
                self.span.end_attempt(None);
                self.span.end(None);
                self.finish(OperationEnd::Done, took);
                if self.is_slow(took) {
                    let attempt = Attempt {
                        number,
                        server: self.server.take().map(|server| server.to_string()),
                        region: None,
                        error_type: String::new(),
                        began: took.saturating_sub(elapsed),
                        elapsed,
                        wait: None,
                    };
                    attempt.add_to(&mut self.history);
                    self.tell_slow(took, None);
                }
                Ok(result)
            }
            Err(error) => {
                if number > 0 {
                    self.record_attempt_failure(number, elapsed, &error, None);
                }
                let error = error.with_history(self.history.clone()).hide_row_keys_in_sources();
                if self.is_part {
                    return Err(error);
                }
                self.span.end(Some(&error));
                self.finish(OperationEnd::Failed(&error), took);
                if self.is_slow(took) {
                    self.tell_slow(took, Some(&error));
                }
                Err(error)
            }
        }
    }

    fn finish(&self, end: OperationEnd<'_>, took: Duration) {
        self.observers.operation_finished(&self.event(), end, took);
    }

    fn is_slow(&self, took: Duration) -> bool {
        self.observers.settings.slow.as_ref().is_some_and(|(threshold, _)| took >= *threshold)
    }

    fn tell_slow(&self, elapsed: Duration, error: Option<&Error>) {
        let Some((_, tell)) = &self.observers.settings.slow else { return };
        let slow = SlowOperation {
            operation: self.operation,
            table: self.table.as_ref(),
            row: self.row.as_ref(),
            elapsed,
            attempts: &self.history,
            error,
        };
        self.observers.slow.add(&slow);
        tell(&slow);
    }

    fn event(&self) -> OperationInfo<'_> {
        OperationInfo {
            operation: self.operation,
            table: self.table.as_ref(),
            operations: self.operations,
            server: self.server.as_deref(),
            #[cfg(feature = "opentelemetry-033")]
            system: self.observers.system,
            #[cfg(feature = "metrics")]
            series: &self.series,
        }
    }
}

impl Drop for ObservedOperation {
    fn drop(&mut self) {
        if !self.ended && !self.is_part {
            self.span.end_attempt(None);
            self.span.end(None);
            self.finish(OperationEnd::Dropped, self.started.elapsed());
        }
    }
}
