//! Configures and starts a mock cluster.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "bigtable")]
use std::sync::Mutex;

use fastrand::Rng;

use super::cluster::MockCluster;
use super::data::OpenedData;
use super::ports::bind;
use crate::faults::FaultInjector;
use crate::procedures;
use crate::schema;
use crate::state::{Clock, Cluster, Kept, Permissions, Role, Server, Settings};
use crate::transport::Network;

/// A builder that configures a mock cluster. Made by [`MockCluster::builder`].
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
///     .clock_start_ms(1_700_000_000_000)
///     .start()
///     .await
///     .unwrap();
/// assert_eq!(cluster.live_servers(), [0, 1, 2]);
/// # });
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct MockClusterBuilder {
    servers: usize,
    seed: u64,
    ip: IpAddr,
    in_memory: bool,
    port: u16,
    zookeeper_port: Option<u16>,
    start_ms: Option<u64>,
    server_principal: Option<String>,
    superusers: Option<Vec<String>>,
    checks_exec: bool,
    settings: Vec<(String, String)>,
    data: Option<PathBuf>,
    #[cfg(feature = "bigtable")]
    bigtable_port: Option<u16>,
    #[cfg(feature = "bigtable")]
    bigtable_instance: Option<String>,
    #[cfg(feature = "bigtable")]
    torn_rows: bool,
}

