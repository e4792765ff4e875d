//! What a lookup has done so far: hits and misses of its cache, ids created and ids lost.

use std::sync::atomic::{AtomicU64, Ordering};

/// Statistics of a [`Lookup`](super::Lookup) and its clones.
///
/// See [`Lookup::stats`](super::Lookup::stats) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LookupStats {
    /// Names and ids that were in the cache.
    pub hits: u64,
    /// Names and ids that were not in the cache.
    pub misses: u64,
    /// Names that were given an id.
    pub created: u64,
    /// Ids that no name has. Each was taken for a name that did not get it, because another writer
    /// was first or an error occurred.
    pub leaked: u64,
    /// Blocks of ids that were given up because the reply to an increment was lost.
    pub lost_blocks: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) hits: Count,
    pub(super) misses: Count,
    pub(super) created: Count,
    pub(super) leaked: Count,
}

#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn increment(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
