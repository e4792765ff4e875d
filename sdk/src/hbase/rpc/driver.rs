//! The task of a connection: it owns the socket, its buffers, and the callers that wait for answers.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::FutureExt;
use rustc_hash::FxHashMap;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, sleep_until};

use super::call::{CLOSED, CallError, millis, trace_info};
use super::command::{COMMANDS, Command, EncodedOps, QueuedOp, Reply, Waiting, next_id, unsent};
use super::compressed::Compressed;
use super::first_seen::FirstSeen;
use super::multi::{self, Shape};
use super::op::Routed;
use super::op_queue::OpReceiver;
use super::window::{Refusals, UsualTime, Window};
use crate::observe::{ObservedConnection, TraceContext, WindowCause};
use crate::wire::exception::RemoteException;
use crate::wire::frame::{self, Response};
use crate::wire::preamble::NO_CALL;
use crate::wire::proto::RequestHeader;
/// The maximum number of operations and bytes in one `Multi`.
pub(crate) const MULTI_OPS: usize = 1000;
pub(crate) const MULTI_BYTES: usize = 2 << 20;
/// With this much still to be written, no further command is received.
const OUT_BYTES: usize = 4 << 20;
/// A call without an answer for this long no longer holds back others: a slow region must not block other regions.
const SLOW: Duration = Duration::from_millis(10);
/// How often a connection with outstanding calls is checked.
const WATCH: Duration = Duration::from_millis(250);
/// Frames up to this size get a buffer of their own, so that a small row kept for long does not keep a large buffer.
const SMALL_FRAME: usize = 16 << 10;
const READ_BYTES: usize = 64 << 10;
/// As much memory is taken for a frame before its bytes arrive, if it announces so many.
const AHEAD_BYTES: usize = 4 << 20;
/// Empty buffers that are larger are freed.
const KEPT_BYTES: usize = 4 * READ_BYTES;
/// Fewer bytes than this, without a whole frame, are no sign of life.
const TRICKLE_BYTES: u64 = 4 << 10;

/// How a server with TLS begins its answer to a client without it.
const TLS_ALERT: &[u8] = &[0x15, 3];
const WANTS_TLS: &str = "the server has TLS and this client has not; configure it \
     (Config::tls, hbase.client.netty.tls.enabled)";

/// A call that was handed to the socket, or is about to be.
struct Pending {
    waiter: Waiter,
    /// The position of its first byte in all that was ever written to this connection.
    offset: u64,
    /// How many bytes had been read by then.
    read: u64,
    since: Instant,
    timeout: Duration,
    /// How many operations on rows it has.
    operations: usize,
}

enum Waiter {
    Call(Reply<Response>),
    /// The callers of the operations, and a time that no deadline of theirs is before.
    Ops {
        callers: Vec<Waiting>,
        shape: Shape,
        first: Instant,
    },
}

impl Waiter {
    fn fail(self, error: &CallError) {
        match self {
            Self::Call(reply) => drop(reply.send(Err(error.clone()))),
            Self::Ops { callers, .. } => {
                for mut caller in callers {
                    caller.tell(Err(error.clone()));
                }
            }
        }
    }

    fn callers(&self) -> usize {
        match self {
            Self::Call(_) => 1,
            Self::Ops { callers, .. } => callers.len(),
        }
    }

    fn is_closed(&self) -> bool {
        match self {
            Self::Call(reply) => reply.is_closed(),
            Self::Ops { callers, .. } => callers.iter().all(Waiting::is_over),
        }
    }
}

