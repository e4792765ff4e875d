//! The state that the servers of a cluster share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::exception;
use tallrow_wire::proto::{RegionSpecifier, ServerName, TableName, TableSchema};
use tallrow_wire::region;
use tokio::sync::watch;

#[cfg(feature = "bigtable")]
use super::{Backups, ChangeLogs, Queries};
use super::{
    Catalog, CatalogGuard, Clock, Grants, Identity, Kept, KeptGuard, Peers, Permissions,
    Procedures, Quotas, Server, Settings, Snapshots, Switches,
};
use crate::base::{RemoteResult, lock, remote_exception, to_string_binary};
use crate::journal::{DataError, Journal};
use crate::regions::{Region, RegionGuard, RegionState};
use crate::schema::{self, RegionSchema};

/// The state of one cluster.
#[derive(Debug)]
pub(crate) struct Cluster {
    /// The clock of the cluster.
    pub(crate) clock: Clock,
    /// The id of the cluster, a UUID.
    pub(crate) id: String,
    /// The id again, with the ports of the servers.
    pub(crate) identity: Kept<Identity>,
    /// The region of `hbase:meta`: its primary replica.
    pub(crate) meta: Arc<Region>,
    /// The server of each replica of `hbase:meta`, by the number of the replica, as the registry
    /// and ZooKeeper tell. While a replica is closed, this is the server that had it last.
    pub(crate) meta_servers: Mutex<BTreeMap<u16, ServerName>>,
    /// The schema of `hbase:meta`.
    pub(crate) meta_schema: Mutex<TableSchema>,
    /// The settings of the servers.
    pub(crate) settings: Settings,
    /// The procedures of the master.
    pub(crate) procedures: Kept<Procedures>,
    /// The switches of the master.
    pub(crate) switches: Kept<Switches>,
    /// How many rows a call of a scan reads before it ends as if its time were up; 0 for no limit.
    pub(crate) scan_row_limit: AtomicU64,
    /// `hbase.hregion.max.filesize`: regions that grow past it split; 0 if none splits by itself.
    pub(crate) max_filesize: AtomicU64,
    /// The names of regions that have grown past `max_filesize` and have not been split yet.
    grown_regions: Mutex<BTreeSet<Bytes>>,
    /// The snapshots, by name.
    pub(crate) snapshots: Kept<Snapshots>,
    /// The quotas.
    pub(crate) quotas: Kept<Quotas>,
    /// The replication peers.
    pub(crate) peers: Kept<Peers>,
    /// The servers that are decommissioned.
    pub(crate) decommissioned: Mutex<Vec<ServerName>>,
    /// Whether secondary replicas see all writes at once; otherwise they see only flushed writes.
    pub(crate) region_replica_replication: AtomicBool,
    /// What users were granted, also if nobody checks it.
    pub(crate) grants: Arc<Kept<Grants>>,
    /// The permissions of users; none if everybody may do everything.
    pub(crate) permissions: Option<Permissions>,
    /// The principal of the servers, if clients must log in by Kerberos.
    pub(crate) server_principal: Option<String>,
    /// The log of the changes, if they are kept.
    pub(crate) journal: Option<Arc<Journal>>,
    /// What was dropped at the end of the file of the log when the cluster started.
    pub(crate) dropped_data: Option<String>,
    /// The number of calls that named the region of `hbase:meta`.
    pub(crate) meta_calls: AtomicU64,
    /// The server of ZooKeeper, if the cluster has one.
    pub(crate) zookeeper: Option<Arc<Server>>,
    /// The endpoint of Bigtable's services, if the cluster has one.
    #[cfg(feature = "bigtable")]
    pub(crate) bigtable: Option<Arc<Server>>,
    /// The only instance of Bigtable, `projects/P/instances/I`; if `None`, every instance exists
    /// and has the same tables.
    #[cfg(feature = "bigtable")]
    pub(crate) bigtable_instance: Option<String>,
    /// The access token that calls of Bigtable must have, if any.
    #[cfg(feature = "bigtable")]
    pub(crate) bigtable_token: Mutex<Option<String>>,
    /// The random numbers that decide how the replies of Bigtable's services are torn, if they are.
    #[cfg(feature = "bigtable")]
    pub(crate) tearing: Option<Mutex<Rng>>,
    /// The queries in SQL that the cluster answers.
    #[cfg(feature = "bigtable")]
    pub(crate) queries: Queries,
    /// The backups of Bigtable's tables.
    #[cfg(feature = "bigtable")]
    pub(crate) backups: Kept<Backups>,
    /// The changes of the tables that have a change stream.
    #[cfg(feature = "bigtable")]
    pub(crate) change_logs: Arc<ChangeLogs>,
    first_master: Arc<Server>,
    later_masters: RwLock<Vec<Arc<Server>>>,
    servers: RwLock<Vec<Arc<Server>>>,
    catalog: RwLock<Catalog>,
    /// Locked by whoever changes tables.
    pub(super) administration: Mutex<()>,
    /// Told of each change of what is registered in ZooKeeper.
    registry_changes: watch::Sender<()>,
    /// The last result of [`Cluster::unique_now`].
    last_unique: Mutex<u64>,
}

