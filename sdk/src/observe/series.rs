//! The counters of one operation on one table, and of one server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::recorder::{Count, Recorder};
use super::snapshot::{OperationMetrics, ServerMetrics};

/// The counters of an operation on a table.
#[derive(Debug)]
pub(super) struct OperationSeries {
    operation: &'static str,
    table: String,
    /// The number of operations that were started; those that have not ended are in flight.
    pub(super) started: Count,
    /// The times of the operations that were done, and thereby their number.
    pub(super) done: Recorder,
    pub(super) dropped: Count,
    /// How many failed, by the kind of the error.
    failed: Tally,
}

impl OperationSeries {
    pub(super) fn new(operation: &'static str, table: &str) -> Self {
        Self {
            operation,
            table: table.to_owned(),
            started: Count::default(),
            done: Recorder::of_times(),
            dropped: Count::default(),
            failed: Tally::default(),
        }
    }

    pub(super) fn count_failure(&self, kind: &str) {
        self.failed.add(kind);
    }

    pub(super) fn snapshot(&self) -> OperationMetrics {
        // The operations that ended are read first, so that they are never more than those that
        // were started.
        let (done, failed) = (self.done.snapshot(), self.failed.get());
        let dropped = self.dropped.get();
        let ended = done.count() + failed.values().sum::<u64>() + dropped;
        OperationMetrics {
            operation: self.operation.to_owned(),
            table: self.table.clone(),
            in_flight: self.started.get().saturating_sub(ended),
            done,
            failed,
            dropped,
        }
    }
}

/// The counters of a server.
#[derive(Debug)]
pub(super) struct ServerSeries {
    server: String,
    pub(super) calls: Count,
    pub(super) operations: Recorder,
    pub(super) answers: Recorder,
    pub(super) exceptions: Count,
    pub(super) bytes_sent: Count,
    pub(super) bytes_received: Count,
    pub(super) opened: Count,
    pub(super) refused: Count,
    pub(super) closed: Count,
    pub(super) broken: Count,
    /// Calls whose connection ended before they were answered.
    pub(super) abandoned: Count,
    /// The calls that may be outstanding; `u64::MAX` if there is no limit.
    pub(super) window: Gauge,
    pub(super) window_reductions: Tally,
}

impl ServerSeries {
    pub(super) fn new(server: &str) -> Self {
        Self {
            server: server.to_owned(),
            calls: Count::default(),
            operations: Recorder::of_numbers(),
            answers: Recorder::of_times(),
            exceptions: Count::default(),
            bytes_sent: Count::default(),
            bytes_received: Count::default(),
            opened: Count::default(),
            refused: Count::default(),
            closed: Count::default(),
            broken: Count::default(),
            abandoned: Count::default(),
            window: Gauge::new(u64::MAX),
            window_reductions: Tally::default(),
        }
    }

    pub(super) fn snapshot(&self) -> ServerMetrics {
        let (answers, abandoned) = (self.answers.snapshot(), self.abandoned.get());
        let closed = self.closed.get();
        let calls = self.calls.get();
        let opened = self.opened.get();
        ServerMetrics {
            server: self.server.clone(),
            calls,
            calls_in_flight: calls.saturating_sub(answers.count() + abandoned),
            operations_per_call: self.operations.snapshot(),
            answers,
            exceptions: self.exceptions.get(),
            bytes_sent: self.bytes_sent.get(),
            bytes_received: self.bytes_received.get(),
            connections: opened.saturating_sub(closed),
            connections_opened: opened,
            connections_refused: self.refused.get(),
            connections_broken: self.broken.get(),
            window: Some(self.window.get()).filter(|window| *window < u64::MAX),
            window_reductions: self.window_reductions.get(),
        }
    }
}

/// A number that goes up and down.
#[derive(Debug)]
pub(super) struct Gauge(AtomicU64);

impl Gauge {
    fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    pub(super) fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often each of a few words occurred. It takes a lock, so it is only for rare events.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<BTreeMap<String, u64>>);

impl Tally {
    /// The largest number of words; any others are counted as `other`.
    const WORDS: usize = 64;

    pub(super) fn add(&self, word: &str) {
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let word =
            if words.len() < Self::WORDS || words.contains_key(word) { word } else { "other" };
        match words.get_mut(word) {
            Some(count) => *count += 1,
            None => drop(words.insert(word.to_owned(), 1)),
        }
    }

    pub(super) fn get(&self) -> BTreeMap<String, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
