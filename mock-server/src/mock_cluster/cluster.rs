//! A mock cluster, as a test controls it.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use tallrow_wire::region;
use tokio::io::DuplexStream;

use super::error::MockClusterError;
#[cfg(feature = "bigtable")]
use crate::base::lock;
use crate::base::to_string_binary;
use crate::faults::FaultInjector;
use crate::procedures;
use crate::regions::Region;
use crate::schema;
#[cfg(feature = "bigtable")]
use crate::state::MockQuery;
use crate::state::{Cluster, Role, Server};
use crate::transport::{self, Endpoint, Network, RecordedCalls, RpcServer};
use crate::zookeeper::ZooKeeper;

/// The number of bytes that a connection in memory holds in each direction.
const PIPE_BYTES: usize = 64 << 10;

/// A mock HBase cluster: a master and region servers in this process, each with its own address.
///
/// A clone is cheap and controls the same cluster. The servers stop when the last clone is dropped,
/// or at [`MockCluster::shutdown`].
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::MockCluster;
///
/// let cluster = MockCluster::start().await.unwrap();
/// assert!(cluster.url().starts_with("hbase+rpc://127.0.0.1:"));
/// assert_eq!(cluster.regions("hbase:meta").len(), 1);
/// cluster.shutdown().await;
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct MockCluster {
    pub(super) handle: Arc<Handle>,
}

/// Stops the servers when the last clone is dropped.
#[derive(Debug)]
pub(super) struct Handle {
    cluster: Arc<Cluster>,
    pub(super) faults: Arc<FaultInjector>,
    pub(super) calls: Arc<RecordedCalls>,
    pub(super) network: Network,
    zookeeper: Arc<ZooKeeper>,
    /// The errors of changes that were planned for calls.
    pub(super) failed_changes: Mutex<Vec<MockClusterError>>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        stop(&self.cluster);
    }
}

fn stop(cluster: &Cluster) {
    cluster.non_region_servers().iter().for_each(|s| s.kill());
    cluster.servers().iter().for_each(|s| s.kill());
}

impl MockCluster {
    /// The address of the active master. If there is none, the address of the first master, which
    /// was killed. Clients connect to the master first, and get the addresses of all other servers
    /// from it.
    ///
    /// See [`MockCluster`] for an example.
    pub fn rpc_address(&self) -> SocketAddr {
        self.cluster().bootstrap_master().address
    }

    /// The URL for clients, `hbase+rpc://host:port`.
    ///
    /// See [`MockCluster`] for an example.
    pub fn url(&self) -> String {
        format!("hbase+rpc://{}", self.rpc_address())
    }

    /// The address of ZooKeeper; none if the cluster was built without
    /// [`zookeeper_port`](crate::MockClusterBuilder::zookeeper_port).
    ///
    /// See [`MockCluster::zookeeper_url`] for an example.
    pub fn zookeeper_address(&self) -> Option<SocketAddr> {
        self.cluster().zookeeper.as_ref().map(|server| server.address)
    }

    /// The URL for clients that find the servers through ZooKeeper, `hbase+zk://host:port`; none in
    /// the same case as for [`MockCluster::zookeeper_address`]. The znodes are below `/hbase`, with
    /// the contents that HBase 2.6 gives them. They can be read and watched, but not changed.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().zookeeper_port(0).start().await.unwrap();
    /// let at = cluster.zookeeper_address().unwrap();
    /// assert_eq!(cluster.zookeeper_url().unwrap(), format!("hbase+zk://{at}"));
    /// assert_eq!(MockCluster::start().await.unwrap().zookeeper_url(), None);
    /// # });
    /// ```
    pub fn zookeeper_url(&self) -> Option<String> {
        self.zookeeper_address().map(|at| format!("hbase+zk://{at}"))
    }

    /// The address of Bigtable's services; none if the cluster was built without
    /// [`bigtable_port`](crate::MockClusterBuilder::bigtable_port).
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().bigtable_port(0).start().await.unwrap();
    /// assert!(cluster.bigtable_address().unwrap().ip().is_loopback());
    /// assert_eq!(MockCluster::start().await.unwrap().bigtable_address(), None);
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn bigtable_address(&self) -> Option<SocketAddr> {
        self.cluster().bigtable.as_ref().map(|server| server.address)
    }

