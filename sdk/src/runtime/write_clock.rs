//! Chooses the timestamps of idempotent writes: the current time, but never earlier than the
//! timestamp of the previous write to the row.
//!
//! # Invariants
//!
//! - An idempotent write never has an earlier timestamp than a previous write of the same client to
//!   the row. After a delete, or a write without an answer, it has a later timestamp. Tests:
//!   `times_of_a_row_are_later_than_those_of_writes_under_way`,
//!   `times_are_later_after_a_delete_or_a_lost_reply`,
//!   `tests/suites/faults/delivery.rs::only_at_least_once_can_undo_a_concurrent_write`.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustc_hash::FxBuildHasher;
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The number of stripes into which the rows of all tables are divided.
const STRIPES: usize = 256;
/// How far timestamps may run ahead of the clock before writes wait for the clock.
const AHEAD_MS: u64 = 1_000;

/// The clock from which the writes of one client get their timestamps.
pub(crate) struct WriteClock {
    stripes: Box<[Stripe; STRIPES]>,
}

struct Stripe {
    times: Mutex<Times>,
    /// Writes without a condition share this lock. A write with a condition holds it exclusively:
    /// if the condition depended on a write with a later timestamp, the conditional change would
    /// stay hidden.
    order_lock: RwLock<()>,
}

#[derive(Clone, Copy, Default)]
struct Times {
    /// The newest timestamp that was given to a write, in ms.
    newest: u64,
    /// How many of the writes with the newest timestamp have no answer yet.
    open: u32,
}

/// The timestamp of a write that may still be sent.
///
/// If a `ReservedTimestamp` is dropped between a call to [`mark_sendable`](Self::mark_sendable) and
/// a call to [`mark_answered`](Self::mark_answered), further writes to the row get later
/// timestamps, because an attempt without an answer may arrive after them, and because a delete
/// hides cells with the same timestamp.
pub(crate) struct ReservedTimestamp<'a> {
    stripe: &'a Stripe,
    time: u64,
    /// Whether a later write may have the same timestamp: as long as this write was not sent, and
    /// again after its answer.
    is_reusable: bool,
    _order: Order<'a>,
}

enum Order<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Alone { _guard: RwLockWriteGuard<'a, ()> },
}

impl WriteClock {
    pub(crate) fn new() -> Self {
        let stripe = |_| Stripe { times: Mutex::default(), order_lock: RwLock::default() };
        Self { stripes: Box::new(std::array::from_fn(stripe)) }
    }

