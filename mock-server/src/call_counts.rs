//! How often methods were called.

use std::collections::BTreeMap;

use crate::limits;

/// Calls by method: those that arrived, and those of them that were dropped.
#[derive(Debug, Default)]
pub(crate) struct CallCounts {
    methods: BTreeMap<String, Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    arrived: u64,
    dropped: u64,
}

impl CallCounts {
    /// Counts a call.
    pub(crate) fn arrived(&mut self, method: &str) {
        if let Some(counts) = self.methods.get_mut(method) {
            counts.arrived += 1;
        } else if self.methods.len() < limits::COUNTED_METHODS {
            self.methods.insert(method.to_owned(), Counts { arrived: 1, dropped: 0 });
        }
    }

    /// Counts a call, already counted, that expired before it was begun.
    pub(crate) fn dropped(&mut self, method: &str) {
        if let Some(counts) = self.methods.get_mut(method) {
            counts.dropped += 1;
        }
    }

    /// How often a method was called.
    pub(crate) fn calls(&self, method: &str) -> u64 {
        self.methods.get(method).map_or(0, |c| c.arrived)
    }

    /// How many of these calls were dropped.
    pub(crate) fn dropped_calls(&self, method: &str) -> u64 {
        self.methods.get(method).map_or(0, |c| c.dropped)
    }
}