pub(super) struct Driver {
    out: BytesMut,
    inbox: BytesMut,
    /// Bytes ever put into `out`, and of those written to the socket.
    queued: u64,
    written: u64,
    /// Bytes ever read from the socket.
    read: u64,
    /// Where operations come from, and those that were taken.
    ops: OpReceiver,
    queue: VecDeque<QueuedOp>,
    /// No deadline of an operation that was taken and not answered is before this time.
    first: Option<Instant>,
    /// How many callers were answered since the last wait for others.
    told: usize,
    /// The memory of the operations of a call.
    batch: Vec<QueuedOp>,
    /// Calls that wait for the window.
    calls: VecDeque<EncodedOps>,
    window: Arc<Window>,
    /// How many calls of this connection are in the window.
    outstanding: usize,
    usual_time: UsualTime,
    /// Where the operations of a call are put together.
    body: BytesMut,
    pending: FxHashMap<u32, Pending>,
    /// The outstanding calls that carry operations, oldest first.
    op_calls: Vec<(u32, Instant)>,
    calls_at_once: usize,
    nonce_group: u64,
    /// How the cell blocks of this connection are compressed, in both directions.
    compression: Option<Compressed>,
    next_call: Arc<AtomicU32>,
    last_frame: Instant,
    /// Whether a whole frame was ever read.
    answered: bool,
    broken: Arc<OnceLock<CallError>>,
    closed: Arc<AtomicBool>,
    observed: ObservedConnection,
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.window.ended(self.outstanding);
    }
}

impl Driver {
    /// A task that writes `opening` first, with how many calls at once, which nonces and which compression; and with what
    /// it shares with the handles.
    pub(super) fn new(
        opening: &Bytes,
        (calls_at_once, nonce_group, compression): (usize, u64, Option<Compressed>),
        window: Arc<Window>,
        (next_call, broken, closed): (Arc<AtomicU32>, Arc<OnceLock<CallError>>, Arc<AtomicBool>),
        ops: OpReceiver,
        observed: ObservedConnection,
    ) -> Self {
        Self {
            out: BytesMut::from(&opening[..]),
            inbox: BytesMut::new(),
            queued: opening.len() as u64,
            written: 0,
            read: 0,
            ops,
            queue: VecDeque::new(),
            first: None,
            told: 0,
            batch: Vec::new(),
            calls: VecDeque::new(),
            window,
            outstanding: 0,
            usual_time: UsualTime::default(),
            body: BytesMut::new(),
            pending: FxHashMap::default(),
            op_calls: Vec::new(),
            calls_at_once: calls_at_once.max(1),
            nonce_group,
            compression,
            next_call,
            last_frame: Instant::now(),
            answered: false,
            broken,
            closed,
            observed,
        }
    }

