//! Counts of calls.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::limits;
use crate::lock::lock;

/// The number of calls of each method: those that arrived, and those of them that were dropped.
#[derive(Debug, Default)]
pub(crate) struct CallCounts {
    methods: Mutex<BTreeMap<String, Counts>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    arrived: u64,
    dropped: u64,
}

impl CallCounts {
    /// Counts a call that arrived.
    pub(super) fn count_arrived(&self, method: &str) {
        let mut methods = lock(&self.methods);
        if let Some(counts) = methods.get_mut(method) {
            counts.arrived += 1;
        } else if methods.len() < limits::COUNTED_METHODS {
            methods.insert(method.to_owned(), Counts { arrived: 1, dropped: 0 });
        }
    }

    /// Counts a call that arrived before and expired before it was started.
    pub(super) fn count_dropped(&self, method: &str) {
        if let Some(counts) = lock(&self.methods).get_mut(method) {
            counts.dropped += 1;
        }
    }

    /// The number of calls of a method that arrived.
    pub(crate) fn arrived(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.arrived)
    }

    /// The number of calls of a method that were dropped.
    pub(crate) fn dropped(&self, method: &str) -> u64 {
        lock(&self.methods).get(method).map_or(0, |c| c.dropped)
    }
}
