//! The state that all servers of the mock cluster share.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use fastrand::Rng;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{RegionSpecifier, ServerName};
use tallrow_wire::region;

use crate::call_counts::CallCounts;
use crate::catalog::Catalog;
use crate::clock::Clock;
use crate::fault::Faults;
use crate::master::switches::Switches;
use crate::procedure::Procedures;
use crate::region::{Region, RegionState, show};
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::schema;
use crate::schema::Schema;
use crate::server::Server;

/// One mock cluster.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The time.
    pub(crate) clock: Clock,
    /// Its id, a UUID.
    pub(crate) id: String,
    /// Where its servers listen.
    pub(crate) ip: IpAddr,
    /// The master.
    pub(crate) master: Arc<Server>,
    /// The one region of `hbase:meta`.
    pub(crate) meta: Arc<Region>,
    /// Scripted failures.
    pub(crate) faults: Faults,
    /// What the master did.
    pub(crate) procedures: Mutex<Procedures>,
    /// What can be switched on and off.
    pub(crate) switches: Mutex<Switches>,
    /// How often methods were called.
    pub(crate) calls: Mutex<CallCounts>,
    servers: RwLock<Vec<Arc<Server>>>,
    catalog: RwLock<Catalog>,
    /// The newest time given out by [`Cluster::unique_now`].
    newest: Mutex<u64>,
}

impl Cluster {
    /// A cluster with its system tables, and no region server yet.
    pub(crate) fn new(clock: Clock, ip: IpAddr, master: Arc<Server>, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let id = uuid(&mut random);
        let meta_schema = schema::meta_schema();
        let meta = Region::new(schema::meta_region(), Schema::of(&meta_schema));
        Self {
            clock,
            id,
            ip,
            master,
            meta: Arc::new(meta),
            faults: Faults::new(random.u64(..)),
            procedures: Mutex::default(),
            switches: Mutex::default(),
            servers: RwLock::default(),
            catalog: RwLock::default(),
            calls: Mutex::default(),
            newest: Mutex::new(0),
        }
    }

    /// The time in ms, later than every time this gave before.
    pub(crate) fn unique_now(&self) -> u64 {
        let mut newest = lock(&self.newest);
        *newest = self.clock.now().max(*newest + 1);
        *newest
    }

    /// The catalog, for reading.
    pub(crate) fn catalog(&self) -> RwLockReadGuard<'_, Catalog> {
        self.catalog.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The catalog, for writing. Region states may be locked under it, never the other way round.
    pub(crate) fn catalog_mut(&self) -> RwLockWriteGuard<'_, Catalog> {
        self.catalog.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every region server that ever was, by number.
    pub(crate) fn servers(&self) -> Vec<Arc<Server>> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A region server by its number.
    pub(crate) fn server(&self, number: usize) -> Option<Arc<Server>> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    /// The region servers that live.
    pub(crate) fn live_servers(&self) -> Vec<Arc<Server>> {
        self.servers().into_iter().filter(|s| s.is_alive()).collect()
    }

    /// Adds a region server. When no other lives, it learns from the logs of the dead ones.
    pub(crate) fn add_server(&self, server: Arc<Server>) {
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        if !servers.iter().any(|s| s.is_alive()) {
            servers.iter().for_each(|dead| dead.nonces().replay(&mut server.nonces()));
        }
        servers.push(server);
    }

    /// Where `hbase:meta` is.
    pub(crate) fn meta_server(&self) -> Option<ServerName> {
        let number = self.meta.lock().server?;
        self.server(number).map(|s| s.name.clone())
    }

    /// The region a request names, if this server knows it.
    pub(crate) fn region(
        &self,
        server: &Server,
        specifier: &RegionSpecifier,
    ) -> RemoteResult<Arc<Region>> {
        let name = &specifier.value;
        if name[..] == *region::META_REGION {
            return Ok(Arc::clone(&self.meta));
        }
        let catalog = self.catalog();
        let by_name = catalog.regions.get(name);
        if let Some(region) = by_name.or_else(|| catalog.region_by_encoded_name(name)) {
            return Ok(Arc::clone(region));
        }
        drop(catalog);
        if name.ends_with(b".") && name.len() < 33 {
            let text =
                format!("offset {}, count 32, length {}", name.len() as i64 - 33, name.len());
            return Err(remote_exception(exception::IO, text));
        }
        let encoded = region::encoded_name(name).unwrap_or_default();
        Err(server.not_serving(&encoded, &show(name), self.clock.now()))
    }

    /// The state of a region, if this server has it open.
    pub(crate) fn open<'r>(
        &self,
        server: &Server,
        region: &'r Region,
    ) -> RemoteResult<MutexGuard<'r, RegionState>> {
        let state = region.lock();
        if state.server.is_some() && state.server == server.number() {
            return Ok(state);
        }
        drop(state);
        Err(server.not_serving(&region.encoded, &region.shown, self.clock.now()))
    }
}

/// Locks, also after a panic: every change is checked before it is made.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A random UUID (version 4) as text.
fn uuid(random: &mut Rng) -> String {
    let (a, b, c) = (random.u32(..), random.u16(..), random.u16(..0x1000));
    let (d, e) = (random.u16(..0x1000), random.u64(..1 << 48));
    format!("{a:08x}-{b:04x}-4{c:03x}-8{d:03x}-{e:012x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_a_uuid_and_follows_from_the_seed() {
        let id = |seed| uuid(&mut Rng::with_seed(seed));
        assert_eq!(id(1).split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert_eq!(id(7), id(7));
        assert_ne!(id(7), id(8));
    }
}
