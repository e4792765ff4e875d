//! Sessions. A session outlives its connections; it ends if nothing is received for its timeout.
//!
//! # Invariants
//!
//! - A session is continued by at most one connection, and by none after its timeout. Tests:
//!   `a_session_is_continued_once_and_until_its_timeout`,
//!   `mock-server/tests/suite/zookeeper/sessions.rs::a_session_expires_when_nothing_is_received`.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use fastrand::Rng;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::base::limits;

/// The first session id. In ZooKeeper, the highest byte is the number of the server.
const FIRST_ID: i64 = 0x0100_0000_0000_0000;

/// The length of a password.
const PASSWORD_LEN: usize = 16;

/// The sessions of all clients.
#[derive(Debug)]
pub(super) struct Sessions {
    next_id: i64,
    random: Rng,
    by_id: HashMap<i64, Session>,
    /// When the sessions that had expired were last removed.
    last_removal: Instant,
}

#[derive(Debug)]
struct Session {
    password: Bytes,
    timeout: Duration,
    last_heard: Instant,
    /// Dropped when another connection continues the session, or when the session ends.
    _connection: oneshot::Sender<Infallible>,
}

/// A session, as its connection holds it.
#[derive(Debug)]
pub(crate) struct OpenSession {
    /// The id.
    pub(crate) id: i64,
    /// The password with which another connection may continue the session.
    pub(crate) password: Bytes,
    /// The time after which the session expires if nothing is received.
    pub(crate) timeout: Duration,
    /// Ends when the session is no longer that of this connection.
    pub(crate) lost: oneshot::Receiver<Infallible>,
}

impl Sessions {
    /// Makes a table without sessions.
    pub(super) fn new(random: Rng) -> Self {
        Self { next_id: FIRST_ID, random, by_id: HashMap::new(), last_removal: Instant::now() }
    }

    /// Returns an id that no session has had.
    pub(super) fn next_id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    /// Removes the sessions that have expired and frees their memory, unless that was done a short
    /// time ago.
    pub(super) fn remove_expired(&mut self) {
        if self.last_removal.elapsed() >= Duration::from_millis(limits::MIN_SESSION_TIMEOUT_MS) {
            self.by_id.retain(|_, session| !session.is_expired());
            self.by_id.shrink_to_fit();
            self.last_removal = Instant::now();
        }
    }

    /// Opens a session with about the timeout that the client asks for; `None` if there are too
    /// many sessions.
    pub(super) fn open(&mut self, timeout_ms: i32) -> Option<OpenSession> {
        self.remove_expired();
        if self.by_id.len() >= limits::ZOOKEEPER_SESSIONS {
            return None;
        }
        let id = self.next_id();
        let password = std::iter::repeat_with(|| self.random.u8(..)).take(PASSWORD_LEN).collect();
        Some(self.connect(id, password, timeout_ms))
    }

    /// Continues a session on another connection; `None` if the session does not exist any more, or
    /// if the password is wrong.
    pub(super) fn resume(
        &mut self,
        id: i64,
        password: &Bytes,
        timeout_ms: i32,
    ) -> Option<OpenSession> {
        let session = self.by_id.get(&id).filter(|session| !session.is_expired())?;
        if session.password != *password {
            return None;
        }
        Some(self.connect(id, password.clone(), timeout_ms))
    }

    /// Records that something was received.
    pub(super) fn touch(&mut self, id: i64) {
        if let Some(session) = self.by_id.get_mut(&id) {
            session.last_heard = Instant::now();
        }
    }

    /// Ends a session.
    pub(super) fn end(&mut self, id: i64) {
        self.by_id.remove(&id);
    }

    fn connect(&mut self, id: i64, password: Bytes, timeout_ms: i32) -> OpenSession {
        let timeout_ms = u64::try_from(timeout_ms).unwrap_or(0);
        let (min, max) = (limits::MIN_SESSION_TIMEOUT_MS, limits::MAX_SESSION_TIMEOUT_MS);
        let timeout = Duration::from_millis(timeout_ms.clamp(min, max));
        let (connection, lost) = oneshot::channel();
        let session = Session {
            password: password.clone(),
            timeout,
            last_heard: Instant::now(),
            _connection: connection,
        };
        self.by_id.insert(id, session);
        OpenSession { id, password, timeout, lost }
    }
}

impl Session {
    fn is_expired(&self) -> bool {
        self.last_heard.elapsed() >= self.timeout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_session_is_continued_once_and_until_its_timeout() {
        let mut sessions = Sessions::new(Rng::with_seed(0));
        let first = sessions.open(90_000).unwrap();
        assert_eq!(first.timeout, Duration::from_secs(40));
        assert!(sessions.resume(first.id, &Bytes::from_static(b"guess"), 1).is_none());
        let second = sessions.resume(first.id, &first.password, 1).unwrap();
        assert_eq!(second.timeout, Duration::from_secs(4));
        assert!(first.lost.await.is_err(), "the first connection has lost it");
        tokio::time::advance(Duration::from_secs(3)).await;
        sessions.touch(second.id);
        tokio::time::advance(Duration::from_secs(3)).await;
        let third = sessions.resume(second.id, &second.password, 4_000).unwrap();
        tokio::time::advance(Duration::from_secs(4)).await;
        assert!(sessions.resume(third.id, &third.password, 4_000).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn the_sessions_are_bounded_and_old_ones_make_room() {
        let mut sessions = Sessions::new(Rng::with_seed(0));
        let all: Vec<_> = std::iter::from_fn(|| sessions.open(4_000)).collect();
        assert_eq!(all.len(), limits::ZOOKEEPER_SESSIONS);
        tokio::time::advance(Duration::from_secs(4)).await;
        assert!(sessions.open(4_000).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn expired_sessions_take_no_memory() {
        let mut sessions = Sessions::new(Rng::with_seed(0));
        for _ in 0..100 {
            sessions.open(4_000).unwrap();
        }
        let kept = sessions.open(40_000).unwrap();
        tokio::time::advance(Duration::from_secs(5)).await;
        sessions.remove_expired();
        assert_eq!(sessions.by_id.keys().collect::<Vec<_>>(), [&kept.id]);
        assert!(sessions.by_id.capacity() < 100);
    }
}
