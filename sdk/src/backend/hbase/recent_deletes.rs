//! The rows that a client has just deleted from.
//!
//! A delete without a timestamp gets the time of the server, in ms, and hides all cells with the
//! same timestamp, also those that are written later within that millisecond. So that an
//! acknowledged delete does not hide a write that follows it, the write is sent a millisecond after
//! the acknowledgement: the server's clock has moved on by then, whatever time it shows.
//!
//! # Invariants
//!
//! - What a client writes after its own acknowledged delete is not hidden by that delete. Tests:
//!   `a_write_of_the_same_row_waits_for_the_next_millisecond`,
//!   `tests/suites/client/rows.rs::what_is_written_after_a_delete_is_found`,
//!   `tests/suites/faults/delivery.rs::a_put_after_a_delete_is_seen_even_in_the_same_millisecond`.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxBuildHasher;
use tokio::time::Instant;

/// How long writes of a row wait after an acknowledged delete from it: a millisecond of the
/// server's clock, which may be a little slower than the client's clock.
const HELD: Duration = Duration::from_micros(1_100);

pub(crate) struct RecentDeletes {
    started: Instant,
    /// The latest time until which any write may have to wait, in µs after `started`. All writes
    /// check this first.
    until: AtomicU64,
    /// The hashes of rows, each with the time until which writes of the row wait, oldest first.
    rows: Mutex<VecDeque<(Instant, u64)>>,
}

impl RecentDeletes {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), until: AtomicU64::new(0), rows: Mutex::default() }
    }

    /// Notes that a delete from this row was acknowledged.
    pub(crate) fn record(&self, row: &[u8]) {
        let until = Instant::now() + HELD;
        let mut rows = self.rows();
        forget(&mut rows, until - HELD);
        rows.push_back((until, FxBuildHasher.hash_one(row)));
        drop(rows);
        let micros = until.duration_since(self.started).as_micros();
        self.until.fetch_max(u64::try_from(micros).unwrap_or(u64::MAX), Ordering::AcqRel);
    }

    /// The time until which a write of this row has to wait; `None` if it does not have to wait.
    pub(crate) fn blocked_until(&self, row: &[u8]) -> Option<Instant> {
        let until = self.until.load(Ordering::Acquire);
        // A client that deletes nothing does not read the clock.
        if until == 0 {
            return None;
        }
        let now = Instant::now();
        if now >= self.started + Duration::from_micros(until) {
            return None;
        }
        let hash = FxBuildHasher.hash_one(row);
        let mut rows = self.rows();
        forget(&mut rows, now);
        rows.iter().rev().find(|(_, of)| *of == hash).map(|(until, _)| *until)
    }

    fn rows(&self) -> MutexGuard<'_, VecDeque<(Instant, u64)>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn forget(rows: &mut VecDeque<(Instant, u64)>, now: Instant) {
    while rows.front().is_some_and(|(until, _)| *until <= now) {
        rows.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, sleep_until};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_write_of_the_same_row_waits_for_the_next_millisecond() {
        let deletes = RecentDeletes::new();
        assert_eq!(deletes.blocked_until(b"a"), None);
        deletes.record(b"a");
        advance(Duration::from_micros(500)).await;
        deletes.record(b"b");
        let (a, b) = (deletes.blocked_until(b"a").unwrap(), deletes.blocked_until(b"b").unwrap());
        assert!(a - Instant::now() > Duration::from_micros(500), "{a:?}");
        assert_eq!(b - a, Duration::from_micros(500));
        assert_eq!(deletes.blocked_until(b"c"), None);
        sleep_until(a).await;
        assert_eq!(deletes.blocked_until(b"a"), None);
        sleep_until(b).await;
        assert_eq!(deletes.blocked_until(b"b"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn rows_are_not_kept() {
        let deletes = RecentDeletes::new();
        for n in 0..100_000u32 {
            deletes.record(&n.to_be_bytes());
            if n % 100 == 0 {
                advance(Duration::from_millis(2)).await;
            }
        }
        deletes.blocked_until(b"a");
        let kept = deletes.rows().len();
        assert!(kept <= 100, "{kept} rows");
    }
}
