//! The task of a connection: it owns the socket, its buffers, and the callers that wait for
//! answers.
//!
//! # Invariants
//!
//! - When a connection dies, all callers that wait on it get an error. Tests:
//!   `tests/suites/faults/reads.rs::a_read_without_a_reply_is_retried_on_another_connection`,
//!   `tests/suites/observe/metrics.rs::a_broken_connection_is_counted_with_the_calls_that_it_carried`.
//! - The same seed of `mock:` always gives the same history: there is no random generator without a
//!   seed, and neither the order of the entries of a hash table nor that of the branches of
//!   `select!` has an effect. Tests:
//!   `tests/suites/faults/seeds.rs::one_seed_has_one_history_and_another_seed_another`.

mod pending;
mod receiving;
mod sending;
mod watching;

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

use self::pending::{PendingCall, UnansweredCall, Waiter};
pub(crate) use self::sending::{MULTI_BYTES, MULTI_OPS};
use super::call::CallError;
use super::command::{Command, EncodedOps, MAX_QUEUED_COMMANDS, QueuedOp, unsent};
use super::compressed::CellCompression;
use super::op_queue::OpReceiver;
use super::window::{UsualTime, Window};
use crate::authentication::Protection;
use crate::backend::core::CLOSED;
use crate::observe::{ObservedConnection, WindowCause};
use crate::wire::frame;

/// No further command is received while this many bytes or more are still to be written.
const OUT_BYTES: usize = 4 << 20;
/// How often a connection with outstanding calls is checked.
const WATCH: Duration = Duration::from_millis(250);
const READ_BYTES: usize = 64 << 10;
/// The maximum memory that is reserved for a frame before its bytes arrive, however many bytes its
/// length announces.
const AHEAD_BYTES: usize = 4 << 20;
/// Empty buffers that are larger than this are freed.
const KEPT_BYTES: usize = 4 * READ_BYTES;

/// The settings of a connection. All connections of a client share them, with three exceptions:
/// `flushes` depends on the stream, `protection` on the authentication of the connection, and
/// `compression` on the service.
#[derive(Clone)]
pub(super) struct ConnectionSettings {
    /// How many calls with operations may be outstanding at the same time, not counting slow calls.
    pub(super) calls_at_once: usize,
    /// Whether the stream may buffer written bytes until it is flushed. Every stream except TCP
    /// may.
    pub(super) flushes: bool,
    pub(super) nonce_group: u64,
    /// How cell blocks are compressed, in both directions.
    pub(super) compression: Option<CellCompression>,
    /// A server is considered dead if it has answered nothing since a call was sent, for at least
    /// this long and for at least the timeout of the call.
    pub(super) silence: Duration,
    /// The protection of the messages, if both sides have proved their identities.
    pub(super) protection: Option<Protection>,
}

pub(super) struct Driver {
    out: BytesMut,
    inbox: BytesMut,
    /// The number of bytes ever put into `out`.
    queued: u64,
    /// The number of bytes ever written to the socket.
    written: u64,
    /// Whether the stream may still buffer some of the written bytes, because it encrypts or
    /// collects them.
    holds_written: bool,
    /// The number of bytes ever read from the socket.
    read: u64,
    /// The queue from which this task takes operations.
    ops: OpReceiver,
    /// The operations that were taken from `ops` and are still to be sent.
    queue: VecDeque<QueuedOp>,
    /// A lower bound of the deadlines of all operations that were taken and not answered.
    first: Option<Instant>,
    /// How many callers were answered since this task last let other tasks run.
    told: usize,
    /// The memory for the operations of a call, which is reused.
    batch: Vec<QueuedOp>,
    /// Calls that wait until the window allows them to be sent.
    calls: VecDeque<EncodedOps>,
    window: Arc<Window>,
    /// How many outstanding calls of this connection the window counts.
    outstanding: usize,
    usual_time: UsualTime,
    /// The buffer in which the operations of a call are encoded, which is reused.
    body: BytesMut,
    pending: FxHashMap<u32, PendingCall>,
    /// The outstanding calls that carry operations, oldest first.
    op_calls: Vec<(u32, Instant)>,
    settings: ConnectionSettings,
    next_call: Arc<AtomicU32>,
    last_frame: Instant,
    /// Of the calls that were given up since the last frame, the call with the earliest `due`. If
    /// the server has sent nothing by then, it is considered dead.
    given_up: Option<UnansweredCall>,
    /// Whether a whole frame was ever read.
    answered: bool,
    /// Whether a timeout was reported to the callers of the reads and lookups that waited for the
    /// first answer of the server.
    told_late: bool,
    broken: Arc<OnceLock<CallError>>,
    closed: Arc<AtomicBool>,
    observed: ObservedConnection,
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.window.record_ended(self.outstanding);
    }
}