    /// The URL of an instance for clients, `bigtable://mock/mock?endpoint=host:port`; none in the
    /// same case as for [`MockCluster::bigtable_address`]. Every project and instance has the same
    /// tables, unless [one instance was chosen](crate::MockClusterBuilder::bigtable_instance).
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().bigtable_port(0).start().await.unwrap();
    /// let url = cluster.bigtable_url().unwrap();
    /// assert!(url.starts_with("bigtable://mock/mock?endpoint=127.0.0.1:"));
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn bigtable_url(&self) -> Option<String> {
        let own = self.cluster().bigtable_instance.as_deref();
        let name = own.unwrap_or("projects/mock/instances/mock");
        let (project, instance) = name.strip_prefix("projects/")?.split_once("/instances/")?;
        let at = self.bigtable_address()?;
        Some(format!("bigtable://{project}/{instance}?endpoint={at}"))
    }

    /// Stops all servers and closes all connections, for all clones of this handle. The ports are
    /// free when this returns, and so is the directory of the cluster's
    /// [data](crate::MockClusterBuilder::data): what is changed afterwards is not kept.
    ///
    /// See [`MockCluster`] for an example.
    pub async fn shutdown(&self) {
        stop(self.cluster());
        self.handle.network.wait_until_closed().await;
        if let Some(journal) = &self.cluster().journal {
            journal.close();
        }
    }

    /// The regions of a table, `"qualifier"` or `"namespace:qualifier"`, in key order; empty if the
    /// table does not exist.
    ///
    /// See [`MockCluster`] for an example.
    pub fn regions(&self, table: &str) -> Vec<MockRegion> {
        let name = region::parse_table_name(table.as_bytes());
        let regions = match name == schema::meta_table_name() {
            true => vec![Arc::clone(&self.cluster().meta)],
            false => self.cluster().regions_of(&name),
        };
        regions
            .iter()
            .map(|r| {
                let state = r.lock();
                MockRegion {
                    name: r.name.to_vec(),
                    start_key: r.start_key().to_vec(),
                    end_key: r.end_key().to_vec(),
                    server: state.server,
                    cells: state.store.cells().len(),
                }
            })
            .collect()
    }

    /// The names of all tables, those of HBase itself included, in order.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.tables(), ["hbase:meta", "hbase:namespace"]);
    /// # });
    /// ```
    pub fn tables(&self) -> Vec<String> {
        let text = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        let mut names: Vec<_> = self.cluster().catalog().tables.keys().map(text).collect();
        names.push(
            String::from_utf8_lossy(&region::format_table_name(&schema::meta_table_name())).into(),
        );
        names.sort_unstable();
        names
    }

    /// Moves the region that holds a row to a region server. The old region server reports to
    /// clients where the region moved, as a real server does.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.move_region("hbase:namespace", b"", 1).unwrap();
    /// assert_eq!(cluster.regions("hbase:namespace")[0].server, Some(1));
    /// # });
    /// ```
    ///
    /// # Errors
    /// The table does not exist or is disabled, or there is no live region server with this number.
    pub fn move_region(
        &self,
        table: &str,
        row: &[u8],
        server: usize,
    ) -> Result<(), MockClusterError> {
        let what = format!(
            "move the region of row \"{}\" of {table} to server {server}",
            to_string_binary(row)
        );
        let cluster = self.cluster().lock_admin();
        let region = self.region(&what, table, row)?;
        let moved = procedures::move_region(&cluster, &region, Some(server));
        moved.map_err(|e| MockClusterError::from_exception(&what, &e))
    }

    /// The number of the region server that has a replica of the region that holds a row; `None` if
    /// the replica is closed or does not exist. Replica 0 is the primary replica.
    ///
    /// See [`MockCluster::set_region_replica_replication`] for an example.
    pub fn replica_server(&self, table: &str, row: &[u8], replica: u16) -> Option<usize> {
        let region = self.replica("find a replica", table, row, replica).ok()?;
        region.lock().server
    }

