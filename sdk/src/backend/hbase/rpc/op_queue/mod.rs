//! The queue of operations that wait for the task of a connection. The queue decides for which
//! operations the task is woken.
//!
//! A task that may not send a further call now is not woken for each operation, but only for
//! operations whose deadline is before the time at which the task wakes by itself. So the task
//! wakes once for many operations.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::command::{MAX_QUEUED_COMMANDS, QueuedOp};

/// The sending half of the queue, through which callers add operations.
pub(super) struct OpSender(Arc<OpQueue>);

/// The receiving half of the queue, from which the task takes operations. Operations that were not
/// taken are dropped together with this half.
pub(super) struct OpReceiver(Arc<OpQueue>);

#[derive(Default)]
struct OpQueue {
    state: Mutex<State>,
    /// Whether `state` is full, for callers that do not take the lock.
    is_full: AtomicBool,
    /// Notified when the queue has room again.
    room: Notify,
}

#[derive(Default)]
struct State {
    ops: VecDeque<QueuedOp>,
    /// A lower bound of the deadlines of these operations.
    first: Option<Instant>,
    /// Whether a sender waits for room. A sender that was notified notifies the next waiting
    /// sender.
    is_awaited: bool,
    task: Option<Waker>,
    /// Whether the task wants to be woken for any operation.
    wants_any_op: bool,
    /// When the task wakes by itself.
    next_wake: Option<Instant>,
    is_closed: bool,
}

impl OpQueue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_full(&self) -> bool {
        self.ops.len() >= MAX_QUEUED_COMMANDS
    }

    /// Whether the task has to be woken for an operation with this deadline.
    fn is_news(&self, deadline: Instant) -> bool {
        self.wants_any_op || self.next_wake.is_none_or(|at| deadline < at)
    }
}

/// Why an operation was not added.
pub(super) enum PushError {
    /// The task is gone, and the operation was dropped.
    Closed,
    /// The queue is full. If [`OpSender::push`] returns this, the queue was full until the deadline
    /// of the operation.
    Full(QueuedOp),
}

/// Makes a queue, and returns its two halves.
pub(super) fn op_queue() -> (OpSender, OpReceiver) {
    let queue = Arc::new(OpQueue::default());
    (OpSender(queue.clone()), OpReceiver(queue))
}

impl OpSender {
    pub(super) fn is_full(&self) -> bool {
        self.0.is_full.load(Ordering::Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.0.lock().ops.len()
    }

    /// Adds an operation, if there is room.
    pub(super) fn try_push(&self, op: QueuedOp) -> Result<(), PushError> {
        let mut state = self.0.lock();
        if state.is_closed {
            return Err(PushError::Closed);
        }
        if state.is_full() {
            state.is_awaited = true;
            return Err(PushError::Full(op));
        }
        let is_news = state.is_news(op.waiting.deadline);
        state.first =
            Some(state.first.map_or(op.waiting.deadline, |first| first.min(op.waiting.deadline)));
        state.ops.push_back(op);
        let is_full = state.is_full();
        if is_full {
            self.0.is_full.store(true, Ordering::Relaxed);
        }
        let task = if is_news || is_full { state.task.take() } else { None };
        drop(state);
        if let Some(task) = task {
            task.wake();
        }
        Ok(())
    }

    /// Adds an operation that was refused because the queue was full, as soon as there is room.
    pub(super) async fn push(&self, mut op: QueuedOp) -> Result<(), PushError> {
        loop {
            if timeout_at(op.waiting.deadline, self.0.room.notified()).await.is_err() {
                return Err(PushError::Full(op));
            }
            match self.try_push(op) {
                Err(PushError::Full(refused)) => op = refused,
                done => {
                    self.0.room.notify_one();
                    return done;
                }
            }
        }
    }
}

impl OpReceiver {
    /// Moves up to `most` operations into `to`, oldest first. Returns a lower bound of the
    /// deadlines of these operations; `None` if no operation was moved.
    pub(super) fn take(&self, most: usize, to: &mut VecDeque<QueuedOp>) -> Option<Instant> {
        let mut state = self.0.lock();
        let taken = state.ops.len().min(most);
        if taken == 0 {
            return None;
        }
        let first = state.first;
        if to.is_empty() && taken == state.ops.len() {
            std::mem::swap(&mut state.ops, to);
        } else {
            to.extend(state.ops.drain(..taken));
        }
        if state.ops.is_empty() {
            state.first = None;
        }
        self.0.is_full.store(state.is_full(), Ordering::Relaxed);
        let is_awaited = std::mem::take(&mut state.is_awaited);
        drop(state);
        if is_awaited {
            self.0.room.notify_one();
        }
        first
    }

    /// A lower bound of the deadlines of the waiting operations.
    pub(super) fn earliest_deadline(&self) -> Option<Instant> {
        self.0.lock().first
    }

    /// Takes the operations whose deadline has passed.
    pub(super) fn take_late(&self, now: Instant) -> Vec<QueuedOp> {
        let mut state = self.0.lock();
        if state.first.is_none_or(|first| now < first) {
            return Vec::new();
        }
        let (mut late, mut ops) = (Vec::new(), VecDeque::with_capacity(state.ops.len()));
        for op in state.ops.drain(..) {
            if op.waiting.deadline <= now { late.push(op) } else { ops.push_back(op) }
        }
        state.first = ops.iter().map(|op| op.waiting.deadline).min();
        state.ops = ops;
        self.0.is_full.store(state.is_full(), Ordering::Relaxed);
        let is_awaited = std::mem::take(&mut state.is_awaited);
        drop(state);
        if is_awaited {
            self.0.room.notify_one();
        }
        late
    }

    /// Is ready if the queue contains an operation for which the task has to be woken: any
    /// operation if `wants_any_op` is true, otherwise an operation whose deadline is before
    /// `next_wake`, the time at which the task wakes by itself.
    pub(super) fn poll_wake(
        &self,
        cx: &mut Context<'_>,
        wants_any_op: bool,
        next_wake: Option<Instant>,
    ) -> Poll<()> {
        let mut state = self.0.lock();
        (state.wants_any_op, state.next_wake) = (wants_any_op, next_wake);
        if state.first.is_some_and(|first| state.is_news(first)) {
            return Poll::Ready(());
        }
        if !state.task.as_ref().is_some_and(|task| task.will_wake(cx.waker())) {
            state.task = Some(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Stops accepting operations, and returns the operations that still wait.
    pub(super) fn close(&self) -> VecDeque<QueuedOp> {
        let mut state = self.0.lock();
        state.is_closed = true;
        let ops = std::mem::take(&mut state.ops);
        drop(state);
        self.0.room.notify_one();
        ops
    }
}

impl Drop for OpReceiver {
    fn drop(&mut self) {
        drop(self.close());
    }
}

#[cfg(test)]
mod tests;
