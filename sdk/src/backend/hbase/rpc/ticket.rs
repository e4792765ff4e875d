//! An operation's share of the bytes in flight, and whether its call was sent before its caller
//! gave up.
//!
//! # Invariants
//!
//! - A caller that gives up releases its bytes in flight, and its error reports whether the
//!   operation was sent. Tests: `tests/suites/faults/bytes.rs::a_dropped_future_frees_its_bytes`,
//!   `tests/suites/faults/bytes.rs::an_operation_that_was_never_sent_is_busy_and_not_unknown`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::OwnedSemaphorePermit;

use super::op::Op;

const WAITING: u8 = 0;
const SENT: u8 = 1;
const GIVEN_UP: u8 = 2;

/// An operation, or the state of a call, together with its share of the bytes in flight.
///
/// The caller holds the ticket until the operation is over, and the connection holds it until the
/// bytes of the operation have been sent. So when the caller gives up, the share is released,
/// whatever the server does.
#[derive(Debug)]
pub(crate) struct InFlight<T> {
    pub(super) content: T,
    _share: Share,
}

/// A share of the bytes in flight.
#[derive(Debug)]
pub(crate) enum Share {
    /// The share of one operation.
    Own { _permit: OwnedSemaphorePermit },
    /// The share of a whole batch, for a part of the batch.
    Part { _permit: Arc<OwnedSemaphorePermit> },
    /// The share of another ticket for the same operation, which is sent to several servers.
    Same { _ticket: Arc<InFlight<Op>> },
}

impl InFlight<Op> {
    /// Returns a ticket for a concurrent attempt of the same operation on another server. Both
    /// tickets have the same share of the bytes in flight.
    pub(crate) fn duplicate(self: &Arc<Self>) -> Self {
        Self::new(self.content.clone(), Share::Same { _ticket: self.clone() })
    }
}

impl<T> InFlight<T> {
    pub(crate) fn new(content: T, share: Share) -> Self {
        Self { content, _share: share }
    }
}

/// Whether a call was sent, or its caller gave up before the call was sent.
#[derive(Debug, Default)]
pub(super) struct SendState(AtomicU8);

impl SendState {
    /// Notes that the call is going to be sent; returns false if its caller gave up before.
    pub(super) fn mark_sent(&self) -> bool {
        self.leave_waiting(SENT)
    }

    /// Notes that the caller no longer waits; returns false if the call was sent before, or is
    /// going to be sent.
    pub(super) fn mark_given_up(&self) -> bool {
        self.leave_waiting(GIVEN_UP)
    }

    fn leave_waiting(&self, to: u8) -> bool {
        self.0.compare_exchange(WAITING, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}
