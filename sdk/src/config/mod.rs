//! The configuration of a client: its settings and their defaults. The methods for times, limits
//! and observers are in separate modules.

#[cfg(feature = "bigtable")]
pub(crate) mod access_tokens;
pub(crate) mod address;
pub(crate) mod compression;
pub(crate) mod connector;
pub(crate) mod dialing;
pub(crate) mod host_overrides;
mod limits;
mod observing;
pub mod settings;
pub(crate) mod site;
mod times;
#[cfg(feature = "rustls-023")]
pub(crate) mod tls;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::authentication::Authentication;
use crate::config::host_overrides::HostOverrides;
use crate::config::site::Site;
use crate::observe::ObserverSettings;
use crate::request::consistency::{Consistency, HedgedReadBudget};
use crate::{Compression, Connector, DeliveryGuarantee, RetryBudget};

/// The configuration of a client: deadlines, limits, the user. In parentheses, the documentation of
/// a setting names the Java client's property for the same thing, if there is one, and its default.
///
/// A program sets only what has to differ from the defaults. A configuration can be used for
/// several clients.
///
/// | setting | default | the Java client's property | its default |
/// |---|---|---|---|
/// | [`operation_timeout`](Self::operation_timeout) | 10 s | `hbase.client.operation.timeout` | 20 min |
/// | [`attempt_timeout`](Self::attempt_timeout) | 5 s | `hbase.rpc.timeout` | 60 s |
/// | [`page_timeout`](Self::page_timeout) | 30 s | `hbase.client.scanner.timeout.period` | 60 s |
/// | [`admin_timeout`](Self::admin_timeout) | 5 min | `hbase.client.procedure.future.get.timeout.msec`, before 2.4 `hbase.client.sync.wait.timeout.msec` | 10 min |
/// | [`connect_timeout`](Self::connect_timeout) | 3 s for all hosts | `hbase.ipc.client.socket.timeout.connect` | 10 s for each |
/// | [`pause`](Self::pause) | 50 ms | `hbase.client.pause` | 100 ms |
/// | [`read_attempt_timeout`](Self::read_attempt_timeout) | `attempt_timeout` | `hbase.rpc.read.timeout` | `hbase.rpc.timeout` |
/// | [`write_attempt_timeout`](Self::write_attempt_timeout) | `attempt_timeout` | `hbase.rpc.write.timeout` | `hbase.rpc.timeout` |
/// | [`meta_attempt_timeout`](Self::meta_attempt_timeout) | `attempt_timeout` | `hbase.client.meta.read.rpc.timeout` | `hbase.rpc.timeout` |
/// | [`max_retries`](Self::max_retries) | no limit | `hbase.client.retries.number` | 15 |
/// | [`overloaded_pause`](Self::overloaded_pause) | `pause` | `hbase.client.pause.server.overloaded`, before 2.5 `hbase.client.pause.cqtbe` | `hbase.client.pause` |
/// | [`failed_server_expiry`](Self::failed_server_expiry) | 50 ms | `hbase.ipc.client.failed.servers.expiry` | 2 s |
/// | [`retry_budget`](Self::retry_budget) | 20 % of the operations, and 250 a second | none | no limit |
/// | [`delivery`](Self::delivery) | at most once | none | at least once |
/// | [`consistency`](Self::consistency) | strong | none | strong |
/// | [`primary_get_timeout`](Self::primary_get_timeout) | 10 ms | `hbase.client.primaryCallTimeout.get` | 10 ms |
/// | [`primary_scan_timeout`](Self::primary_scan_timeout) | 1 s | `hbase.client.replicaCallTimeout.scan` | 1 s |
/// | [`hedged_reads`](Self::hedged_reads) | 10 % of the reads, 50 a second | none | unlimited |
/// | [`in_flight_bytes`](Self::in_flight_bytes) | 64 MiB | none | no limit |
/// | [`wait_when_full`](Self::wait_when_full) | yes | none | |
/// | [`prefetch_bytes`](Self::prefetch_bytes) | 4 MiB a scan | `hbase.client.scanner.max.result.size` | 2 MiB a response |
/// | [`max_cell_bytes`](Self::max_cell_bytes) | 10 MiB | `hbase.client.keyvalue.maxsize` | 10 MiB |
/// | [`rows_per_call`](Self::rows_per_call) | no limit | `hbase.client.scanner.caching` | no limit |
/// | [`writer_bytes`](Self::writer_bytes) | 16 MiB a writer | `hbase.client.write.buffer` | 2 MiB |
/// | [`calls_per_server`](Self::calls_per_server) | 2 | none | one for each operation |
/// | [`max_calls_per_server`](Self::max_calls_per_server) | no limit | `hbase.client.perserver.requests.threshold` | no limit |
/// | [`adaptive_window`](Self::adaptive_window) | yes | none | |
/// | [`compression`](Self::compression) | none | `hbase.client.rpc.compressor` | none |
/// | [`connector`](Self::connector) | TCP | `hbase.rpc.client.impl` | Netty |
/// | `tls`, with the feature `rustls-023` | none | `hbase.client.netty.tls.enabled` | false |
/// | [`authentication`](Self::authentication) | none | `hbase.security.authentication` | simple |
/// | `access_tokens`, with the feature `bigtable` | those of the environment, with `google-credentials` | | |
/// | [`host_override`](Self::host_override) | none | none | |
/// | [`user`](Self::user) | `HADOOP_USER_NAME`, `USER`, `tallrow` | `HADOOP_USER_NAME` | the user of the process |
/// | [`namespace`](Self::namespace), [`table_prefix`](Self::table_prefix) | none | none | |
/// | [`row_keys`](Self::row_keys) | shown | none | shown |
/// | [`slow_operations`](Self::slow_operations) | none | none | |
/// | [`observer`](Self::observer) | none | none | |
/// | [`trace_context`](Self::trace_context) | none | none | |
///
/// All settings but `connector`, `access_tokens`, `slow_operations`, `observer` and `trace_context`
/// can also be set in an address, by their names or by the Java client's properties
/// (`?pause=20ms`), and in HBase's own files: [`hbase_site`](Self::hbase_site). A setting of the
/// program takes precedence over the address, and the address takes precedence over the files;
/// [`config_report`](Self::config_report) lists the settings that were found, and whether each was
/// applied.
///
/// The number of attempts has no limit, unless [`max_retries`](Self::max_retries) is set: an
/// operation is tried until it is answered or its deadline passes. A pause takes at most half of
/// the time that is left, so there are attempts until shortly before the deadline. A shorter
/// `operation_timeout` therefore also means fewer attempts, and an `operation_timeout` that is not
/// longer than `attempt_timeout` leaves no time for a second attempt when a server does not answer.
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Client, Config, DeliveryGuarantee};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let config = Config::new()
///     .user("ada")
///     .operation_timeout(Duration::from_secs(2))
///     .delivery(DeliveryGuarantee::AtLeastOnce);
/// let client = Client::connect_with("mock:", config.clone()).await?;
/// let patient =
///     Client::connect_with("mock:", config.operation_timeout(Duration::from_secs(60))).await?;
/// # let _ = (client, patient);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a configuration does nothing until a client is connected with it"]
pub struct Config {
    pub(crate) operation_timeout: Duration,
    pub(crate) attempt_timeout: Duration,
    pub(crate) page_timeout: Duration,
    pub(crate) admin_timeout: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) pause: Duration,
    pub(crate) read_attempt_timeout: Option<Duration>,
    pub(crate) write_attempt_timeout: Option<Duration>,
    pub(crate) meta_attempt_timeout: Option<Duration>,
    pub(crate) max_retries: Option<usize>,
    pub(crate) overloaded_pause: Option<Duration>,
    pub(crate) failed_server_expiry: Duration,
    pub(crate) retry_budget: RetryBudget,
    pub(crate) delivery: DeliveryGuarantee,
    pub(crate) consistency: Consistency,
    pub(crate) primary_get_timeout: Duration,
    pub(crate) primary_scan_timeout: Duration,
    pub(crate) hedged_reads: HedgedReadBudget,
    pub(crate) in_flight_bytes: usize,
    pub(crate) wait_when_full: bool,
    pub(crate) prefetch_bytes: usize,
    pub(crate) max_cell_bytes: usize,
    pub(crate) rows_per_call: Option<usize>,
    pub(crate) writer_bytes: usize,
    pub(crate) calls_per_server: usize,
    pub(crate) max_calls_per_server: Option<usize>,
    pub(crate) adaptive_window: bool,
    pub(crate) compression: Option<String>,
    pub(crate) connector: Connector,
    #[cfg(feature = "rustls-023")]
    pub(crate) tls: Option<crate::Tls>,
    pub(crate) authentication: Option<Authentication>,
    /// Whether a file or an address sets `hbase.security.authentication` to `kerberos`, so that the
    /// other properties configure a login.
    pub(crate) kerberos: bool,
    #[cfg(feature = "bigtable")]
    pub(crate) access_tokens: Option<crate::AccessTokens>,
    pub(crate) host_overrides: HostOverrides,
    pub(crate) user: String,
    pub(crate) namespace: Option<String>,
    pub(crate) table_prefix: String,
    /// The properties in HBase's own files.
    pub(crate) site: Site,
    /// The settings that the program has set. Neither an address nor a file changes them.
    pub(crate) set_by_program: BTreeSet<&'static str>,
    pub(crate) observation: ObserverSettings,
}