    /// Moves a replica of the region that holds a row to a region server. Replica 0 is the primary
    /// replica.
    ///
    /// See [`MockCluster::set_region_replica_replication`] for an example.
    ///
    /// # Errors
    /// The errors of [`MockCluster::move_region`]; also if there is no such replica.
    pub fn move_replica(
        &self,
        table: &str,
        row: &[u8],
        replica: u16,
        server: usize,
    ) -> Result<(), MockClusterError> {
        let what = format!(
            "move replica {replica} of row \"{}\" of {table} to server {server}",
            to_string_binary(row)
        );
        let cluster = self.cluster().lock_admin();
        let region = self.replica(&what, table, row, replica)?;
        let moved = procedures::move_region(&cluster, &region, Some(server));
        moved.map_err(|e| MockClusterError::from_exception(&what, &e))
    }

    /// Sets whether secondary replicas see each write at once, as on a cluster that replicates the
    /// log to them (`hbase.region.replica.replication.enabled`). Otherwise they see only writes
    /// that were flushed, as in HBase by default. For the replicas of `hbase:meta` there is the
    /// [setting](crate::MockClusterBuilder::setting)
    /// `hbase.region.replica.replication.catalog.enabled`.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.set_region_replica_replication(true);
    /// assert_eq!(cluster.replica_server("hbase:namespace", b"", 0), Some(0));
    /// assert_eq!(cluster.replica_server("hbase:namespace", b"", 1), None);
    /// assert!(cluster.move_replica("hbase:namespace", b"", 1, 0).is_err());
    /// # });
    /// ```
    pub fn set_region_replica_replication(&self, enabled: bool) {
        self.cluster().region_replica_replication.store(enabled, Ordering::Relaxed);
    }

    /// Splits the region that holds a row; the second half starts at that row.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.split_region("hbase:namespace", b"m").unwrap();
    /// assert_eq!(cluster.regions("hbase:namespace")[1].start_key, b"m");
    /// # });
    /// ```
    ///
    /// # Errors
    /// The table does not exist, is disabled or is `hbase:meta`, or a region already starts at that
    /// row.
    pub fn split_region(&self, table: &str, at: &[u8]) -> Result<(), MockClusterError> {
        let what = format!("split {table} at row \"{}\"", to_string_binary(at));
        let cluster = self.cluster().lock_admin();
        let region = self.region(&what, table, at)?;
        procedures::split_region(&cluster, &region, at)
            .map_err(|e| MockClusterError::from_exception(&what, &e))
    }

    /// Ends each call of a scan after it has read `rows` rows, matching or not, as if its time
    /// limit had passed then. 0 means no limit. A real server ends a call after half of the call's
    /// timeout or half of the scanner's lease. A call is ended only if the client handles
    /// heartbeats. The response is then a heartbeat, with a cursor if the scan asks for cursors.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.end_scan_calls_after(10);
    /// # });
    /// ```
    pub fn end_scan_calls_after(&self, rows: u64) {
        self.cluster().scan_row_limit.store(rows, Ordering::Relaxed);
    }

    /// Lets a region split by itself in two halves when a write lets it grow past this size, which
    /// is the cluster's `hbase.hregion.max.filesize`; the `MAX_FILESIZE` of a table takes
    /// precedence over it. With `None`, as in a new cluster, no region splits by itself.
    ///
    /// The size is that of all cells of the region, flushed or not, so the split follows at once
    /// after the write. HBase compares the size of the store files after a flush, and if a table
    /// has only one region on a server, splits it earlier. As in HBase, a region is not split if
    /// the table has splits disabled, if the switch of splits is off, or if the region has a single
    /// row.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Change, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.split_large_regions(Some(10 << 20));
    /// // The same as a change, which scenarios and the control port have too.
    /// cluster.apply(&Change::SplitLargeRegions { max_filesize: Some(10 << 20) }).unwrap();
    /// cluster.split_large_regions(None);
    /// # });
    /// ```
    pub fn split_large_regions(&self, max_filesize: Option<u64>) {
        self.cluster().max_filesize.store(max_filesize.unwrap_or(0), Ordering::Relaxed);
    }