impl MockClusterBuilder {
    /// The number of region servers, at least 1. The default is 2.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn servers(mut self, servers: usize) -> Self {
        self.servers = servers.max(1);
        self
    }

    /// The seed of all random decisions: the cluster id, the faults that have a
    /// [chance](crate::CallFaultBuilder::chance), and the shapes of torn rows. The default is 0.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The IP address to listen on. The default is 127.0.0.1.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn listen(mut self, ip: IpAddr) -> Self {
        self.ip = ip;
        self
    }

    /// Opens no socket: the servers are reached by [`MockCluster::dial`] only. Their addresses are
    /// 127.0.0.1 with HBase's ports, 16000 for the master and 16020, 16021, ... for the region
    /// servers. Nothing then depends on the system, so a whole test can run in tokio's paused time.
    ///
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    /// # runtime.block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    /// assert_eq!(cluster.server_address(1).unwrap().to_string(), "127.0.0.1:16021");
    /// assert!(cluster.dial("127.0.0.1", 16_021).is_ok());
    /// # });
    /// ```
    pub fn in_memory(mut self) -> Self {
        self.in_memory = true;
        self
    }

    /// The port of the master, to which clients connect first. The default is 0, for any free port.
    /// The region servers listen on free ports. With [`data`](Self::data), a free port is the one
    /// of the last start, if nobody has it.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn rpc_port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Also serves ZooKeeper on this port, or on any free port if it is 0. Most clients find
    /// HBase's servers through ZooKeeper by default. In memory, the port is 2181, ZooKeeper's own.
    ///
    /// See [`MockCluster::zookeeper_url`] for an example.
    pub fn zookeeper_port(mut self, port: u16) -> Self {
        self.zookeeper_port = Some(port);
        self
    }

    /// Also serves Cloud Bigtable's gRPC services, on this port, or on any free port if it is 0.
    /// They serve the tables of HBase's default namespace. In memory, the port is 8086, as for
    /// Google's emulator.
    ///
    /// See [`MockCluster::bigtable_address`] for an example.
    #[cfg(feature = "bigtable")]
    pub fn bigtable_port(mut self, port: u16) -> Self {
        self.bigtable_port = Some(port);
        self
    }

    /// Makes this the only instance of Bigtable that exists. Without this setting, every project
    /// and instance exists and has the same tables.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let builder = MockCluster::builder().bigtable_port(0).bigtable_instance("p", "i");
    /// let url = builder.start().await.unwrap().bigtable_url().unwrap();
    /// assert!(url.starts_with("bigtable://p/i?endpoint=127.0.0.1:"));
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn bigtable_instance(mut self, project: &str, instance: &str) -> Self {
        self.bigtable_instance = Some(format!("projects/{project}/instances/{instance}"));
        self
    }

    /// Sends the rows of a ReadRows in any shape that the protocol allows: values in pieces, rows
    /// in several messages, rows that are reset and sent again, and row keys in each chunk. The
    /// outcomes of a MutateRows are sent in several messages too. The seed decides the shape of
    /// each row. Without this, a row is in one message, unless it is larger than 3 MiB and the
    /// client is not a program in Go: Google's Go and Python clients cannot read rows that are
    /// torn, and the Go client cannot read a row in several messages.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster =
    ///     MockCluster::builder().bigtable_port(0).seed(7).torn_rows().start().await.unwrap();
    /// assert!(cluster.bigtable_address().is_some());
    /// # });
    /// ```
    #[cfg(feature = "bigtable")]
    pub fn torn_rows(mut self) -> Self {
        self.torn_rows = true;
        self
    }

    /// The time at which the cluster's clock starts, in ms since 1970. The default is the system
    /// time. The clock advances with tokio's time, so a test that pauses tokio's time pauses the
    /// cluster.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn clock_start_ms(mut self, start_ms: u64) -> Self {
        self.start_ms = Some(start_ms);
        self
    }

    /// Checks the permissions of users (`hbase.security.authorization` with `AccessController`).
    /// These users may do everything. Other users may do what they are granted in the cluster, a
    /// namespace, a table, a family or a column, and everything in tables that they create. As with
    /// HBase's simple authentication, a client is the user that it claims to be. Without this
    /// setting, everybody may do everything, and there are no permissions to grant.
    ///
    /// Permissions of groups are kept, but no user is in a group. There are no permissions for
    /// single cells. The services of Bigtable do not check permissions.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let builder = MockCluster::builder().authorization(["admin"]);
    /// let cluster = builder.exec_permission_checks().start().await.unwrap();
    /// assert_eq!(cluster.regions("hbase:meta").len(), 1);
    /// # });
    /// ```
    pub fn authorization<U: Into<String>>(
        mut self,
        superusers: impl IntoIterator<Item = U>,
    ) -> Self {
        self.superusers = Some(superusers.into_iter().map(Into::into).collect());
        self
    }

    /// With [`authorization`](Self::authorization), requires a permission for calls of coprocessors
    /// too (`hbase.security.exec.permission.checks`).
    ///
    /// See [`authorization`](Self::authorization) for an example.
    pub fn exec_permission_checks(mut self) -> Self {
        self.checks_exec = true;
        self
    }

    /// Gives the servers a setting, as `hbase-site.xml` does. The mock has these settings:
    ///
    /// | setting | meaning |
    /// |---|---|
    /// | `hbase.coprocessor.region.classes` | the coprocessors of all tables, separated by commas |
    /// | `hbase.coprocessor.user.region.classes` | the same, without the tables of HBase itself |
    /// | `hbase.table.sanity.checks` | `false` accepts schemas with which a table does not work well |
    /// | `hbase.client.scanner.timeout.period` | how long a scanner stays open without a call, in ms |
    /// | `hbase.ipc.max.request.size` | the maximum size of a request, in bytes |
    /// | `hbase.quota.enabled` | `true` creates the table of quotas before there is a quota |
    /// | `hbase.regionserver.slowlog.buffer.enabled` | `true` keeps a log of slow calls; there are none |
    /// | `hbase.region.replica.replication.catalog.enabled` | replicas of `hbase:meta` do not lag |
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let builder = MockCluster::builder().setting("hbase.table.sanity.checks", "false");
    /// assert!(builder.clone().start().await.is_ok());
    /// let refused = builder.setting("hbase.rootdir", "/").start().await.unwrap_err();
    /// assert!(refused.to_string().starts_with("the setting hbase.rootdir is not one of those"));
    /// # });
    /// ```
    pub fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Makes the servers require a login by Kerberos, as servers with this principal. The mock has
    /// no keys, so it refuses every client, with the bytes with which HBase refuses a bad ticket. A
    /// client that asks for the principal is told it. Without this setting, a client that wants to
    /// log in is told to continue without a login.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    /// use tokio::io::{AsyncReadExt, AsyncWriteExt};
    ///
    /// let builder = MockCluster::builder().in_memory();
    /// let cluster = builder.server_principal("hbase/rs1@EXAMPLE.ORG").start().await.unwrap();
    /// let mut stream = cluster.dial("127.0.0.1", 16_000).unwrap();
    /// stream.write_all(b"HBas\x00\x50").await.unwrap();
    /// let mut answer = Vec::new();
    /// stream.read_to_end(&mut answer).await.unwrap();
    /// assert!(String::from_utf8_lossy(&answer).contains("Authentication is required"));
    /// # });
    /// ```
    pub fn server_principal(mut self, principal: &str) -> Self {
        self.server_principal = Some(principal.to_owned());
        self
    }

    /// Keeps the tables in a directory, which is made if it is missing: a cluster that starts with
    /// the directory of an earlier one has all that clients have made there: namespaces, tables,
    /// regions, cells and snapshots, backups, change streams and operations of Bigtable,
    /// permissions, quotas, replication peers, switches and procedures. It also has the id of the
    /// earlier cluster, and its ports if they are free ([`MockCluster::changed_ports`]). Without
    /// this setting, everything is in memory only.
    ///
    /// Each change is written to a file before it is acknowledged, so that nothing acknowledged is
    /// lost however the process ends, and an increment, append or mutation that is repeated with
    /// its nonce or token after a restart is not applied again. The file is synchronized with the
    /// disk only when it is replaced, at [`MockCluster::shutdown`], and when the system does it: a
    /// power cut may lose the latest changes. Not kept are settings of a test, such as faults and
    /// the clock, changes of `hbase:meta`, and on which servers regions are.
    ///
    /// If the file cannot be written any more, the cluster acknowledges nothing from then on
    /// ([`MockCluster::wait_for_data_failure`]).
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::MockCluster;
    ///
    /// let folder = std::env::temp_dir().join(format!("tallrow-data-{}", std::process::id()));
    /// let cluster = MockCluster::builder().data(&folder).start().await.unwrap();
    /// cluster.load_tables("tallrow-mock tables 1\ntable \"t\"\nfamily \"f\"").unwrap();
    /// // The directory belongs to one cluster at a time.
    /// assert!(MockCluster::builder().data(&folder).start().await.is_err());
    /// cluster.shutdown().await;
    ///
    /// let again = MockCluster::builder().data(&folder).start().await.unwrap();
    /// assert_eq!(again.regions("t").len(), 1);
    /// assert_eq!(again.dropped_data(), None);
    /// # again.shutdown().await;
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # });
    /// ```
    pub fn data(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Starts the cluster. It accepts calls when this returns.
    ///
    /// See [`MockClusterBuilder`] for an example.
    ///
    /// # Errors
    /// A port cannot be bound, or a [`setting`](Self::setting) is not one that the mock has. With
    /// [`data`](Self::data), also if the directory is used by another
    /// cluster, if its file is damaged or of another version, or if it cannot be read or written.
    /// The error says which file, and where it is damaged; nothing is changed then.
    pub async fn start(self) -> io::Result<MockCluster> {
        let mut settings = Settings::default();
        for (name, value) in &self.settings {
            let set = settings.set(name, value);
            set.map_err(|refused| io::Error::new(io::ErrorKind::InvalidInput, refused))?;
        }
        let clock = self.start_ms.map_or_else(Clock::starting_now, Clock::starting_at);
        let network = match self.in_memory {
            true => Network::in_memory(),
            false => Network::tcp(self.ip),
        };
        let mut data = self.data.as_deref().map(OpenedData::open).transpose()?;
        let identity = data.as_mut().and_then(|data| data.image.take_identity());
        let identity = Kept::new(identity.unwrap_or_default());
        let endpoint = bind(&network, &identity, (Role::Master, "master"), self.port)?;
        let master = Arc::new(Server::new(Role::Master, endpoint.address, clock.now()));
        let mut random = Rng::with_seed(self.seed);
        let mut cluster = Cluster::new(clock, Arc::clone(&master), &mut random);
        cluster.set_identity(identity);
        if let Some(data) = &mut data {
            cluster.journal = Some(Arc::clone(&data.journal));
            cluster.dropped_data = data.dropped.take();
        }
        cluster.settings = settings;
        cluster.server_principal = self.server_principal;
        cluster.permissions = self
            .superusers
            .map(|superusers| Permissions::new(superusers, self.checks_exec, &cluster.grants));
        let zookeeper = match self.zookeeper_port {
            None => None,
            Some(port) => {
                let endpoint =
                    bind(&network, &cluster.identity, (Role::ZooKeeper, "zookeeper"), port)?;
                let now = cluster.clock.now();
                let server = Server::new(Role::ZooKeeper, endpoint.address, now);
                Some((endpoint, Arc::new(server)))
            }
        };
        cluster.zookeeper = zookeeper.as_ref().map(|(_, server)| Arc::clone(server));
        #[cfg(feature = "bigtable")]
        let bigtable = match self.bigtable_port {
            None => None,
            Some(port) => {
                let endpoint =
                    bind(&network, &cluster.identity, (Role::Bigtable, "bigtable"), port)?;
                let now = cluster.clock.now();
                let server = Server::new(Role::Bigtable, endpoint.address, now);
                Some((endpoint, Arc::new(server)))
            }
        };
        #[cfg(feature = "bigtable")]
        {
            cluster.bigtable_instance = self.bigtable_instance;
            cluster.tearing = self.torn_rows.then(|| Mutex::new(random.fork()));
            cluster.bigtable = bigtable.as_ref().map(|(_, server)| Arc::clone(server));
        }
        let faults = FaultInjector::new(random.u64(..));
        let mock = MockCluster::new(cluster, faults, network, random);
        let mut endpoints = vec![(endpoint, master)];
        for _ in 0..self.servers {
            endpoints.push(mock.add_server()?);
        }
        {
            let cluster = &mock.cluster().lock_admin();
            procedures::make_system_tables(cluster).map_err(|e| io::Error::other(e.message))?;
            if cluster.settings.quotas {
                procedures::create_table(cluster, schema::quota_schema(), &[])
                    .map_err(|e| io::Error::other(e.message))?;
            }
        }
        if let Some(data) = data {
            data.install(mock.cluster())?;
        }
        // Clients that try to connect already wait until everything is in place.
        for (endpoint, server) in endpoints {
            mock.accept_rpc(endpoint, server);
        }
        if let Some((endpoint, server)) = zookeeper {
            mock.accept_zookeeper(endpoint, server);
        }
        #[cfg(feature = "bigtable")]
        if let Some((endpoint, server)) = bigtable {
            mock.accept_bigtable(endpoint, server);
        }
        Ok(mock)
    }
}

impl MockCluster {
    /// Starts a cluster of 2 region servers on free ports of 127.0.0.1, with seed 0.
    ///
    /// See [`MockCluster`] for an example.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn start() -> io::Result<Self> {
        Self::builder().start().await
    }

    /// Returns a builder that configures a cluster before it starts.
    ///
    /// See [`MockClusterBuilder`] for an example.
    pub fn builder() -> MockClusterBuilder {
        let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
        MockClusterBuilder {
            servers: 2,
            seed: 0,
            ip,
            in_memory: false,
            port: 0,
            zookeeper_port: None,
            start_ms: None,
            server_principal: None,
            superusers: None,
            checks_exec: false,
            settings: Vec::new(),
            data: None,
            #[cfg(feature = "bigtable")]
            bigtable_port: None,
            #[cfg(feature = "bigtable")]
            bigtable_instance: None,
            #[cfg(feature = "bigtable")]
            torn_rows: false,
        }
    }
}
