//! One connection to a server: the handle through which callers send calls to the task of the
//! connection.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{self, Handle};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::call::{Call, CallError};
use super::command::{
    Command, EncodedOps, MAX_QUEUED_COMMANDS, QueuedOp, WaitingCaller, next_id, unsent,
};
use super::compressed::CellCompression;
use super::driver::{ConnectionSettings, Driver};
use super::multi::{self, Answers};
use super::op::{Op, OpReply, Request, Routed};
use super::op_queue::{OpSender, PushError, op_queue};
use super::ticket::{InFlight, SendState, Share};
use super::window::{Refusals, Window};
use crate::authentication::Protection;
use crate::observe::{ObservedConnection, TraceContext};
use crate::wire::frame::Response;

/// A handle to a connection; the task of the connection ends when the last handle is dropped.
pub(crate) struct Connection {
    commands: mpsc::Sender<Command>,
    ops: OpSender,
    /// The runtime on which the task runs.
    runtime: runtime::Id,
    nonce_group: u64,
    compression: Option<CellCompression>,
    protection: Option<Protection>,
    next_call: Arc<AtomicU32>,
    broken: Arc<OnceLock<CallError>>,
    window: Arc<Window>,
    /// Whether the task has to end.
    closed: Arc<AtomicBool>,
}

