//! A pool of connections to one endpoint. Each call is sent on the open connection that has the
//! fewest calls under way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use super::connection::Connection;
use super::dial::Dialer;
use crate::backend::bigtable::failure::Failure;
use crate::config::dialing::{ReopenNotifier, SharedDialer};

/// The service ends a connection after an hour, together with the calls on it. A connection is
/// replaced before that, at a random age from `OLD_AFTER` to `OLD_AFTER` + `OLD_WITHIN`.
const OLD_AFTER: Duration = Duration::from_secs(45 * 60);
const OLD_WITHIN: Duration = Duration::from_secs(10 * 60);
/// The base of the pause after failed attempts to open a connection. After n failed attempts in a
/// row, the longest pause is `FIRST_PAUSE` * 2^n, but at most `LONGEST_PAUSE`; the actual pause is
/// a random part of it, from 50 to 100 %.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// A function that makes a new connection ready for its first call.
pub(crate) type Warmer = Arc<dyn Fn(Arc<Connection>) -> BoxFuture<'static, ()> + Send + Sync>;

/// The state of a connection of a pool.
pub(crate) struct ConnectionState {
    pub(crate) is_open: bool,
    /// The number of calls under way on the connection.
    pub(crate) call_count: usize,
}

pub(crate) struct Pool {
    dial: Dialer,
    warmer: Option<Warmer>,
    slots: Vec<Slot>,
    /// Opens a connection for all callers that wait while no connection is open.
    dialing: SharedDialer<Failure>,
    reopened: Arc<ReopenNotifier>,
    closed: AtomicBool,
}

/// The place of one connection.
struct Slot {
    state: Mutex<State>,
}

struct State {
    connection: Option<Arc<Connection>>,
    /// Whether another connection is being opened.
    opening: bool,
    /// The age at which the connection is replaced.
    old_at: Duration,
    failures: u32,
    /// The earliest instant at which another connection may be opened.
    next: Instant,
}

impl Pool {
    /// Makes a pool of `connections` connections, or of one connection if `connections` is 0. While
    /// no connection is open, at least the time `min_dial_interval` passes from the start of an
    /// attempt to open a connection to the start of the next attempt.
    pub(crate) fn new(dial: Dialer, connections: usize, min_dial_interval: Duration) -> Self {
        let slot = |_| Slot {
            state: Mutex::new(State {
                connection: None,
                opening: false,
                old_at: OLD_AFTER + OLD_WITHIN.mul_f64(fastrand::f64()),
                failures: 0,
                next: Instant::now(),
            }),
        };
        Self {
            dialing: SharedDialer::new(min_dial_interval, dial.timeout),
            reopened: Arc::default(),
            dial,
            warmer: None,
            slots: (0..connections.max(1)).map(slot).collect(),
            closed: AtomicBool::new(false),
        }
    }

    /// Makes the pool call `warmer` for each connection that it opens in the background, before the
    /// connection is used.
    pub(crate) fn with_warmer(mut self, warmer: Warmer) -> Self {
        self.warmer = Some(warmer);
        self
    }

    pub(crate) fn server(&self) -> &Arc<str> {
        &self.dial.about.server
    }

    /// Returns the state of each connection.
    pub(crate) fn connection_states(&self) -> Vec<ConnectionState> {
        let of = |slot: &Slot| {
            let state = slot.state();
            let connection = state.connection.as_ref()?;
            Some(ConnectionState {
                is_open: connection.is_open(),
                call_count: connection.call_count(),
            })
        };
        self.slots.iter().filter_map(of).collect()
    }

    /// The notifier of operations that wait until there is a connection again.
    pub(crate) fn reopen_notifier(&self) -> &Arc<ReopenNotifier> {
        &self.reopened
    }

    /// Ends all connections and the calls on them, and opens no more.
    pub(crate) fn abort_connections(&self) {
        self.closed.store(true, Ordering::Release);
        for slot in &self.slots {
            if let Some(connection) = slot.state().connection.take() {
                connection.abort();
            }
        }
        self.dialing.wake_waiters();
    }

