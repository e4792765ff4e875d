//! Limits how many calls with operations may be outstanding at one server. Unless a maximum is
//! configured, there is no limit until the server shows that it is overloaded.
//!
//! # Invariants
//!
//! - A server that is slow or refuses calls does not hold back calls to other servers. Tests:
//!   `tests/suites/faults/window.rs::a_slow_server_holds_back_no_other`,
//!   `tests/suites/faults/window.rs::a_server_that_refuses_holds_back_no_other`,
//!   `tests/suites/faults/window.rs::one_busy_region_hardly_holds_back_the_others_of_its_server`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::call::CallError;
use crate::backend::hbase::reaction;
use crate::observe::{ObservedConnection, WindowCause};

/// The smallest size to which a window is reduced, unless the queue of the server is full.
const SMALL: f64 = 4.0;
/// The first pause before the next call, if the queue of the server is too full even for one call.
const PAUSE: Duration = Duration::from_millis(10);
/// The longest pause before the next call.
const MAX_PAUSE: Duration = Duration::from_millis(500);
/// A full window allows one more call this long after the latest call: the outstanding calls may
/// all be for one region that does not answer.
const STUCK: Duration = Duration::from_secs(1);
/// Answers that arrive sooner than this are never late.
const NEVER_LATE: Duration = Duration::from_millis(100);
/// An answer is late if it takes this many times as long as usual.
const LATE: u32 = 4;

/// Adding this to `Window::calls` counts one answered call.
const ANSWERED: u64 = 1 << 32;
const OUTSTANDING: u64 = ANSWERED - 1;

/// The window of a server: the number of calls that may be outstanding at the server.
///
/// When the server refuses operations, the window becomes smaller, as in TCP after lost packets. If
/// the queue of the server is full, the window becomes smaller by half. Otherwise it becomes
/// smaller by half of the share of recent calls that were refused, as in DCTCP: one busy region
/// then hardly holds back the other regions of its server. A late answer also makes the window
/// smaller. All calls that were sent within one window make the window smaller only once.
pub(crate) struct Window {
    /// `usize::MAX` if there is no limit.
    limit: AtomicUsize,
    /// The number of outstanding calls in the lower half, and the number of recently answered calls
    /// in the upper half, so that an answer changes both numbers at once.
    calls: AtomicU64,
    /// The largest recent number of outstanding calls.
    peak: AtomicUsize,
    /// How many operations wait to be sent.
    waiting: AtomicUsize,
    max: usize,
    adapts: bool,
    state: Mutex<State>,
    observed: ObservedConnection,
}

struct State {
    size: f64,
    /// The size at which the limit is lifted again.
    lifted_at: f64,
    /// When the window was last made smaller; calls that were sent before that were sent within a
    /// larger window.
    reduced: Option<Instant>,
    pause: Duration,
    opens: Option<Instant>,
    /// When the latest call was sent.
    sent: Instant,
    /// The number of recently refused calls, by cause. A call of which a fraction was refused
    /// counts as this fraction.
    refused: [f64; WindowCause::ALL.len()],
    told: f64,
}

impl Window {
    pub(super) fn new(max: Option<usize>, adapts: bool, observed: ObservedConnection) -> Self {
        let max = max.unwrap_or(usize::MAX).max(1);
        let state = State {
            size: max as f64,
            lifted_at: f64::INFINITY,
            reduced: None,
            pause: Duration::ZERO,
            opens: None,
            sent: Instant::now(),
            refused: Default::default(),
            told: f64::INFINITY,
        };
        Self {
            limit: AtomicUsize::new(max),
            calls: AtomicU64::new(0),
            peak: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            max,
            adapts,
            state: Mutex::new(state),
            observed,
        }
    }

