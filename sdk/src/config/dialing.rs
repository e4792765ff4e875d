//! Opens connections to one server. This module decides how often the server is dialed, and
//! notifies waiting operations when the server can be reached again.
//!
//! One task dials for all callers that want a connection, as long as any of them keeps asking for
//! it. So the number of dials depends only on time, not on how many operations wait, and all
//! callers are notified at once when a server can be reached again.
//!
//! # Invariants
//!
//! - How often a server is dialed depends on time alone, and the first operation after the server
//!   is back succeeds within 100 ms. Tests:
//!   `tests/suites/faults/dials.rs::how_often_a_host_is_dialed_does_not_depend_on_how_much_waits_for_it`.
//! - A caller that waits for an attempt gets the error of this attempt, however long the attempt
//!   took. Tests: `who_waits_for_a_slow_attempt_gets_its_error`.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

/// A server is no longer dialed if no caller has asked for a connection for this long.
const ASKED_WITHIN: Duration = Duration::from_secs(1);

/// A server that was dialed longer ago than this is assumed to work.
const SETTLED: Duration = Duration::from_secs(1);

/// Notifies operations that wait for their next attempt when a server can be reached again.
#[derive(Debug, Default)]
pub(crate) struct ReopenNotifier {
    count: AtomicU64,
    told: Notify,
}

impl ReopenNotifier {
    /// How many times a server became reachable again.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    fn tell(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
        self.told.notify_waiters();
    }

    /// Waits for `pause`, or until the count is no longer `count`.
    pub(crate) async fn wait(&self, pause: Duration, count: u64) {
        let mut told = pin!(self.told.notified());
        told.as_mut().enable();
        if self.count() == count {
            let _ = timeout(pause, told).await;
        }
    }
}

/// The dialing of one server; `E` is the error that says why the server could not be reached.
pub(crate) struct SharedDialer<E> {
    /// The minimum time from the beginning of one attempt to the beginning of the next.
    min_interval: Duration,
    /// How long an attempt may take.
    attempt_timeout: Duration,
    state: Mutex<State<E>>,
    /// Notified when an attempt has ended, or the task that dials has ended.
    ended: Notify,
}

struct State<E> {
    /// When the last attempt began.
    begun: Option<Instant>,
    /// Whether a connection was lost soon after it was opened, and a new attempt was made at once.
    hurried: bool,
    /// Why the last attempt failed. The error is kept until an attempt succeeds or another task
    /// starts, because callers that waited may look at it only after the task has ended.
    failed: Option<E>,
    asked: Instant,
    /// Whether a new caller has asked since the last attempt failed: one that had not waited for
    /// this attempt.
    asked_anew: bool,
    /// The number of the task that dials, if there is one.
    task: Option<u64>,
    tasks: u64,
}

/// The next step of a caller that wants a connection.
enum Ask<E> {
    /// Start the task with this number, and wait.
    Start(u64),
    Wait,
    /// Start the task with this number, and return this error, because the task does not dial at
    /// once.
    StartLater(u64, E),
    /// Return this error, without waiting for another attempt.
    Failed(E),
}

impl<E: Clone> SharedDialer<E> {
    /// Creates the dialing of a server. The time between the beginnings of two attempts is at least
    /// `min_interval`, except if an attempt replaces a connection that was lost soon after it was
    /// opened. Each attempt may take at most the time `attempt_timeout`.
    pub(crate) fn new(min_interval: Duration, attempt_timeout: Duration) -> Self {
        let min_interval = min_interval.max(Duration::from_millis(1));
        let asked = Instant::now();
        let state = State {
            begun: None,
            hurried: false,
            failed: None,
            asked,
            asked_anew: false,
            task: None,
            tasks: 0,
        };
        Self { min_interval, attempt_timeout, state: Mutex::new(state), ended: Notify::new() }
    }

    /// Returns what `find` finds. If `find` finds nothing, `start` spawns a task that calls
    /// [`run`](Self::run), unless such a task is running. This function then waits for the first
    /// attempt of the task, or returns at once why the last attempt failed. If the last attempt
    /// opened a connection, the error is the one that `lost` returns.
    pub(crate) async fn get_or_dial<C>(
        &self,
        find: impl Fn() -> Option<Result<C, E>>,
        lost: impl Fn() -> E,
        start: impl Fn(u64),
    ) -> Result<C, E> {
        let mut has_waited = false;
        loop {
            let mut ended = pin!(self.ended.notified());
            ended.as_mut().enable();
            if let Some(found) = find() {
                return found;
            }
            match self.ask(has_waited, &lost) {
                Ask::Wait => {}
                Ask::Start(task) => start(task),
                Ask::StartLater(task, error) => {
                    start(task);
                    return Err(error);
                }
                Ask::Failed(error) => return Err(error),
            }
            ended.await;
            has_waited = true;
        }
    }

