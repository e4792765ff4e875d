//! Limits how many reads are sent to secondary replicas, and how often these reads cause lookups of
//! regions.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::location::Location;
use crate::RetryBudget;
use crate::request::consistency::HedgedReadBudget;
use crate::runtime::budget::TokenBucket;

/// The shortest time between two lookups of the same region that are made because one of its
/// replicas failed.
const REFRESHED_EVERY: Duration = Duration::from_secs(1);
/// The number of remembered lookups at which all lookups older than `REFRESHED_EVERY` are
/// forgotten.
const REMEMBERED: usize = 1_000;

#[derive(Debug)]
pub(crate) struct HedgeLimits {
    budget: TokenBucket,
    refreshed: Mutex<FxHashMap<Bytes, Instant>>,
}

impl HedgeLimits {
    pub(crate) fn new(limit: HedgedReadBudget) -> Self {
        let HedgedReadBudget { percent, per_second, unlimited } = limit;
        let budget = TokenBucket::new(RetryBudget { percent, per_second, unlimited });
        Self { budget, refreshed: Mutex::default() }
    }

    /// Counts a read that secondary replicas may answer.
    pub(crate) fn count_read(&self) {
        self.budget.count_operations(1);
    }

    /// Takes from the budget one call to a secondary replica that is made while the primary replica
    /// may still answer; returns false if the budget does not allow the call.
    pub(crate) fn try_take(&self) -> bool {
        self.budget.take_retry(Duration::ZERO).is_some()
    }

    /// Returns whether a region may be looked up now because the location of one of its replicas
    /// failed; if so, remembers the lookup.
    pub(crate) fn try_start_refresh(&self, region: &Location) -> bool {
        let now = Instant::now();
        let mut refreshed = self.refreshed.lock().unwrap_or_else(PoisonError::into_inner);
        if refreshed.len() >= REMEMBERED {
            refreshed.retain(|_, at| now < *at + REFRESHED_EVERY);
        }
        if refreshed.get(region.name()).is_some_and(|at| now < *at + REFRESHED_EVERY) {
            return false;
        }
        refreshed.insert(Bytes::copy_from_slice(region.name()), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::hbase::location::Server;

    fn region(name: &str) -> Location {
        Location::new(name.as_bytes(), (b"", b""), Server::new("s:1".into(), 1), 1)
    }

    #[tokio::test(start_paused = true)]
    async fn a_region_is_looked_up_again_once_a_second() {
        let hedges = HedgeLimits::new(HedgedReadBudget::default());
        assert!(hedges.try_start_refresh(&region("t,,1")));
        assert!(!hedges.try_start_refresh(&region("t,,1")));
        assert!(hedges.try_start_refresh(&region("t,m,1")));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(hedges.try_start_refresh(&region("t,,1")));
        for other in 0..2_000 {
            hedges.try_start_refresh(&region(&format!("t,{other},1")));
            tokio::time::advance(Duration::from_millis(2)).await;
        }
        assert!(hedges.refreshed.lock().unwrap().len() <= REMEMBERED);
    }
}
