//! The times of idempotent writes: the clock's, never earlier for a row than what was drawn for it before.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Rows share a stripe with one in so many.
const STRIPES: usize = 256;
/// How far times may run ahead of the clock before writes wait for it.
const AHEAD_MS: u64 = 1_000;

/// The clock of one client.
pub(crate) struct WriteClock {
    stripes: Box<[Mutex<Stripe>]>,
    hasher: RandomState,
}

#[derive(Clone, Copy, Default)]
struct Stripe {
    /// The newest time that was drawn, in ms.
    newest: u64,
    /// How many of the writes that drew it have no answer yet.
    open: u32,
}

impl WriteClock {
    pub(crate) fn new() -> Self {
        let stripes = (0..STRIPES).map(|_| Mutex::default()).collect();
        Self { stripes, hasher: RandomState::new() }
    }

    /// A time for a write of this row, later than that of any write under way: if one of those is sent again after this
    /// one, it must not count as the newer. [`answered`](Self::answered) or [`pass`](Self::pass) ends its use.
    pub(crate) fn draw(&self, row: &[u8]) -> u64 {
        let Some(mut stripe) = self.stripe(row) else { return now() };
        let at_least = stripe.newest + u64::from(stripe.open > 0);
        let time = now().max(at_least);
        if time > stripe.newest {
            *stripe = Stripe { newest: time, open: 0 };
        }
        stripe.open += 1;
        time
    }

    /// A write was answered at its first attempt, so nothing of it can arrive late.
    pub(crate) fn answered(&self, row: &[u8], time: u64) {
        let Some(mut stripe) = self.stripe(row) else { return };
        if stripe.newest == time {
            stripe.open = stripe.open.saturating_sub(1);
        }
    }

    /// Further writes of this row get later times: a delete hides whatever shares its time, and an attempt without an
    /// answer may arrive after them.
    pub(crate) fn pass(&self, row: &[u8], time: u64) {
        let Some(mut stripe) = self.stripe(row) else { return };
        if stripe.newest <= time {
            *stripe = Stripe { newest: time.saturating_add(1), open: 0 };
        }
    }

    /// How long a write with this time has to wait, so that a row that is written more than a thousand times a second
    /// does not get ahead of the clocks of others.
    pub(crate) fn wait(time: u64) -> Duration {
        Duration::from_millis(time.saturating_sub(now().saturating_add(AHEAD_MS)))
    }

    fn stripe(&self, row: &[u8]) -> Option<MutexGuard<'_, Stripe>> {
        let stripe = self.stripes.get(self.hasher.hash_one(row) as usize % STRIPES)?;
        Some(stripe.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_row_are_later_than_those_of_writes_under_way() {
        let clock = WriteClock::new();
        let drawn: Vec<u64> = (0..1_000).map(|_| clock.draw(b"r")).collect();
        assert!(drawn.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn times_are_later_after_a_delete_or_a_lost_reply() {
        let clock = WriteClock::new();
        let first = clock.draw(b"r");
        clock.pass(b"r", first + 5_000);
        let second = clock.draw(b"r");
        assert_eq!(second, first + 5_001, "not what the clock shows, but what is later");
        clock.answered(b"r", second);
        assert_eq!(clock.draw(b"r"), second, "a write that was answered may share its time");
        clock.pass(b"r", first);
        assert_eq!(clock.draw(b"r"), second + 1);
        assert!(WriteClock::wait(second) > Duration::from_secs(3));
        assert_eq!(WriteClock::wait(first), Duration::ZERO);
    }

    #[test]
    fn writes_one_after_the_other_do_not_get_ahead_of_the_clock() {
        let clock = WriteClock::new();
        for _ in 0..100_000 {
            let time = clock.draw(b"r");
            clock.answered(b"r", time);
            assert!(time <= now());
        }
    }
}
