//! The calls of a connection that have no answer yet, and the callers that wait for their answers.
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

/// A call that was written to the socket, or is about to be written.
pub(super) struct Pending {
    pub(super) waiter: Waiter,
    /// The position of the first byte of the call among all bytes ever written to this connection.
    pub(super) offset: u64,
    /// How many bytes had been read from the socket when the call was put into the output buffer.
    pub(super) read: u64,
    pub(super) since: Instant,
    pub(super) timeout: Duration,
    /// How many operations on rows the call has.
    pub(super) operations: usize,
}

/// A call that was sent. If the server has sent nothing by `due`, the server is considered dead.
#[derive(Clone, Copy)]
pub(super) struct Unanswered {
    pub(super) since: Instant,
    /// How many bytes had been read from the socket when the call was put into the output buffer.
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
    /// A call that may be repeated on another server at little cost.
    Lookup(Reply<Response>),
    /// The callers of the operations in a call; `first` is a lower bound of their deadlines.
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
