use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::consistency::{Consistency, HedgedReads};
use crate::host_overrides::HostOverrides;
use crate::observe::{Observation, Observer, SlowOperation, TraceContext};
use crate::site::Site;
use crate::{Compression, Connector, DeliveryGuarantee, RetryBudget, RowKeyDisplay};

/// How a client behaves: deadlines, limits, the user. Each setting names the Java client's property for the same thing.
///
/// A configuration is built by setting what is to differ from the defaults, and can be used for several clients.
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
/// | [`failed_server_expiry`](Self::failed_server_expiry) | 200 ms | `hbase.ipc.client.failed.servers.expiry` | 2 s |
/// | [`retry_budget`](Self::retry_budget) | 20 % of the operations, and 250 a second | none | no limit |
/// | [`delivery`](Self::delivery) | at most once | none | at least once |
/// | [`consistency`](Self::consistency) | strong | none | strong |
/// | [`primary_get_timeout`](Self::primary_get_timeout) | 10 ms | `hbase.client.primaryCallTimeout.get` | 10 ms |
/// | [`primary_scan_timeout`](Self::primary_scan_timeout) | 1 s | `hbase.client.replicaCallTimeout.scan` | 1 s |
/// | [`hedged_reads`](Self::hedged_reads) | 10 % of the reads, 50 a second | none | unlimited |
/// | [`in_flight_bytes`](Self::in_flight_bytes) | 64 MiB | none | no limit |
/// | [`wait_for_room`](Self::wait_for_room) | yes | none | |
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
/// | [`host_override`](Self::host_override) | none | none | |
/// | [`user`](Self::user) | `HADOOP_USER_NAME`, `USER`, `tallrow` | `HADOOP_USER_NAME` | the user of the process |
/// | [`namespace`](Self::namespace), [`table_prefix`](Self::table_prefix) | none | none | |
/// | [`row_keys`](Self::row_keys) | shown | none | shown |
/// | [`slow_operations`](Self::slow_operations) | none | none | |
/// | [`observer`](Self::observer) | none | none | |
/// | [`trace_context`](Self::trace_context) | none | none | |
///
/// All but `connector`, `slow_operations`, `observer` and `trace_context` can also be set in an address, by their names or the Java client's (`?pause=20ms`), and by HBase's
/// own files: [`hbase_site`](Self::hbase_site). The program counts first, then the address, then the files;
/// [`config_report`](Self::config_report) says what was found and what became of it.
///
/// The number of attempts has no limit, unless [`max_retries`](Self::max_retries) is set: an operation is tried until it is answered or its deadline passes, and the last
/// attempts are timed to use what is left of it. So a shorter `operation_timeout` also means fewer attempts, and one
/// that is not longer than `attempt_timeout` leaves no time for a second attempt when a server does not answer.
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
/// let patient = Client::connect_with("mock:", config.operation_timeout(Duration::from_secs(60))).await?;
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
    pub(crate) hedged_reads: HedgedReads,
    pub(crate) in_flight_bytes: usize,
    pub(crate) wait_for_room: bool,
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
    pub(crate) host_overrides: HostOverrides,
    pub(crate) user: String,
    pub(crate) namespace: Option<String>,
    pub(crate) table_prefix: String,
    /// HBase's own files.
    pub(crate) site: Site,
    /// The settings that the program has set, which neither an address nor a file changes.
    pub(crate) given: BTreeSet<&'static str>,
    pub(crate) observation: Observation,
}

