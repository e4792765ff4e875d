//! The client, which connects to an HBase cluster or a Bigtable instance, and makes the handles for
//! its tables and its administration.
//!
//! # Invariants
//!
//! - Every public future is `Send`, in generic code too. Tests:
//!   `tests/suites/spawned.rs::every_public_future_can_be_spawned`.

mod region_cache;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::admin::Admin;
use crate::backend::Backend;
#[cfg(feature = "bigtable")]
pub use crate::backend::bigtable::{BoundQuery, PreparedQuery, QueryRows};
use crate::config::address::{MockUrl, Store, without_secrets};
use crate::config::settings;
use crate::config::settings::{ConfigReport, ResolvedConfig};
use crate::model::naming::TableNameResolver;
#[cfg(feature = "bigtable")]
use crate::model::query::SqlType;
use crate::observe::JsonWriter;
use crate::runtime::deadline;
use crate::{
    Config, Error, ErrorKind, RawTable, Result, Table, TableDescriptor, TableName, TableRef,
    TypedTable,
};

/// The time, in ms, at which the clock of a mock cluster with a seed starts: 2026-01-01.
#[cfg(feature = "mock")]
const SEEDED_START_MS: u64 = 1_767_225_600_000;

/// A client of a cluster. It is cheap to clone, and all clones share its connections and the region
/// locations that it remembers.
///
/// A program makes one client for each cluster and keeps it: the client remembers where regions
/// are, opens a connection to a server when it is first needed, replaces connections that break,
/// and sends concurrent operations together. The table handles that a client returns are cheap to
/// make and to clone, and can be used by any number of tasks. Nothing has to be closed;
/// [`close`](Client::close) waits for operations that are under way.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = tallrow::Client::connect("mock:").await?;
/// assert!(client.admin().list_tables().await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    backend: Backend,
    naming: TableNameResolver,
    report: Arc<ConfigReport>,
    #[cfg(feature = "mock")]
    mock: Option<tallrow_mock::MockCluster>,
}

impl Client {
    /// Connects to a cluster with the default [`Config`], and makes sure that the cluster answers.
    ///
    /// | address | what it is |
    /// |---|---|
    /// | `hbase+zk://host:port,host:port/znode` | the ZooKeeper quorum; the defaults are port 2181 and `/hbase` |
    /// | `hbase+rpc://host:port,host:port` | masters or region servers of HBase 2.5 or later; the default is port 16000 |
    /// | `hbase-site:directory` | the cluster that `hbase-site.xml` describes: in this directory or these files, separated by `,`; without any, those of [`Config::hbase_site`], or else in `HBASE_CONF_DIR` |
    /// | `bigtable://project/instance` | an instance of Cloud Bigtable (feature `bigtable`); with `BIGTABLE_EMULATOR_HOST` in the environment, that emulator |
    /// | `bigtable://project/instance?endpoint=host:port` | the same in an emulator or a mock, without TLS and credentials; `https://host:port` has both. `app_profile=name` chooses an app profile |
    /// | `mock:` | a new cluster in this process, reached without sockets (feature `mock`) |
    /// | `mock:?seed=7` | the same, and all that is random comes from this seed: see below |
    /// | `mock:?registry=zookeeper` | the same, and the client finds its servers through ZooKeeper |
    ///
    /// Any of these addresses may end with settings that depend on the environment and not on the
    /// program: `?namespace=dev`, `?table_prefix=dev_`, or several settings with `&` between them.
    /// The name of a setting is its name in [`Config`] or in the Java client. Settings of the
    /// address take precedence over those of HBase's files, and settings of the program take
    /// precedence over both.
    ///
    /// With a seed, a program that uses one thread and tokio's paused time runs the same way every
    /// time: the pauses between attempts, the nonces of requests, the faults that are injected by
    /// chance, and the clock of the cluster, which starts in 2026, are the same in every run. The
    /// seed also seeds the thread's random number generator of
    /// [`fastrand`](https://docs.rs/fastrand), from which the program can draw numbers, too.
    ///
    /// See [`Client`] for an example.
    ///
    /// # Errors
    /// The address does not parse, or no host answers as HBase does; in the second case the error
    /// contains the answer of each host. All hosts are tried concurrently, within
    /// [`connect_timeout`](Config::connect_timeout).
    pub async fn connect(address: &str) -> Result<Self> {
        Self::connect_with(address, Config::default()).await
    }

