//! Connections beyond those that a pool always has: as many as calls that last need.
//!
//! The service allows about a hundred calls at a time on a connection. A call that lasts, like the
//! reading of a partition of a change stream or a scan, counts among them for as long as its reader
//! reads it, and there may be thousands of such calls. Therefore each takes a place: one of the
//! half of the places that each connection of the pool has for such calls or, if none of these is
//! free, one of an extra connection, on which there are no other calls. An extra connection closes
//! when its last call ends.
//!
//! # Invariants
//!
//! - However many calls last, other calls are sent at once, and there are as many connections as
//!   the calls need. Tests:
//!   `sdk/src/backend/bigtable/tests/connections.rs::thousands_of_partitions_are_read_side_by_side`,
//!   `sdk/src/backend/bigtable/tests/connections.rs::scans_that_stand_still_leave_room_for_other_calls`.
//! - How often the service is dialed for extra connections does not depend on how many calls wait
//!   for them. Tests:
//!   `sdk/src/backend/bigtable/tests/connections.rs::a_service_that_takes_no_more_connections_is_not_dialed_often`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::{Connection, MAX_CALLS, Place};
use crate::backend::bigtable::failure::Failure;

/// The most connections that are opened at the same time.
const MAX_DIALS: usize = 8;

/// The connections of a pool that have no slot.
pub(super) struct ExtraConnections {
    state: Mutex<State>,
    /// A task that has not opened a connection for this long is no longer run.
    most: Duration,
}

struct State {
    /// The connections, which last as long as the calls on them: those that were opened for calls
    /// that last, and those that others have replaced in their slots. The newest is the last.
    connections: Vec<Weak<Connection>>,
    waiting: VecDeque<oneshot::Sender<Result<Place, Failure>>>,
    /// When the task that opens connections has begun its last attempt, if there is a task.
    opening: Option<Instant>,
    /// Why the last attempt has failed, if it has, and the earliest instant of the next attempt.
    failed: Option<(Failure, Instant)>,
}

/// The task that opens connections. If the runtime drops it, the calls that wait fail.
pub(super) struct OpeningTask<'a> {
    extra: &'a ExtraConnections,
    is_done: bool,
}

impl ExtraConnections {
    /// A task that opens connections takes at most the time `most` for an attempt.
    pub(super) fn new(most: Duration) -> Self {
        let state = State {
            connections: Vec::new(),
            waiting: VecDeque::new(),
            opening: None,
            failed: None,
        };
        Self { state: Mutex::new(state), most }
    }

    /// Why the last attempt to open a connection has failed, if it has.
    pub(super) fn last_failure(&self) -> Option<Failure> {
        self.state().failed.as_ref().map(|(failure, _)| failure.clone())
    }

    /// Returns the connections that are still there.
    pub(super) fn connections(&self) -> Vec<Arc<Connection>> {
        self.state().connections.iter().filter_map(Weak::upgrade).collect()
    }

    /// Keeps a connection that another has replaced, as long as there are calls on it.
    pub(super) fn keep(&self, replaced: &Arc<Connection>) {
        self.state().add(replaced);
    }

    /// Takes a place on one of the connections that `is_usable`.
    pub(super) fn take_place(&self, is_usable: impl Fn(&Connection) -> bool) -> Option<Place> {
        let state = self.state();
        // The newest connections are the ones that have free places while their number grows.
        let connections = state.connections.iter().rev().filter_map(Weak::upgrade);
        connections.filter(|connection| is_usable(connection)).find_map(|of| of.take_place())
    }

    /// Returns a receiver that gets a place when there is one, or the failure to open a connection,
    /// and whether the caller has to start the task that opens connections.
    pub(super) fn wait(&self) -> (oneshot::Receiver<Result<Place, Failure>>, bool) {
        let (sender, receiver) = oneshot::channel();
        let now = Instant::now();
        let mut state = self.state();
        state.waiting.push_back(sender);
        // A task does not open connections any more if its runtime is no longer run.
        let is_run = state.opening.is_some_and(|begun| now < begun + self.most);
        if !is_run {
            state.opening = Some(now);
        }
        (receiver, !is_run)
    }

    /// Gives the places of a new connection to the calls that wait. If none waits any more, the
    /// connection closes.
    pub(super) fn add(&self, connection: &Arc<Connection>) {
        let mut state = self.state();
        state.add(connection);
        state.failed = None;
        while let Some(waiting) = state.waiting.pop_front() {
            if waiting.is_closed() {
                continue;
            }
            match connection.take_place() {
                // A receiver that has gone away meanwhile gives its place back.
                Some(place) => drop(waiting.send(Ok(place))),
                None => {
                    state.waiting.push_front(waiting);
                    break;
                }
            }
        }
    }

    /// Fails all calls that wait. The next connection is opened at `next` or later.
    pub(super) fn fail(&self, failure: &Failure, next: Instant) {
        let mut state = self.state();
        state.failed = Some((failure.clone(), next));
        for waiting in state.waiting.drain(..) {
            let _ = waiting.send(Err(failure.clone()));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> OpeningTask<'a> {
    pub(super) fn new(extra: &'a ExtraConnections) -> Self {
        Self { extra, is_done: false }
    }

    /// Returns when to open connections, and how many; `None` if no call waits for one. The task
    /// ends then.
    pub(super) fn next(&mut self) -> Option<(Instant, usize)> {
        let mut state = self.extra.state();
        state.waiting.retain(|waiting| !waiting.is_closed());
        // A service that has just refused a connection is asked for one only.
        let most = if state.failed.is_some() { 1 } else { MAX_DIALS };
        let wanted = state.waiting.len().div_ceil(MAX_CALLS as usize).min(most);
        let now = Instant::now();
        let at = state.failed.as_ref().map_or(now, |(_, next)| now.max(*next));
        self.is_done = wanted == 0;
        state.opening = (!self.is_done).then_some(at);
        (!self.is_done).then_some((at, wanted))
    }
}

impl Drop for OpeningTask<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut state = self.extra.state();
            state.opening = None;
            state.waiting.clear();
        }
    }
}

impl State {
    fn add(&mut self, connection: &Arc<Connection>) {
        self.connections.retain(|known| known.strong_count() > 0);
        self.connections.push(Arc::downgrade(connection));
    }
}