    /// Returns a timestamp for a write to this row. It is later than the timestamps of all writes
    /// to the row that are under way: if an earlier write is sent again after this write, it must
    /// not appear to be newer. `is_conditional` is true for a write with a condition.
    ///
    /// The caller calls [`mark_sendable`](ReservedTimestamp::mark_sendable) before it sends the
    /// write.
    pub(crate) async fn reserve(&self, row: &[u8], is_conditional: bool) -> ReservedTimestamp<'_> {
        let stripe = self.stripe(row);
        let order = match is_conditional {
            false => Order::Shared { _guard: stripe.order_lock.read().await },
            true => Order::Alone { _guard: stripe.order_lock.write().await },
        };
        ReservedTimestamp::draw(stripe, order)
    }

    /// Like [`reserve`](Self::reserve), returns a timestamp for a write to this row, which has no
    /// condition and may be sent at once. Returns `None` if the write would have to wait, either
    /// for its turn or because its timestamp is too far ahead of the clock.
    pub(crate) fn try_reserve(&self, row: &[u8]) -> Option<ReservedTimestamp<'_>> {
        let stripe = self.stripe(row);
        let order = Order::Shared { _guard: stripe.order_lock.try_read().ok()? };
        let mut timestamp = ReservedTimestamp::draw(stripe, order);
        if !Self::delay_before_sending(timestamp.time).is_zero() {
            return None;
        }
        timestamp.mark_sendable();
        Some(timestamp)
    }

    /// Returns timestamps for a step that writes all of `rows`, each chosen like the timestamp of
    /// [`reserve`](Self::reserve).
    ///
    /// Rows that share a stripe share a timestamp, because a lock that is taken twice could wait
    /// for itself. Stripes are locked in one order, so that two steps never wait for each other.
    pub(crate) async fn reserve_all(&self, rows: &[impl AsRef<[u8]>]) -> ReservedTimestamps<'_> {
        let mut stripes: Vec<_> = rows.iter().map(|row| stripe_of(row.as_ref())).collect();
        stripes.sort_unstable();
        stripes.dedup();
        let mut timestamps = Vec::with_capacity(stripes.len());
        for (at, stripe) in stripes.into_iter().filter_map(|at| Some((at, self.stripes.get(at)?))) {
            let order = Order::Shared { _guard: stripe.order_lock.read().await };
            timestamps.push((at, ReservedTimestamp::draw(stripe, order)));
        }
        ReservedTimestamps(timestamps)
    }

    fn stripe(&self, row: &[u8]) -> &Stripe {
        let [first, ..] = &*self.stripes;
        self.stripes.get(stripe_of(row)).unwrap_or(first)
    }

    /// Returns how long a write with this timestamp has to wait before it is sent. The wait keeps
    /// the timestamps of a row that is written more than a thousand times a second from running
    /// ahead of other clocks.
    pub(crate) fn delay_before_sending(time: u64) -> Duration {
        Duration::from_millis(time.saturating_sub(now().saturating_add(AHEAD_MS)))
    }

    /// Moves the timestamps of this row to `ahead_ms` from now, and returns that time.
    #[cfg(test)]
    pub(crate) fn move_ahead(&self, row: &[u8], ahead_ms: u64) -> u64 {
        let time = now() + ahead_ms;
        self.stripe(row).times().newest = time;
        time
    }
}

fn stripe_of(row: &[u8]) -> usize {
    FxBuildHasher.hash_one(row) as usize % STRIPES
}

/// The timestamps of a step that writes several rows, ordered by the stripes of these rows.
pub(crate) struct ReservedTimestamps<'a>(Vec<(usize, ReservedTimestamp<'a>)>);

impl ReservedTimestamps<'_> {
    /// Returns the timestamp of a row of the step, in ms since 1970.
    pub(crate) fn time_of(&self, row: &[u8]) -> Option<u64> {
        let at = self.0.binary_search_by_key(&stripe_of(row), |(at, _)| *at).ok()?;
        self.0.get(at).map(|(_, timestamp)| timestamp.time())
    }

    /// Returns the latest timestamp of the step; 0 for a step without rows.
    pub(crate) fn latest(&self) -> u64 {
        self.0.iter().map(|(_, timestamp)| timestamp.time()).max().unwrap_or(0)
    }

    /// Notes that the step may be sent from now on.
    pub(crate) fn mark_sendable(&mut self) {
        self.0.iter_mut().for_each(|(_, timestamp)| timestamp.mark_sendable());
    }

    /// Notes that no attempt of the step was begun.
    pub(crate) fn mark_unsent(&mut self) {
        self.0.iter_mut().for_each(|(_, timestamp)| timestamp.mark_unsent());
    }

    /// Notes that the step was answered at its first attempt. The caller must not call this for a
    /// step that deletes something.
    pub(crate) fn mark_answered(&mut self) {
        self.0.iter_mut().for_each(|(_, timestamp)| timestamp.mark_answered());
    }
}

impl Stripe {
    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) -> u64 {
        let mut times = self.times();
        let time = now().max(times.newest + u64::from(times.open > 0));
        if time > times.newest {
            *times = Times { newest: time, open: 0 };
        }
        times.open += 1;
        time
    }
}

impl<'a> ReservedTimestamp<'a> {
    fn draw(stripe: &'a Stripe, order: Order<'a>) -> Self {
        Self { stripe, time: stripe.draw(), is_reusable: true, _order: order }
    }

    /// The timestamp of the write, in ms since 1970.
    pub(crate) fn time(&self) -> u64 {
        self.time
    }

