//! The calls of a connection that have no answer yet, and the callers that wait for it.
//!
//! # Invariants
//!
//! - A dropped operation leaks nothing: no bytes in flight, no call, no memory. Tests:
//!   `tests/suites/drops/main.rs::dropped_operations_leak_nothing`.

use std::time::Duration;
use tokio::time::Instant;

use crate::backend::hbase::rpc::call::CallError;
use crate::backend::hbase::rpc::command::{Reply, Waiting};
use crate::backend::hbase::rpc::multi::Shape;
use crate::wire::frame::Response;

/// A call that was handed to the socket, or is about to be.
pub(super) struct Pending {
    pub(super) waiter: Waiter,
    /// The position of the first byte of the call in all bytes ever written to this connection.
    pub(super) offset: u64,
    /// How many bytes had been read when the call was handed over.
    pub(super) read: u64,
    pub(super) since: Instant,
    pub(super) timeout: Duration,
    /// How many operations on rows the call has.
    pub(super) operations: usize,
}

/// A call that was sent, and the time at which its server is dead if it has sent nothing until
/// then.
#[derive(Clone, Copy)]
pub(super) struct Unanswered {
    pub(super) since: Instant,
    /// How many bytes had been read when the call was handed over.
    pub(super) read: u64,
    pub(super) due: Instant,
}

impl Unanswered {
    pub(super) fn new(pending: &Pending, silence: Duration) -> Self {
        let Pending { since, read, timeout, .. } = *pending;
        Self { since, read, due: since + timeout.max(silence) }
    }
}

pub(super) enum Waiter {
    Call(Reply<Response>),
    /// A call that may be made again elsewhere, at little cost.
    Lookup(Reply<Response>),
    /// The callers of the operations, and a time before which none of them has its deadline.
    Ops {
        callers: Vec<Waiting>,
        shape: Shape,
        first: Instant,
    },
}

impl Waiter {
    pub(super) fn fail(self, error: &CallError) {
        match self {
            Self::Call(reply) | Self::Lookup(reply) => drop(reply.send(Err(error.clone()))),
            Self::Ops { callers, .. } => {
                for mut caller in callers {
                    caller.tell(Err(error.clone()));
                }
            }
        }
    }

    pub(super) fn callers(&self) -> usize {
        match self {
            Self::Call(_) | Self::Lookup(_) => 1,
            Self::Ops { callers, .. } => callers.len(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Call(reply) | Self::Lookup(reply) => reply.is_closed(),
            Self::Ops { callers, .. } => callers.iter().all(Waiting::is_over),
        }
    }
}
