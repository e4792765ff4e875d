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

    pub(super) fn observed(&self, tell: impl FnOnce(&mut ObservedConnection)) {
        let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(observed) = &mut *observed {
            tell(observed);
        }
    }
}

/// A call that is under way. It is counted until this value is dropped.
pub(super) struct Underway {
    load: Arc<Load>,
    begun: Instant,
    bytes: usize,
    ended: bool,
}

impl Underway {
    pub(super) fn begin(load: Arc<Load>, bytes: usize, now: Instant) -> Self {
        load.calls.fetch_add(1, Ordering::Relaxed);
        load.observed(|observed| observed.sent(1, bytes));
        Self { load, begun: now, bytes: 0, ended: false }
    }

    pub(super) fn received(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Notes that the call was answered.
    pub(super) fn ended(&mut self) {
        self.ended = true;
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.load.calls.fetch_sub(1, Ordering::Relaxed);
        let (bytes, elapsed, ended) = (self.bytes, self.begun.elapsed(), self.ended);
        self.load.observed(|observed| match ended {
            true => observed.answered(bytes, elapsed, false),
            false => observed.abandoned(1),
        });
    }
}