    /// Requires this access token from now on in calls of Bigtable's services, as
    /// `authorization: Bearer token`; calls without this token fail with
    /// [`StatusCode::Unauthenticated`](crate::StatusCode::Unauthenticated). With `None`, no token
    /// is required any more.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().bigtable_port(0).start().await.unwrap();
    /// cluster.require_token(Some("ya29.first"));
    /// // As when the first one has ended.
    /// cluster.require_token(Some("ya29.second"));
    /// cluster.require_token(None);
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn require_token(&self, token: Option<&str>) {
        *lock(&self.cluster().bigtable_token) = token.map(str::to_owned);
    }

    /// Answers a query in SQL from now on, in place of a query with the same text and parameters. A
    /// query that no test has scripted fails with
    /// [`StatusCode::Unimplemented`](crate::StatusCode::Unimplemented): the mock has no SQL. The
    /// rows are sent in batches, as the service sends them, and are torn with
    /// [`torn_rows`](crate::MockClusterBuilder::torn_rows).
    ///
    /// See [`MockQuery`] for an example.
    #[cfg(feature = "bigtable")]
    pub fn answer_query(&self, query: MockQuery) {
        self.cluster().queries.add(query);
    }

    /// Sets how often an operation of Bigtable's administration that begins from now on (a backup,
    /// a copy of one, a restored table, a changed table) is polled until it is done. At first this
    /// is 0: operations are done when they begin. Each `GetOperation` is one poll, and the progress
    /// is the share of the polls.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::builder().bigtable_port(0).start().await.unwrap();
    /// cluster.set_operation_polls(4);
    /// // ... a client makes a backup, and sees its progress: 25 %, 50 %, 75 %, done ...
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn set_operation_polls(&self, polls: u32) {
        self.cluster().backups.lock().needed_polls = polls;
    }

    /// Makes all prepared queries expire, as they do on the service when the tables that they read
    /// change. A prepared query also expires after an hour of the cluster's clock. Results that
    /// have begun can be read to their end.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.expire_queries();
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn expire_queries(&self) {
        self.cluster().queries.expire();
    }

    /// Opens a connection to the server with this host and port, in memory. Any cluster can be
    /// reached in this way, even a cluster that listens on no port
    /// ([`MockClusterBuilder::in_memory`]).
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// let master = cluster.rpc_address();
    /// let mut stream = cluster.dial(&master.ip().to_string(), master.port()).unwrap();
    /// stream.write_all(b"Regist").await.unwrap();
    /// let mut answer = Vec::new();
    /// stream.read_to_end(&mut answer).await.unwrap();
    /// assert_eq!(answer.len(), 4 + 46);
    /// assert!(cluster.dial("elsewhere", 16_020).is_err());
    /// # });
    /// ```
    ///
    /// [`MockClusterBuilder::in_memory`]: crate::MockClusterBuilder::in_memory
    ///
    /// # Errors
    /// `ConnectionRefused` if no live server has this host and port.
    pub fn dial(&self, host: &str, port: u16) -> io::Result<DuplexStream> {
        let server = self.cluster().live_server_at(host, port).ok_or_else(|| {
            let text = format!("dial {host}:{port}: no live server of the mock cluster is there");
            io::Error::new(io::ErrorKind::ConnectionRefused, text)
        })?;
        let (client, stream) = tokio::io::duplex(PIPE_BYTES);
        let rpc = self.rpc_server(server);
        match rpc.server.role {
            Role::ZooKeeper => {
                let zookeeper = Arc::clone(&self.handle.zookeeper);
                tokio::spawn(transport::zookeeper::serve(rpc, zookeeper, stream));
            }
            #[cfg(feature = "bigtable")]
            Role::Bigtable => drop(tokio::spawn(transport::grpc::serve(rpc, stream))),
            Role::Master | Role::RegionServer(_) => {
                tokio::spawn(transport::hbase::serve(rpc, stream, "127.0.0.1:0".to_owned()));
            }
        }
        Ok(client)
    }

