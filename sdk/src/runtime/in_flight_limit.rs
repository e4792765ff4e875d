//! Limits the bytes of operations in flight: all servers share a number of bytes and, when these
//! are in use, each server has some additional bytes of its own. So operations for a slow server
//! can hold all shared bytes, and operations for other servers still need not wait.
//!
//! # Invariants
//!
//! - The bytes in flight are bounded, and when a slow server holds all shared bytes, each other
//!   server can still use its additional bytes. Tests:
//!   `a_server_that_holds_everything_leaves_others_their_part`,
//!   `tests/suites/faults/writes.rs::bytes_in_flight_are_bounded`.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// How many bytes an operation counts besides its own.
pub(crate) const OP_OVERHEAD_BYTES: usize = 512;

/// The bytes that may be in flight.
pub(crate) struct InFlightLimit {
    bytes: usize,
    all: Arc<Semaphore>,
    own: Mutex<ServerShares>,
}

/// The additional bytes of the servers: half as many as the shared bytes, divided evenly among the
/// servers.
#[derive(Default)]
struct ServerShares {
    bytes: usize,
    servers: FxHashMap<Arc<str>, Arc<Semaphore>>,
    /// The semaphores of former shares of which operations still hold bytes, each with the size of
    /// its share.
    former: Vec<(Arc<Semaphore>, usize)>,
}

impl ServerShares {
    /// Gives each server `bytes` from now on.
    fn resize(&mut self, bytes: usize) {
        let servers = self.servers.drain().map(|(_, semaphore)| (semaphore, self.bytes));
        self.former.extend(servers);
        self.former.retain(|(semaphore, bytes)| used(semaphore, *bytes) > 0);
        self.bytes = bytes;
    }

    /// All semaphores, and the bytes of each.
    fn all(&self) -> impl Iterator<Item = (&Arc<Semaphore>, usize)> {
        let servers = self.servers.values().map(|semaphore| (semaphore, self.bytes));
        servers.chain(self.former.iter().map(|(semaphore, bytes)| (semaphore, *bytes)))
    }
}

fn used(semaphore: &Semaphore, bytes: usize) -> usize {
    bytes.saturating_sub(semaphore.available_permits())
}

impl InFlightLimit {
    pub(crate) fn new(bytes: usize) -> Self {
        let bytes = bytes.clamp(OP_OVERHEAD_BYTES, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Self { bytes, all: Arc::new(Semaphore::new(bytes)), own: Mutex::default() }
    }

    /// Takes `bytes` of the bytes that all servers share; returns `None` if too few of them are
    /// free.
    pub(crate) fn try_take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        self.all.clone().try_acquire_many_owned(permits(bytes, self.bytes)).ok()
    }

    /// Takes `bytes` of the additional bytes of one of `servers`, for an operation on these
    /// servers; returns `None` if too few of them are free. `known_servers` is how many servers the
    /// client knows.
    pub(crate) fn try_take_server_share(
        &self,
        bytes: usize,
        servers: &[Arc<str>],
        known_servers: usize,
    ) -> Option<OwnedSemaphorePermit> {
        self.own_of(bytes, servers, known_servers)?
            .try_acquire_many_owned(permits(bytes, bytes))
            .ok()
    }

    /// Waits until `bytes` are free, either of the bytes that all servers share or of the
    /// additional bytes of one of `servers`, and takes them; returns `None` if the deadline passes
    /// first. `known_servers` is how many servers the client knows.
    pub(crate) async fn take(
        &self,
        bytes: usize,
        (servers, known_servers): (&[Arc<str>], usize),
        deadline: Instant,
    ) -> Option<OwnedSemaphorePermit> {
        let all = self.all.clone().acquire_many_owned(permits(bytes, self.bytes));
        let taken = match self.own_of(bytes, servers, known_servers) {
            None => timeout_at(deadline, all).await,
            Some(own) => {
                let own = own.acquire_many_owned(permits(bytes, bytes));
                timeout_at(deadline, async {
                    tokio::select! { biased; taken = all => taken, taken = own => taken }
                })
                .await
            }
        };
        taken.ok()?.ok()
    }

    /// Returns the additional bytes of the one of `servers` that has the most of them free. Returns
    /// `None` if each server has fewer additional bytes than `bytes`, if one of several `servers`
    /// has no additional bytes free, or if the client knows fewer than two servers.
    fn own_of(
        &self,
        bytes: usize,
        servers: &[Arc<str>],
        known_servers: usize,
    ) -> Option<Arc<Semaphore>> {
        if known_servers < 2 {
            return None;
        }
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let most = (self.bytes / 2 / known_servers).max(OP_OVERHEAD_BYTES);
        if bytes > most {
            return None;
        }
        if own.bytes != most {
            own.resize(most);
        }
        let of = |server: &Arc<str>, own: &mut ServerShares| {
            let new = || Arc::new(Semaphore::new(most));
            own.servers.entry(server.clone()).or_insert_with(new).clone()
        };
        let all: Vec<_> = servers.iter().map(|server| of(server, &mut own)).collect();
        if all.len() > 1 && all.iter().any(|own| own.available_permits() == 0) {
            return None;
        }
        all.into_iter().max_by_key(|own| own.available_permits())
    }

