//! The latest slow operations of a client, which the report of its state shows.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use super::json::JsonWriter;
use super::slow::SlowOperation;

/// The maximum number of slow operations that are kept; older ones are dropped.
const KEPT: usize = 32;

/// The latest slow operations, as texts in which row keys are shown as configured.
#[derive(Debug, Default)]
pub(super) struct RecentSlowOperations(Mutex<VecDeque<(Instant, String)>>);

impl RecentSlowOperations {
    pub(super) fn add(&self, operation: &SlowOperation<'_>) {
        let text = operation.to_string();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((Instant::now(), text));
    }

    /// Adds the operations to the current object, the latest one last.
    pub(super) fn write(&self, json: &mut JsonWriter) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        json.array("slow_operations", kept, |json, (at, text)| {
            json.time("ended_before", at.elapsed());
            json.text("what", &text);
        });
    }
}
