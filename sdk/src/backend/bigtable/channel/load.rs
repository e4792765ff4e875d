//! The load of a connection: the number of calls that are under way on it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use crate::observe::ObservedConnection;

/// The calls that are under way on a connection.
#[derive(Default)]
pub(super) struct Load {
    calls: AtomicUsize,
    observed: Mutex<Option<ObservedConnection>>,
}

impl Load {
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Reports calls to `observed` from now on.
    pub(super) fn report_to(&self, observed: ObservedConnection) {
        *self.observed.lock().unwrap_or_else(PoisonError::into_inner) = Some(observed);
    }

    pub(super) fn notify_observed(&self, tell: impl FnOnce(&mut ObservedConnection)) {
        let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(observed) = &mut *observed {
            tell(observed);
        }
    }
}

/// A call that is under way. It is counted until this value is dropped.
pub(super) struct CallInProgress {
    load: Arc<Load>,
    begun: Instant,
    bytes: usize,
    ended: bool,
}

impl CallInProgress {
    pub(super) fn begin(load: Arc<Load>, bytes: usize, now: Instant) -> Self {
        load.calls.fetch_add(1, Ordering::Relaxed);
        load.notify_observed(|observed| observed.report_call(1, bytes));
        Self { load, begun: now, bytes: 0, ended: false }
    }

    pub(super) fn add_received_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Notes that the call was answered.
    pub(super) fn mark_answered(&mut self) {
        self.ended = true;
    }
}

impl Drop for CallInProgress {
    fn drop(&mut self) {
        self.load.calls.fetch_sub(1, Ordering::Relaxed);
        let (bytes, elapsed, ended) = (self.bytes, self.begun.elapsed(), self.ended);
        self.load.notify_observed(|observed| match ended {
            true => observed.report_answer(bytes, elapsed, false),
            false => observed.report_abandoned_calls(1),
        });
    }
}