impl Cluster {
    /// Makes a cluster without region servers.
    pub(crate) fn new(clock: Clock, master: Arc<Server>, random: &mut Rng) -> Self {
        let meta_schema = schema::meta_schema();
        let catalog = Catalog::default();
        let meta = Region::new(schema::meta_region(), RegionSchema::of(&meta_schema));
        Self {
            clock,
            id: uuid(random),
            identity: Kept::default(),
            meta: Arc::new(meta),
            meta_servers: Mutex::default(),
            meta_schema: Mutex::new(meta_schema),
            settings: Settings::default(),
            procedures: Kept::default(),
            switches: Kept::default(),
            scan_row_limit: AtomicU64::new(0),
            max_filesize: AtomicU64::new(0),
            grown_regions: Mutex::default(),
            snapshots: Kept::default(),
            quotas: Kept::default(),
            peers: Kept::default(),
            decommissioned: Mutex::default(),
            region_replica_replication: AtomicBool::new(false),
            grants: Arc::default(),
            permissions: None,
            server_principal: None,
            journal: None,
            dropped_data: None,
            meta_calls: AtomicU64::new(0),
            zookeeper: None,
            #[cfg(feature = "bigtable")]
            bigtable: None,
            #[cfg(feature = "bigtable")]
            bigtable_instance: None,
            #[cfg(feature = "bigtable")]
            bigtable_token: Mutex::default(),
            #[cfg(feature = "bigtable")]
            tearing: None,
            #[cfg(feature = "bigtable")]
            queries: Queries::default(),
            #[cfg(feature = "bigtable")]
            backups: Kept::default(),
            #[cfg(feature = "bigtable")]
            change_logs: Arc::clone(&catalog.change_logs),
            first_master: master,
            later_masters: RwLock::default(),
            servers: RwLock::default(),
            catalog: RwLock::new(catalog),
            administration: Mutex::default(),
            registry_changes: watch::Sender::new(()),
            last_unique: Mutex::new(0),
        }
    }

    /// Returns the time in ms, increased if necessary, so that it is later than every time that
    /// this function returned before.
    pub(crate) fn unique_now(&self) -> u64 {
        let mut last = lock(&self.last_unique);
        *last = self.clock.now().max(*last + 1);
        *last
    }

    /// Returns random numbers that decide the shape of one torn reply; none if replies are not
    /// torn.
    #[cfg(feature = "bigtable")]
    pub(crate) fn torn_reply_rng(&self) -> Option<Rng> {
        self.tearing.as_ref().map(|tearing| lock(tearing).fork())
    }

