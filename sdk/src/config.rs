use std::time::Duration;

use crate::{Connector, DeliveryGuarantee};

/// How a client behaves: deadlines, limits, the user. Each setting names the Java client's property for the same thing.
///
/// A configuration is built by setting what is to differ from the defaults, and can be used for several clients.
///
/// | setting | default | the Java client's property | its default |
/// |---|---|---|---|
/// | [`operation_timeout`](Self::operation_timeout) | 10 s | `hbase.client.operation.timeout` | 20 min |
/// | [`attempt_timeout`](Self::attempt_timeout) | 5 s | `hbase.rpc.timeout` | 60 s |
/// | [`page_timeout`](Self::page_timeout) | 30 s | `hbase.client.scanner.timeout.period` | 60 s |
/// | [`admin_timeout`](Self::admin_timeout) | 5 min | `hbase.client.procedure.future.get.timeout.msec` | 10 min |
/// | [`connect_timeout`](Self::connect_timeout) | 3 s for all hosts | `hbase.ipc.client.socket.timeout.connect` | 10 s for each |
/// | [`pause`](Self::pause) | 50 ms | `hbase.client.pause` | 100 ms |
/// | [`delivery`](Self::delivery) | at most once | none | at least once |
/// | [`in_flight_bytes`](Self::in_flight_bytes) | 64 MiB | none | no limit |
/// | [`prefetch_bytes`](Self::prefetch_bytes) | 4 MiB a scan | `hbase.client.scanner.max.result.size` | 2 MiB a response |
/// | [`max_cell_bytes`](Self::max_cell_bytes) | 10 MiB | `hbase.client.keyvalue.maxsize` | 10 MiB |
/// | [`calls_per_server`](Self::calls_per_server) | 2 | none | one for each operation |
/// | [`connector`](Self::connector) | TCP | `hbase.rpc.client.impl` | Netty |
/// | [`user`](Self::user) | `HADOOP_USER_NAME`, `USER`, `tallrow` | `HADOOP_USER_NAME` | the user of the process |
/// | [`namespace`](Self::namespace), [`table_prefix`](Self::table_prefix) | none | none | |
///
/// There is no number of attempts: an operation is tried until it is answered or its deadline passes, and the last
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
    pub(crate) delivery: DeliveryGuarantee,
    pub(crate) in_flight_bytes: usize,
    pub(crate) prefetch_bytes: usize,
    pub(crate) max_cell_bytes: usize,
    pub(crate) calls_per_server: usize,
    pub(crate) connector: Connector,
    pub(crate) user: String,
    pub(crate) namespace: Option<String>,
    pub(crate) table_prefix: String,
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
            delivery: DeliveryGuarantee::default(),
            in_flight_bytes: 64 << 20,
            prefetch_bytes: 4 << 20,
            max_cell_bytes: 10 << 20,
            calls_per_server: 2,
            connector: Connector::tcp(),
            user: user.filter(|u| !u.is_empty()).unwrap_or_else(|| "tallrow".into()),
            namespace: None,
            table_prefix: String::new(),
        }
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
        Self { operation_timeout, ..self }
    }

    /// How long one attempt may wait for its answer: 5 s (`hbase.rpc.timeout`, 60 s).
    ///
    /// After that the location of the region is forgotten, and the operation is tried again if that is safe. It also
    /// limits lookups in `hbase:meta` and calls to the master. The servers are told, and drop a call that has waited
    /// longer in their queue.
    pub fn attempt_timeout(self, attempt_timeout: Duration) -> Self {
        Self { attempt_timeout, ..self }
    }

    /// How long one page of a scan may take, its attempts and pauses included: 30 s
    /// (`hbase.client.scanner.timeout.period`, 60 s).
    ///
    /// A page is what one call for the next rows returns, see [`Scan::page_bytes`](crate::Scan::page_bytes). A scan as a
    /// whole has no deadline: it may take as long as its reader takes. A server that finds nothing for a while answers with
    /// an empty page, after which the time starts again.
    pub fn page_timeout(self, page_timeout: Duration) -> Self {
        Self { page_timeout, ..self }
    }

    /// How long an admin operation may take, until its procedure on the master is done: 5 min
    /// (`hbase.client.procedure.future.get.timeout.msec`, 10 min).
    pub fn admin_timeout(self, admin_timeout: Duration) -> Self {
        Self { admin_timeout, ..self }
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
        Self { connect_timeout, ..self }
    }

    /// The first pause between two attempts: 50 ms; it grows by HBase's table, and each pause is random between 0 and
    /// that (`hbase.client.pause`, 100 ms).
    ///
    /// The factors are 1, 2, 3, 5, 10, 20, 40, four times 100, and then 200 (`HConstants.RETRY_BACKOFF`). A pause takes at
    /// most half of the time that is left until the deadline. If a server requests a pause, as HBase's quotas do, that
    /// pause is kept instead.
    pub fn pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// What happens to a put or delete without a timestamp whose reply was lost: [`DeliveryGuarantee::AtMostOnce`],
    /// which does not send it again and reports it as unknown. The Java client behaves as with
    /// [`DeliveryGuarantee::AtLeastOnce`].
    pub fn delivery(self, delivery: DeliveryGuarantee) -> Self {
        Self { delivery, ..self }
    }

    /// How many bytes of operations may be in flight at a time: 64 MiB; further callers wait. The Java client has no
    /// such limit.
    ///
    /// It limits the memory of writes that servers have not answered yet. An operation that is larger than the limit is
    /// sent when it is the only one. One that waits until its deadline fails with [`Busy`](crate::ErrorKind::Busy), and
    /// nothing was sent.
    pub fn in_flight_bytes(self, in_flight_bytes: usize) -> Self {
        Self { in_flight_bytes, ..self }
    }

    /// How many bytes a scan may fetch ahead of its reader: 4 MiB
    /// (twice `hbase.client.scanner.max.result.size`, 2 MiB).
    ///
    /// While a program works on one page, the next one is fetched. A scan of several ranges, such as one over the buckets
    /// of a salted key, divides the bytes among its ranges.
    pub fn prefetch_bytes(self, prefetch_bytes: usize) -> Self {
        Self { prefetch_bytes, ..self }
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
        Self { max_cell_bytes, ..self }
    }

    /// How many calls with single operations may be outstanding at one server: 2. What arrives in the meantime is
    /// sent together when one of them is answered. The Java client sends each alone.
    ///
    /// One operation at a time is therefore sent immediately, and many concurrent ones share calls, which costs the
    /// servers less. More calls shorten the wait of an operation under load, at the price of smaller calls.
    pub fn calls_per_server(self, calls_per_server: usize) -> Self {
        Self { calls_per_server, ..self }
    }

    /// How connections to servers are opened: [`Connector::tcp`].
    ///
    /// See [`Connector`] for an example.
    pub fn connector(self, connector: Connector) -> Self {
        Self { connector, ..self }
    }

    /// The user name that is sent to the servers: `HADOOP_USER_NAME`, else `USER`, else `tallrow`.
    ///
    /// It is HBase's simple authentication: the servers believe it. Permissions and quotas are those of this user.
    pub fn user(self, user: impl Into<String>) -> Self {
        Self { user: user.into(), ..self }
    }

    /// The namespace of tables that are named without one, in row types as in calls: `default`. An address can contain
    /// it, `hbase+zk://host?namespace=dev`, and then this setting is ignored.
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
        Self { namespace: Some(namespace.into()), ..self }
    }

    /// What the names of all tables begin with, after their namespace: nothing. HBase's own tables have no prefix. An
    /// address can contain it, `hbase+zk://host?table_prefix=dev_`, and then this setting is ignored.
    ///
    /// See [`TableRef`](crate::TableRef) for an example.
    pub fn table_prefix(self, table_prefix: impl Into<String>) -> Self {
        Self { table_prefix: table_prefix.into(), ..self }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}
