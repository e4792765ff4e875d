//! What the handles of a connection and its task say to each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::call::CallError;
use super::op::{Op, OpReply, Routed};
use super::ticket::{Sending, Ticket};
use crate::observe::TraceContext;
use crate::wire::frame::Response;

/// How many commands may wait for the task before senders have to wait.
pub(super) const COMMANDS: usize = 1024;

pub(super) type Reply<T> = oneshot::Sender<Result<T, CallError>>;

pub(super) enum Command {
    Call {
        call_id: u32,
        frame: BytesMut,
        timeout: Duration,
        reply: Reply<Response>,
        /// Whether it asks where a region is.
        is_lookup: bool,
    },
    Ops(EncodedOps),
    /// Wakes the task of a connection that was closed.
    Close,
}

pub(super) struct QueuedOp {
    pub(super) ticket: Arc<Ticket<Op>>,
    pub(super) region: Bytes,
    pub(super) priority: u32,
    pub(super) trace: Option<TraceContext>,
    pub(super) waiting: Waiting,
}

/// The caller of an operation, who is told by the task of the connection when the time is over.
pub(super) struct Waiting {
    /// Where the caller waits; `None` once it was told.
    reply: Option<Reply<OpReply>>,
    begun: Instant,
    pub(super) deadline: Instant,
    is_read: bool,
}

impl Waiting {
    pub(super) fn new(reply: Reply<OpReply>, begun: Instant, deadline: Instant) -> Self {
        Self { reply: Some(reply), begun, deadline, is_read: false }
    }

    /// Says whether the operation changes nothing.
    pub(super) fn of_read(self, is_read: bool) -> Self {
        Self { is_read, ..self }
    }

    /// Whether the caller waits no longer.
    pub(super) fn is_over(&self) -> bool {
        self.reply.as_ref().is_none_or(Reply::is_closed)
    }

    pub(super) fn tell(&mut self, answer: Result<OpReply, CallError>) {
        if let Some(reply) = self.reply.take() {
            drop(reply.send(answer));
        }
    }

    /// Tells it that the time is over, if it is; `sent` if the operation was sent.
    pub(super) fn end_at(&mut self, now: Instant, sent: bool) {
        if self.deadline <= now {
            let after = self.deadline.duration_since(self.begun);
            self.tell(Err(CallError::TimedOut { after, sent }));
        }
    }

    /// Tells the caller of a read, which was sent, that it is answered too late.
    pub(super) fn end_read(&mut self, now: Instant) {
        if self.is_read {
            let after = now.saturating_duration_since(self.begun);
            self.tell(Err(CallError::TimedOut { after, sent: true }));
        }
    }
}

impl Routed for QueuedOp {
    fn op(&self) -> &Op {
        &self.ticket.content
    }

    fn region(&self) -> &[u8] {
        &self.region
    }
}

/// Operations that are sent in a call of their own, whose caller reads the answer.
pub(super) struct EncodedOps {
    pub(super) method: &'static str,
    /// The parameter message, of `param` bytes, and the cells.
    pub(super) body: BytesMut,
    pub(super) param: usize,
    pub(super) priority: u32,
    pub(super) trace: Option<TraceContext>,
    /// How many there are.
    pub(super) operations: usize,
    pub(super) deadline: Instant,
    pub(super) reply: Reply<Response>,
    pub(super) ticket: Arc<Ticket<Sending>>,
}

pub(super) fn next_id(next: &AtomicU32) -> u32 {
    // The largest u32 is the id of frames that answer no call; Java's ids are never negative.
    next.fetch_add(1, Ordering::Relaxed) & 0x7FFF_FFFF
}

/// The error of a broken connection for a call of which no byte was sent, with the text of `error`.
pub(super) fn unsent(error: &CallError) -> CallError {
    let why = match error {
        CallError::Broken { why, .. } => why.clone(),
        other => other.to_string(),
    };
    CallError::Broken { why, sent: false }
}