    pub(super) async fn run<S>(mut self, stream: S, mut commands: mpsc::Receiver<Command>)
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut watch = tokio::time::interval(WATCH);
        watch.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut alarm = pin!(sleep_until(self.last_frame));
        let mut open = true;
        let error = loop {
            if std::mem::take(&mut self.told) > 1 {
                // Those who were answered may have their next operations ready before this task comes to its turn again;
                // then they share a call.
                let_others_run().await;
            }
            let takes = open && self.takes();
            if takes {
                self.take_ops();
                while self.takes() {
                    let Ok(command) = commands.try_recv() else { break };
                    self.take(command);
                }
            }
            let held = self.send_ops();
            if !open && self.out.is_empty() && self.queue.is_empty() && self.calls.is_empty() {
                return;
            }
            if self.closed.load(Ordering::Acquire) {
                break broken(CLOSED);
            }
            let looks_at = [held, self.first, self.ops.first()].into_iter().flatten().min();
            if let Some(at) = looks_at
                && (alarm.is_elapsed() || at < alarm.deadline())
            {
                // It may ring too early: that costs less than to set it for each operation.
                alarm.as_mut().reset(at);
            }
            let rings_at = looks_at.map(|_| alarm.deadline());
            let wants = takes && held.is_none();
            self.inbox.reserve(frame::missing(&self.inbox).clamp(READ_BYTES, AHEAD_BYTES));
            // In an order, so that one seed has one history, and none starves: alarms are rare, what can be written and read
            // ends where the socket does, and what was queued meanwhile was taken above.
            tokio::select! {
                biased;
                () = alarm.as_mut(), if rings_at.is_some() => self.end_late_ops(),
                _ = watch.tick(), if !self.pending.is_empty() || self.has_waiting() => {
                    // Those whose time is over learn that, and not that the connection is given up.
                    self.end_late_ops();
                    if let Some(error) = self.stalled() {
                        let calls = self.outstanding as f64;
                        self.window.refused(calls, WindowCause::NoAnswer, Instant::now());
                        break error;
                    }
                    self.window.tick();
                    self.forget_given_up();
                }
                wrote = writer.write_buf(&mut self.out), if !self.out.is_empty() => match wrote {
                    Ok(n) => {
                        self.written += n as u64;
                        free_if_large(&mut self.out);
                    }
                    // What the server said before it closed the connection explains more.
                    Err(e) => break match reader.read_buf(&mut self.inbox).now_or_never() {
                        Some(read) => self.received(&read).err().unwrap_or_else(|| lost(&e)),
                        None => lost(&e),
                    },
                },
                read = reader.read_buf(&mut self.inbox) => if let Err(error) = self.received(&read) {
                    break error;
                },
                () = poll_fn(|cx| self.ops.poll_news(cx, wants, rings_at)), if open => {}
                command = commands.recv(), if takes => match command {
                    Some(command) => self.take(command),
                    None => open = false,
                },
            }
        };
        self.fail_all(error, commands).await;
    }

    /// Bytes of the server, or the end of them.
    fn received(&mut self, read: &io::Result<usize>) -> Result<(), CallError> {
        match read {
            Ok(0) => Err(self.end_of_stream()),
            Ok(n) => {
                self.read += *n as u64;
                if !self.answered && self.inbox.starts_with(TLS_ALERT) {
                    return Err(CallError::Broken { why: WANTS_TLS.into(), sent: false });
                }
                self.take_frames()
            }
            Err(e) => Err(lost(e)),
        }
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Call { call_id, frame, timeout, reply } => {
                if !reply.is_closed() {
                    let at = (Instant::now(), timeout);
                    self.wait_for(call_id, (frame.len(), 0), at, Waiter::Call(reply));
                    self.out.extend_from_slice(&frame);
                }
            }
            Command::Close => {}
            Command::Ops(ops) if self.window.is_limited() => self.calls.push_back(ops),
            Command::Ops(ops) => self.send_call(ops),
        }
    }

    /// Whether further commands are received. What waits for the window holds back nothing else.
    fn takes(&self) -> bool {
        self.out.len() < OUT_BYTES && (self.queue.len() < COMMANDS || self.window.is_limited())
    }

    fn has_waiting(&self) -> bool {
        !self.queue.is_empty() || !self.calls.is_empty()
    }

    fn send_call(&mut self, ops: EncodedOps) {
        if !ops.reply.is_closed() && ops.ticket.content.send() {
            let call_id = next_id(&self.next_call);
            let now = Instant::now();
            let at = (now, ops.deadline.saturating_duration_since(now));
            let EncodedOps { method, body, param, priority, trace, operations, .. } = ops;
            let call = OpsCall { method, param, priority, trace, operations };
            self.write(call_id, &call, &body, at, Waiter::Call(ops.reply));
        }
    }

    fn take_ops(&mut self) {
        let most = match self.window.is_limited() {
            true => usize::MAX,
            false => COMMANDS.saturating_sub(self.queue.len()),
        };
        let first = self.ops.take(most, &mut self.queue);
        self.first = self.first.into_iter().chain(first).min();
    }

    /// Tells the callers of operations whose time is over.
    fn end_late_ops(&mut self) {
        let now = Instant::now();
        for mut op in self.ops.take_late(now) {
            op.waiting.end_at(now, false);
        }
        if self.first.is_none_or(|first| now < first) {
            return;
        }
        self.queue.retain_mut(|op| {
            op.waiting.end_at(now, false);
            !op.waiting.is_over()
        });
        let mut next = self.queue.iter().map(|op| op.waiting.deadline).min();
        for pending in self.pending.values_mut() {
            let Waiter::Ops { callers, first, .. } = &mut pending.waiter else { continue };
            if *first <= now {
                callers.iter_mut().for_each(|caller| caller.end_at(now, true));
                let left = callers.iter().filter(|caller| !caller.is_over());
                let Some(earliest) = left.map(|caller| caller.deadline).min() else { continue };
                *first = earliest;
            }
            next = next.into_iter().chain([*first]).min();
        }
        self.first = next;
    }

    /// Appends a call for operations, which may take `timeout` after `since`, to what is written next.
    fn write(
        &mut self,
        call_id: u32,
        call: &OpsCall,
        body: &[u8],
        at: (Instant, Duration),
        waiter: Waiter,
    ) {
        let header = RequestHeader {
            call_id: Some(call_id),
            trace_info: call.trace.as_ref().map(trace_info),
            method_name: Some(call.method.to_owned()),
            priority: Some(call.priority),
            timeout: Some(millis(at.1)),
            ..Default::default()
        };
        let before = self.out.len();
        let cells = body.len().saturating_sub(call.param);
        frame::put_request_head(header, call.param, cells, &mut self.out);
        self.out.extend_from_slice(body);
        self.wait_for(call_id, (self.out.len() - before, call.operations), at, waiter);
    }

    /// Expects the answer to a call whose frame of so many bytes and operations is put into `out`.
    fn wait_for(
        &mut self,
        call_id: u32,
        (bytes, operations): (usize, usize),
        (since, timeout): (Instant, Duration),
        waiter: Waiter,
    ) {
        self.observed.sent(operations, bytes);
        if operations > 0 {
            self.window.sent();
            self.outstanding += 1;
        }
        let (offset, read) = (self.queued, self.read);
        let pending = Pending { waiter, offset, read, since, timeout, operations };
        self.pending.insert(call_id, pending);
        self.queued += bytes as u64;
    }

    /// Sends what waits, as far as the window allows; otherwise states when to try again.
    fn send_ops(&mut self) -> Option<Instant> {
        if !self.window.is_limited() && self.calls.is_empty() {
            while !self.queue.is_empty() {
                if let Some(at) = self.send_queued() {
                    return Some(at);
                }
            }
            return None;
        }
        let held = self.send_within();
        let in_calls: usize = self.calls.iter().map(|call| call.operations).sum();
        self.window.waiting(self.queue.len() + in_calls);
        held
    }

    /// The same while the window is limited: calls and queued operations take turns.
    fn send_within(&mut self) -> Option<Instant> {
        let mut turn_of_calls = true;
        while self.has_waiting() {
            let now = Instant::now();
            if let Some(at) = self.window.closed_until(now) {
                return Some(at);
            }
            if turn_of_calls || self.queue.is_empty() {
                self.calls.pop_front().into_iter().for_each(|call| self.send_call(call));
            } else if let Some(at) = self.send_queued() {
                return Some(at);
            }
            turn_of_calls = !turn_of_calls;
        }
        None
    }

    /// Sends queued operations in one call, if few enough calls with operations are outstanding; otherwise states when to try
    /// again.
    fn send_queued(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if let Some(at) = self.held_until(now) {
            return Some(at);
        }
        let mut batch = std::mem::take(&mut self.batch);
        let mut bytes = 0;
        while let Some(op) = self.queue.pop_front() {
            if op.waiting.is_over() {
                continue;
            }
            bytes += op.region.len() + op.op().size();
            let full = bytes > MULTI_BYTES || batch.len() >= MULTI_OPS;
            if batch.first().is_some_and(|first| full || !may_share(first, &op, now)) {
                self.queue.push_front(op);
                break;
            }
            batch.push(op);
        }
        let deadlines = || batch.iter().map(|op| op.waiting.deadline);
        let (Some(first), Some(deadline)) = (deadlines().min(), deadlines().max()) else {
            self.batch = batch;
            return None;
        };
        let timeout = deadline.saturating_duration_since(now);
        let call_id = next_id(&self.next_call);
        if batch.len() > 1 {
            let mut regions = FirstSeen::default();
            batch
                .sort_by_cached_key(|op| (regions.number(op.region.as_ptr()), op.op().is_atomic()));
        }
        let mut body = std::mem::take(&mut self.body);
        let compression = self.compression.as_ref();
        let (param, shape) = multi::encode(&batch, self.nonce_group, compression, &mut body);
        self.op_calls.push((call_id, now));
        let priority = batch.iter().map(|op| op.priority).max().unwrap_or(0);
        let trace = TraceContext::of_several(batch.iter().filter_map(|op| op.trace.as_ref()));
        let call = OpsCall {
            method: shape.method(),
            param,
            priority,
            trace: trace.cloned(),
            operations: batch.len(),
        };
        let mut callers = Vec::with_capacity(batch.len());
        callers.extend(batch.drain(..).map(|op| op.waiting));
        self.batch = batch;
        let waiter = Waiter::Ops { callers, shape, first };
        self.write(call_id, &call, &body, (now, timeout), waiter);
        body.clear();
        free_if_large(&mut body);
        self.body = body;
        None
    }

    /// When the first of the outstanding calls becomes slow, if there are too many that are not slow to send another.
    fn held_until(&self, now: Instant) -> Option<Instant> {
        if self.op_calls.len() < self.calls_at_once {
            return None;
        }
        let fresh = || self.op_calls.iter().map(|(_, since)| *since + SLOW).filter(|at| *at > now);
        if fresh().count() < self.calls_at_once { None } else { fresh().min() }
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
        self.queue.retain(|op| !op.waiting.is_over());
        self.calls.retain(|call| !call.reply.is_closed());
        let pending = self.pending.len();
        let (mut calls, mut since) = (0, now);
        self.pending.retain(|_, p| {
            let kept = now < p.since + p.timeout || !p.waiter.is_closed();
            if !kept && p.operations > 0 {
                (calls, since) = (calls + 1, since.min(p.since));
            }
            kept
        });
        self.ended(calls);
        self.window.refused(calls as f64, WindowCause::NoAnswer, since);
        self.observed.abandoned(pending - self.pending.len());
        self.op_calls.retain(|(id, _)| self.pending.contains_key(id));
    }

    /// So many calls are outstanding no longer.
    fn ended(&mut self, calls: usize) {
        self.outstanding -= calls;
        self.window.ended(calls);
    }

    fn take_frames(&mut self) -> Result<(), CallError> {
        while let Some(bytes) = frame::split(&mut self.inbox, frame::MAX_LEN)? {
            let size = bytes.len();
            let bytes =
                if bytes.len() <= SMALL_FRAME { Bytes::copy_from_slice(&bytes) } else { bytes };
            let mut response = Response::decode(bytes)?;
            if let Some(compressed) = &self.compression {
                response.cells = compressed.decompress(&response.cells)?;
            }
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
                let elapsed = self.last_frame.saturating_duration_since(pending.since);
                self.observed.answered(size, elapsed, response.header.exception.is_some());
                let (operations, since) = (pending.operations, pending.since);
                if operations > 0 {
                    self.outstanding -= 1;
                    self.window.answered(since, response.header.exception.is_some());
                    if let Some(times) = self.usual_time.lateness(elapsed) {
                        self.window.late(times, since);
                    }
                }
                self.told += pending.waiter.callers();
                let refused = deliver(pending.waiter, response, operations)?;
                refused.tell(&self.window, operations, since);
            }
        }
        free_if_large(&mut self.inbox);
        Ok(())
    }

    fn end_of_stream(&self) -> CallError {
        broken(match self.answered {
            true => "the server closed it",
            false => {
                "the server closed it without an answer; does a region server or master listen there, \
                 of a cluster without authentication? if it has TLS, configure it (Config::tls, hbase.client.netty.tls.enabled)"
            }
        })
    }

    /// All waiting callers get the error, which states whether any byte of their call was written.
    async fn fail_all(mut self, error: CallError, mut commands: mpsc::Receiver<Command>) {
        let error = self.broken.get_or_init(|| error).clone();
        self.observed.broken(error.to_string());
        let unsent = unsent(&error);
        for (_, pending) in self.pending.drain() {
            let sent = pending.offset < self.written;
            pending.waiter.fail(if sent { &error } else { &unsent });
        }
        for mut op in self.queue.drain(..).chain(self.ops.close()) {
            op.waiting.tell(Err(unsent.clone()));
        }
        for call in self.calls.drain(..) {
            drop(call.reply.send(Err(unsent.clone())));
        }
        commands.close();
        // Unlike `try_recv`, this also waits for a command that another thread is just sending. It would otherwise stay
        // in the channel, and its caller would learn nothing before the deadline.
        while let Some(command) = commands.recv().await {
            match command {
                Command::Call { reply, .. } => drop(reply.send(Err(unsent.clone()))),
                Command::Close => {}
                Command::Ops(ops) => drop(ops.reply.send(Err(unsent.clone()))),
            }
        }
    }
}