    /// Notes that the write may be sent from now on. A write whose future is dropped afterwards may
    /// have been sent.
    pub(crate) fn mark_sendable(&mut self) {
        self.is_reusable = false;
    }

    /// Notes that no attempt of the write was begun, so that no cell has its timestamp, and a later
    /// write may have it.
    pub(crate) fn mark_unsent(&mut self) {
        self.is_reusable = true;
    }

    /// Notes that the write was answered at its first attempt: a later write may then have the same
    /// timestamp. The caller must not call this for a delete.
    pub(crate) fn mark_answered(&mut self) {
        self.is_reusable = true;
    }
}

impl Drop for ReservedTimestamp<'_> {
    fn drop(&mut self) {
        let mut times = self.stripe.times();
        if times.newest > self.time {
            return;
        }
        match self.is_reusable {
            true => times.open = times.open.saturating_sub(1),
            false => *times = Times { newest: self.time.saturating_add(1), open: 0 },
        }
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn times_of_a_row_are_later_than_those_of_writes_under_way() {
        let clock = WriteClock::new();
        let mut timestamps = Vec::new();
        for _ in 0..1_000 {
            timestamps.push(clock.reserve(b"r", false).await);
        }
        assert!(timestamps.is_sorted_by(|a, b| a.time() < b.time()));
    }

    #[tokio::test]
    async fn a_turn_that_is_refused_moves_no_time() {
        let clock = WriteClock::new();
        let ahead = clock.move_ahead(b"r", 10 * AHEAD_MS);
        for _ in 0..100 {
            assert!(clock.try_reserve(b"r").is_none());
        }
        assert_eq!(clock.reserve(b"r", false).await.time(), ahead);
    }

    #[tokio::test]
    async fn a_write_that_is_not_sent_moves_no_time() {
        let clock = WriteClock::new();
        let ahead = clock.move_ahead(b"r", 10 * AHEAD_MS);
        for is_conditional in [false, true] {
            for _ in 0..100 {
                drop(clock.reserve(b"r", is_conditional).await);
                drop(clock.reserve_all(&[b"r"]).await);
                let mut timestamp = clock.reserve(b"r", is_conditional).await;
                timestamp.mark_sendable();
                timestamp.mark_unsent();
            }
        }
        assert_eq!(clock.reserve(b"r", false).await.time(), ahead);
    }

    #[tokio::test]
    async fn times_are_later_after_a_delete_or_a_lost_reply() {
        let clock = WriteClock::new();
        let mut first = clock.reserve(b"r", false).await;
        first.mark_sendable();
        first.time += 5_000;
        first.stripe.times().newest = first.time;
        let lost = first.time();
        drop(first);
        let mut second = clock.reserve(b"r", false).await;
        assert_eq!(second.time(), lost + 1, "later than the lost write, not the time of the clock");
        assert!(WriteClock::delay_before_sending(second.time()) > Duration::from_secs(3));
        second.mark_answered();
        drop(second);
        assert_eq!(
            clock.reserve(b"r", false).await.time(),
            lost + 1,
            "after an answer it may be shared"
        );
    }

    #[tokio::test]
    async fn writes_one_after_the_other_do_not_get_ahead_of_the_clock() {
        let clock = WriteClock::new();
        for _ in 0..10_000 {
            let mut timestamp = clock.reserve(b"r", false).await;
            timestamp.mark_answered();
            assert!(timestamp.time() <= now());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_with_a_condition_has_the_row_alone() {
        let clock = WriteClock::new();
        let waits = |is_conditional| {
            let timestamp = clock.reserve(b"r", is_conditional);
            async { tokio::time::timeout(Duration::from_millis(10), timestamp).await.is_err() }
        };
        let shared = clock.reserve(b"r", false).await;
        assert!(!waits(false).await);
        assert!(waits(true).await);
        drop(shared);
        let _alone = clock.reserve(b"r", true).await;
        assert!(waits(false).await);
    }
}
