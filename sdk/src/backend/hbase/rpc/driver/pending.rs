//! The calls of a connection that have no answer yet, and the callers that wait for their answers.
//!
//! # Invariants
//!
//! - A dropped operation leaks nothing: no bytes in flight, no call, no memory. Tests:
//!   `tests/suites/drops/main.rs::dropped_operations_leak_nothing`.

use std::time::Duration;
use tokio::time::Instant;

use crate::backend::hbase::rpc::call::CallError;
use crate::backend::hbase::rpc::command::{ReplySender, WaitingCaller};
use crate::backend::hbase::rpc::multi::AnswerLayout;
use crate::wire::frame::Response;

/// A call that was written to the socket, or is about to be written.
pub(super) struct PendingCall {
    pub(super) waiter: Waiter,
    /// The position of the first byte of the call among all bytes ever written to this connection.
    pub(super) offset: u64,
    /// How many bytes had been read from the socket when the call was put into the output buffer.
    pub(super) bytes_read_before: u64,
    pub(super) since: Instant,
    pub(super) timeout: Duration,
    /// How many operations on rows the call has.
    pub(super) operations: usize,
}

/// A call that was sent. If the server has sent nothing by `due`, the server is considered dead.
#[derive(Clone, Copy)]
pub(super) struct UnansweredCall {
    pub(super) since: Instant,
    /// How many bytes had been read from the socket when the call was put into the output buffer.
    pub(super) bytes_read_before: u64,
    pub(super) due: Instant,
}

impl UnansweredCall {
    pub(super) fn new(pending: &PendingCall, silence: Duration) -> Self {
        let PendingCall { since, bytes_read_before, timeout, .. } = *pending;
        Self { since, bytes_read_before, due: since + timeout.max(silence) }
    }
}

pub(super) enum Waiter {
    Call(ReplySender<Response>),
    /// A call that may be repeated on another server at little cost.
    Lookup(ReplySender<Response>),
    /// The callers of the operations in a call; `first` is a lower bound of their deadlines.
    Ops {
        callers: Vec<WaitingCaller>,
        layout: AnswerLayout,
        first: Instant,
    },
}

impl Waiter {
    pub(super) fn fail(self, error: &CallError) {
        match self {
            Self::Call(reply) | Self::Lookup(reply) => drop(reply.send(Err(error.clone()))),
            Self::Ops { callers, .. } => {
                for mut caller in callers {
                    caller.send_answer(Err(error.clone()));
                }
            }
        }
    }

    pub(super) fn caller_count(&self) -> usize {
        match self {
            Self::Call(_) | Self::Lookup(_) => 1,
            Self::Ops { callers, .. } => callers.len(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Call(reply) | Self::Lookup(reply) => reply.is_closed(),
            Self::Ops { callers, .. } => callers.iter().all(WaitingCaller::is_over),
        }
    }
}
