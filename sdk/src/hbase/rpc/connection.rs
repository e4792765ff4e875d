//! One connection: a task that owns the socket, its buffers, and the callers that wait for answers.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, sleep_until, timeout_at};

use super::call::{Call, CallError};
use super::multi::{self, Shape};
use super::op::{Op, OpReply};
use super::ticket::Ticket;
use crate::wire::exception::RemoteException;
use crate::wire::frame::{self, Response};
use crate::wire::preamble::NO_CALL;

/// How many commands may wait for the task before senders have to wait.
const COMMANDS: usize = 1024;
/// The maximum number of operations and bytes in one `Multi`.
const MULTI_OPS: usize = 1000;
const MULTI_BYTES: usize = 2 << 20;
/// With this much still to be written, no further command is received.
const OUT_BYTES: usize = 4 << 20;
/// A call without an answer for this long no longer holds back others: a slow region must not block other regions.
const SLOW: Duration = Duration::from_millis(10);
/// How often a connection with outstanding calls is checked.
const WATCH: Duration = Duration::from_millis(250);
/// Frames up to this size get a buffer of their own, so that a small row kept for long does not keep a large buffer.
const SMALL_FRAME: usize = 16 << 10;
const READ_BYTES: usize = 64 << 10;
/// Fewer bytes than this, without a whole frame, are no sign of life.
const TRICKLE_BYTES: u64 = 4 << 10;

type Reply<T> = oneshot::Sender<Result<T, CallError>>;

enum Command {
    Call { call_id: u32, frame: BytesMut, timeout: Duration, reply: Reply<Response> },
    Op(QueuedOp),
}

struct QueuedOp {
    op: Op,
    deadline: Instant,
    reply: Reply<OpReply>,
    ticket: Arc<Ticket>,
}

/// A handle to a connection; the task ends when the last one is dropped.
pub(crate) struct Connection {
    commands: mpsc::Sender<Command>,
    next_call: Arc<AtomicU32>,
    broken: Arc<OnceLock<CallError>>,
}

impl Connection {
    /// Starts the task that owns `stream`, which writes `opening` first.
    pub(super) fn start<S>(stream: S, opening: &Bytes, calls_at_once: usize) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (commands, receiver) = mpsc::channel(COMMANDS);
        let broken = Arc::new(OnceLock::new());
        let next_call = Arc::new(AtomicU32::new(0));
        let driver = Driver {
            out: BytesMut::from(&opening[..]),
            inbox: BytesMut::new(),
            queued: opening.len() as u64,
            written: 0,
            read: 0,
            queue: VecDeque::new(),
            pending: HashMap::new(),
            op_calls: Vec::new(),
            calls_at_once: calls_at_once.max(1),
            next_call: next_call.clone(),
            last_frame: Instant::now(),
            answered: false,
            broken: broken.clone(),
        };
        tokio::spawn(driver.run(stream, receiver));
        Self { commands, next_call, broken }
    }

    pub(super) fn is_open(&self) -> bool {
        self.broken.get().is_none() && !self.commands.is_closed()
    }

    /// Sends one call and waits for its answer.
    pub(super) async fn call<P: Message>(&self, call: Call<'_, P>) -> Result<Response, CallError> {
        let timeout = call.timeout;
        let call_id = next_id(&self.next_call);
        let (reply, answer) = oneshot::channel();
        let frame = call.encode(call_id, &[]);
        let deadline = Instant::now() + timeout;
        let answer = self.send(Command::Call { call_id, frame, timeout, reply }, answer, deadline);
        let late = || Err(CallError::TimedOut { after: timeout, sent: true });
        answer.await.unwrap_or_else(late)
    }

    /// Sends an operation, alone or with others, and waits for its answer until the deadline.
    pub(crate) async fn op(
        &self,
        op: Op,
        (begun, deadline): (Instant, Instant),
        ticket: &Arc<Ticket>,
    ) -> Result<OpReply, CallError> {
        ticket.wait();
        let (reply, answer) = oneshot::channel();
        let queued = QueuedOp { op, deadline, reply, ticket: ticket.clone() };
        match self.send(Command::Op(queued), answer, deadline).await {
            Some(answer) => answer,
            None => {
                let after = deadline.duration_since(begun);
                Err(CallError::TimedOut { after, sent: !ticket.give_up() })
            }
        }
    }

    /// Hands a command to the task, at once if the channel has capacity, and waits for the answer; `None` if the
    /// deadline passes.
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
            // If the task is gone, this ends too: the command was dropped, and with it the sender of the answer.
            let answer = timeout_at(deadline, answer).await.ok()?;
            Some(answer.unwrap_or_else(|_| Err(self.why_broken())))
        }
    }

    /// For a command that the task never received.
    fn why_broken(&self) -> CallError {
        let closed = || CallError::Broken { why: "it was closed".into(), sent: false };
        self.broken.get().map_or_else(closed, unsent)
    }
}