impl Config {
    /// Creates a configuration with the defaults.
    ///
    /// See [`Config`] for an example of this and the other functions.
    pub fn new() -> Self {
        let of = |name: &&str| std::env::var(name).ok().filter(|user| !user.is_empty());
        let user = ["HADOOP_USER_NAME", "USER"].iter().find_map(of);
        Self {
            operation_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(5),
            page_timeout: Duration::from_secs(30),
            admin_timeout: Duration::from_secs(300),
            connect_timeout: Duration::from_secs(3),
            pause: Duration::from_millis(50),
            read_attempt_timeout: None,
            write_attempt_timeout: None,
            meta_attempt_timeout: None,
            max_retries: None,
            overloaded_pause: None,
            failed_server_expiry: Duration::from_millis(50),
            retry_budget: RetryBudget::default(),
            delivery: DeliveryGuarantee::default(),
            consistency: Consistency::default(),
            primary_get_timeout: Duration::from_millis(10),
            primary_scan_timeout: Duration::from_secs(1),
            hedged_reads: HedgedReadBudget::default(),
            in_flight_bytes: 64 << 20,
            wait_when_full: true,
            prefetch_bytes: 4 << 20,
            max_cell_bytes: 10 << 20,
            rows_per_call: None,
            writer_bytes: 16 << 20,
            calls_per_server: 2,
            max_calls_per_server: None,
            adaptive_window: true,
            compression: None,
            connector: Connector::tcp(),
            #[cfg(feature = "rustls-023")]
            tls: None,
            authentication: None,
            kerberos: false,
            #[cfg(feature = "bigtable")]
            access_tokens: None,
            host_overrides: HostOverrides::default(),
            user: user.filter(|u| !u.is_empty()).unwrap_or_else(|| "tallrow".into()),
            namespace: None,
            table_prefix: String::new(),
            site: Site::default(),
            set_by_program: BTreeSet::new(),
            observation: ObserverSettings::default(),
        }
    }