/// Whether two operations may be sent in one call. Its header has their priority. It also has the time that is left for the later of them, and a
/// server may begin with it until then: not much longer than the caller of the other one waits.
fn may_share(a: &QueuedOp, b: &QueuedOp, now: Instant) -> bool {
    let (a_until, b_until) = (a.waiting.deadline, b.waiting.deadline);
    let (left, other) = (a_until.duration_since(now), b_until.duration_since(now));
    a.priority == b.priority && left.max(other) <= left.min(other) * 2
}

/// The header of a call for operations.
struct OpsCall {
    method: &'static str,
    /// The length of its parameter message.
    param: usize,
    priority: u32,
    trace: Option<TraceContext>,
    /// How many operations on rows it has.
    operations: usize,
}

fn free_if_large(buffer: &mut BytesMut) {
    if buffer.is_empty() && buffer.capacity() > KEPT_BYTES {
        *buffer = BytesMut::new();
    }
}

/// A server that refuses the client in the handshake of TLS has read no call.
fn lost(error: &io::Error) -> CallError {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            CallError::Broken { why: error.to_string(), sent: false }
        }
        _ => broken(error.to_string()),
    }
}

fn broken(why: impl Into<String>) -> CallError {
    CallError::Broken { why: why.into(), sent: true }
}

/// Answers those who wait for a call of so many operations, and returns which of them the server refused.
fn deliver(waiter: Waiter, response: Response, operations: usize) -> Result<Refusals, CallError> {
    let mut refused = Refusals::default();
    if let Some(exception) = &response.header.exception {
        let error = CallError::Exception(RemoteException::from_response(exception));
        refused.add(&error, operations);
        waiter.fail(&error);
        return Ok(refused);
    }
    match waiter {
        Waiter::Call(reply) => drop(reply.send(Ok(response))),
        Waiter::Ops { callers, shape, first } => {
            match multi::decode(response, &shape, callers.len()) {
                Ok(answers) => {
                    for (mut caller, answer) in callers.into_iter().zip(answers) {
                        if let Err(error) = &answer {
                            refused.add(error, 1);
                        }
                        caller.tell(answer);
                    }
                }
                Err(error) => {
                    Waiter::Ops { callers, shape, first }.fail(&error);
                    return Err(error);
                }
            }
        }
    }
    Ok(refused)
}

/// Lets the tasks run that are ready now.
async fn let_others_run() {
    let mut is_next = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut is_next, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