fn next_id(next: &AtomicU32) -> u32 {
    // The largest u32 is the id of frames that answer no call; Java's ids are never negative.
    next.fetch_add(1, Ordering::Relaxed) & 0x7FFF_FFFF
}

/// A call that was handed to the socket, or is about to be.
struct Pending {
    waiter: Waiter,
    /// The position of its first byte in all that was ever written to this connection.
    offset: u64,
    /// How many bytes had been read by then.
    read: u64,
    since: Instant,
    timeout: Duration,
}

enum Waiter {
    Call(Reply<Response>),
    Ops { replies: Vec<Reply<OpReply>>, shape: Shape },
}

impl Waiter {
    fn fail(self, error: &CallError) {
        match self {
            Self::Call(reply) => drop(reply.send(Err(error.clone()))),
            Self::Ops { replies, .. } => {
                for reply in replies {
                    drop(reply.send(Err(error.clone())));
                }
            }
        }
    }

    fn is_closed(&self) -> bool {
        match self {
            Self::Call(reply) => reply.is_closed(),
            Self::Ops { replies, .. } => replies.iter().all(Reply::is_closed),
        }
    }
}

struct Driver {
    out: BytesMut,
    inbox: BytesMut,
    /// Bytes ever put into `out`, and of those written to the socket.
    queued: u64,
    written: u64,
    /// Bytes ever read from the socket.
    read: u64,
    queue: VecDeque<QueuedOp>,
    pending: HashMap<u32, Pending>,
    /// The outstanding calls that carry operations, oldest first.
    op_calls: Vec<(u32, Instant)>,
    calls_at_once: usize,
    next_call: Arc<AtomicU32>,
    last_frame: Instant,
    /// Whether a whole frame was ever read.
    answered: bool,
    broken: Arc<OnceLock<CallError>>,
}