impl Driver {
    /// Makes a task that writes `opening` first. The tuple contains the state that the task shares
    /// with the handles.
    pub(super) fn new(
        opening: &Bytes,
        settings: ConnectionSettings,
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
            holds_written: false,
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
            settings,
            next_call,
            last_frame: Instant::now(),
            given_up: None,
            answered: false,
            told_late: false,
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
                // The callers that were answered may have their next operations ready before this
                // task runs again; these operations then share a call.
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
            let is_flushed = self.out.is_empty() && !self.holds_written;
            if !open && is_flushed && self.queue.is_empty() && self.calls.is_empty() {
                return;
            }
            if self.closed.load(Ordering::Acquire) {
                break broken(CLOSED);
            }
            let next_wake =
                [held, self.first, self.ops.earliest_deadline()].into_iter().flatten().min();
            if let Some(at) = next_wake
                && (alarm.is_elapsed() || at < alarm.deadline())
            {
                // The alarm may ring too early: that costs less than setting it for each operation.
                alarm.as_mut().reset(at);
            }
            let rings_at = next_wake.map(|_| alarm.deadline());
            let wants_any_op = takes && held.is_none();
            self.inbox.reserve(frame::missing(&self.inbox).clamp(READ_BYTES, AHEAD_BYTES));
            // The branches are in a fixed order, so that a seed always gives the same history. No
            // branch starves: alarms are rare, the socket limits what can be written and read, and
            // queued operations and commands were taken above.
            tokio::select! {
                biased;
                () = alarm.as_mut(), if rings_at.is_some() => self.time_out_late_ops(),
                _ = watch.tick(), if !self.pending.is_empty() || self.has_waiting() => {
                    // Callers whose deadline has passed get a timeout, and not the error of the
                    // connection that is given up below.
                    self.time_out_late_ops();
                    if let Some(error) = self.stall_error() {
                        let calls = self.outstanding as f64;
                        self.window.record_refused(calls, WindowCause::NoAnswer, Instant::now());
                        break error;
                    }
                    self.time_out_reads_without_first_answer();
                    self.window.restart_counts();
                    self.drop_abandoned_calls();
                }
                wrote = write_or_flush(&mut writer, &mut self.out), if !is_flushed => match wrote {
                    Ok(0) => self.holds_written = false,
                    Ok(n) => {
                        self.written += n as u64;
                        self.holds_written = self.settings.flushes;
                        free_if_large(&mut self.out);
                    }
                    Err(e) => break self.why_lost(&mut reader, &e),
                },
                read = reader.read_buf(&mut self.inbox) => {
                    if let Err(error) = self.handle_read(&read) {
                        break error;
                    }
                }
                () = poll_fn(|cx| self.ops.poll_wake(cx, wants_any_op, rings_at)), if open => {}
                command = commands.recv(), if takes => match command {
                    Some(command) => self.take(command),
                    None => open = false,
                },
            }
        };
        self.fail_all(error, commands).await;
    }

    /// Returns the reason why writing failed with `error`. If the server sent something before it
    /// closed the connection, the error that results from this is returned instead, because it
    /// explains more.
    fn why_lost<R: AsyncRead + Unpin>(&mut self, reader: &mut R, error: &io::Error) -> CallError {
        match reader.read_buf(&mut self.inbox).now_or_never() {
            Some(read) => self.handle_read(&read).err().unwrap_or_else(|| lost(error)),
            None => lost(error),
        }
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Call { call_id, frame, timeout, reply, is_lookup } => {
                if !reply.is_closed() {
                    let at = (Instant::now(), timeout);
                    let waiter =
                        if is_lookup { Waiter::Lookup(reply) } else { Waiter::Call(reply) };
                    self.register_call(call_id, (frame.len(), 0), at, waiter);
                    self.out.extend_from_slice(&frame);
                }
            }
            Command::Close => {}
            Command::Ops(ops) if self.window.is_limited() => self.calls.push_back(ops),
            Command::Ops(ops) => self.send_call(ops),
        }
    }

    /// Whether the task takes further operations and commands. Operations that wait for the window
    /// do not hold back other commands.
    fn takes(&self) -> bool {
        self.out.len() < OUT_BYTES
            && (self.queue.len() < MAX_QUEUED_COMMANDS || self.window.is_limited())
    }

    fn has_waiting(&self) -> bool {
        !self.queue.is_empty() || !self.calls.is_empty()
    }

    fn take_ops(&mut self) {
        let most = match self.window.is_limited() {
            true => usize::MAX,
            false => MAX_QUEUED_COMMANDS.saturating_sub(self.queue.len()),
        };
        let first = self.ops.take(most, &mut self.queue);
        self.first = self.first.into_iter().chain(first).min();
    }

    /// Fails all waiting callers with the error, which states whether any byte of their call was
    /// written.
    async fn fail_all(mut self, error: CallError, mut commands: mpsc::Receiver<Command>) {
        let error = self.broken.get_or_init(|| error).clone();
        self.observed.set_broken(error.to_string());
        let unsent = unsent(&error);
        for (_, pending) in self.pending.drain() {
            let sent = pending.offset < self.written;
            pending.waiter.fail(if sent { &error } else { &unsent });
        }
        for mut op in self.queue.drain(..).chain(self.ops.close()) {
            op.waiting.send_answer(Err(unsent.clone()));
        }
        for call in self.calls.drain(..) {
            drop(call.reply.send(Err(unsent.clone())));
        }
        commands.close();
        // Unlike `try_recv`, this also waits for a command that another thread is just sending.
        // Otherwise the command would stay in the channel, and its caller would get no error before
        // the deadline.
        while let Some(command) = commands.recv().await {
            match command {
                Command::Call { reply, .. } => drop(reply.send(Err(unsent.clone()))),
                Command::Close => {}
                Command::Ops(ops) => drop(ops.reply.send(Err(unsent.clone()))),
            }
        }
    }
}

/// Writes some of the bytes in `out`; if there are none, flushes the stream and returns 0.
async fn write_or_flush<W>(writer: &mut W, out: &mut BytesMut) -> io::Result<usize>
where
    W: AsyncWrite + Unpin,
{
    if out.is_empty() {
        return writer.flush().await.map(|()| 0);
    }
    match writer.write_buf(out).await {
        Ok(0) => Err(io::ErrorKind::WriteZero.into()),
        wrote => wrote,
    }
}

fn free_if_large(buffer: &mut BytesMut) {
    if buffer.is_empty() && buffer.capacity() > KEPT_BYTES {
        *buffer = BytesMut::new();
    }
}

/// Returns the error of a lost connection. A server that refuses the client in the TLS handshake
/// has read no call.
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