    /// The most calls that may be outstanding.
    fn limit(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    fn outstanding(&self) -> usize {
        (self.calls.load(Ordering::Relaxed) & OUTSTANDING) as usize
    }

    pub(super) fn is_limited(&self) -> bool {
        self.limit() < usize::MAX
    }

    /// Whether the window holds back at least this number of operations; false if it is not
    /// limited.
    pub(super) fn holds_back_at_least(&self, operations: usize) -> bool {
        self.is_limited() && self.waiting.load(Ordering::Relaxed) >= operations
    }

    pub(super) fn set_waiting(&self, operations: usize) {
        self.waiting.store(operations, Ordering::Relaxed);
    }

    /// Returns the time at which the next call may be sent, if no answer arrives before; `None` if
    /// a call may be sent now.
    pub(super) fn closed_until(&self, now: Instant) -> Option<Instant> {
        if !self.is_limited() {
            return None;
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let stuck =
            (self.outstanding() >= self.limit()).then(|| state.sent + STUCK).max(state.opens);
        stuck.filter(|at| *at > now)
    }

    /// Notes that a call is sent.
    pub(super) fn record_sent(&self) {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let outstanding = (calls & OUTSTANDING) as usize;
        if self.peak.load(Ordering::Relaxed) < outstanding {
            self.peak.store(outstanding, Ordering::Relaxed);
        }
        if self.is_limited() {
            self.state.lock().unwrap_or_else(PoisonError::into_inner).sent = Instant::now();
        }
    }

    /// Notes that `calls` calls are no longer outstanding, and were not answered.
    pub(super) fn record_ended(&self, calls: usize) {
        self.calls.fetch_sub(calls as u64, Ordering::Relaxed);
    }

    /// Notes that a call, which was sent at `sent`, was answered: with results, or with an
    /// exception for the whole call.
    pub(super) fn record_answer(&self, sent: Instant, is_exception: bool) {
        self.calls.fetch_add(ANSWERED - 1, Ordering::Relaxed);
        if !is_exception && self.is_limited() && self.adapts {
            self.grow(sent);
        }
    }

    /// Restarts the counts of recently answered, refused and outstanding calls.
    pub(super) fn restart_counts(&self) {
        let calls = self.calls.fetch_and(OUTSTANDING, Ordering::Relaxed);
        self.peak.store((calls & OUTSTANDING) as usize, Ordering::Relaxed);
        if calls >= ANSWERED && self.adapts {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.refused = Default::default();
        }
    }

    fn grow(&self, sent: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.reduced.is_some_and(|reduced| sent <= reduced) {
            return;
        }
        state.pause = Duration::ZERO;
        state.opens = None;
        // The window grows only if it is used.
        let peak = self.peak.load(Ordering::Relaxed) as f64;
        if peak >= state.size / 2.0 {
            // It grows by 1 for each round of answers, and faster the larger it is.
            state.size += (state.size.sqrt() / 4.0).max(1.0) / state.size;
        } else if state.lifted_at <= 2.0 * state.size {
            // Fewer calls are outstanding than when the window was made smaller, and nothing is
            // refused.
            state.size = state.lifted_at;
        }
        if state.size >= state.lifted_at.min(self.max as f64) {
            state.size = self.max as f64;
            // Without a limit, waiting operations are not counted.
            self.set_waiting(0);
        }
        self.set(&state);
        // Not every step is reported: a client that works at its limit takes a step with every
        // answer.
        if state.size >= 2.0 * state.told || state.size as usize == self.max {
            state.told = state.size;
            drop(state);
            self.tell(None);
        }
    }

    fn set(&self, state: &State) {
        self.limit.store(state.size.ceil() as usize, Ordering::Relaxed);
    }

    /// Notes that calls that were sent at `sent` were refused or not answered in time, and so may
    /// make the window smaller. `calls` is the number of these calls; a call of which a fraction
    /// was refused counts as this fraction.
    pub(super) fn record_refused(&self, calls: f64, cause: WindowCause, sent: Instant) {
        self.reduce(calls, cause, sent, |share| match cause {
            WindowCause::QueueFull => 0.5,
            _ => 1.0 - share / 2.0,
        });
    }

    /// Notes that the answer to a call that was sent at `sent` was late. `times_allowed` is the
    /// time that the answer took, divided by the longest time in which an answer is not late.
    pub(super) fn record_late_answer(&self, times_allowed: f64, sent: Instant) {
        self.reduce(1.0, WindowCause::Late, sent, |share| {
            1.0 - share * (1.0 - (1.0 / times_allowed).clamp(0.5, 1.0))
        });
    }

    /// Makes the window smaller: multiplies its size by the factor that `factor` returns for the
    /// share of recent calls that were refused.
    fn reduce(&self, calls: f64, cause: WindowCause, sent: Instant, factor: impl Fn(f64) -> f64) {
        if !self.adapts || calls <= 0.0 {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(refused) = state.refused.get_mut(cause as usize) else { return };
        *refused += calls;
        let refused = *refused;
        if state.reduced.is_some_and(|reduced| sent <= reduced) {
            return;
        }
        let unanswered = if cause == WindowCause::NoAnswer { refused } else { 0.0 };
        let answered = self.calls.load(Ordering::Relaxed) / ANSWERED;
        let all = answered as f64 + unanswered;
        let share = (refused / all.max(1.0)).min(1.0);
        let peak = self.peak.load(Ordering::Relaxed).max(1) as f64;
        let before = state.size.min(peak);
        let least = if cause == WindowCause::QueueFull { 1.0 } else { SMALL };
        let after = (before * factor(share)).max(least);
        if after >= state.size || (before <= SMALL && least == SMALL) {
            if cause != WindowCause::QueueFull {
                return;
            }
        } else if state.size == self.max as f64 {
            state.lifted_at = (2.0 * before).max(SMALL);
        }
        let now = Instant::now();
        state.size = after;
        state.reduced = Some(now);
        if after <= 1.0 && cause == WindowCause::QueueFull {
            state.pause = (2 * state.pause).clamp(PAUSE, MAX_PAUSE);
            state.opens = Some(now + state.pause);
        }
        state.told = after;
        self.set(&state);
        drop(state);
        self.tell(Some(cause));
    }

    fn tell(&self, cause: Option<WindowCause>) {
        let limit = self.limit();
        self.observed.report_window((limit < usize::MAX).then_some(limit), cause);
    }
}

/// The numbers of refused operations of a call, by cause.
#[derive(Default)]
pub(super) struct Refusals([usize; WindowCause::ALL.len()]);

impl Refusals {
    pub(super) fn add(&mut self, error: &CallError, operations: usize) {
        let CallError::Exception(exception) = error else { return };
        let cause = reaction::overload(exception).map(WindowCause::of);
        if let Some(count) = cause.and_then(|cause| self.0.get_mut(cause as usize)) {
            *count += operations;
        }
    }

    /// Informs the window which fraction of a call was refused for each cause. The call had
    /// `operations` operations and was sent at `sent`.
    pub(super) fn report_to(&self, window: &Window, operations: usize, sent: Instant) {
        for (cause, count) in WindowCause::ALL.into_iter().zip(self.0) {
            window.record_refused(count as f64 / operations.max(1) as f64, cause, sent);
        }
    }
}

/// How long the calls of a connection usually take.
#[derive(Default)]
pub(super) struct UsualTime(Option<Duration>);

impl UsualTime {
    /// Adds a call that took `elapsed` to the usual time. If the answer was late, returns `elapsed`
    /// divided by the longest time in which an answer is not late.
    pub(super) fn record_and_rate_if_late(&mut self, elapsed: Duration) -> Option<f64> {
        let usual = self.0.unwrap_or(elapsed);
        self.0 = Some(usual - usual / 64 + elapsed / 64);
        let limit = (usual * LATE).max(NEVER_LATE);
        (elapsed > limit).then(|| elapsed.as_secs_f64() / limit.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::observe::{ObserverSettings, Observers};

    fn window(max: Option<usize>) -> Window {
        let observers = Arc::new(Observers::new(ObserverSettings::default(), "hbase"));
        Window::new(max, true, ObservedConnection::new(&observers, &"rs:1".into(), "ClientService"))
    }

    /// Sends up to `most` calls, as many as may be outstanding, and answers them after 1 ms, the
    /// first `refused` of them with a refusal. Returns how many it sent.
    async fn round(window: &Window, most: usize, refused: usize, cause: WindowCause) -> usize {
        tokio::time::advance(Duration::from_micros(1)).await;
        let sent = Instant::now();
        let mut calls = 0;
        while calls < most && window.closed_until(sent).is_none() {
            window.record_sent();
            calls += 1;
        }
        tokio::time::advance(Duration::from_millis(1)).await;
        for call in 0..calls {
            window.record_answer(sent, call < refused);
            if call < refused {
                window.record_refused(1.0, cause, sent);
            }
        }
        calls
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_halves_the_window_once_for_what_was_sent_together() {
        let window = window(None);
        assert!(!window.is_limited());
        for (sent, after) in [(100, 50), (50, 25), (25, 13), (13, 7), (7, 4), (4, 2), (2, 1)] {
            window.restart_counts();
            let calls = round(&window, 100, usize::MAX, WindowCause::QueueFull).await;
            assert_eq!((calls, window.limit()), (sent, after));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_that_is_full_even_for_one_is_asked_ever_more_rarely() {
        let window = window(None);
        let (started, mut refused) = (Instant::now(), 0);
        while started.elapsed() < Duration::from_secs(10) {
            match window.closed_until(Instant::now()) {
                None => refused += round(&window, 1, 1, WindowCause::QueueFull).await,
                Some(at) => tokio::time::sleep_until(at).await,
            }
        }
        assert!((20..=30).contains(&refused), "{refused}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_grows_back_until_there_is_none() {
        let window = window(None);
        for _ in 0..12 {
            round(&window, 100, usize::MAX, WindowCause::QueueFull).await;
            window.restart_counts();
        }
        assert_eq!(window.limit(), 1);
        tokio::time::advance(MAX_PAUSE).await;
        let mut rounds = 0;
        while window.is_limited() {
            round(&window, 1_000, 0, WindowCause::QueueFull).await;
            rounds += 1;
        }
        assert!((50..=150).contains(&rounds), "{rounds}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_waited_within_an_earlier_window_is_forgotten() {
        let window = window(None);
        round(&window, 100, 100, WindowCause::QueueFull).await;
        window.set_waiting(5_000);
        assert!(window.holds_back_at_least(5_000));
        while window.is_limited() {
            round(&window, 1_000, 0, WindowCause::QueueFull).await;
        }
        round(&window, 100, 100, WindowCause::QueueFull).await;
        assert!(window.is_limited() && !window.holds_back_at_least(1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_used_does_not_grow() {
        let window = window(None);
        round(&window, 100, 100, WindowCause::QueueFull).await;
        for _ in 0..100 {
            window.restart_counts();
            round(&window, 10, 0, WindowCause::QueueFull).await;
        }
        assert_eq!(window.limit(), 50);
    }

    #[tokio::test(start_paused = true)]
    async fn one_busy_region_hardly_makes_the_window_smaller() {
        let window = window(None);
        for _ in 0..9 {
            round(&window, 100, 0, WindowCause::RegionBusy).await;
        }
        let sent = Instant::now();
        (0..100).for_each(|_| window.record_sent());
        tokio::time::advance(Duration::from_millis(1)).await;
        (0..100).for_each(|_| window.record_answer(sent, true));
        window.record_refused(100.0, WindowCause::RegionBusy, sent);
        assert_eq!(window.limit(), 95, "100 of 1,000 were refused");
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_full_queue_limits_a_few_calls() {
        let window = window(None);
        for cause in WindowCause::ALL.into_iter().filter(|cause| *cause != WindowCause::QueueFull) {
            round(&window, 4, 4, cause).await;
            assert!(!window.is_limited(), "{cause:?}");
        }
        round(&window, 100, 100, WindowCause::Throttled).await;
        for _ in 0..10 {
            round(&window, 100, 100, WindowCause::Throttled).await;
            window.restart_counts();
        }
        assert_eq!(window.limit(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn the_largest_window_that_was_set_is_never_exceeded() {
        let window = window(Some(8));
        assert_eq!(round(&window, 100, 8, WindowCause::QueueFull).await, 8);
        assert_eq!(window.limit(), 4);
        for _ in 0..10 {
            round(&window, 100, 0, WindowCause::QueueFull).await;
        }
        assert_eq!(window.limit(), 8);
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_that_is_stuck_lets_one_through_now_and_then() {
        let window = window(Some(2));
        for _ in 0..3 {
            if let Some(at) = window.closed_until(Instant::now()) {
                assert_eq!(at, Instant::now() + STUCK);
                tokio::time::sleep_until(at).await;
            }
            assert_eq!(window.closed_until(Instant::now()), None);
            window.record_sent();
        }
    }

    #[test]
    fn an_answer_is_late_against_what_is_usual() {
        let mut usual = UsualTime::default();
        let ms = Duration::from_millis;
        assert_eq!(usual.record_and_rate_if_late(ms(2)), None);
        assert_eq!(usual.record_and_rate_if_late(ms(90)), None, "less than is ever late");
        assert_eq!(usual.record_and_rate_if_late(ms(400)), Some(4.0));
        let late =
            (0..100).take_while(|_| usual.record_and_rate_if_late(ms(400)).is_some()).count();
        assert!((10..40).contains(&late), "then it is usual: {late}");
    }
}