impl Driver {
    async fn run<S>(mut self, stream: S, mut commands: mpsc::Receiver<Command>)
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut watch = tokio::time::interval(WATCH);
        watch.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut open = true;
        let error = loop {
            self.send_ops();
            if !open && self.out.is_empty() && self.queue.is_empty() {
                return;
            }
            let slow = self.next_slow();
            let takes = open && self.out.len() < OUT_BYTES && self.queue.len() < COMMANDS;
            self.inbox.reserve(READ_BYTES);
            tokio::select! {
                command = commands.recv(), if takes => match command {
                    Some(command) => {
                        self.take(command);
                        while self.queue.len() < COMMANDS && self.out.len() < OUT_BYTES {
                            let Ok(command) = commands.try_recv() else { break };
                            self.take(command);
                        }
                    }
                    None => open = false,
                },
                read = reader.read_buf(&mut self.inbox) => match read {
                    Ok(0) => break self.end_of_stream(),
                    Ok(n) => {
                        self.read += n as u64;
                        if let Err(error) = self.take_frames() {
                            break error;
                        }
                    }
                    Err(e) => break broken(e.to_string()),
                },
                wrote = writer.write_buf(&mut self.out), if !self.out.is_empty() => match wrote {
                    Ok(n) => self.written += n as u64,
                    Err(e) => break broken(e.to_string()),
                },
                () = sleep_until(slow.unwrap_or(self.last_frame)), if slow.is_some() => {}
                _ = watch.tick(), if !self.pending.is_empty() || !self.queue.is_empty() => {
                    if let Some(error) = self.stalled() {
                        break error;
                    }
                    self.forget_given_up();
                }
            }
        };
        self.fail_all(error, commands);
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Call { call_id, frame, timeout, reply } => {
                if !reply.is_closed() {
                    self.write(call_id, frame, (Instant::now(), timeout), Waiter::Call(reply));
                }
            }
            Command::Op(op) => self.queue.push_back(op),
        }
    }

    /// Appends the frame of a call, which may take `timeout` after `since`, to what is written next.
    fn write(
        &mut self,
        call_id: u32,
        frame: BytesMut,
        (since, timeout): (Instant, Duration),
        waiter: Waiter,
    ) {
        let pending = Pending { waiter, offset: self.queued, read: self.read, since, timeout };
        self.pending.insert(call_id, pending);
        self.queued += frame.len() as u64;
        if self.out.is_empty() {
            self.out = frame;
        } else {
            self.out.unsplit(frame);
        }
    }

    /// Sends queued operations, if few enough calls with operations are outstanding.
    fn send_ops(&mut self) {
        while !self.queue.is_empty() && self.fresh_calls() < self.calls_at_once {
            let now = Instant::now();
            let mut batch: Vec<QueuedOp> = Vec::new();
            let mut bytes = 0;
            while let Some(op) = self.queue.pop_front() {
                if op.reply.is_closed() {
                    continue;
                }
                bytes += op.op.size();
                let full = bytes > MULTI_BYTES || batch.len() >= MULTI_OPS;
                if batch.first().is_some_and(|first| full || !may_share(first, &op, now)) {
                    self.queue.push_front(op);
                    break;
                }
                // If the caller has given up since the check above, it is not sent; otherwise the caller learns that it
                // was.
                if op.ticket.send() {
                    batch.push(op);
                }
            }
            let Some(deadline) = batch.iter().map(|op| op.deadline).max() else { return };
            let timeout = deadline.saturating_duration_since(now);
            let call_id = next_id(&self.next_call);
            let ops: Vec<&Op> = batch.iter().map(|op| &op.op).collect();
            let (frame, shape) = multi::encode(&ops, call_id, timeout);
            self.op_calls.push((call_id, now));
            let replies = batch.into_iter().map(|op| op.reply).collect();
            self.write(call_id, frame, (now, timeout), Waiter::Ops { replies, shape });
        }
    }

    fn fresh_calls(&self) -> usize {
        if self.op_calls.len() < self.calls_at_once {
            return self.op_calls.len();
        }
        let now = Instant::now();
        self.op_calls.iter().filter(|(_, since)| now.duration_since(*since) < SLOW).count()
    }

    /// When the next outstanding call becomes slow, if operations are waiting for that.
    fn next_slow(&self) -> Option<Instant> {
        if self.queue.is_empty() {
            return None;
        }
        let now = Instant::now();
        self.op_calls.iter().map(|(_, since)| *since + SLOW).filter(|at| *at > now).min()
    }

    /// A server that has answered nothing since a call was sent, although the call's time ran out, is considered dead;
    /// a trickle of bytes is not an answer.
    fn stalled(&self) -> Option<CallError> {
        let now = Instant::now();
        let dead = |p: &&Pending| {
            now >= p.since + p.timeout
                && self.last_frame <= p.since
                && self.read - p.read < TRICKLE_BYTES
        };
        let waited = self.pending.values().find(dead)?.timeout;
        Some(broken(format!("the server sent no answer for {:.1} s", waited.as_secs_f64())))
    }

    /// Frees what is kept for calls whose callers have gone; late answers are dropped.
    fn forget_given_up(&mut self) {
        let now = Instant::now();
        self.queue.retain(|op| !op.reply.is_closed());
        self.pending.retain(|_, p| now < p.since + p.timeout || !p.waiter.is_closed());
        self.op_calls.retain(|(id, _)| self.pending.contains_key(id));
    }

    fn take_frames(&mut self) -> Result<(), CallError> {
        while let Some(bytes) = frame::split(&mut self.inbox, frame::MAX_LEN)? {
            let bytes =
                if bytes.len() <= SMALL_FRAME { Bytes::copy_from_slice(&bytes) } else { bytes };
            let response = Response::decode(bytes)?;
            self.answered = true;
            self.last_frame = Instant::now();
            let call_id = response.header.call_id.unwrap_or(NO_CALL);
            if let Some(exception) = &response.header.exception {
                let exception = RemoteException::from_response(exception);
                if call_id == NO_CALL || exception.class.ends_with("FatalConnectionException") {
                    return Err(CallError::Exception(exception));
                }
            }
            // An answer without a waiter belongs to a call that was given up.
            if let Some(pending) = self.pending.remove(&call_id) {
                self.op_calls.retain(|(id, _)| *id != call_id);
                deliver(pending.waiter, response)?;
            }
        }
        if self.inbox.is_empty() && self.inbox.capacity() > 16 * READ_BYTES {
            self.inbox = BytesMut::new();
        }
        Ok(())
    }

    fn end_of_stream(&self) -> CallError {
        broken(match self.answered {
            true => "the server closed it",
            false => {
                "the server closed it without an answer; does a region server or master listen there, \
                 of a cluster without authentication?"
            }
        })
    }

    /// All waiting callers get the error, which states whether any byte of their call was written.
    fn fail_all(mut self, error: CallError, mut commands: mpsc::Receiver<Command>) {
        let error = self.broken.get_or_init(|| error).clone();
        let unsent = unsent(&error);
        for (_, pending) in self.pending.drain() {
            let sent = pending.offset < self.written;
            pending.waiter.fail(if sent { &error } else { &unsent });
        }
        for op in self.queue.drain(..) {
            drop(op.reply.send(Err(unsent.clone())));
        }
        commands.close();
        while let Ok(command) = commands.try_recv() {
            match command {
                Command::Call { reply, .. } => drop(reply.send(Err(unsent.clone()))),
                Command::Op(op) => drop(op.reply.send(Err(unsent.clone()))),
            }
        }
    }
}

