//! The cluster in a test's hand.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tallrow_wire::exception::RemoteException;
use tallrow_wire::region;
use tokio::io::DuplexStream;

use crate::clock::Clock;
use crate::cluster::{Cluster, lock};
use crate::connection;
use crate::fault::Fault;
use crate::listener;
use crate::region::{Region, show};
use crate::schema;
use crate::server::{Role, Server};

/// A mock HBase cluster: one master and some region servers, each on a port of its own, in this process.
///
/// Cheap to clone; the servers end when the last clone is dropped, or by [`MockCluster::shutdown`].
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
    handle: Arc<Handle>,
}

/// Ends the servers with the last handle.
#[derive(Debug)]
struct Handle {
    cluster: Arc<Cluster>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        end(&self.cluster);
    }
}

fn end(cluster: &Cluster) {
    cluster.master.kill();
    cluster.servers().iter().for_each(|s| s.kill());
}

/// How a cluster starts: made by [`MockCluster::builder`].
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::MockCluster;
///
/// let cluster = MockCluster::builder()
///     .servers(3)
///     .seed(7)
///     .listen([127, 0, 0, 1].into())
///     .rpc_port(0)
///     .start_ms(1_700_000_000_000)
///     .start()
///     .await
///     .unwrap();
/// assert_eq!(cluster.servers(), [0, 1, 2]);
/// # });
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct MockClusterBuilder {
    servers: usize,
    seed: u64,
    ip: IpAddr,
    port: u16,
    start_ms: Option<u64>,
}

impl MockClusterBuilder {
    /// So many region servers, 2 if not said; at least 1.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn servers(mut self, servers: usize) -> Self {
        self.servers = servers.max(1);
        self
    }

    /// The seed of everything random, 0 if not said.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The address to listen on, 127.0.0.1 if not said.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn listen(mut self, ip: IpAddr) -> Self {
        self.ip = ip;
        self
    }

    /// The port of the bootstrap address; 0, if not said, for any free one. The region servers take any free ones.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn rpc_port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The time the cluster's clock starts at, in ms since 1970; the machine's, if not said. It goes on with tokio's
    /// time, so a test that pauses that pauses the cluster.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn start_ms(mut self, start_ms: u64) -> Self {
        self.start_ms = Some(start_ms);
        self
    }

    /// Starts the cluster. It answers when this returns.
    ///
    /// See [`MockClusterBuilder`] for an example.
    ///
    /// # Errors
    /// A port that cannot be had.
    pub async fn start(self) -> io::Result<MockCluster> {
        let clock = self.start_ms.map_or_else(Clock::of_the_machine, Clock::starting_at);
        let (listener, address) = listener::bind(self.ip, self.port)?;
        let master = Arc::new(Server::new(Role::Master, address, clock.now()));
        let cluster = Cluster::new(clock, self.ip, Arc::clone(&master), self.seed);
        let handle = Handle { cluster: Arc::new(cluster) };
        let mock = MockCluster { handle: Arc::new(handle) };
        listener::listen(mock.cluster(), &master, listener);
        for _ in 0..self.servers {
            mock.start_server()?;
        }
        mock.cluster().make_system_tables().map_err(|e| io::Error::other(e.message))?;
        Ok(mock)
    }
}

/// A region, as [`MockCluster::regions`] lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MockRegion {
    /// The full name.
    pub name: Vec<u8>,
    /// The first row key; empty for the first region.
    pub start_key: Vec<u8>,
    /// The row key after the last; empty for the last region.
    pub end_key: Vec<u8>,
    /// The number of the region server that has it; none while it is closed.
    pub server: Option<usize>,
}

/// What cannot be done to a cluster, and why.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
/// let error = cluster.kill_server(9).unwrap_err();
/// assert_eq!(error.to_string(), "kill region server 9: no such live region server; there are [0, 1]");
/// # });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MockError {
    text: String,
}

impl std::fmt::Display for MockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for MockError {}

impl MockCluster {
    /// Starts a cluster of 2 region servers on free ports of 127.0.0.1, with seed 0.
    ///
    /// See [`MockCluster`] for an example.
    ///
    /// # Errors
    /// No port can be had.
    pub async fn start() -> io::Result<Self> {
        Self::builder().start().await
    }

