//! The client: connects to a cluster or an instance, and makes the handles of its tables and of its
//! administration.
//!
//! # Invariants
//!
//! - Every public future is `Send`, in generic code too. Tests:
//!   `tests/suites/spawned.rs::every_public_future_can_be_spawned`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::admin::Admin;
use crate::backend::Backend;
use crate::config::address::{Store, Url, without_secrets};
use crate::config::settings;
use crate::config::settings::{ConfigReport, Resolved};
use crate::model::naming::Naming;
use crate::observe::Json;
use crate::raw_table::regions::RegionLocator;
use crate::runtime::deadline;
use crate::{
    Config, Error, ErrorKind, RawTable, Result, Table, TableDescriptor, TableName, TableRef,
    TypedTable,
};

/// The first time of a cluster with a seed: 2026-01-01.
#[cfg(feature = "mock")]
const SEEDED_START_MS: u64 = 1_767_225_600_000;

/// A connection to a cluster; cheap to clone, and shared by all its clones.
///
/// A program makes one for each cluster and keeps it: it remembers where regions are, opens a
/// connection to a server when it first needs it, replaces those that break, and sends concurrent
/// operations together. The handles of tables that it returns are cheap to make and to clone, and
/// can be used by any number of tasks. Nothing has to be closed; [`close`](Client::close) waits for
/// what is under way.
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
    naming: Naming,
    report: Arc<ConfigReport>,
    #[cfg(feature = "mock")]
    mock: Option<tallrow_mock::MockCluster>,
}

impl Client {
    /// Connects with the default [`Config`], and makes sure that the cluster answers.
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
    ///
    /// Any of them may end with settings that belong to the place and not to the program:
    /// `?namespace=dev`, `?table_prefix=dev_`, or several with `&` between them. They are those of
    /// [`Config`], by their names or the Java client's. They take precedence over the files, and
    /// what the program sets takes precedence over them.
    ///
    /// With a seed, a program in tokio's paused time on one thread has one history: the pauses between attempts, what identifies
    /// requests, the faults that have a chance, and the clock of the cluster, which begins in 2026, are the same in every run. It
    /// seeds the generator of [`fastrand`](https://docs.rs/fastrand) of the thread, from which a program can draw too.
    ///
    /// See [`Client`] for an example.
    ///
    /// # Errors
    /// An address that does not parse; no host that answers as HBase does, with the answer of each.
    /// All hosts are tried concurrently, within [`connect_timeout`](Config::connect_timeout).
    pub async fn connect(address: &str) -> Result<Self> {
        Self::connect_with(address, Config::default()).await
    }