impl Connection {
    /// Starts the task that owns `stream`, with these settings; the task writes `opening` first.
    pub(super) fn start<S>(
        stream: S,
        opening: &Bytes,
        settings: ConnectionSettings,
        window: &Arc<Window>,
        observed: ObservedConnection,
    ) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (commands, receiver) = mpsc::channel(MAX_QUEUED_COMMANDS);
        let (ops, queued) = op_queue();
        let broken = Arc::new(OnceLock::new());
        let next_call = Arc::new(AtomicU32::new(0));
        let closed = Arc::new(AtomicBool::new(false));
        let shared = (next_call.clone(), broken.clone(), closed.clone());
        let (nonce_group, compression) = (settings.nonce_group, settings.compression.clone());
        let protection = settings.protection;
        let driver = Driver::new(opening, settings, window.clone(), shared, queued, observed);
        tokio::spawn(driver.run(stream, receiver));
        let (window, runtime) = (window.clone(), Handle::current().id());
        Self {
            commands,
            ops,
            runtime,
            nonce_group,
            compression,
            protection,
            next_call,
            broken,
            window,
            closed,
        }
    }

    /// Closes the connection; callers that wait for answers get the error of a broken connection.
    pub(super) fn abort(&self) {
        self.closed.store(true, Ordering::Release);
        // If the channel is full, the task sees the flag when it next wakes.
        let _ = self.commands.try_send(Command::Close);
    }

    /// Whether a new operation would have to wait before the task takes it.
    pub(crate) fn is_full(&self) -> bool {
        self.commands.capacity() == 0
            || self.ops.is_full()
            || self.window.holds_back_at_least(MAX_QUEUED_COMMANDS)
    }

    /// How many operations and other commands the task has not taken yet.
    pub(super) fn queued(&self) -> usize {
        MAX_QUEUED_COMMANDS.saturating_sub(self.commands.capacity()) + self.ops.len()
    }

    /// Why the connection ended, if it has.
    pub(super) fn close_reason(&self) -> Option<CallError> {
        self.broken.get().cloned()
    }

    /// The protection of the messages, if both sides have proved their identities.
    pub(super) fn protection(&self) -> Option<Protection> {
        self.protection
    }

    pub(super) fn is_open(&self) -> bool {
        self.broken.get().is_none() && !self.commands.is_closed()
    }

    /// Sends one call and waits for its answer.
    pub(super) async fn call<P: Message>(
        &self,
        call: Call<'_, P>,
        priority: u32,
        trace: Option<&TraceContext>,
    ) -> Result<Response, CallError> {
        let timeout = call.timeout;
        let call_id = next_id(&self.next_call);
        let (reply, answer) = oneshot::channel();
        let frame = call.encode(call_id, &[], priority, trace);
        let deadline = Instant::now() + timeout;
        let is_lookup = call.high_priority && call.method == "Scan";
        let command = Command::Call { call_id, frame, timeout, reply, is_lookup };
        let answer = self.send(command, answer, deadline);
        let late = || Err(CallError::TimedOut { after: timeout, sent: true });
        answer.await.unwrap_or_else(late)
    }

    /// Sends an operation to this region, alone or in a call with others, and waits for the answer
    /// until the deadline. The task of the connection checks the deadline, so that an operation
    /// needs no timer of its own.
    pub(crate) async fn send_op(
        &self,
        ticket: &Arc<InFlight<Op>>,
        (region, priority, trace): (Bytes, u32, Option<TraceContext>),
        (begun, deadline): (Instant, Instant),
    ) -> Result<OpReply, CallError> {
        let (reply, answer) = oneshot::channel();
        let ticket = ticket.clone();
        let is_read = matches!(ticket.content.request, Request::Get(_));
        let waiting = WaitingCaller::new(reply, begun, deadline).with_is_read(is_read);
        let op = QueuedOp { ticket, region, priority, trace, waiting };
        let mut queued = self.ops.try_push(op);
        if let Err(PushError::Full(op)) = queued {
            queued = Box::pin(self.ops.push(op)).await;
        }
        if let Err(PushError::Full(_)) = queued {
            let after = deadline.duration_since(begun);
            return Err(CallError::TimedOut { after, sent: false });
        }
        let broken = |_| Err(self.why_broken());
        // The task may be on another runtime. If that runtime is not running, nothing would check
        // the deadline.
        if Handle::try_current().is_ok_and(|here| here.id() != self.runtime) {
            let late = CallError::TimedOut { after: deadline.duration_since(begun), sent: true };
            let answer = Box::pin(timeout_at(deadline, answer)).await;
            return answer.map_or(Err(late), |answer| answer.unwrap_or_else(broken));
        }
        answer.await.unwrap_or_else(broken)
    }

    /// Sends operations in one call, and waits for its answer until the deadline. Operations of the
    /// same region must be adjacent.
    pub(crate) async fn send_ops<R: Routed>(
        &self,
        ops: &[R],
        share: Share,
        (priority, trace): (u32, Option<TraceContext>),
        (begun, deadline): (Instant, Instant),
    ) -> Result<Answers, CallError> {
        let mut body = BytesMut::new();
        let compression = self.compression.as_ref();
        let (param_len, layout) = multi::encode(ops, self.nonce_group, compression, &mut body);
        let ticket = Arc::new(InFlight::new(SendState::default(), share));
        let (reply, answer) = oneshot::channel();
        let (method, own) = (layout.method(), ticket.clone());
        let call = EncodedOps {
            method,
            body,
            param_len,
            priority,
            trace,
            operations: ops.len(),
            deadline,
            reply,
            ticket: own,
        };
        match self.send(Command::Ops(call), answer, deadline).await {
            Some(response) => {
                let answers = multi::decode(response?, &layout, ops.len())?;
                let mut refused = Refusals::default();
                answers.iter().filter_map(|a| a.as_ref().err()).for_each(|e| refused.add(e, 1));
                refused.report_to(&self.window, ops.len(), begun);
                Ok(answers)
            }
            None => Err(late(&ticket.content, (begun, deadline))),
        }
    }

    /// Sends a command to the task, at once if the channel has capacity. The returned future waits
    /// for the answer; it returns `None` if the deadline passes first.
    fn send<T>(
        &self,
        command: Command,
        answer: oneshot::Receiver<Result<T, CallError>>,
        deadline: Instant,
    ) -> impl Future<Output = Option<Result<T, CallError>>> {
        let full = match self.commands.try_send(command) {
            Ok(()) | Err(TrySendError::Closed(_)) => None,
            Err(TrySendError::Full(command)) => {
                Some(Box::pin(timeout_at(deadline, self.commands.send(command))))
            }
        };
        async move {
            if let Some(full) = full
                && full.await.is_err()
            {
                return None;
            }
            // If the task has ended, this wait ends too, because the command was dropped together
            // with the sender of the answer.
            let answer = timeout_at(deadline, answer).await.ok()?;
            Some(answer.unwrap_or_else(|_| Err(self.why_broken())))
        }
    }

    /// The error of a command that the task never received.
    fn why_broken(&self) -> CallError {
        let closed = || CallError::Broken { why: "it was closed".into(), sent: false };
        self.broken.get().map_or_else(closed, unsent)
    }
}

/// The error of a call that was not answered in time.
fn late(sending: &SendState, (begun, deadline): (Instant, Instant)) -> CallError {
    CallError::TimedOut { after: deadline.duration_since(begun), sent: !sending.mark_given_up() }
}