/// Whether two operations may be sent in one call. Its header has the time that is left for the later of them, and a
/// server may begin with it until then: not much longer than the caller of the other one waits.
fn may_share(a: &QueuedOp, b: &QueuedOp, now: Instant) -> bool {
    let (a, b) = (a.deadline.duration_since(now), b.deadline.duration_since(now));
    a.max(b) <= a.min(b) * 2
}

/// The same error, for a call of which no byte was sent.
fn unsent(error: &CallError) -> CallError {
    let why = match error {
        CallError::Broken { why, .. } => why.clone(),
        other => other.to_string(),
    };
    CallError::Broken { why, sent: false }
}

fn broken(why: impl Into<String>) -> CallError {
    CallError::Broken { why: why.into(), sent: true }
}

fn deliver(waiter: Waiter, response: Response) -> Result<(), CallError> {
    if let Some(exception) = &response.header.exception {
        waiter.fail(&CallError::Exception(RemoteException::from_response(exception)));
        return Ok(());
    }
    match waiter {
        Waiter::Call(reply) => drop(reply.send(Ok(response))),
        Waiter::Ops { replies, shape } => match multi::decode(response, &shape, replies.len()) {
            Ok(answers) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    drop(reply.send(answer));
                }
            }
            Err(error) => {
                Waiter::Ops { replies, shape }.fail(&error);
                return Err(error);
            }
        },
    }
    Ok(())
}
