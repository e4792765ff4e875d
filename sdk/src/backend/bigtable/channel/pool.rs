//! A pool of connections to one endpoint. Each call is sent on the open connection that has the
//! fewest calls under way; for calls that last, further connections are opened.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connection::{Connection, Place, Purpose};
use super::dial::Dialer;
use super::extra::{ExtraConnections, OpeningTask};
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
    extra: ExtraConnections,
    /// Opens a connection for all callers that wait while no connection is open.
    dialing: SharedDialer<Failure>,
    reopened: Arc<ReopenNotifier>,
    /// Notified when the opening of a connection has ended.
    opened: Notify,
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
    /// When the connection is to be replaced.
    old_at: Instant,
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
                old_at: Instant::now(),
                failures: 0,
                next: Instant::now(),
            }),
        };
        Self {
            extra: ExtraConnections::new(min_dial_interval + dial.timeout * 4),
            dialing: SharedDialer::new(min_dial_interval, dial.timeout),
            reopened: Arc::default(),
            opened: Notify::new(),
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
        let of = |connection: Arc<Connection>| ConnectionState {
            is_open: connection.is_open(),
            call_count: connection.call_count(),
        };
        let slots = self.slots.iter().filter_map(|slot| slot.state().connection.clone());
        slots.chain(self.extra.connections()).map(of).collect()
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
        self.extra.connections().iter().for_each(|connection| connection.abort());
        self.extra.fail(&Failure::closed(), Instant::now());
        self.dialing.wake_waiters();
        self.opened.notify_waiters();
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
            Some(connection) if !self.is_worth_waiting(&connection) => Ok(connection),
            // These futures are rarely needed. They are on the heap so that they take no space in
            // the future of each call.
            Some(_) => self.wait_for_room(deadline).boxed().await,
            None => self.open_first(deadline).boxed().await,
        }
    }

    /// Whether a call is better sent on a connection that is being opened than on this one, which
    /// has the fewest calls.
    fn is_worth_waiting(&self, least_loaded: &Connection) -> bool {
        least_loaded.is_full() && self.slots.iter().any(|slot| slot.state().opening)
    }

    /// Waits until the deadline for a connection that is being opened, as long as all others are
    /// full.
    async fn wait_for_room(
        self: &Arc<Self>,
        deadline: Instant,
    ) -> Result<Arc<Connection>, Failure> {
        loop {
            let mut opened = pin!(self.opened.notified());
            opened.as_mut().enable();
            if self.closed.load(Ordering::Acquire) {
                return Err(Failure::closed());
            }
            match self.least_loaded(Instant::now()) {
                None => return self.open_first(deadline).await,
                Some(connection) if !self.is_worth_waiting(&connection) => return Ok(connection),
                Some(connection) => {
                    if timeout_at(deadline, opened).await.is_err() {
                        return Ok(connection);
                    }
                }
            }
        }
    }

    /// Returns a place for a call that lasts and begins at `now`. If no place is free, this function
    /// opens another connection and waits until the deadline for it.
    pub(crate) async fn place(
        self: &Arc<Self>,
        now: Instant,
        deadline: Instant,
    ) -> Result<Place, Failure> {
        let least_loaded = self.connection(now, deadline).await?;
        let is_new = |connection: &Connection| connection.age(now) < OLD_AFTER;
        let of_slot = |slot: &Slot| {
            let state = slot.state();
            let usable = state.connection.as_ref().filter(|connection| is_new(connection));
            usable.and_then(Connection::take_place)
        };
        let place = Some(least_loaded).filter(|of| is_new(of)).and_then(|of| of.take_place());
        let place = place.or_else(|| self.slots.iter().find_map(of_slot));
        match place.or_else(|| self.extra.take_place(is_new)) {
            Some(place) => Ok(place),
            // Like the future of `open_first`, this one is rarely needed.
            None => self.wait_for_place(deadline).boxed().await,
        }
    }

    /// Waits until the deadline for a place on a connection that is opened.
    async fn wait_for_place(self: &Arc<Self>, deadline: Instant) -> Result<Place, Failure> {
        let since = Instant::now();
        let (place, starts) = self.extra.wait();
        if starts {
            tokio::spawn(self.clone().open_extra());
        }
        match timeout_at(deadline, place).await {
            Ok(Ok(place)) => place,
            Ok(Err(_)) => Err(Failure::not_sent("the runtime that opened a connection has ended")),
            Err(_) => Err(self.extra.last_failure().unwrap_or_else(|| no_connection(since))),
        }
    }

    /// Opens extra connections as long as calls wait for them.
    async fn open_extra(self: Arc<Self>) {
        let mut task = OpeningTask::new(&self.extra);
        while let Some((at, wanted)) = task.next() {
            if self.closed.load(Ordering::Acquire) {
                self.extra.fail(&Failure::closed(), at);
                continue;
            }
            sleep_until(at).await;
            let opened = (0..wanted).map(|_| async {
                let connection = self.dial.open(Purpose::LastingCalls).await?;
                if let Some(warmer) = &self.warmer {
                    warmer(connection.clone()).await;
                }
                Ok::<_, String>(connection)
            });
            let mut opened: FuturesUnordered<_> = opened.collect();
            let mut failure = None;
            while let Some(opened) = opened.next().await {
                match opened {
                    Ok(connection) => self.extra.add(&connection),
                    Err(why) => failure = Some(Failure::not_sent(why)),
                }
            }
            if self.closed.load(Ordering::Acquire) {
                self.abort_connections();
            }
            if let Some(failure) = failure {
                self.extra.fail(&failure, at + self.dialing.min_interval());
            }
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
            Err(_) => Err(no_connection(since)),
        }
    }

    async fn dial_first(&self) -> Result<(), Failure> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Failure::closed());
        }
        let connection = self.dial.open(Purpose::AllCalls).await.map_err(Failure::not_sent)?;
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
            let is_old = open.is_some() && now >= state.old_at;
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
        let opening = SlotOpening { pool: self.clone(), at };
        tokio::spawn(async move {
            let SlotOpening { pool, at } = &opening;
            let opened = pool.dial.open(Purpose::AllCalls).await;
            let Some(slot) = pool.slots.get(*at) else { return };
            match opened {
                Ok(connection) => {
                    if let Some(warmer) = &pool.warmer {
                        warmer(connection.clone()).await;
                    }
                    pool.put(slot, connection);
                }
                Err(_) => {
                    let mut state = slot.state();
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
        state.failures = 0;
        // If the service ends this connection at once, the pool does not dial again at once.
        state.next = Instant::now() + self.dialing.min_interval();
        state.old_at = connection.opened() + OLD_AFTER + OLD_WITHIN.mul_f64(fastrand::f64());
        if self.closed.load(Ordering::Acquire) {
            connection.abort();
        }
        if let Some(replaced) = state.connection.replace(connection) {
            self.extra.keep(&replaced);
        }
    }
}

/// Returns the failure of a call that has waited for a connection in vain.
fn no_connection(since: Instant) -> Failure {
    let waited = since.elapsed().as_secs_f64();
    Failure::not_sent(format!("no connection was opened within {waited:.1} s"))
}

/// The opening of the connection of a slot. It ends when this value is dropped, also if the runtime
/// drops the task.
struct SlotOpening {
    pool: Arc<Pool>,
    at: usize,
}

impl Drop for SlotOpening {
    fn drop(&mut self) {
        if let Some(slot) = self.pool.slots.get(self.at) {
            slot.state().opening = false;
        }
        self.pool.opened.notify_waiters();
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