    /// Records that the program has set the setting named `setting`.
    fn given(mut self, setting: &'static str) -> Self {
        self.set_by_program.insert(setting);
        self
    }

    /// Sets what happens to a put or delete without a timestamp if its reply is lost. With the
    /// default, [`DeliveryGuarantee::AtMostOnce`], the write is not sent again, and its outcome is
    /// reported as unknown. The Java client behaves as with [`DeliveryGuarantee::AtLeastOnce`].
    pub fn delivery(self, delivery: DeliveryGuarantee) -> Self {
        Self { delivery, ..self.given("delivery") }
    }

    /// Sets which replicas answer a read that does not set this itself. The default is
    /// [`Consistency::Strong`], the primary replica.
    ///
    /// With [`Consistency::Timeline`] every get and scan may be stale;
    /// [`CallOptions::consistency`](crate::op::CallOptions::consistency) sets the consistency for a
    /// single get or scan, or for a handle of a table.
    ///
    /// ```
    /// # use tallrow::{Config, op::Consistency};
    /// let config = Config::new().consistency(Consistency::Timeline);
    /// assert!(config.config_report().to_string().contains("consistency = timeline"));
    /// ```
    pub fn consistency(self, consistency: Consistency) -> Self {
        Self { consistency, ..self.given("consistency") }
    }