impl Config {
    /// The defaults.
    ///
    /// See [`Config`] for an example of this and the other functions.
    pub fn new() -> Self {
        let user = ["HADOOP_USER_NAME", "USER"].iter().find_map(|v| std::env::var(v).ok());
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
            failed_server_expiry: Duration::from_millis(200),
            retry_budget: RetryBudget::default(),
            delivery: DeliveryGuarantee::default(),
            consistency: Consistency::default(),
            primary_get_timeout: Duration::from_millis(10),
            primary_scan_timeout: Duration::from_secs(1),
            hedged_reads: HedgedReads::default(),
            in_flight_bytes: 64 << 20,
            wait_for_room: true,
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
            host_overrides: HostOverrides::default(),
            user: user.filter(|u| !u.is_empty()).unwrap_or_else(|| "tallrow".into()),
            namespace: None,
            table_prefix: String::new(),
            site: Site::default(),
            given: BTreeSet::new(),
            observation: Observation::default(),
        }
    }

    /// The same, after the program has set this.
    fn given(mut self, setting: &'static str) -> Self {
        self.given.insert(setting);
        self
    }

    /// How long an operation may take, all attempts and pauses together: 10 s
    /// (`hbase.client.operation.timeout`, 1,200 s).
    ///
    /// It applies to each read and write of a row, and to each operation of a batch. When it has passed, the error says
    /// what the last complete attempt met: [`Busy`](crate::ErrorKind::Busy),
    /// [`Unreachable`](crate::ErrorKind::Unreachable), [`ServerError`](crate::ErrorKind::ServerError), or else
    /// [`Timeout`](crate::ErrorKind::Timeout). One handle of a table can have another deadline:
    /// [`RawTable::with_timeout`](crate::RawTable::with_timeout).
    pub fn operation_timeout(self, operation_timeout: Duration) -> Self {
        Self { operation_timeout, ..self.given("operation_timeout") }
    }

    /// How long one attempt may wait for its answer: 5 s (`hbase.rpc.timeout`, 60 s).
    ///
    /// After that the location of the region is forgotten, and the operation is tried again if that is safe. It also
    /// limits lookups in `hbase:meta` and calls to the master. The servers are told, and drop a call that has waited
    /// longer in their queue.
    pub fn attempt_timeout(self, attempt_timeout: Duration) -> Self {
        Self { attempt_timeout, ..self.given("attempt_timeout") }
    }

    /// How long one page of a scan may take, its attempts and pauses included: 30 s
    /// (`hbase.client.scanner.timeout.period`, 60 s).
    ///
    /// A page is what one call for the next rows returns, see [`Scan::page_bytes`](crate::Scan::page_bytes). A scan as a
    /// whole has no deadline: it may take as long as its reader takes. A server that finds nothing for a while answers with
    /// an empty page, after which the time starts again.
    pub fn page_timeout(self, page_timeout: Duration) -> Self {
        Self { page_timeout, ..self.given("page_timeout") }
    }

    /// How long an admin operation may take, until its procedure on the master is done: 5 min
    /// (`hbase.client.procedure.future.get.timeout.msec`, 10 min).
    pub fn admin_timeout(self, admin_timeout: Duration) -> Self {
        Self { admin_timeout, ..self.given("admin_timeout") }
    }

    /// How long [`connect`](crate::Client::connect) may take, for all hosts together, and opening a connection
    /// later: 3 s (`hbase.ipc.client.socket.timeout.connect`, 10 s, for each host).
    ///
    /// ```
    /// use std::future::pending;
    /// use std::time::Duration;
    /// use tallrow::{Client, Config, Connector, ErrorKind};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// // Connections that are never opened.
    /// let nowhere = Connector::new(|_, _| pending::<std::io::Result<tokio::net::TcpStream>>());
    /// let config = Config::new().connector(nowhere).connect_timeout(Duration::from_millis(10));
    /// let error = Client::connect_with("hbase+rpc://master1,master2", config).await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Unreachable);
    /// # }
    /// ```
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self.given("connect_timeout") }
    }

    /// The first pause between two attempts: 50 ms; it grows by HBase's table, and each pause is random between 0 and
    /// that (`hbase.client.pause`, 100 ms).
    ///
    /// The factors are 1, 2, 3, 5, 10, 20, 40, four times 100, and then 200 (`HConstants.RETRY_BACKOFF`). A pause takes at
    /// most half of the time that is left until the deadline, and at most 400 ms, or this first pause if that is longer,
    /// while the region of an operation is moved, split or recovered, so that it is found soon after it is open again. If a server requests a pause, as HBase's quotas do, that
    /// pause is kept instead.
    pub fn pause(self, pause: Duration) -> Self {
        Self { pause, ..self.given("pause") }
    }

    /// How long one attempt to read a row may wait for its answer: [`attempt_timeout`](Self::attempt_timeout)
    /// (`hbase.rpc.read.timeout`, the same).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().read_attempt_timeout(Duration::from_millis(500));
    /// assert!(config.config_report().to_string().contains("read_attempt_timeout = 500 ms"));
    /// ```
    pub fn read_attempt_timeout(self, timeout: Duration) -> Self {
        Self { read_attempt_timeout: Some(timeout), ..self.given("read_attempt_timeout") }
    }

    /// How long one attempt to change a row may wait for its answer: [`attempt_timeout`](Self::attempt_timeout)
    /// (`hbase.rpc.write.timeout`, the same).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().write_attempt_timeout(Duration::from_secs(2));
    /// assert!(config.config_report().to_string().contains("write_attempt_timeout = 2 s"));
    /// ```
    pub fn write_attempt_timeout(self, timeout: Duration) -> Self {
        Self { write_attempt_timeout: Some(timeout), ..self.given("write_attempt_timeout") }
    }

    /// How long one call to `hbase:meta` may take when the place of a region is looked up:
    /// [`attempt_timeout`](Self::attempt_timeout) (`hbase.client.meta.read.rpc.timeout`, the same).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().meta_attempt_timeout(Duration::from_secs(2));
    /// assert!(config.config_report().to_string().contains("meta_attempt_timeout = 2 s"));
    /// ```
    pub fn meta_attempt_timeout(self, timeout: Duration) -> Self {
        Self { meta_attempt_timeout: Some(timeout), ..self.given("meta_attempt_timeout") }
    }

    /// How often an operation is tried again at most: no limit but its deadline (`hbase.client.retries.number`, 15).
    ///
    /// With 0 there is one attempt. When the limit is reached, the error is that of the last attempt.
    ///
    /// ```
    /// let config = tallrow::Config::new().max_retries(3);
    /// assert!(config.config_report().to_string().contains("max_retries = 3"));
    /// ```
    pub fn max_retries(self, max_retries: usize) -> Self {
        Self { max_retries: Some(max_retries), ..self.given("max_retries") }
    }

    /// The first pause after a server said that it is overloaded, instead of [`pause`](Self::pause)
    /// (`hbase.client.pause.server.overloaded`, that of `hbase.client.pause`).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().overloaded_pause(Duration::from_millis(500));
    /// assert!(config.config_report().to_string().contains("overloaded_pause = 500 ms"));
    /// ```
    pub fn overloaded_pause(self, pause: Duration) -> Self {
        Self { overloaded_pause: Some(pause), ..self.given("overloaded_pause") }
    }

    /// How long a server to which no connection could be opened is not dialed again, so that operations for it fail
    /// at once or wait for their next attempt: 200 ms (`hbase.ipc.client.failed.servers.expiry`, 2 s).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().failed_server_expiry(Duration::from_secs(1));
    /// assert!(config.config_report().to_string().contains("failed_server_expiry = 1 s"));
    /// ```
    pub fn failed_server_expiry(self, failed_server_expiry: Duration) -> Self {
        Self { failed_server_expiry, ..self.given("failed_server_expiry") }
    }

    /// How many retries the client makes in addition to its first attempts: 20 % of its operations, and 250 in each second. The
    /// Java client has no such limit.
    ///
    /// See [`RetryBudget`] for an example.
    pub fn retry_budget(self, retry_budget: RetryBudget) -> Self {
        Self { retry_budget, ..self.given("retry_budget") }
    }

    /// What happens to a put or delete without a timestamp whose reply was lost: [`DeliveryGuarantee::AtMostOnce`],
    /// which does not send it again and reports it as unknown. The Java client behaves as with
    /// [`DeliveryGuarantee::AtLeastOnce`].
    pub fn delivery(self, delivery: DeliveryGuarantee) -> Self {
        Self { delivery, ..self.given("delivery") }
    }

    /// Which replicas answer the reads that do not say it: [`Consistency::Strong`], the primary one.
    ///
    /// With [`Consistency::Timeline`] every get and scan may be stale;
    /// [`CallOptions::consistency`](crate::op::CallOptions::consistency) sets it for one of them, or for a handle of a table.
    ///
    /// ```
    /// # use tallrow::{Config, op::Consistency};
    /// let config = Config::new().consistency(Consistency::Timeline);
    /// assert!(config.config_report().to_string().contains("consistency = timeline"));
    /// ```
    pub fn consistency(self, consistency: Consistency) -> Self {
        Self { consistency, ..self.given("consistency") }
    }

    /// After what time without an answer of the primary replica a get with [`Consistency::Timeline`] asks the secondary
    /// ones too: 10 ms (`hbase.client.primaryCallTimeout.get`, 10,000 us).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().primary_get_timeout(Duration::from_millis(3));
    /// assert!(config.config_report().to_string().contains("primary_get_timeout = 3 ms"));
    /// ```
    pub fn primary_get_timeout(self, primary_get_timeout: Duration) -> Self {
        Self { primary_get_timeout, ..self.given("primary_get_timeout") }
    }

    /// The same for each call of a scan: 1 s (`hbase.client.replicaCallTimeout.scan`, 1,000,000 us).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().primary_scan_timeout(Duration::from_millis(200));
    /// assert!(config.config_report().to_string().contains("primary_scan_timeout = 200 ms"));
    /// ```
    pub fn primary_scan_timeout(self, primary_scan_timeout: Duration) -> Self {
        Self { primary_scan_timeout, ..self.given("primary_scan_timeout") }
    }

    /// How many calls are made to secondary replicas although the primary one may still answer: for 10 % of the reads
    /// with [`Consistency::Timeline`], and 50 in each second. The Java client has no such limit.
    ///
    /// See [`HedgedReads`] for an example.
    pub fn hedged_reads(self, hedged_reads: HedgedReads) -> Self {
        Self { hedged_reads, ..self.given("hedged_reads") }
    }

    /// How many bytes of operations may be in flight at a time: 64 MiB; further callers wait. The Java client has no
    /// such limit.
    ///
    /// When all of it is in use, each of the servers that the client knows may have its part of half as much in addition: a
    /// slow one then does not keep the others waiting. With one server there is no such part, and operations larger than
    /// it wait.
    ///
    /// It limits the memory of writes that servers have not answered yet. An operation that is larger than the limit is
    /// sent when it is the only one. One that waits until its deadline fails with [`Busy`](crate::ErrorKind::Busy), and
    /// nothing was sent.
    pub fn in_flight_bytes(self, in_flight_bytes: usize) -> Self {
        Self { in_flight_bytes, ..self.given("in_flight_bytes") }
    }

    /// Whether an operation waits if [`in_flight_bytes`](Self::in_flight_bytes) are in flight, or the connection to its
    /// server takes no more: yes.
    ///
    /// Otherwise it fails at once with [`TooBusy`](crate::ErrorKind::TooBusy), and nothing was sent: for a program that
    /// would rather refuse work than let it queue. One handle of a table can have another setting:
    /// [`RawTable::with_wait_for_room`](crate::RawTable::with_wait_for_room).
    ///
    /// ```
    /// use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::start().await?;
    /// let config = Config::new().in_flight_bytes(10_000).wait_for_room(false);
    /// let client = Client::connect_with(&mock.url(), config).await?;
    /// client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let table = client.raw_table("t")?;
    ///
    /// let put = |row| table.put(Put::new(row).cell("d", "q", vec![0; 9_000]));
    /// let (one, other) = tokio::join!(put("r1"), put("r2"));
    /// assert!(one.is_ok());
    /// assert_eq!(other.unwrap_err().kind(), ErrorKind::TooBusy);
    /// put("r2").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn wait_for_room(self, wait_for_room: bool) -> Self {
        Self { wait_for_room, ..self.given("wait_for_room") }
    }

    /// How many bytes a scan may fetch ahead of its reader: 4 MiB
    /// (twice `hbase.client.scanner.max.result.size`, 2 MiB).
    ///
    /// While a program works on one page, the next one is fetched. A scan of several ranges, such as one over the buckets
    /// of a salted key, divides the bytes among its ranges.
    pub fn prefetch_bytes(self, prefetch_bytes: usize) -> Self {
        Self { prefetch_bytes, ..self.given("prefetch_bytes") }
    }

    /// The largest cell that is sent, key and value together: 10 MiB (`hbase.client.keyvalue.maxsize`).
    ///
    /// A larger one is refused before it is sent. The servers have a limit of their own,
    /// `hbase.server.keyvalue.maxsize`, also 10 MiB; raise both.
    ///
    /// ```
    /// use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect_with("mock:", Config::new().max_cell_bytes(1_024)).await?;
    /// client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let put = Put::new("r").cell("d", "photo", [0; 2_000]);
    /// let error = client.raw_table("t")?.put(put).await.unwrap_err();
    /// assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn max_cell_bytes(self, max_cell_bytes: usize) -> Self {
        Self { max_cell_bytes, ..self.given("max_cell_bytes") }
    }

    /// How many rows one call of a scan may return, if the scan does not say
    /// ([`Scan::rows_per_call`](crate::Scan::rows_per_call)): as many as fit into a page, which
    /// is also what 0 stands for (`hbase.client.scanner.caching`, the same).
    ///
    /// ```
    /// let config = tallrow::Config::new().rows_per_call(100);
    /// assert!(config.config_report().to_string().contains("rows_per_call = 100"));
    /// ```
    pub fn rows_per_call(self, rows: usize) -> Self {
        Self { rows_per_call: Some(rows), ..self.given("rows_per_call") }
    }

    /// How many bytes of writes a [`Writer`](crate::writer::Writer) may have collected or under way, if it does not say
    /// ([`max_bytes`](crate::writer::WriterBuilder::max_bytes)): 16 MiB (`hbase.client.write.buffer`, 2 MiB).
    ///
    /// ```
    /// let config = tallrow::Config::new().writer_bytes(4 << 20);
    /// assert!(config.config_report().to_string().contains("writer_bytes = 4 MiB"));
    /// ```
    pub fn writer_bytes(self, writer_bytes: usize) -> Self {
        Self { writer_bytes, ..self.given("writer_bytes") }
    }

    /// How many calls with single operations may be outstanding at one server: 2. What arrives in the meantime is
    /// sent together when one of them is answered. The Java client sends each alone.
    ///
    /// One operation at a time is therefore sent immediately, and many concurrent ones share calls, which costs the
    /// servers less. More calls shorten the wait of an operation under load, at the price of smaller calls.
    pub fn calls_per_server(self, calls_per_server: usize) -> Self {
        Self { calls_per_server, ..self.given("calls_per_server") }
    }

    /// How many calls with operations on rows may be outstanding at one server, those that are slow included: no limit
    /// (`hbase.client.perserver.requests.threshold`, no limit either).
    ///
    /// Further operations wait for an answer. It is the largest [`adaptive_window`](Self::adaptive_window).
    ///
    /// ```
    /// let config = tallrow::Config::new().max_calls_per_server(100);
    /// assert!(config.config_report().to_string().contains("max_calls_per_server = 100"));
    /// ```
    pub fn max_calls_per_server(self, calls: usize) -> Self {
        Self { max_calls_per_server: Some(calls), ..self.given("max_calls_per_server") }
    }

    /// Whether the client limits the calls with operations that are outstanding at a server while the server says that it
    /// has too much to do, or answers late: yes. The Java client has a pause before each call instead, if it is switched on
    /// (`hbase.client.backpressure.enabled`, false).
    ///
    /// The limit is halved when the server's queue is full, and reduced by less when it is too busy with one region,
    /// throttles a user, answers late or not at all. It is never below 1, and grows back with the answers. What waits for
    /// it takes nothing away from other servers. See [`WindowEvent`](crate::observe::WindowEvent) for how to watch it.
    ///
    /// ```
    /// let config = tallrow::Config::new().adaptive_window(false);
    /// assert!(config.config_report().to_string().contains("adaptive_window = false"));
    /// ```
    pub fn adaptive_window(self, adaptive_window: bool) -> Self {
        Self { adaptive_window, ..self.given("adaptive_window") }
    }

    /// How the cells between client and servers are compressed: not at all (`hbase.client.rpc.compressor`).
    ///
    /// See [`Compression`] for an example. Connecting fails with
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the feature of the compression is off. A server that does
    /// not have its class closes the connection or refuses each call with cells; the error names the class.
    pub fn compression(self, compression: Compression) -> Self {
        self.compression_class(compression.class())
    }

    /// The same by the name of a codec class: one of [`Compression`], or one of HBase's own in
    /// `org.apache.hadoop.hbase.io.compress`, which need no native library: `aircompressor.Lz4Codec`,
    /// `aircompressor.SnappyCodec`, `aircompressor.ZstdCodec`, `lz4.Lz4Codec`, `xerial.SnappyCodec`, `zstd.ZstdCodec`.
    ///
    /// HBase's classes for Zstandard divide their bytes into Hadoop's blocks, which Hadoop's own class does not.
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

    /// How connections to servers are opened: [`Connector::tcp`].
    ///
    /// See [`Connector`] for an example.
    pub fn connector(self, connector: Connector) -> Self {
        Self { connector, ..self }
    }

    /// Encrypts the connections to the servers, over those of the [`connector`](Self::connector): they have no TLS
    /// (`hbase.client.netty.tls.enabled`, false). ZooKeeper is read without TLS.
    ///
    /// It counts before all of HBase's properties for TLS. In an address, `tls=true` is the same as
    /// `hbase.client.netty.tls.enabled=true`, and the other properties may follow.
    ///
    /// See [`Tls`](crate::Tls) for an example.
    #[cfg(feature = "rustls-023")]
    pub fn tls(self, tls: crate::Tls) -> Self {
        Self { tls: Some(tls), ..self.given("tls") }
    }

    /// Dials another address than the one by which the cluster knows a server: none.
    ///
    /// For clusters behind a tunnel, in containers, or with names that only their own network resolves. It applies to
    /// region servers, masters and members of ZooKeeper's quorum, whether the address of the cluster, its registry or
    /// `hbase:meta` names them. `server` is a host, or a host with a port, which counts first; `address` is a host, which
    /// leaves the port as it is, or a host with a port. Errors, metrics and certificates still have the server's own name: with TLS,
    /// a certificate must be for that. Each call adds one. In an address: `?host_override=rs1=127.0.0.1:1,rs2=127.0.0.1:2`.
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
    /// Connecting fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if an address is none.
    pub fn host_override(self, server: impl Into<String>, address: impl Into<String>) -> Self {
        let mut config = self.given("host_override");
        config.host_overrides.add(server.into(), address.into());
        config
    }

    /// The user name that is sent to the servers: `HADOOP_USER_NAME`, else `USER`, else `tallrow`.
    ///
    /// It is HBase's simple authentication: the servers believe it. Permissions and quotas are those of this user.
    pub fn user(self, user: impl Into<String>) -> Self {
        Self { user: user.into(), ..self.given("user") }
    }

    /// The namespace of tables that are named without one, in row types as in calls: `default`. An address can contain
    /// it, `hbase+zk://host?namespace=dev`; this setting counts before that.
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

    /// What the names of all tables begin with, after their namespace: nothing. HBase's own tables have no prefix. An
    /// address can contain it, `hbase+zk://host?table_prefix=dev_`; this setting counts before that.
    ///
    /// See [`TableRef`](crate::TableRef) for an example.
    pub fn table_prefix(self, table_prefix: impl Into<String>) -> Self {
        Self { table_prefix: table_prefix.into(), ..self.given("table_prefix") }
    }

    /// How row keys are shown in errors, in what is told about slow operations, in spans and in the state of a client: as
    /// they are.
    ///
    /// See [`RowKeyDisplay`] for an example.
    pub fn row_keys(self, row_keys: RowKeyDisplay) -> Self {
        let mut config = self.given("row_keys");
        config.observation.row_keys = row_keys;
        config
    }

    /// Who is told of each operation that takes at least this long: nobody
    /// (`hbase.ipc.warn.response.time` is the servers' own limit, 10 s).
    ///
    /// The function is called when the operation ends, done or not, by the task that runs it.
    ///
    /// See [`SlowOperation`] for an example.
    pub fn slow_operations(
        mut self,
        threshold: Duration,
        tell: impl Fn(&SlowOperation<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.observation.slow = Some((threshold, Arc::new(tell)));
        self
    }

    /// Where calls get the trace from that they belong to: nowhere, or with the feature `opentelemetry-033` from the current
    /// `opentelemetry::Context`. Java's client has it from its OpenTelemetry agent.
    ///
    /// The function is called for each call, by the task that makes it and in the operation's span of `tracing` (feature
    /// `tracing`); it should return soon. What it returns is sent in the header of the call, and the spans of the server
    /// are children of it. Operations of several tasks that share a call belong to the first trace of them that is
    /// sampled. Lookups in `hbase:meta`, which any number of operations wait for, belong to none.
    ///
    /// ```
    /// use tallrow::observe::TraceContext;
    /// use tallrow::{Client, Config};
    ///
    /// tokio::task_local! { static TRACE: TraceContext; }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let config = Config::new().trace_context(|| TRACE.try_with(Clone::clone).ok());
    /// let client = Client::connect_with("mock:", config).await?;
    /// let trace = TraceContext::new("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
    /// TRACE.scope(trace.clone(), client.admin().list_tables()).await?;
    /// let sent = client.mock_cluster().unwrap().trace_headers("GetTableNames");
    /// assert_eq!(sent[0]["traceparent"], trace.traceparent());
    /// # Ok(())
    /// # }
    /// ```
    pub fn trace_context(
        mut self,
        current: impl Fn() -> Option<TraceContext> + Send + Sync + 'static,
    ) -> Self {
        self.observation.trace_context = Some(Arc::new(current));
        self
    }

    /// Who is told what the client does, next to its own [metrics](crate::observe): nobody. Each call adds one.
    ///
    /// See [`Observer`] for an example.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observation.observers.push(observer);
        self
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}