    /// Dials until an attempt succeeds, or until no caller asks for a connection any more. After an
    /// error for which `is_final` is true, the callers that waited do not try again, so the next
    /// attempt is made only if another caller asks.
    pub(crate) async fn run<F>(
        &self,
        task: u64,
        reopened: &ReopenNotifier,
        is_final: impl Fn(&E) -> bool,
        dial: impl Fn() -> F,
    ) where
        F: Future<Output = Result<(), E>>,
    {
        // Dropping this value removes the task from the state, also if the runtime drops the task.
        let _running = Running { dialing: self, task };
        let mut failed_finally = false;
        loop {
            if let Some(next) = self.next() {
                sleep_until(next).await;
            }
            if !self.begin(task, failed_finally) {
                return;
            }
            match dial().await {
                Ok(()) => {
                    if self.state().failed.take().is_some() {
                        reopened.tell();
                    }
                    return;
                }
                Err(error) => {
                    failed_finally = is_final(&error);
                    let mut state = self.state();
                    state.failed = Some(error);
                    state.asked_anew = false;
                }
            }
            self.ended.notify_waiters();
        }
    }

    /// Makes waiting callers look again.
    pub(crate) fn wake_waiters(&self) {
        self.ended.notify_waiters();
    }

    /// The minimum time from the beginning of one attempt to the beginning of the next.
    #[cfg(feature = "bigtable")]
    pub(crate) fn min_interval(&self) -> Duration {
        self.min_interval
    }

    /// When the server was dialed last.
    pub(crate) fn last_attempt_at(&self) -> Option<Instant> {
        self.state().begun
    }

    fn ask(&self, has_waited: bool, lost: impl Fn() -> E) -> Ask<E> {
        let now = Instant::now();
        let mut state = self.state();
        state.asked = now;
        state.asked_anew |= !has_waited;
        // A task does not dial any more if its runtime is no longer run.
        let most = self.min_interval + self.attempt_timeout * 2;
        let is_run = state.begun.is_none_or(|begun| now < begun + most);
        if state.task.is_some() && is_run {
            return state.failed.clone().map_or(Ask::Wait, Ask::Failed);
        }
        if has_waited {
            return Ask::Failed(state.failed.clone().unwrap_or_else(lost));
        }
        state.tasks += 1;
        let task = state.tasks;
        state.task = Some(task);
        state.failed = None;
        let Some(begun) = state.begun else { return Ask::Start(task) };
        // A connection that is lost soon is replaced at once, but not if it was itself such a
        // replacement.
        let is_soon = now < begun + SETTLED.max(self.min_interval);
        let was_soon = std::mem::replace(&mut state.hurried, is_soon);
        if was_soon && now < begun + self.min_interval {
            let error = lost();
            state.failed = Some(error.clone());
            return Ask::StartLater(task, error);
        }
        Ask::Start(task)
    }

    /// When the next attempt may begin, if the last one failed.
    fn next(&self) -> Option<Instant> {
        let state = self.state();
        let begun = state.begun.filter(|_| state.failed.is_some());
        begun.map(|begun| begun + self.min_interval)
    }

    /// Records that an attempt begins; returns false if the task has to end instead.
    fn begin(&self, task: u64, failed_finally: bool) -> bool {
        let now = Instant::now();
        let mut state = self.state();
        let is_wanted = state.failed.is_none()
            || now < state.asked + ASKED_WITHIN && (state.asked_anew || !failed_finally);
        if !is_wanted || state.task != Some(task) {
            return false;
        }
        state.begun = Some(now);
        true
    }

    fn state(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Running<'a, E: Clone> {
    dialing: &'a SharedDialer<E>,
    task: u64,
}

impl<E: Clone> Drop for Running<'_, E> {
    fn drop(&mut self) {
        let mut state = self.dialing.state();
        if state.task == Some(self.task) {
            state.task = None;
        }
        drop(state);
        self.dialing.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A dialer whose attempts take this time and fail, and the number of its attempts.
    #[derive(Clone)]
    struct Refused {
        dialer: Arc<SharedDialer<&'static str>>,
        dials: Arc<AtomicU64>,
        took: Duration,
        is_final: bool,
    }

    impl Refused {
        fn new(took: Duration, is_final: bool) -> Self {
            let dialer = SharedDialer::new(Duration::from_millis(100), Duration::from_secs(10));
            Self { dialer: Arc::new(dialer), dials: Arc::default(), took, is_final }
        }

        /// Asks for a connection, as a caller does.
        async fn ask(&self) -> Result<(), &'static str> {
            let start = |task| drop(tokio::spawn(self.clone().run(task)));
            self.dialer.get_or_dial(|| None::<Result<(), _>>, || "lost", start).await
        }

        async fn run(self, task: u64) {
            let dial = || async {
                self.dials.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(self.took).await;
                Err("refused")
            };
            let is_final = |_: &&str| self.is_final;
            self.dialer.run(task, &ReopenNotifier::default(), is_final, dial).await;
        }
    }

    /// The task ends before the caller has looked, because nobody has asked for long.
    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_slow_attempt_gets_its_error() {
        for took in [Duration::from_millis(1), ASKED_WITHIN * 2] {
            let refused = Refused::new(took, false);
            for _ in 0..2 {
                assert_eq!(refused.ask().await, Err("refused"), "after {took:?}");
            }
        }
    }

    /// However long the attempt took: the next one would begin before the caller looks.
    #[tokio::test(start_paused = true)]
    async fn a_refusal_is_not_tried_again_until_somebody_asks() {
        for took in [Duration::from_millis(1), Duration::from_millis(300)] {
            let refused = Refused::new(took, true);
            for asked in 1..=3 {
                assert_eq!(refused.ask().await, Err("refused"), "after {took:?}");
                tokio::time::sleep(Duration::from_secs(5)).await;
                assert_eq!(refused.dials.load(Ordering::Relaxed), asked, "after {took:?}");
            }
        }
    }
}
