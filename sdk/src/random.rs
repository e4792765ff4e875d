//! Random numbers for pauses and nonces: nothing here needs to be unpredictable, only different.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random numbers that many tasks share (SplitMix64).
pub(crate) struct Random(AtomicU64);

impl Random {
    /// Seeded by the operating system.
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(RandomState::new().hash_one(0)))
    }

    pub(crate) fn next(&self) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A nonce, or a nonce group: 0 would mean none.
    pub(crate) fn nonce(&self) -> u64 {
        self.next().max(1)
    }

    /// A number below `limit`.
    pub(crate) fn below(&self, limit: u64) -> u64 {
        if limit == 0 { 0 } else { self.next() % limit }
    }
}