    /// Connects with this configuration.
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
        let url: Url = address.parse()?;
        let config = settings::with_files(config, &url)?;
        let resolved = settings::resolve(config, Some(url));
        resolved.check()?;
        let Resolved { config, store, report } = resolved;
        let naming = Naming::new(config.namespace.as_deref(), &config.table_prefix)?
            .showing(config.observation.row_keys);
        let report = Arc::new(report);
        config.host_overrides.check().map_err(|why| Error::invalid(why).during("connect"))?;
        #[cfg(feature = "rustls-023")]
        if let Some(tls) = &config.tls {
            let read = tls.prepare().await;
            read.map_err(|why| Error::invalid(format!("TLS: {why}")).during("connect"))?;
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
                    naming,
                    report,
                    #[cfg(feature = "mock")]
                    mock: None,
                })
            }
            Some(Store::Mock(seed)) => Self::mock(config, naming, report, seed).await,
            Some(Store::Site(_)) | None => {
                let address = without_secrets(address);
                let text = format!("address {address:?}: no file says where the cluster is");
                Err(Error::invalid(text).during("connect"))
            }
        }
    }

    /// A client of a new cluster, which stops when the client and its tables are dropped.
    #[cfg(feature = "mock")]
    async fn mock(
        config: Config,
        naming: Naming,
        report: Arc<ConfigReport>,
        seed: Option<u64>,
    ) -> Result<Self> {
        use std::future::ready;

        use crate::config::address::HBaseUrl;
        use crate::{Connector, ErrorKind};

        let mut builder = tallrow_mock::MockCluster::builder().in_memory();
        if let Some(seed) = seed {
            fastrand::seed(seed);
            builder = builder.seed(seed).clock_start_ms(SEEDED_START_MS);
        }
        let mock = builder.start().await.map_err(|e| {
            Error::new(ErrorKind::Unreachable, "the mock cluster did not start")
                .during("connect")
                .caused_by(e)
        })?;
        let url = HBaseUrl::Rpc { servers: vec![mock.rpc_address().to_string()] };
        let servers = mock.clone();
        let connector = Connector::new(move |host, port| ready(servers.dial(&host, port)));
        let config = config.connector(connector);
        let backend = Backend::hbase("mock:", url, config).await?;
        Ok(Self { backend, naming, report, mock: Some(mock) })
    }

    #[cfg(not(feature = "mock"))]
    async fn mock(_: Config, _: Naming, _: Arc<ConfigReport>, _: Option<u64>) -> Result<Self> {
        let text = "address \"mock:\" needs the feature \"mock\" of tallrow; add it to Cargo.toml";
        Err(Error::invalid(text).during("connect"))
    }

    /// A table whose rows are values of a type.
    ///
    /// See [`TypedTable`](crate::TypedTable) for an example.
    pub fn table<T: Table>(&self) -> TypedTable<T> {
        TypedTable::new(self.naming.resolve(T::TABLE).map(|name| self.raw(name)))
    }

    /// A table with another name than the row type's, whose rows are values of the type: one of
    /// several tables of the same form. Whether it exists is only checked when it is used.
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
    ///     client.admin().create_table(&TableDescriptor::of::<Book>()?.named(branch)?).await?;
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

    /// The table of a row type, like [`table`](Client::table), after checking that it exists with
    /// the families, options and row keys of the type.
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
    /// [`SchemaDrift`](crate::ErrorKind::SchemaDrift), which names every difference and the
    /// commands that fix them; no master that answers by the deadline.
    pub async fn open<T: Table>(&self) -> Result<TypedTable<T>> {
        self.admin().validate("open", &TableDescriptor::of::<T>()?).await?;
        Ok(self.table())
    }

    /// A table with another name than the row type's, like [`table_named`](Client::table_named),
    /// after checking that it exists with the families, options and row keys of the type.
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
        self.admin().validate("open", &TableDescriptor::of::<T>()?.named(&name)?).await?;
        self.table_named(name)
    }

    /// A table by its name, with bytes for everything. Whether it exists is only checked when it is
    /// used.
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

    /// Creating, describing and deleting tables.
    ///
    /// See [`Admin`] for an example.
    pub fn admin(&self) -> Admin {
        Admin::new(self.backend.clone(), self.naming.clone())
    }

    /// Looks up where the rows of a table are now, so that the first operations need not.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// client.prefetch_regions("t").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A table that does not exist; a cluster that does not answer.
    pub async fn prefetch_regions(&self, table: impl Into<TableRef<'_>>) -> Result<()> {
        self.backend.prefetch_regions(&self.naming.resolve(table)?).await
    }

    /// Finds the regions of a table, and the servers that hold them.
    ///
    /// See [`RegionLocator`] for an example.
    ///
    /// # Errors
    /// An illegal name.
    pub fn region_locator<'a>(&self, table: impl Into<TableRef<'a>>) -> Result<RegionLocator> {
        Ok(self.raw_table(table)?.region_locator())
    }

    /// Forgets all regions of all tables: they are looked up again when they are needed. Java's
    /// `clearRegionLocationCache`.
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// client.prefetch_regions("t").await?;
    /// client.clear_regions();
    /// assert!(client.region_locator("t")?.known().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn clear_regions(&self) {
        self.backend.forget_all_regions();
    }

    /// Forgets all regions on a server, as if it had failed: `host:port`, or `host,port,start code`
    /// for a server that may have been started again since. A server without known regions is no
    /// error.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let locator = client.region_locator("t")?;
    /// let region = locator.locate("r").await?;
    /// client.clear_regions_on(region.server())?;
    /// assert!(locator.known().is_empty());
    /// assert_eq!(
    ///     client.clear_regions_on("nowhere").unwrap_err().kind(),
    ///     ErrorKind::InvalidArgument
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A text that is neither.
    pub fn clear_regions_on(&self, server: &str) -> Result<()> {
        self.backend.forget_server(server)
    }

    /// What the client knows of regions, for a file from which another run
    /// [warms](Client::import_regions) up.
    ///
    /// The registry is asked for the id of the cluster; nothing else is. See
    /// [`regions`](crate::regions) for an example and for the format.
    ///
    /// # Errors
    /// No answer of the registry by the deadline.
    pub async fn export_regions(&self) -> Result<Vec<u8>> {
        self.backend.export_regions().await
    }

    /// Adds the regions of a file that [`export_regions`](Client::export_regions) made to those
    /// that are known; returns how many. What is known already stays. The file may be old: a
    /// location that is wrong is found out and replaced as any other.
    ///
    /// The registry is asked for the id of the cluster; nothing else is.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let error = client.import_regions(b"PK\x03\x04 an archive").await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// assert!(error.to_string().contains("these bytes are no regions"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Bytes that are something else, of another version, cut off or damaged, or of another
    /// cluster; then nothing is added. No answer of the registry by the deadline.
    pub async fn import_regions(&self, exported: &[u8]) -> Result<usize> {
        self.backend.import_regions(exported).await
    }

    /// Closes the client and all its clones and tables, within this time: writers send what they
    /// have collected, operations that have begun are awaited, no more begin, and all connections
    /// end.
    ///
    /// A program that ends without it loses nothing that was acknowledged: what an operation or a
    /// [`flush`](crate::writer::Writer::flush) reported as done is on the servers. What it loses is
    /// what writers have collected and not sent, and the answers of what is under way.
    ///
    /// A [`Writer`](crate::writer::Writer) keeps what it could not write, for its own
    /// [`close`](crate::writer::Writer::close). Scans that are not at their end get an error of
    /// kind [`Closed`](crate::ErrorKind::Closed), or of a broken connection.
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
    /// [`Timeout`](crate::ErrorKind::Timeout) if operations were still under way after that time:
    /// they fail, and a write among them says whether it may be on the server. The client is closed
    /// then, too.
    pub async fn close(&self, within: Duration) -> Result<()> {
        match self.backend.close(deadline::after(within)).await {
            0 => Ok(()),
            left => {
                let text = format!(
                    "operations of {left} bytes were not answered within {:.1} s, and were given up",
                    within.as_secs_f64()
                );
                Err(Error::new(ErrorKind::Timeout, text).during("close"))
            }
        }
    }

    /// What this client was told by files, its address and the program, and what became of it.
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

    /// What this client and its clones did since it was connected: times of operations, calls,
    /// retries.
    ///
    /// See [`Metrics`](crate::observe::Metrics) for an example.
    #[cfg(feature = "metrics")]
    pub fn metrics(&self) -> crate::observe::Metrics {
        self.backend.observers().metrics()
    }

    /// What this client and its clones are doing, as JSON: for a status page, or a report of a
    /// problem.
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
        let mut json = Json::new();
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

    /// Single messages of Bigtable, for its conformance tests.
    #[cfg(feature = "bigtable")]
    #[doc(hidden)]
    pub fn __bigtable(&self) -> Option<crate::backend::bigtable::Messages> {
        self.backend.messages()
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