    /// Connects to a cluster with this configuration; the forms of `address` are those of
    /// [`connect`](Client::connect).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// use tallrow::{Client, Config};
    ///
    /// let config = Config::new().user("ada");
    /// let client = Client::connect_with("mock:", config).await?;
    /// # let _ = client;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`connect`](Client::connect).
    pub async fn connect_with(address: &str, config: Config) -> Result<Self> {
        let ResolvedConfig { config, store, report } = settings::resolve_for(config, address)?;
        let naming = TableNameResolver::new(config.namespace.as_deref(), &config.table_prefix)?
            .with_row_key_display(config.observation.row_keys);
        let report = Arc::new(report);
        config
            .host_overrides
            .check()
            .map_err(|why| Error::invalid(why).with_operation_if_unset("connect"))?;
        #[cfg(feature = "rustls-023")]
        if let Some(tls) = &config.tls {
            let read = tls.check_files().await;
            read.map_err(|why| {
                Error::invalid(format!("TLS: {why}")).with_operation_if_unset("connect")
            })?;
        }
        match store {
            Some(Store::HBase(url)) => Ok(Self {
                backend: Backend::hbase(&without_secrets(address), url, config).await?,
                naming,
                report,
                #[cfg(feature = "mock")]
                mock: None,
            }),
            #[cfg(feature = "bigtable")]
            Some(Store::Bigtable(url)) => {
                let endpoint = crate::backend::bigtable::Endpoint::of(&url, &config)?;
                Ok(Self {
                    backend: Backend::bigtable(&url.to_string(), endpoint, config).await?,
                    naming: naming.with_views(),
                    report,
                    #[cfg(feature = "mock")]
                    mock: None,
                })
            }
            Some(Store::Mock(url)) => Self::mock(config, naming, report, url).await,
            Some(Store::Site(_)) | None => {
                let address = without_secrets(address);
                let text = format!("address {address:?}: no file says where the cluster is");
                Err(Error::invalid(text).with_operation_if_unset("connect"))
            }
        }
    }

    /// Starts a new mock cluster, which stops when the client and its tables are dropped, and
    /// connects a client to it.
    #[cfg(feature = "mock")]
    async fn mock(
        config: Config,
        naming: TableNameResolver,
        report: Arc<ConfigReport>,
        url: MockUrl,
    ) -> Result<Self> {
        use std::future::ready;

        use crate::config::address::HBaseUrl;
        use crate::{Connector, ErrorKind};

        let mut builder = tallrow_mock::MockCluster::builder().in_memory();
        if let Some(seed) = url.seed {
            fastrand::seed(seed);
            builder = builder.seed(seed).clock_start_ms(SEEDED_START_MS);
        }
        if url.zookeeper {
            builder = builder.zookeeper_port(0);
        }
        let mock = builder.start().await.map_err(|e| {
            Error::new(ErrorKind::Unreachable, "the mock cluster did not start")
                .with_operation_if_unset("connect")
                .caused_by(e)
        })?;
        let url = match mock.zookeeper_address() {
            Some(at) => {
                HBaseUrl::ZooKeeper { quorum: vec![at.to_string()], znode: "/hbase".to_owned() }
            }
            None => HBaseUrl::Rpc { servers: vec![mock.rpc_address().to_string()] },
        };
        let servers = mock.clone();
        let connector = Connector::new(move |host, port| ready(servers.dial(&host, port)));
        let config = config.connector(connector);
        let backend = Backend::hbase("mock:", url, config).await?;
        Ok(Self { backend, naming, report, mock: Some(mock) })
    }