    /// Returns a connection for a call that begins at `now`. If none is open, this function waits
    /// until the deadline for one.
    pub(crate) async fn connection(
        self: &Arc<Self>,
        now: Instant,
        deadline: Instant,
    ) -> Result<Arc<Connection>, Failure> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Failure::closed());
        }
        match self.least_loaded(now) {
            Some(connection) => Ok(connection),
            // This future is rarely needed. It is on the heap so that it takes no space in the
            // future of each call.
            None => self.open_first(deadline).boxed().await,
        }
    }

    /// Opens a connection when there is none, and waits for it until the deadline.
    async fn open_first(self: &Arc<Self>, deadline: Instant) -> Result<Arc<Connection>, Failure> {
        let find = || match self.least_loaded(Instant::now()) {
            Some(connection) => Some(Ok(connection)),
            None => self.closed.load(Ordering::Acquire).then(|| Err(Failure::closed())),
        };
        let start = |task| {
            let pool = self.clone();
            tokio::spawn(async move {
                pool.dialing.run(task, &pool.reopened, |_| false, || pool.dial_first()).await;
            });
        };
        let lost = || {
            let last = self.slots.first().and_then(|slot| slot.state().connection.clone());
            let why = last.and_then(|connection| connection.why_gone());
            let why = why.unwrap_or_else(|| "the service ended it as soon as it was open".into());
            Failure::not_sent(format!("the connection broke: {why}"))
        };
        let since = Instant::now();
        match timeout_at(deadline, self.dialing.get_or_dial(find, lost, start)).await {
            Ok(found) => found,
            Err(_) => {
                let waited = since.elapsed().as_secs_f64();
                Err(Failure::not_sent(format!("no connection was opened within {waited:.1} s")))
            }
        }
    }

    async fn dial_first(&self) -> Result<(), Failure> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Failure::closed());
        }
        let connection = self.dial.open().await.map_err(Failure::not_sent)?;
        if let Some(slot) = self.slots.first() {
            self.put(slot, connection);
        }
        Ok(())
    }

    /// Returns the open connection with the fewest calls. If a connection is missing, has ended or
    /// is old, a new one is opened in the background.
    fn least_loaded(self: &Arc<Self>, now: Instant) -> Option<Arc<Connection>> {
        let mut best: Option<(usize, Arc<Connection>)> = None;
        let mut missing: Option<(usize, bool)> = None;
        for (at, slot) in self.slots.iter().enumerate() {
            let state = slot.state();
            let open = state.connection.as_ref().filter(|connection| connection.is_open());
            let is_old = open.is_some_and(|connection| connection.age(now) >= state.old_at);
            // An old connection is replaced first: the service may end it, and the calls on it, at
            // any time.
            if (open.is_none() || is_old)
                && !state.opening
                && state.next <= now
                && missing.is_none_or(|(_, other_is_old)| is_old && !other_is_old)
            {
                missing = Some((at, is_old));
            }
            if let Some(connection) = open {
                let calls = connection.call_count();
                if best.as_ref().is_none_or(|(fewest, _)| calls < *fewest) {
                    best = Some((calls, connection.clone()));
                }
            }
        }
        let (calls, connection) = best?;
        // As long as no other call is under way, a missing connection is not needed.
        if let Some((at, is_old)) = missing
            && (is_old || calls > 0)
        {
            self.open_in_background(at);
        }
        Some(connection)
    }

    fn open_in_background(self: &Arc<Self>, at: usize) {
        let Some(slot) = self.slots.get(at) else { return };
        if std::mem::replace(&mut slot.state().opening, true) {
            return;
        }
        let pool = self.clone();
        tokio::spawn(async move {
            let opened = pool.dial.open().await;
            let Some(slot) = pool.slots.get(at) else { return };
            match opened {
                Ok(connection) => {
                    if let Some(warmer) = &pool.warmer {
                        warmer(connection.clone()).await;
                    }
                    pool.put(slot, connection);
                }
                Err(_) => {
                    let mut state = slot.state();
                    state.opening = false;
                    state.failures = state.failures.saturating_add(1);
                    let pause = FIRST_PAUSE.saturating_mul(1 << state.failures.min(10));
                    let pause = pause.min(LONGEST_PAUSE).mul_f64(0.5 + fastrand::f64() / 2.0);
                    state.next = Instant::now() + pause;
                }
            }
        });
    }

    /// Puts a connection into its slot. Calls on the previous connection continue.
    fn put(&self, slot: &Slot, connection: Arc<Connection>) {
        let mut state = slot.state();
        state.opening = false;
        state.failures = 0;
        // If the service ends this connection at once, the pool does not dial again at once.
        state.next = Instant::now() + self.dialing.min_interval();
        state.old_at = OLD_AFTER + OLD_WITHIN.mul_f64(fastrand::f64());
        if self.closed.load(Ordering::Acquire) {
            connection.abort();
        }
        state.connection = Some(connection);
    }
}

impl Slot {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.abort_connections();
    }
}
