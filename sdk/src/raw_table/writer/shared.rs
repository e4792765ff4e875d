//! The state that the handles of a writer share with the task that sends its writes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::outcome::{CloseReport, FailedWrite, FlushReport};
use super::state::{State, Thresholds};
use crate::backend::closing::Drain;
use crate::observe::JsonWriter;
use crate::{Error, ErrorKind, RawTable};

/// A function that is called with each write that failed.
pub(super) type OnFailure = Box<dyn Fn(FailedWrite) + Send + Sync>;

/// The state that the handles of a writer and its task share.
pub(super) struct Shared {
    pub(super) table: RawTable,
    state: Mutex<LockedState>,
    /// The free bytes of the buffer.
    pub(super) room: Semaphore,
    pub(super) capacity: usize,
    pub(super) on_failure: Option<OnFailure>,
    /// Notified when there may be something to send.
    pub(super) work: Notify,
    /// Notified when a write was answered or given up.
    pub(super) progress: Notify,
}

pub(super) struct LockedState {
    pub(super) writes: State,
    /// The number of callers that wait in `flush`, in `close` or for room in the buffer. While
    /// there are any, no write lingers.
    pub(super) waiting_callers: usize,
    /// Whether the writer has stopped accepting writes.
    pub(super) closed: bool,
    /// Whether the writer has stopped sending writes.
    pub(super) given_up: bool,
    /// Whether all handles were dropped.
    pub(super) abandoned: bool,
}

impl Shared {
    pub(super) fn new(
        table: RawTable,
        capacity: usize,
        thresholds: Thresholds,
        on_failure: Option<OnFailure>,
    ) -> Self {
        let writes = State::new(thresholds);
        let guarded = LockedState {
            writes,
            waiting_callers: 0,
            closed: false,
            given_up: false,
            abandoned: false,
        };
        Self {
            table,
            state: Mutex::new(guarded),
            room: Semaphore::new(capacity),
            capacity,
            on_failure,
            work: Notify::new(),
            progress: Notify::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, LockedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps writes from lingering while the returned value exists.
    pub(super) fn stop_lingering(&self) -> NoLingerGuard<'_> {
        self.lock().waiting_callers += 1;
        self.work.notify_one();
        NoLingerGuard(self)
    }

    /// Waits until `done` returns something.
    pub(super) async fn wait_until<T>(&self, done: impl Fn(&mut LockedState) -> Option<T>) -> T {
        loop {
            let progress = self.progress.notified();
            if let Some(done) = done(&mut self.lock()) {
                return done;
            }
            progress.await;
        }
    }

    pub(super) async fn flush(&self) -> FlushReport {
        let _hurry = self.stop_lingering();
        let generation = self.lock().writes.begin_flush();
        self.wait_until(|guarded| guarded.writes.is_answered(generation).then_some(())).await;
        let (failed, free) = self.lock().writes.take_failed();
        self.room.add_permits(free);
        self.progress.notify_waiters();
        FlushReport { failed }
    }

    /// Stops accepting writes, and waits until all writes have been answered or the deadline
    /// passes.
    async fn finish(&self, deadline: Instant) {
        self.lock().closed = true;
        if Instant::now() >= deadline {
            return;
        }
        let _hurry = self.stop_lingering();
        let idle = self.wait_until(|guarded| guarded.writes.is_idle().then_some(()));
        // If the deadline passes, the caller finds the writes that were not answered.
        let _ = timeout_at(deadline, idle).await;
    }

    pub(super) async fn close(&self, deadline: Instant) -> CloseReport {
        self.finish(deadline).await;
        let unknown = || {
            let text =
                "the writer was closed before it was answered; it may or may not be on the server";
            Error::new(ErrorKind::OutcomeUnknown, text)
                .with_operation_if_unset("write")
                .on_table(self.table.name())
        };
        let (failed, unsent) = {
            let mut guarded = self.lock();
            guarded.given_up = true;
            guarded.writes.give_up(unknown)
        };
        self.room.close();
        self.work.notify_one();
        self.progress.notify_waiters();
        CloseReport { failed, unsent }
    }
}

impl Drain for Shared {
    fn drain_writers(&self, deadline: Instant) -> BoxFuture<'_, ()> {
        Box::pin(self.finish(deadline))
    }

    fn write_state(&self, json: &mut JsonWriter) {
        let (stats, closed) = {
            let guarded = self.lock();
            (guarded.writes.stats(), guarded.closed)
        };
        json.text("table", self.table.name().as_str());
        json.boolean("is_closed", closed);
        json.number("bytes", self.capacity.saturating_sub(self.room.available_permits()) as u64);
        json.number("limit", self.capacity as u64);
        json.number("waiting", stats.waiting);
        json.number("in_flight", stats.in_flight);
        json.number("acknowledged", stats.acknowledged);
        json.number("failed", stats.failed);
    }
}

/// A guard that exists while a caller waits for answers, so that no write lingers.
pub(super) struct NoLingerGuard<'a>(&'a Shared);

impl Drop for NoLingerGuard<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting_callers -= 1;
    }
}