    /// Sets the compression of the cells that are sent between client and servers. By default,
    /// cells are not compressed (`hbase.client.rpc.compressor`).
    ///
    /// See [`Compression`] for an example. Connecting fails with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the feature of the compression is
    /// off. A server that does not have the class of the compression closes the connection or
    /// refuses each call with cells; the error names the class.
    pub fn compression(self, compression: Compression) -> Self {
        self.compression_class(compression.class())
    }

    /// Sets the compression of the cells that are sent between client and servers, by the name of a
    /// codec class: the class of a [`Compression`], or one of HBase's own classes in
    /// `org.apache.hadoop.hbase.io.compress`, which need no native library:
    /// `aircompressor.Lz4Codec`, `aircompressor.SnappyCodec`, `aircompressor.ZstdCodec`,
    /// `lz4.Lz4Codec`, `xerial.SnappyCodec`, `zstd.ZstdCodec`.
    ///
    /// HBase's classes for Zstandard divide the compressed bytes into blocks in Hadoop's format;
    /// Hadoop's own class for Zstandard does not.
    ///
    /// ```
    /// use tallrow::{Client, Config, ErrorKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let config = Config::new().compression_class("com.example.LzoCodec");
    /// let error = Client::connect_with("mock:", config).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// assert!(error.to_string().contains("class com.example.LzoCodec is not known"));
    /// # }
    /// ```
    pub fn compression_class(self, class: impl Into<String>) -> Self {
        Self { compression: Some(class.into()), ..self.given("compression") }
    }

    /// Sets how connections to servers are opened. The default is [`Connector::tcp`].
    ///
    /// See [`Connector`] for an example.
    pub fn connector(self, connector: Connector) -> Self {
        Self { connector, ..self }
    }

    /// Encrypts, with TLS, the connections that the [`connector`](Self::connector) opens to the
    /// servers. By default they are not encrypted (`hbase.client.netty.tls.enabled`, false).
    /// ZooKeeper is read without TLS.
    ///
    /// This setting takes precedence over all of HBase's properties for TLS. In an address,
    /// `tls=true` is the same as `hbase.client.netty.tls.enabled=true`, and the address may also
    /// contain the other properties for TLS.
    ///
    /// See [`Tls`](crate::Tls) for an example.
    #[cfg(feature = "rustls-023")]
    pub fn tls(self, tls: crate::Tls) -> Self {
        Self { tls: Some(tls), ..self.given("tls") }
    }

    /// Sets how the client and the servers of a secured cluster prove their identities to each
    /// other. By default, the client only sends the name of the [`user`](Self::user), which the
    /// servers have to trust (`hbase.security.authentication`).
    ///
    /// With the feature `kerberos`, the properties in HBase's own files are enough to configure
    /// this; this setting takes precedence over the properties. See [`Authentication`].
    ///
    /// See [`Authentication`] for an example.
    pub fn authentication(self, authentication: Authentication) -> Self {
        Self { authentication: Some(authentication), ..self.given("authentication") }
    }