    /// Says more about the cluster before it starts.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn builder() -> MockClusterBuilder {
        let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
        MockClusterBuilder { servers: 2, seed: 0, ip, port: 0, start_ms: None }
    }

    /// The bootstrap address: the master's, which also tells where everything else is.
    ///
    /// See [`MockCluster`] for an example.
    pub fn hbase_rpc(&self) -> SocketAddr {
        self.cluster().master.address
    }

    /// The bootstrap address as clients take it, `hbase+rpc://host:port`.
    ///
    /// See [`MockCluster`] for an example.
    pub fn url(&self) -> String {
        format!("hbase+rpc://{}", self.hbase_rpc())
    }

    /// Ends all servers and closes all connections, also for the other clones of this handle.
    ///
    /// See [`MockCluster`] for an example.
    pub async fn shutdown(&self) {
        end(self.cluster());
        self.cluster().master.port_released().await;
        for server in self.cluster().servers() {
            server.port_released().await;
        }
    }

    /// The numbers of the region servers that live.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn servers(&self) -> Vec<usize> {
        self.cluster().live_numbers()
    }

    /// The address of a region server, also of one that was killed; none for a number that never was.
    ///
    /// See [`MockCluster::connect`] for an example.
    pub fn server_address(&self, server: usize) -> Option<SocketAddr> {
        self.cluster().server(server).map(|s| s.address)
    }

    /// The regions of a table, `"qualifier"` or `"namespace:qualifier"`, in key order; none for a table that is not there.
    ///
    /// See [`MockCluster`] for an example.
    pub fn regions(&self, table: &str) -> Vec<MockRegion> {
        let name = region::table_name(table.as_bytes());
        let regions = match name == schema::meta_name() {
            true => vec![Arc::clone(&self.cluster().meta)],
            false => self.cluster().regions_of(&name),
        };
        regions
            .iter()
            .map(|r| MockRegion {
                name: r.name.to_vec(),
                start_key: r.start_key().to_vec(),
                end_key: r.end_key().to_vec(),
                server: r.lock().server,
            })
            .collect()
    }

    /// Moves the region that holds a row to a region server. The one that had it says so to who asks, as a real one.
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
    /// No such table or server, or the table is disabled.
    pub fn move_region(&self, table: &str, row: &[u8], server: usize) -> Result<(), MockError> {
        let what =
            format!("move the region of row \"{}\" of {table} to server {server}", show(row));
        let region = self.region(&what, table, row)?;
        let moved = self.cluster().move_region(&region, Some(server));
        moved.map_err(|e| refused(&what, &e))
    }

    /// Splits the region that holds a row in two, the second of which starts with that row.
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
    /// No such table, or a region starts with that row already, or the table is disabled.
    pub fn split_region(&self, table: &str, at: &[u8]) -> Result<(), MockError> {
        let what = format!("split {table} at row \"{}\"", show(at));
        let region = self.region(&what, table, at)?;
        self.cluster().split_region(&region, at).map_err(|e| refused(&what, &e))
    }

    /// Ends a region server: its listener and connections close at once. Its regions open on the others, with every
    /// acknowledged write and every nonce; when there are no others, they wait for [`MockCluster::start_server`].
    ///
    /// See [`MockError`] for an example.
    ///
    /// # Errors
    /// No such live server.
    pub fn kill_server(&self, server: usize) -> Result<(), MockError> {
        let live = self.cluster().server(server).filter(|s| s.is_alive());
        let Some(server) = live else {
            let text = format!(
                "kill region server {server}: no such live region server; there are {:?}",
                self.servers()
            );
            return Err(MockError { text });
        };
        self.cluster().kill_server(&server);
        Ok(())
    }

    /// Starts another region server on a free port and gives its number. It takes the regions that wait for one. Call
    /// it inside a runtime.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// cluster.kill_server(0).unwrap();
    /// assert_eq!(cluster.start_server().unwrap(), 2);
    /// assert_eq!(cluster.servers(), [1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    /// No port can be had.
    pub fn start_server(&self) -> io::Result<usize> {
        let cluster = self.cluster();
        let (listener, address) = listener::bind(cluster.ip, 0)?;
        let number = cluster.servers().len();
        let start_code = cluster.unique_now();
        let server = Arc::new(Server::new(Role::Region(number), address, start_code));
        listener::listen(cluster, &server, listener);
        cluster.add_server(server);
        cluster.open_waiting_regions();
        Ok(number)
    }

    /// How often a method was called, by its name on the wire, over all servers.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.calls("Get"), 0);
    /// # });
    /// ```
    pub fn calls(&self, method: &str) -> u64 {
        lock(&self.cluster().calls).calls(method)
    }

    /// How many calls of a method were dropped, over all servers: not applied and never answered, because they were
    /// begun later than their timeout after they arrived. [`FaultPoint::delay_in_queue`] makes such calls.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.dropped_calls("Mutate"), 0);
    /// # });
    /// ```
    ///
    /// [`FaultPoint::delay_in_queue`]: crate::FaultPoint::delay_in_queue
    pub fn dropped_calls(&self, method: &str) -> u64 {
        lock(&self.cluster().calls).dropped_calls(method)
    }

    /// Adds a fault.
    ///
    /// See [`Fault`] for an example.
    pub fn inject(&self, fault: Fault) {
        self.cluster().faults.add(fault);
    }

    /// The faults that have not struck yet, in the order of their injection. A test that asserts that there are none
    /// knows that it saw every fault it asked for.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Fault, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.inject(Fault::on_connect().nth(1).close());
    /// assert_eq!(cluster.unfired_faults(), [Fault::on_connect().nth(1).close()]);
    /// tokio::net::TcpStream::connect(cluster.hbase_rpc()).await.unwrap().readable().await.unwrap();
    /// assert_eq!(cluster.unfired_faults(), []);
    /// # });
    /// ```
    pub fn unfired_faults(&self) -> Vec<Fault> {
        self.cluster().faults.unfired()
    }

    /// Removes every fault.
    ///
    /// See [`Fault`] for an example.
    pub fn clear_faults(&self) {
        self.cluster().faults.clear();
    }

    /// Opens a connection in memory to the server at an address of this cluster, the master's or a region server's.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// let of_a_region_server = cluster.connect(cluster.server_address(0).unwrap()).unwrap();
    /// let mut stream = cluster.connect(cluster.hbase_rpc()).unwrap();
    /// stream.write_all(b"Regist").await.unwrap();
    /// let mut answer = Vec::new();
    /// stream.read_to_end(&mut answer).await.unwrap();
    /// assert_eq!(answer.len(), 4 + 46);
    /// # drop(of_a_region_server);
    /// # });
    /// ```
    ///
    /// # Errors
    /// No live server has this address.
    pub fn connect(&self, to: SocketAddr) -> io::Result<DuplexStream> {
        let cluster = self.cluster();
        let mut servers = cluster.servers();
        servers.push(Arc::clone(&cluster.master));
        let server = servers.into_iter().find(|s| s.address == to && s.is_alive());
        let server = server.ok_or_else(|| {
            let text = format!("connect to {to}: no live server of this cluster has this address");
            io::Error::new(io::ErrorKind::ConnectionRefused, text)
        })?;
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        let from = "127.0.0.1:0".to_owned();
        tokio::spawn(connection::serve(Arc::clone(cluster), server, theirs, from));
        Ok(ours)
    }

    fn cluster(&self) -> &Arc<Cluster> {
        &self.handle.cluster
    }

    fn region(&self, what: &str, table: &str, row: &[u8]) -> Result<Arc<Region>, MockError> {
        let name = region::table_name(table.as_bytes());
        if name == schema::meta_name() {
            return Ok(Arc::clone(&self.cluster().meta));
        }
        let catalog = self.cluster().catalog();
        let region = catalog.table(&name).and_then(|t| t.region_of(row)).cloned();
        region.ok_or_else(|| MockError { text: format!("{what}: no such table") })
    }
}

fn refused(what: &str, exception: &RemoteException) -> MockError {
    MockError { text: format!("{what}: {}", exception.message) }
}
