//! The retry budget of a client, as a bucket from which retries are taken.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::RetryBudget;

/// Unused retries are kept up to the number that is added in this many seconds.
const KEPT_SECONDS: u64 = 40;
/// The smallest number of retries for which the bucket has room, if operations add retries.
const KEPT_RETRIES: u64 = 1_000;
/// The content of the bucket is counted in hundredths of a retry.
const RETRY: u64 = 100;
/// The time in which a budget of one retry per second gets a hundredth of a retry.
const NANOS_OF_HUNDREDTH: u64 = 1_000_000_000 / RETRY;

#[derive(Debug)]
pub(crate) struct TokenBucket {
    limits: RetryBudget,
    /// The number of first attempts so far. An operation without a retry only adds to this number.
    operations: AtomicU64,
    bucket: Mutex<Bucket>,
}

#[derive(Debug)]
struct Bucket {
    /// The retries that are left, in hundredths of a retry. The level is negative if retries wait
    /// for their turn.
    level: i64,
    /// The number of first attempts for which retries have been added.
    operations: u64,
    /// The instant up to which retries have been added for the time that has passed.
    at: Instant,
}

impl TokenBucket {
    /// Creates a bucket that contains the retries of 40 seconds.
    pub(crate) fn new(limits: RetryBudget) -> Self {
        let level = signed(kept_for_time(limits));
        let bucket = Mutex::new(Bucket { level, operations: 0, at: Instant::now() });
        Self { limits, operations: AtomicU64::new(0), bucket }
    }

    /// Counts the first attempts of `count` operations.
    pub(crate) fn count_operations(&self, count: u64) {
        self.operations.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns how many retries are left; `None` if they are not limited.
    pub(crate) fn retries_left(&self) -> Option<u64> {
        if self.limits.unlimited {
            return None;
        }
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.fill(self.limits, self.operations.load(Ordering::Relaxed));
        Some(u64::try_from(bucket.level).unwrap_or(0) / RETRY)
    }

    /// Takes a retry from the bucket, and returns how long the retry has to wait for its turn. If
    /// this wait would be `time_left` or longer, takes nothing and returns `None`.
    pub(crate) fn take_retry(&self, time_left: Duration) -> Option<Duration> {
        if self.limits.unlimited {
            return Some(Duration::ZERO);
        }
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.fill(self.limits, self.operations.load(Ordering::Relaxed));
        let level = bucket.level.saturating_sub(signed(RETRY));
        let delay = match level {
            0.. => Duration::ZERO,
            _ => {
                let micros = level.unsigned_abs().saturating_mul(1_000_000 / RETRY);
                Duration::from_micros(micros.checked_div(u64::from(self.limits.per_second))?)
            }
        };
        (delay.is_zero() || delay < time_left).then(|| {
            bucket.level = level;
            delay
        })
    }
}

impl Bucket {
    /// Adds the retries for the time that has passed, and for the operations that have begun since.
    fn fill(&mut self, limits: RetryBudget, operations: u64) {
        let now = Instant::now();
        let elapsed = u64::try_from((now - self.at).as_nanos()).unwrap_or(u64::MAX);
        let new = operations.saturating_sub(self.operations);
        let per_second = u64::from(limits.per_second);
        let by_time = per_second.saturating_mul(elapsed) / NANOS_OF_HUNDREDTH;
        let by_operations = u64::from(limits.percent).saturating_mul(new);
        let added = signed(by_time.saturating_add(by_operations));
        self.level = self.level.saturating_add(added).min(signed(capacity(limits)));
        // Time that adds less than a hundredth of a retry is not lost, but counted later.
        let counted = by_time.saturating_mul(NANOS_OF_HUNDREDTH).checked_div(per_second);
        self.at = (self.at + Duration::from_nanos(counted.unwrap_or(elapsed))).min(now);
        self.operations = operations;
    }
}

fn kept_for_time(limits: RetryBudget) -> u64 {
    u64::from(limits.per_second) * RETRY * KEPT_SECONDS
}

fn capacity(limits: RetryBudget) -> u64 {
    let kept_for_operations = if limits.percent > 0 { RETRY * KEPT_RETRIES } else { 0 };
    kept_for_time(limits).max(kept_for_operations)
}

fn signed(hundredths: u64) -> i64 {
    i64::try_from(hundredths).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many retries there are at once.
    fn taken(budget: &TokenBucket) -> usize {
        (0..100_000)
            .take_while(|_| budget.take_retry(Duration::ZERO) == Some(Duration::ZERO))
            .count()
    }

    #[tokio::test(start_paused = true)]
    async fn retries_are_a_share_of_the_operations_and_some_in_each_second() {
        let budget = TokenBucket::new(RetryBudget::new(20, 10));
        assert_eq!(taken(&budget), 400, "what 40 seconds fill");
        assert_eq!(taken(&budget), 0);
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!(taken(&budget), 2);
        tokio::time::advance(Duration::from_millis(50)).await;
        assert_eq!(taken(&budget), 1, "parts of a retry are kept");
        for _ in 0..1_000 {
            // As long as 1.9 hundredths of a retry take to be added.
            tokio::time::advance(Duration::from_micros(1_900)).await;
            budget.retries_left();
        }
        assert_eq!(taken(&budget), 19, "however often the time is looked at");
        budget.count_operations(1_000);
        assert_eq!(taken(&budget), 200);
        tokio::time::advance(Duration::from_secs(1_000)).await;
        assert_eq!(taken(&budget), 1_000, "no more than a full bucket");
    }

    #[tokio::test(start_paused = true)]
    async fn a_budget_may_be_nothing_or_unlimited() {
        assert_eq!(taken(&TokenBucket::new(RetryBudget::new(0, 0))), 0);
        assert_eq!(taken(&TokenBucket::new(RetryBudget::unlimited())), 100_000);
        let only_share = TokenBucket::new(RetryBudget::new(50, 0));
        only_share.count_operations(1);
        assert_eq!(taken(&only_share), 0);
        only_share.count_operations(1);
        assert_eq!(taken(&only_share), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn retries_wait_for_their_turn_if_their_time_allows_it() {
        let budget = TokenBucket::new(RetryBudget::new(20, 10));
        assert_eq!(taken(&budget), 400);
        let minute = Duration::from_secs(60);
        for nth in 1..=100 {
            assert_eq!(budget.take_retry(minute), Some(Duration::from_millis(100) * nth));
        }
        assert_eq!(budget.take_retry(Duration::from_secs(10)), None, "its turn is in 10.1 s");
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(budget.take_retry(minute), Some(Duration::from_millis(100)));
        budget.count_operations(10);
        assert_eq!(
            budget.take_retry(minute),
            Some(Duration::ZERO),
            "operations pay for those that wait"
        );
        let only_share = TokenBucket::new(RetryBudget::new(50, 0));
        assert_eq!(only_share.take_retry(minute), None, "time brings nothing");
    }
}