    /// Returns the bytes in flight, including the additional bytes of servers, and the limit of the
    /// bytes that all servers share.
    pub(crate) fn used_and_limit(&self) -> (usize, usize) {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let of_servers: usize = own.all().map(|(semaphore, bytes)| used(semaphore, bytes)).sum();
        (used(&self.all, self.bytes) + of_servers, self.bytes)
    }

    /// Waits until no bytes are in flight; returns how many bytes still are in flight at the
    /// deadline.
    pub(crate) async fn wait_until_idle(&self, deadline: Instant) -> usize {
        let mut all = vec![(self.all.clone(), self.bytes)];
        {
            let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(own.all().map(|(semaphore, bytes)| (semaphore.clone(), bytes)));
        }
        let mut left = 0;
        for (semaphore, bytes) in all {
            let free = timeout_at(deadline, semaphore.acquire_many(permits(bytes, bytes)));
            if free.await.is_err() {
                left += used(&semaphore, bytes);
            }
        }
        left
    }
}

fn permits(bytes: usize, most: usize) -> u32 {
    u32::try_from(bytes.min(most)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_holds_everything_leaves_others_their_part() {
        let room = InFlightLimit::new(64 * OP_OVERHEAD_BYTES);
        let [slow, quick] = ["slow:1", "quick:1"].map(Arc::from);
        let mut held = Vec::new();
        while let Some(permit) = room
            .try_take(OP_OVERHEAD_BYTES)
            .or_else(|| room.try_take_server_share(OP_OVERHEAD_BYTES, &[Arc::clone(&slow)], 2))
        {
            held.push(permit);
        }
        assert_eq!(held.len(), 64 + 16, "all, and its half of half as much");
        let soon = Instant::now() + std::time::Duration::from_secs(1);
        let waits = room.take(OP_OVERHEAD_BYTES, (&[Arc::clone(&slow)], 2), soon).await;
        assert!(waits.is_none());
        assert!(
            room.try_take_server_share(17 * OP_OVERHEAD_BYTES, &[Arc::clone(&quick)], 2).is_none(),
            "too large"
        );
        let on_both = [Arc::clone(&slow), Arc::clone(&quick)];
        assert!(room.try_take_server_share(OP_OVERHEAD_BYTES, &on_both, 2).is_none());
        let quick = [Arc::clone(&quick)];
        let others: Vec<_> =
            (0..16).map(|_| room.try_take_server_share(OP_OVERHEAD_BYTES, &quick, 2)).collect();
        assert!(others.iter().all(Option::is_some));
        assert!(room.try_take_server_share(OP_OVERHEAD_BYTES, &quick, 2).is_none());
        assert_eq!(room.used_and_limit(), (96 * OP_OVERHEAD_BYTES, 64 * OP_OVERHEAD_BYTES));
        assert_eq!(room.wait_until_idle(Instant::now()).await, 96 * OP_OVERHEAD_BYTES);
        drop((held, others));
        assert_eq!(room.wait_until_idle(Instant::now()).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_are_counted_after_another_server_is_known() {
        let room = InFlightLimit::new(64 * OP_OVERHEAD_BYTES);
        let slow = [Arc::from("slow:1")];
        let held: Vec<_> =
            (0..16).map(|_| room.try_take_server_share(OP_OVERHEAD_BYTES, &slow, 2)).collect();
        let more = room.try_take_server_share(OP_OVERHEAD_BYTES, &slow, 4).unwrap();
        assert_eq!(room.used_and_limit().0, 17 * OP_OVERHEAD_BYTES);
        assert_eq!(room.wait_until_idle(Instant::now()).await, 17 * OP_OVERHEAD_BYTES);
        drop(held);
        assert_eq!(room.wait_until_idle(Instant::now()).await, OP_OVERHEAD_BYTES);
        let last = room.try_take_server_share(OP_OVERHEAD_BYTES, &slow, 8).unwrap();
        let own = room.own.lock().unwrap();
        assert_eq!(own.former.len(), 1, "those of which nothing is held are gone");
        drop((own, more, last));
        assert_eq!(room.used_and_limit().0, 0);
    }

    #[tokio::test]
    async fn an_operation_larger_than_the_limit_is_the_only_one() {
        let room = InFlightLimit::new(1_000);
        let large = room.try_take(5_000).unwrap();
        assert!(room.try_take(1).is_none());
        assert!(
            room.try_take_server_share(1, &["only:1".into()], 1).is_none(),
            "there is no other server"
        );
        drop(large);
        assert!(room.try_take(1_000).is_some());
    }
}