    /// Sets the source of the access tokens by which Cloud Bigtable identifies the client. By
    /// default, with the feature `google-credentials`, the tokens are those of Google's application
    /// default credentials: from the file that `GOOGLE_APPLICATION_CREDENTIALS` names, from `gcloud
    /// auth application-default login`, or from the machine's metadata server.
    ///
    /// No token is sent to an address without TLS, such as that of an emulator.
    ///
    /// See [`AccessTokens`](crate::AccessTokens) for an example.
    #[cfg(feature = "bigtable")]
    pub fn access_tokens(self, tokens: crate::AccessTokens) -> Self {
        Self { access_tokens: Some(tokens), ..self }
    }

    /// Connects to `address` whenever the client has to connect to `server`. By default there are
    /// no such overrides.
    ///
    /// This is for clusters behind a tunnel, in containers, or with names that only the cluster's
    /// own network resolves. An override applies to region servers, masters and members of
    /// ZooKeeper's quorum. Their names may be from the address of the cluster, from its registry or
    /// from `hbase:meta`. `server` is a host, or a host with a port; an override for a host with a
    /// port takes precedence. `address` is a host with a port, or only a host: the client then
    /// connects to the server's own port. Errors and metrics still contain the server's own name,
    /// and with TLS the certificate must be for this name. Each call adds an override. In an
    /// address: `?host_override=rs1=127.0.0.1:1,rs2=127.0.0.1:2`.
    ///
    /// ```
    /// use tallrow::{Client, Config, FamilyDescriptor, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::start().await?;
    /// let tunnel = mock.rpc_address().to_string();
    /// let config = Config::new().host_override("master1.internal", tunnel);
    /// let client = Client::connect_with("hbase+rpc://master1.internal:16000", config).await?;
    /// assert!(client.admin().list_tables().await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Connecting fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if `server` or
    /// `address` is not a valid host.
    pub fn host_override(self, server: impl Into<String>, address: impl Into<String>) -> Self {
        let mut config = self.given("host_override");
        config.host_overrides.add(server.into(), address.into());
        config
    }

    /// Sets the user name that is sent to the servers. The default is the value of the environment
    /// variable `HADOOP_USER_NAME` or, if it is not set, of `USER` or, if neither is set,
    /// `tallrow`.
    ///
    /// This is HBase's simple authentication: the servers trust the name. The permissions and
    /// quotas of this user apply.
    pub fn user(self, user: impl Into<String>) -> Self {
        Self { user: user.into(), ..self.given("user") }
    }

    /// Sets the namespace of tables whose names, in row types or in calls, contain no namespace.
    /// The default is `default`. An address can contain the namespace,
    /// `hbase+zk://host?namespace=dev`; this setting takes precedence over the address.
    ///
    /// ```
    /// use tallrow::{Client, Config, RowKey, Table, admin::NamespaceDescriptor};
    ///
    /// # #[derive(RowKey)] struct Isbn { number: u64 }
    /// #[derive(Table)]
    /// #[table(name = "books")]
    /// #[family("b")]
    /// struct Book {
    ///     #[key]
    ///     isbn: Isbn,
    ///     #[cell("b:t")]
    ///     title: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect_with("mock:", Config::new().namespace("dev")).await?;
    /// client.admin().hbase()?.create_namespace(&NamespaceDescriptor::new("dev")).await?;
    /// client.admin().create::<Book>().await?;
    /// assert_eq!(client.table::<Book>().raw()?.name().as_str(), "dev:books");
    /// assert_eq!(client.admin().list_tables().await?, ["dev:books".parse()?]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        Self { namespace: Some(namespace.into()), ..self.given("namespace") }
    }

    /// Sets a prefix of all table names: it is put between the namespace and the rest of the name.
    /// The default is no prefix. HBase's own tables never have the prefix. An address can contain
    /// the prefix, `hbase+zk://host?table_prefix=dev_`; this setting takes precedence over the
    /// address.
    ///
    /// See [`TableRef`](crate::TableRef) for an example.
    pub fn table_prefix(self, table_prefix: impl Into<String>) -> Self {
        Self { table_prefix: table_prefix.into(), ..self.given("table_prefix") }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}
