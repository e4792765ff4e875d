//! The server: what it answers to the requests of a session.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::BytesMut;
use fastrand::Rng;
use tallrow_wire::zookeeper::{
    Answer, BAD_ARGUMENTS, ConnectRequest, NO_AUTH, NO_NODE, Operation, UNIMPLEMENTED, WatchEvent,
    WatchList, encode_reply,
};
use tokio::sync::watch;

use super::contents::znodes_of;
use super::sessions::{OpenSession, Sessions};
use super::watches::Watches;
use super::znode_tree::{WatchKind, ZnodeTree};
use crate::base::{limits, lock};
use crate::state::Cluster;

/// The only server of ZooKeeper.
#[derive(Debug)]
pub(crate) struct ZooKeeper {
    cluster: Arc<Cluster>,
    state: Mutex<State>,
    connections: AtomicUsize,
}

#[derive(Debug)]
struct State {
    znodes: ZnodeTree,
    sessions: Sessions,
}

/// One of the connections that may be open at the same time.
#[derive(Debug)]
pub(crate) struct ConnectionPermit<'a>(&'a ZooKeeper);

impl Drop for ConnectionPermit<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a connection does after it has written a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterReply {
    /// It waits for the next request.
    Continue,
    /// It closes.
    Close,
}

impl ZooKeeper {
    /// Makes a server with the znodes of a cluster.
    pub(crate) fn new(cluster: Arc<Cluster>, mut random: Rng) -> Self {
        let znodes = ZnodeTree::new(random.fork());
        let state = State { znodes, sessions: Sessions::new(random) };
        Self { cluster, state: Mutex::new(state), connections: AtomicUsize::new(0) }
    }

    /// Admits a connection, unless there are too many. Sessions that have expired are forgotten
    /// first.
    pub(crate) fn admit(&self) -> Option<ConnectionPermit<'_>> {
        lock(&self.state).sessions.remove_expired();
        let permit = ConnectionPermit(self);
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        (before < limits::ZOOKEEPER_CONNECTIONS).then_some(permit)
    }

    /// Returns a receiver that is told whenever znodes may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.cluster.registry_changes()
    }

    /// Opens a session, or continues the one that the client names. Returns `None` if that session
    /// is over, or if there are too many sessions.
    pub(crate) fn open_session(&self, request: &ConnectRequest) -> Option<OpenSession> {
        let mut state = lock(&self.state);
        state.refresh(&self.cluster);
        let timeout_ms = request.session_timeout_ms;
        match request.session_id {
            0 => {
                state.znodes.begin_transaction();
                state.sessions.open(timeout_ms)
            }
            id => state.sessions.resume(id, &request.password, timeout_ms),
        }
    }

    /// Records that something was received from a session.
    pub(crate) fn touch(&self, session: i64) {
        lock(&self.state).sessions.touch(session);
    }

    /// Ends a session.
    pub(crate) fn end_session(&self, session: i64) {
        let mut state = lock(&self.state);
        state.znodes.begin_transaction();
        state.sessions.end(session);
    }

    /// Appends the events of the watches that have fired.
    pub(crate) fn notify(&self, watches: &mut Watches, out: &mut BytesMut) {
        let mut state = lock(&self.state);
        state.refresh(&self.cluster);
        watches.take_fired(&state.znodes).iter().for_each(|event| event.encode(out));
    }

    /// Appends the reply to a request. The events that are older than the reply are appended before
    /// it.
    pub(crate) fn reply(
        &self,
        xid: i32,
        operation: Result<&Operation, i32>,
        watches: &mut Watches,
        out: &mut BytesMut,
    ) -> AfterReply {
        let mut state = lock(&self.state);
        state.refresh(&self.cluster);
        let (answer, mut after) = match operation {
            Ok(Operation::SetWatches(list)) => {
                (Ok(Answer::Empty), state.set_watches(list, watches, out))
            }
            Ok(operation) => state.answer(operation, watches),
            Err(code) => (Err(code), AfterReply::Continue),
        };
        if matches!(operation, Ok(Operation::Unknown(_) | Operation::Close)) {
            after = AfterReply::Close;
        }
        watches.take_fired(&state.znodes).iter().for_each(|event| event.encode(out));
        let answer = answer.as_ref().map_err(|code| *code);
        encode_reply(xid, state.znodes.last_zxid(), answer, out);
        after
    }

    /// Returns the answer to `srvr`: the state of the server, for people and for tools.
    pub(crate) fn status(&self) -> String {
        let mut state = lock(&self.state);
        state.refresh(&self.cluster);
        let connections = self.connections.load(Ordering::Relaxed);
        let (zxid, znodes) = (state.znodes.last_zxid(), state.znodes.len());
        format!(
            "Zookeeper version: 3.8.4-tallrow-mock, built on 2024-02-12 22:16 UTC\n\
             Latency min/avg/max: 0/0.0/0\nReceived: 0\nSent: 0\nConnections: {connections}\n\
             Outstanding: 0\nZxid: {zxid:#x}\nMode: standalone\nNode count: {znodes}\n"
        )
    }
}