    /// Makes a cluster without region servers.
    pub(super) fn new(
        cluster: Cluster,
        faults: FaultInjector,
        network: Network,
        random: Rng,
    ) -> Self {
        let (cluster, faults) = (Arc::new(cluster), Arc::new(faults));
        let zookeeper = Arc::new(ZooKeeper::new(Arc::clone(&cluster), random));
        let handle = Arc::new(Handle {
            cluster,
            faults,
            calls: Arc::default(),
            network,
            zookeeper,
            failed_changes: Mutex::default(),
        });
        // The faults are part of the handle, so they must not keep it alive.
        let weak = Arc::downgrade(&handle);
        handle.faults.set_applier(move |change| {
            if let Some(handle) = weak.upgrade() {
                Self { handle }.apply_at_call(change);
            }
        });
        Self { handle }
    }

    /// Accepts connections to a server.
    pub(super) fn accept_rpc(&self, endpoint: Endpoint, server: Arc<Server>) {
        let rpc = self.rpc_server(Arc::clone(&server));
        let serve = move |stream, client| transport::hbase::serve(rpc.clone(), stream, client);
        self.handle.network.accept(endpoint, server, serve);
    }

    /// Accepts connections to ZooKeeper.
    pub(super) fn accept_zookeeper(&self, endpoint: Endpoint, server: Arc<Server>) {
        let rpc = self.rpc_server(Arc::clone(&server));
        let zookeeper = Arc::clone(&self.handle.zookeeper);
        let serve = move |stream, _| {
            transport::zookeeper::serve(rpc.clone(), Arc::clone(&zookeeper), stream)
        };
        self.handle.network.accept(endpoint, server, serve);
    }

    /// Accepts connections to Bigtable's services.
    #[cfg(feature = "bigtable")]
    pub(super) fn accept_bigtable(&self, endpoint: Endpoint, server: Arc<Server>) {
        let rpc = self.rpc_server(Arc::clone(&server));
        let serve = move |stream, _| transport::grpc::serve(rpc.clone(), stream);
        self.handle.network.accept(endpoint, server, serve);
    }

    /// The state of the cluster.
    pub(crate) fn cluster(&self) -> &Cluster {
        &self.handle.cluster
    }

    /// The state of the cluster, for a task that outlives this handle.
    pub(super) fn shared_cluster(&self) -> Arc<Cluster> {
        Arc::clone(&self.handle.cluster)
    }

    fn rpc_server(&self, server: Arc<Server>) -> RpcServer {
        let Handle { cluster, faults, calls, .. } = &*self.handle;
        let (cluster, faults, calls) = (Arc::clone(cluster), Arc::clone(faults), Arc::clone(calls));
        RpcServer { cluster, server, faults, calls }
    }

    fn replica(
        &self,
        what: &str,
        table: &str,
        row: &[u8],
        id: u16,
    ) -> Result<Arc<Region>, MockClusterError> {
        let primary = self.region(what, table, row)?;
        let mut all = self.cluster().catalog().replicas_of(&primary);
        all.insert(0, primary);
        let replica = all.into_iter().nth(id.into());
        replica.ok_or_else(|| MockClusterError::new(what, "there is no such replica"))
    }

    pub(super) fn region(
        &self,
        what: &str,
        table: &str,
        row: &[u8],
    ) -> Result<Arc<Region>, MockClusterError> {
        let name = region::parse_table_name(table.as_bytes());
        if name == schema::meta_table_name() {
            return Ok(Arc::clone(&self.cluster().meta));
        }
        let catalog = self.cluster().catalog();
        let region = catalog.table(&name).and_then(|t| t.region_of(row)).cloned();
        region.ok_or_else(|| MockClusterError::new(what, "no such table"))
    }
}

/// A region, as listed by [`MockCluster::regions`](crate::MockCluster::regions).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MockRegion {
    /// The full name.
    pub name: Vec<u8>,
    /// The first row key; empty for the first region.
    pub start_key: Vec<u8>,
    /// The first row key after the region; empty for the last region.
    pub end_key: Vec<u8>,
    /// The number of the region server that has the region; none if the region is closed.
    pub server: Option<usize>,
    /// The number of its cells, with old versions and delete markers.
    pub cells: usize,
}