    #[cfg(not(feature = "mock"))]
    async fn mock(
        _: Config,
        _: TableNameResolver,
        _: Arc<ConfigReport>,
        _: MockUrl,
    ) -> Result<Self> {
        let text = "address \"mock:\" needs the feature \"mock\" of tallrow; add it to Cargo.toml";
        Err(Error::invalid(text).with_operation_if_unset("connect"))
    }

    /// Returns a handle for the table of a row type.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    pub fn table<T: Table>(&self) -> TypedTable<T> {
        TypedTable::new(self.naming.resolve(T::TABLE).map(|name| self.raw(name)))
    }

    /// Returns a handle for the table with this name, whose rows are values of a row type. The name
    /// may differ from the name that the type declares, for example if several tables have the same
    /// schema. Whether the table exists is only checked when the handle is used.
    ///
    /// ```
    /// use tallrow::{Client, RowKey, Table, TableDescriptor};
    ///
    /// # #[derive(RowKey, Clone)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// for branch in ["books_bonn", "books_york"] {
    ///     client.admin().create_table(&TableDescriptor::of::<Book>()?.with_name(branch)?).await?;
    /// }
    /// let (bonn, york) =
    ///     (client.table_named::<Book>("books_bonn")?, client.table_named::<Book>("books_york")?);
    /// bonn.put(&Book { isbn: Isbn { number: 1 }, title: "HBase".into() }).await?;
    /// assert!(bonn.exists(&Isbn { number: 1 }).await?);
    /// assert!(!york.exists(&Isbn { number: 1 }).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An illegal name.
    pub fn table_named<'a, T: Table>(
        &self,
        name: impl Into<TableRef<'a>>,
    ) -> Result<TypedTable<T>> {
        Ok(TypedTable::new(Ok(self.raw(self.naming.resolve(name)?))))
    }

    /// Checks that the table of a row type exists with the families, options and row keys of the
    /// type, and returns a handle for it, like [`table`](Client::table).
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, FamilyDescriptor, RowKey, Table, TableDescriptor};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b", versions = 3)]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:t")]
    ///     title: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// assert_eq!(client.open::<Book>().await.unwrap_err().kind(), ErrorKind::TableNotFound);
    /// client.admin().create_table(&TableDescriptor::new("books")?.family(FamilyDescriptor::new("b"))).await?;
    /// assert_eq!(
    ///     client.open::<Book>().await.unwrap_err().to_string(),
    ///     "open books: the table is not as it is defined: family b: VERSIONS is 1, the definition says 3; \
    ///      fix it with Admin::alter, or in the shell: alter 'books', {NAME => 'b', VERSIONS => 3}"
    /// );
    /// client.admin().alter(&client.admin().diff::<Book>().await?).await?;
    /// let books = client.open::<Book>().await?;
    /// # let _ = books;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound);
    /// [`SchemaDrift`](crate::ErrorKind::SchemaDrift) if the table differs from the type: the error
    /// lists every difference and the commands that fix it; no answer from a master by the
    /// deadline.
    pub async fn open<T: Table>(&self) -> Result<TypedTable<T>> {
        self.admin().check_table_matches("open", &TableDescriptor::of::<T>()?).await?;
        Ok(self.table())
    }

    /// Checks that the table with this name exists with the families, options and row keys of a row
    /// type, and returns a handle for it, like [`table_named`](Client::table_named).
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, RowKey, Table};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// # #[derive(Table)] #[table(name = "books")] #[family("b")]
    /// # struct Book { #[key] isbn: Isbn, #[cell("b:t")] title: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// client.admin().create::<Book>().await?;
    /// let error = client.open_named::<Book>("books_bonn").await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TableNotFound);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`open`](Client::open); also an illegal name.
    pub async fn open_named<T: Table>(
        &self,
        name: impl Into<TableRef<'_>>,
    ) -> Result<TypedTable<T>> {
        let name = self.naming.resolve(name)?;
        self.admin()
            .check_table_matches("open", &TableDescriptor::of::<T>()?.with_name(&name)?)
            .await?;
        self.table_named(name)
    }

    /// Returns a handle for the table with this name, whose row keys, columns and values are bytes.
    /// Whether the table exists is only checked when it is used.
    ///
    /// See [`RawTable`] for an example.
    ///
    /// # Errors
    /// An illegal name.
    pub fn raw_table<'a>(&self, name: impl Into<TableRef<'a>>) -> Result<RawTable> {
        Ok(self.raw(self.naming.resolve(name)?))
    }

    fn raw(&self, name: TableName) -> RawTable {
        RawTable::new(self.backend.clone(), name)
    }

    /// Returns a handle for creating, describing, altering and deleting tables.
    ///
    /// See [`Admin`] for an example.
    pub fn admin(&self) -> Admin {
        Admin::new(self.backend.clone(), self.naming.clone())
    }

    /// Asks the service to prepare a query in SQL, with parameters of these names and types, and
    /// returns the prepared query. Parameters are written as `@name` in the text.
    ///
    /// Only Bigtable has queries. They read tables by their names in the instance:
    /// [`Config::table_prefix`] is not added. The operation is `prepare` in errors and metrics,
    /// and the executions of a query are `execute`.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, query::SqlType};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// let parameters = [("user", SqlType::Int64), ("names", SqlType::array(SqlType::String))];
    /// let error = client.prepare("SELECT @user, @names", parameters).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Unsupported);
    /// assert!(error.to_string().contains("HBase, which has no queries in SQL"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// See [`PreparedQuery`](crate::query::PreparedQuery) for an example on Bigtable.
    ///
    /// # Errors
    /// A parameter that is declared twice, or whose type is neither a scalar nor an array of
    /// scalars; [`DoNotRetry`](ErrorKind::DoNotRetry) if the service rejects the query, with the
    /// service's text; [`Unsupported`](ErrorKind::Unsupported) on HBase, and on an emulator that
    /// has no queries; [`Protocol`](ErrorKind::Protocol) if the result has a type that this client
    /// does not know; no answer by the deadline.
    #[cfg(feature = "bigtable")]
    pub async fn prepare<'p>(
        &self,
        query: impl Into<String>,
        parameters: impl IntoIterator<Item = (&'p str, SqlType)>,
    ) -> Result<PreparedQuery> {
        let parameters = parameters.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
        self.backend.prepare(query.into(), parameters).await
    }

    /// Closes the client, its clones and its table handles within the time `within`: writers send
    /// the writes that they have collected, new operations are rejected, operations that have begun
    /// are awaited, and then all connections are closed.
    ///
    /// A program that ends without calling `close` loses nothing that was acknowledged: every write
    /// that an operation or a [`flush`](crate::writer::Writer::flush) reported as done is on the
    /// servers. The program loses the writes that writers have collected and not sent, and the
    /// answers to operations that are under way.
    ///
    /// A [`Writer`](crate::writer::Writer) keeps the writes that failed, and its own
    /// [`close`](crate::writer::Writer::close) returns them. Scans that have not ended fail with an
    /// error of kind [`Closed`](crate::ErrorKind::Closed), or with the error of a broken
    /// connection.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let table = client.raw_table("t")?;
    /// table.put(Put::new("r").cell("d", "q", "v")).await?;
    /// client.close(Duration::from_secs(10)).await?;
    /// assert_eq!(table.exists("r").await.unwrap_err().kind(), ErrorKind::Closed);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Timeout`](crate::ErrorKind::Timeout) if operations were still under way when the time
    /// `within` had passed: these operations fail, and the error of a write says whether the write
    /// may be on the server. The client is closed in this case, too.
    pub async fn close(&self, within: Duration) -> Result<()> {
        match self.backend.close(deadline::after(within)).await {
            0 => Ok(()),
            left => {
                let text = format!(
                    "operations of {left} bytes were not answered within {:.1} s, and were given up",
                    within.as_secs_f64()
                );
                Err(Error::new(ErrorKind::Timeout, text).with_operation_if_unset("close"))
            }
        }
    }

    /// The settings that this client got from files, from its address and from the program, and
    /// whether each was applied.
    ///
    /// ```
    /// use tallrow::{Client, Config};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect_with("mock:?pause=20ms&user=bob", Config::new().user("ada")).await?;
    /// assert_eq!(client.config_report().to_string(), "\
    /// address
    ///   pause = 20ms: used
    ///   user = bob: overridden by user of the program
    /// program
    ///   user = ada: used
    /// ");
    /// # Ok(())
    /// # }
    /// ```
    pub fn config_report(&self) -> &ConfigReport {
        &self.report
    }

    /// Returns the metrics of this client and its clones since the client was connected, such as
    /// the times of operations, the calls and the retries.
    ///
    /// See [`Metrics`](crate::observe::Metrics) for an example.
    #[cfg(feature = "metrics")]
    pub fn metrics(&self) -> crate::observe::Metrics {
        self.backend.observers().metrics()
    }

    /// Returns the state of this client and its clones as JSON, for a status page or the report of
    /// a problem.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `version` | that of tallrow |
    /// | `address`, `configuration` | of the cluster; the value of each setting and who set it, without secrets |
    /// | `is_closed` | whether [`close`](Client::close) was called |
    /// | `registry` | `kind` (`zookeeper`, `rpc`) and `hosts`, and who is asked where regions are |
    /// | `in_flight` | the bytes of operations without an answer, and [their limit](crate::Config::in_flight_bytes) |
    /// | `retry_budget` | the retries that are `left`, or that they are `unlimited` |
    /// | `connections` | the `server`, the `service`, whether it is open, and how many operations are `queued` for it |
    /// | `regions` | how many locations of each table are known |
    /// | `scanners` | those that are open on a server: table, server, id, and for how long in ns |
    /// | `writers` | the bytes and writes of each [writer](crate::writer) |
    /// | `slow_operations` | the latest 32 of [`slow_operations`](crate::Config::slow_operations), with their attempts |
    /// | `metrics`, with the feature `metrics` | [`Metrics`](crate::observe::Metrics) |
    ///
    /// Row keys are shown as [`Config::row_keys`](crate::Config::row_keys) says. Further members
    /// may be added.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// client.admin().list_tables().await?;
    /// let state = client.state_json();
    /// assert!(
    ///     state.contains(r#""service":"MasterService","is_open":true,"queued":0"#),
    ///     "{state}"
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn state_json(&self) -> String {
        let mut json = JsonWriter::new();
        json.object(|json| {
            json.text("version", env!("CARGO_PKG_VERSION"));
            if let Some(address) = self.report.address() {
                json.text("address", address);
            }
            json.array("configuration", self.report.settings(), |json, setting| {
                json.text("name", setting.name());
                json.text("value", setting.value());
                json.text("source", setting.source());
            });
            self.backend.write_state(json);
        });
        json.into_text()
    }

    /// Returns a sender of single Bigtable requests, for Bigtable's conformance tests.
    #[cfg(feature = "bigtable")]
    #[doc(hidden)]
    pub fn __bigtable(&self) -> Option<crate::backend::bigtable::Messages> {
        self.backend.message_sender()
    }

    /// The mock cluster of `mock:`, for moving and splitting its regions and stopping its servers;
    /// `None` for a real cluster.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// assert!(client.mock_cluster().is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "mock")]
    pub fn mock_cluster(&self) -> Option<&tallrow_mock::MockCluster> {
        self.mock.as_ref()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}