impl State {
    /// Makes the znodes those of the cluster as it is now.
    fn refresh(&mut self, cluster: &Cluster) {
        let wanted = znodes_of(cluster);
        let now = i64::try_from(cluster.clock.now()).unwrap_or(i64::MAX);
        self.znodes.update(wanted, now, &mut self.sessions);
    }

    fn answer(
        &self,
        operation: &Operation,
        watches: &mut Watches,
    ) -> (Result<Answer, i32>, AfterReply) {
        let mut after = AfterReply::Continue;
        let mut set_watch = |kind, path: &str| {
            if !watches.add(kind, path, self.znodes.last_zxid()) {
                after = AfterReply::Close;
            }
        };
        let stat = |path: &str| self.znodes.stat(path).ok_or(NO_NODE);
        let answer = match operation {
            Operation::Exists { path, .. } if path.contains('\0') => Err(BAD_ARGUMENTS),
            Operation::Exists { path, watch } => {
                let found = stat(path);
                if *watch {
                    let kind = if found.is_ok() { WatchKind::Data } else { WatchKind::Missing };
                    set_watch(kind, path);
                }
                found.map(Answer::Stat)
            }
            Operation::GetData { path, watch } => stat(path).map(|stat| {
                if *watch {
                    set_watch(WatchKind::Data, path);
                }
                Answer::Data(self.znodes.data(path).unwrap_or_default(), stat)
            }),
            Operation::GetChildren { path, watch, with_stat } => stat(path).map(|stat| {
                if *watch {
                    set_watch(WatchKind::Children, path);
                }
                let names = self.znodes.children(path).map(str::to_owned).collect();
                Answer::Children(names, with_stat.then_some(stat))
            }),
            Operation::GetAcl { path } => stat(path).map(Answer::OpenAcl),
            Operation::Sync { path } => Ok(Answer::Path(path.clone())),
            Operation::Ping | Operation::Auth | Operation::Close | Operation::SetWatches(_) => {
                Ok(Answer::Empty)
            }
            // The znodes follow from the state of the cluster.
            Operation::Change(_) => Err(NO_AUTH),
            Operation::Unknown(_) => Err(UNIMPLEMENTED),
        };
        (answer, after)
    }

    /// Sets the watches that a client had on its previous connection. Appends the events of the
    /// watches whose znodes have changed since the client saw them.
    fn set_watches(
        &self,
        list: &WatchList,
        watches: &mut Watches,
        out: &mut BytesMut,
    ) -> AfterReply {
        let kinds = [
            (WatchKind::Data, &list.data),
            (WatchKind::Missing, &list.missing),
            (WatchKind::Children, &list.children),
        ];
        for (kind, paths) in kinds {
            for path in paths {
                match self.znodes.missed_event_since(kind, path, list.last_zxid_seen) {
                    Some(kind) => WatchEvent { kind, path: path.clone() }.encode(out),
                    None if watches.add(kind, path, self.znodes.last_zxid()) => {}
                    None => return AfterReply::Close,
                }
            }
        }
        AfterReply::Continue
    }
}
