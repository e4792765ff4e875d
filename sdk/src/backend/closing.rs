//! Closes a client: first, the operations that its writers have collected are sent; then, no new
//! operation is accepted.
//!
//! # Invariants
//!
//! - A closed client leaves no operation waiting. Tests:
//!   `tests/suites/faults/writer.rs::a_client_that_is_closed_waits_for_what_is_under_way`,
//!   `tests/suites/faults/writer.rs::closing_a_client_ends_in_time_and_says_what_was_given_up`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::future::{BoxFuture, join_all};
use tokio::time::Instant;

use crate::observe::JsonWriter;

/// Something that collects operations, and executes them before its client closes.
pub(crate) trait Drain: Send + Sync {
    /// Stops accepting operations, and waits until all collected operations are done or the
    /// deadline passes.
    fn drain_writers(&self, deadline: Instant) -> BoxFuture<'_, ()>;

    /// Adds the state of the collected operations to the current JSON object.
    fn write_state(&self, json: &mut JsonWriter);
}

/// Whether a client was closed, and the writers that are drained before the client closes.
#[derive(Default)]
pub(crate) struct Closing {
    is_closed: AtomicBool,
    drains: Mutex<Vec<Weak<dyn Drain>>>,
}

impl Closing {
    /// Registers something that is drained before the client closes, if it still exists then.
    pub(crate) fn register(&self, drain: Weak<dyn Drain>) {
        let mut drains = self.drains.lock().unwrap_or_else(PoisonError::into_inner);
        // The list is searched for dropped entries only when it is full, so that the cost of a
        // registration does not depend on the number of entries.
        if drains.len() == drains.capacity() {
            drains.retain(|drain| drain.strong_count() > 0);
        }
        drains.push(drain);
    }

    /// Returns everything registered that still exists and has not been drained.
    pub(crate) fn drains(&self) -> Vec<Arc<dyn Drain>> {
        let drains = self.drains.lock().unwrap_or_else(PoisonError::into_inner);
        drains.iter().filter_map(Weak::upgrade).collect()
    }

    /// Drains everything that is registered, concurrently.
    pub(crate) async fn drain_writers(&self, deadline: Instant) {
        let drains =
            std::mem::take(&mut *self.drains.lock().unwrap_or_else(PoisonError::into_inner));
        let alive: Vec<Arc<dyn Drain>> = drains.iter().filter_map(Weak::upgrade).collect();
        join_all(alive.iter().map(|drain| drain.drain_writers(deadline))).await;
    }

    /// Marks the client as closed, so that no further operation begins.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}
