//! The messages between the handles of a connection and its task.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::call::CallError;
use super::op::{Op, OpReply, Routed};
use super::ticket::{InFlight, SendState};
use crate::observe::TraceContext;
use crate::wire::frame::Response;

/// How many commands may wait for the task before senders have to wait.
pub(super) const MAX_QUEUED_COMMANDS: usize = 1024;

pub(super) type ReplySender<T> = oneshot::Sender<Result<T, CallError>>;

pub(super) enum Command {
    Call {
        call_id: u32,
        frame: BytesMut,
        timeout: Duration,
        reply: ReplySender<Response>,
        /// Whether the call looks up a region.
        is_lookup: bool,
    },
    Ops(EncodedOps),
    /// Wakes the task of a connection that was closed.
    Close,
}

pub(super) struct QueuedOp {
    pub(super) ticket: Arc<InFlight<Op>>,
    pub(super) region: Bytes,
    pub(super) priority: u32,
    pub(super) trace: Option<TraceContext>,
    pub(super) waiting: WaitingCaller,
}

/// The waiting caller of an operation. The task of the connection sends it the answer, or a timeout
/// when the deadline has passed.
pub(super) struct WaitingCaller {
    /// The channel on which the caller waits; `None` after an answer was sent.
    reply: Option<ReplySender<OpReply>>,
    begun: Instant,
    pub(super) deadline: Instant,
    is_read: bool,
}

impl WaitingCaller {
    pub(super) fn new(reply: ReplySender<OpReply>, begun: Instant, deadline: Instant) -> Self {
        Self { reply: Some(reply), begun, deadline, is_read: false }
    }

    /// Sets whether the operation is a read.
    pub(super) fn with_is_read(self, is_read: bool) -> Self {
        Self { is_read, ..self }
    }

    /// Whether the caller no longer waits.
    pub(super) fn is_over(&self) -> bool {
        self.reply.as_ref().is_none_or(ReplySender::is_closed)
    }

    pub(super) fn send_answer(&mut self, answer: Result<OpReply, CallError>) {
        if let Some(reply) = self.reply.take() {
            drop(reply.send(answer));
        }
    }

    /// Reports a timeout to the caller if the deadline has passed; `sent` is true if the operation
    /// was sent.
    pub(super) fn time_out_if_late(&mut self, now: Instant, sent: bool) {
        if self.deadline <= now {
            let after = self.deadline.duration_since(self.begun);
            self.send_answer(Err(CallError::TimedOut { after, sent }));
        }
    }

    /// Reports a timeout to the caller of an operation that was sent, if the operation is a read.
    pub(super) fn time_out_if_read(&mut self, now: Instant) {
        if self.is_read {
            let after = now.saturating_duration_since(self.begun);
            self.send_answer(Err(CallError::TimedOut { after, sent: true }));
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

/// Encoded operations that are sent together in one call, without operations of other callers. The
/// caller decodes the answer.
pub(super) struct EncodedOps {
    pub(super) method: &'static str,
    /// The parameter message, which has `param_len` bytes, followed by the cells.
    pub(super) body: BytesMut,
    pub(super) param_len: usize,
    pub(super) priority: u32,
    pub(super) trace: Option<TraceContext>,
    /// The number of operations.
    pub(super) operations: usize,
    pub(super) deadline: Instant,
    pub(super) reply: ReplySender<Response>,
    pub(super) ticket: Arc<InFlight<SendState>>,
}

pub(super) fn next_id(next: &AtomicU32) -> u32 {
    // The largest u32 is the id of frames that answer no call; Java's ids are never negative.
    next.fetch_add(1, Ordering::Relaxed) & 0x7FFF_FFFF
}

/// Returns the error of a broken connection for a call of which no byte was sent, with the text of
/// `error`. If the server has refused the client, that stays the error: another connection would be
/// refused too.
pub(super) fn unsent(error: &CallError) -> CallError {
    let why = match error {
        refusal if refusal.refuses_client() => return refusal.clone(),
        CallError::Broken { why, .. } => why.clone(),
        other => other.to_string(),
    };
    CallError::Broken { why, sent: false }
}