    /// Locks the catalog for reading.
    pub(crate) fn catalog(&self) -> RwLockReadGuard<'_, Catalog> {
        self.catalog.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the catalog for writing, for [`AdminGuard::catalog_mut`](super::AdminGuard).
    pub(super) fn catalog_mut(&self) -> CatalogGuard<'_> {
        let catalog = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
        // Whoever is told now waits for the lock, and so sees the change.
        self.note_registry_change();
        CatalogGuard::new(catalog, &self.clock)
    }

    /// Why a change could not be kept, if one could not: nothing may be acknowledged then.
    pub(crate) fn data_failure(&self) -> Option<DataError> {
        self.journal.as_ref()?.failure()
    }

    /// Sets by what clients find the cluster: with the id of an earlier process, if it has one.
    pub(crate) fn set_identity(&mut self, identity: Kept<Identity>) {
        {
            let mut identity = identity.lock();
            match identity.cluster_id().is_empty() {
                true => identity.set_id(&self.id),
                false => identity.cluster_id().clone_into(&mut self.id),
            }
        }
        self.identity = identity;
    }

    /// Writes changes of the parts of the state besides the catalog to a log from now on.
    pub(crate) fn keep_changes(&self, journal: &Arc<Journal>) {
        self.identity.keep_changes(journal);
        self.procedures.keep_changes(journal);
        self.switches.keep_changes(journal);
        self.snapshots.keep_changes(journal);
        self.quotas.keep_changes(journal);
        self.peers.keep_changes(journal);
        self.grants.keep_changes(journal);
        #[cfg(feature = "bigtable")]
        {
            self.backups.keep_changes(journal);
            self.change_logs.keep_changes();
        }
    }

    /// Sets the earliest result of [`Cluster::unique_now`].
    pub(crate) fn continue_after(&self, time: u64) {
        let mut last = lock(&self.last_unique);
        *last = time.max(*last);
    }

    /// Locks the replication peers, to change them.
    pub(crate) fn peers_mut(&self) -> KeptGuard<'_, Peers> {
        let peers = self.peers.lock();
        self.note_registry_change();
        peers
    }

    /// Tells the receivers that something that is registered in ZooKeeper has changed: the servers,
    /// the place of `hbase:meta`, the catalog, or the replication peers.
    pub(crate) fn note_registry_change(&self) {
        self.registry_changes.send_replace(());
    }

    /// Returns a receiver that is told whenever something that is registered in ZooKeeper changes.
    pub(crate) fn registry_changes(&self) -> watch::Receiver<()> {
        self.registry_changes.subscribe()
    }

    /// All masters, including the dead ones, in the order in which they were started.
    pub(crate) fn masters(&self) -> Vec<Arc<Server>> {
        let later = self.later_masters.read().unwrap_or_else(PoisonError::into_inner);
        [&self.first_master].into_iter().chain(&*later).cloned().collect()
    }

    /// The live masters. The first one is active, and the others are its backups.
    pub(crate) fn live_masters(&self) -> Vec<Arc<Server>> {
        self.masters().into_iter().filter(|s| s.is_alive()).collect()
    }

    /// The active master: of the live masters, the one that was started first.
    pub(crate) fn active_master(&self) -> Option<Arc<Server>> {
        self.live_masters().into_iter().next()
    }

    /// The master to which clients connect first: the active one; if there is none, the first one,
    /// which is dead.
    pub(crate) fn bootstrap_master(&self) -> Arc<Server> {
        self.active_master().unwrap_or_else(|| Arc::clone(&self.first_master))
    }

    /// Adds a master.
    pub(crate) fn add_master(&self, master: Arc<Server>) {
        self.later_masters.write().unwrap_or_else(PoisonError::into_inner).push(master);
        self.note_registry_change();
    }

    /// All region servers, including the dead ones, in the order of their numbers.
    pub(crate) fn servers(&self) -> Vec<Arc<Server>> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a region server by its number.
    pub(crate) fn server(&self, number: usize) -> Option<Arc<Server>> {
        self.servers.read().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    /// The servers that are not region servers: the masters, ZooKeeper and the endpoint of
    /// Bigtable's services.
    pub(crate) fn non_region_servers(&self) -> Vec<Arc<Server>> {
        let mut servers = self.masters();
        servers.extend(self.zookeeper.clone());
        #[cfg(feature = "bigtable")]
        servers.extend(self.bigtable.clone());
        servers
    }

    /// Returns the live server with this host and port, which may be a master.
    pub(crate) fn live_server_at(&self, host: &str, port: u16) -> Option<Arc<Server>> {
        let is_there =
            |s: &Arc<Server>| s.address.port() == port && s.name.host_name == host && s.is_alive();
        self.non_region_servers().into_iter().chain(self.servers()).find(is_there)
    }

    /// The live region servers.
    pub(crate) fn live_servers(&self) -> Vec<Arc<Server>> {
        self.servers().into_iter().filter(|s| s.is_alive()).collect()
    }

    /// The numbers of the live region servers.
    pub(crate) fn live_server_numbers(&self) -> Vec<usize> {
        self.live_servers().iter().filter_map(|s| s.number()).collect()
    }

    /// The live region servers to which regions may be assigned: those that are not decommissioned,
    /// or all if all are decommissioned.
    pub(crate) fn assignable_servers(&self) -> Vec<Arc<Server>> {
        let live = self.live_servers();
        let out = lock(&self.decommissioned);
        let (marked, open): (Vec<_>, Vec<_>) =
            live.into_iter().partition(|server| out.contains(&server.name));
        if open.is_empty() { marked } else { open }
    }

    /// Adds a region server.
    pub(crate) fn add_server(&self, server: Arc<Server>) {
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        servers.push(server);
        drop(servers);
        self.note_registry_change();
    }

    /// Returns the regions of a table, which may be `hbase:meta`, in key order.
    pub(crate) fn regions_of(&self, table: &TableName) -> Vec<Arc<Region>> {
        if *table == schema::meta_table_name() {
            return vec![Arc::clone(&self.meta)];
        }
        self.catalog().table(table).map(|t| t.regions.clone()).unwrap_or_default()
    }

    /// Returns the schema of a table, which may be `hbase:meta`.
    pub(crate) fn schema_of(&self, table: &TableName) -> Option<TableSchema> {
        if *table == schema::meta_table_name() {
            return Some(lock(&self.meta_schema).clone());
        }
        self.catalog().table(table).map(|t| t.schema.clone())
    }

    /// Returns the schemas of these tables; tables that do not exist are left out.
    pub(crate) fn schemas_of(&self, tables: &[TableName]) -> Vec<TableSchema> {
        tables.iter().filter_map(|table| self.schema_of(table)).collect()
    }

    /// Returns the region with this full or encoded name.
    pub(crate) fn region_by_any_name(&self, name: &[u8]) -> Option<Arc<Region>> {
        if [&self.meta.name[..], self.meta.encoded.as_bytes()].contains(&name) {
            return Some(Arc::clone(&self.meta));
        }
        let catalog = self.catalog();
        let by_name = catalog.regions.get(name);
        by_name.or_else(|| catalog.region_by_encoded_name(name)).cloned()
    }

    /// Returns the region that a request names.
    pub(crate) fn region(
        &self,
        server: &Server,
        specifier: &RegionSpecifier,
    ) -> RemoteResult<Arc<Region>> {
        let name = &specifier.value;
        if let Some(region) = self.region_by_any_name(name) {
            if region.is_meta() {
                self.meta_calls.fetch_add(1, Ordering::Relaxed);
            }
            return Ok(region);
        }
        if name.ends_with(b".") && name.len() < 33 {
            let text =
                format!("offset {}, count 32, length {}", name.len() as i64 - 33, name.len());
            return Err(remote_exception(exception::IO, text));
        }
        let encoded = region::encoded_name(name).unwrap_or_default();
        Err(server.not_serving_or_moved(&encoded, &to_string_binary(name), self.clock.now()))
    }

    /// Locks the state of a region that is open on this server, for reads. A secondary replica
    /// first gets those cells of the primary replica that it may see by now.
    pub(crate) fn lock_for_read<'r>(
        &self,
        server: &Server,
        region: &'r Region,
    ) -> RemoteResult<RegionGuard<'r>> {
        if region.replica_id() > 0
            && let Some(primary) = self.primary_of(region)
        {
            let with_unflushed = match region.is_meta() {
                true => self.settings.meta_replication,
                false => self.region_replica_replication.load(Ordering::Relaxed),
            };
            // Both stay locked, so that of two reads at the same time the later one does not get
            // the older content.
            let primary = primary.lock();
            let mut replica = region.lock();
            if let Some(news) = primary.store.replica_update(&replica.store, with_unflushed) {
                replica.store.replace_content(news);
            }
        }
        self.lock_open_region(server, region)
    }

    /// Locks the state of a region that is open on this server, for writes.
    pub(crate) fn lock_for_write<'r>(
        &self,
        server: &Server,
        region: &'r Region,
    ) -> RemoteResult<RegionGuard<'r>> {
        let state = self.lock_open_region(server, region)?;
        match region.replica_id() {
            0 => Ok(state),
            _ => Err(remote_exception(exception::DO_NOT_RETRY, "region is read only")),
        }
    }

    /// Notes, after a write, that a region has become so large that it is to be split.
    pub(crate) fn note_growth(&self, region: &Region, state: &mut RegionState) {
        let of_cluster = self.max_filesize.load(Ordering::Relaxed);
        if of_cluster == 0 || !state.schema.split_enabled || !state.schema.policy_splits {
            return;
        }
        let max = usize::try_from(state.schema.max_filesize.unwrap_or(of_cluster));
        if state.store.is_larger_than(max.unwrap_or(usize::MAX)) {
            lock(&self.grown_regions).insert(region.name.clone());
        }
    }

    /// Returns the regions that are so large that they are to be split. Each region is returned
    /// once.
    pub(crate) fn take_grown_regions(&self) -> Vec<Arc<Region>> {
        if self.max_filesize.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let names = std::mem::take(&mut *lock(&self.grown_regions));
        let catalog = self.catalog();
        names.iter().filter_map(|name| catalog.regions.get(name).cloned()).collect()
    }

    /// Locks the state of a region that is open on this server.
    pub(crate) fn lock_open_region<'r>(
        &self,
        server: &Server,
        region: &'r Region,
    ) -> RemoteResult<RegionGuard<'r>> {
        let state = region.lock();
        if state.server.is_some() && state.server == server.number() {
            return Ok(state);
        }
        drop(state);
        Err(server.not_serving_or_moved(&region.encoded, &region.display_name, self.clock.now()))
    }
}

/// Makes a random UUID (version 4) as text.
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
