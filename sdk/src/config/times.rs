//! The settings for how long operations and attempts may take, and how often they are retried.

use std::time::Duration;

use super::Config;
use crate::RetryBudget;
use crate::runtime::deadline::clamp;

impl Config {
    /// Sets how long an operation may take, all attempts and pauses together. The default is 10 s
    /// (`hbase.client.operation.timeout`, 1,200 s).
    ///
    /// The timeout applies to each read and write of a row, and to each operation of a batch. When
    /// the timeout has passed, the kind of the error says why the last complete attempt failed:
    /// [`Busy`](crate::ErrorKind::Busy), [`Unreachable`](crate::ErrorKind::Unreachable),
    /// [`ServerError`](crate::ErrorKind::ServerError), or else
    /// [`Timeout`](crate::ErrorKind::Timeout). A handle of a table can have another timeout:
    /// [`RawTable::with_timeout`](crate::RawTable::with_timeout).
    pub fn operation_timeout(self, operation_timeout: Duration) -> Self {
        Self { operation_timeout: clamp(operation_timeout), ..self.given("operation_timeout") }
    }

    /// Sets how long one attempt may wait for its answer. The default is 5 s (`hbase.rpc.timeout`,
    /// 60 s).
    ///
    /// After that the location of the region is forgotten, and the operation is retried if that is
    /// safe. The timeout also limits lookups in `hbase:meta` and calls to the master. The timeout
    /// is also sent to the servers, which drop a call that has waited longer in their queue.
    pub fn attempt_timeout(self, attempt_timeout: Duration) -> Self {
        Self { attempt_timeout: clamp(attempt_timeout), ..self.given("attempt_timeout") }
    }

    /// Sets how long one page of a scan may take, its attempts and pauses included. The default is
    /// 30 s (`hbase.client.scanner.timeout.period`, 60 s).
    ///
    /// A page is what one call for the next rows returns, see
    /// [`Scan::bytes_per_call`](crate::Scan::bytes_per_call). A scan as a whole has no deadline: it
    /// may take as long as the program takes to read it. A server that finds no rows for a while
    /// answers with an empty page, and the next page has the full timeout again.
    ///
    /// Bigtable's servers send rows as they find them. If a server sends nothing within the timeout
    /// of an attempt to read, the call is repeated with twice that timeout, because the server may
    /// have to examine many rows before it finds one.
    pub fn page_timeout(self, page_timeout: Duration) -> Self {
        Self { page_timeout: clamp(page_timeout), ..self.given("page_timeout") }
    }

    /// Sets how long an admin operation may take, until its procedure on the master is done. The
    /// default is 5 min (`hbase.client.procedure.future.get.timeout.msec`, 10 min).
    pub fn admin_timeout(self, admin_timeout: Duration) -> Self {
        Self { admin_timeout: clamp(admin_timeout), ..self.given("admin_timeout") }
    }

    /// Sets how long [`connect`](crate::Client::connect) may take, for all hosts together, and how
    /// long opening each later connection may take. The default is 3 s
    /// (`hbase.ipc.client.socket.timeout.connect`, 10 s for each host).
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
        Self { connect_timeout: clamp(connect_timeout), ..self.given("connect_timeout") }
    }

    /// Sets the first pause between two attempts. The default is 50 ms (`hbase.client.pause`, 100
    /// ms). Each pause is a random time between 0 and a maximum: the first pause multiplied by a
    /// factor, which grows from attempt to attempt as in HBase.
    ///
    /// The factors are 1, 2, 3, 5, 10, 20, 40, then 100 for four pauses, and then 200
    /// (`HConstants.RETRY_BACKOFF`). A pause takes at most half of the time that is left until the
    /// deadline. While the region of an operation is moved, split or recovered, a pause takes at
    /// most 400 ms, so that the region is found soon after it is open again. If the first pause is
    /// longer than 400 ms, it is the limit instead. If a server requests a pause, as HBase's quotas
    /// do, the client makes that pause instead.
    pub fn pause(self, pause: Duration) -> Self {
        Self { pause: clamp(pause), ..self.given("pause") }
    }

    /// Sets how long one attempt to read a row may wait for its answer. The default is the value of
    /// [`attempt_timeout`](Self::attempt_timeout) (`hbase.rpc.read.timeout`, the value of
    /// `hbase.rpc.timeout`).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().read_attempt_timeout(Duration::from_millis(500));
    /// assert!(config.config_report().to_string().contains("read_attempt_timeout = 500 ms"));
    /// ```
    pub fn read_attempt_timeout(self, timeout: Duration) -> Self {
        Self { read_attempt_timeout: Some(clamp(timeout)), ..self.given("read_attempt_timeout") }
    }

    /// Sets how long one attempt to change a row may wait for its answer. The default is the value
    /// of [`attempt_timeout`](Self::attempt_timeout) (`hbase.rpc.write.timeout`, the value of
    /// `hbase.rpc.timeout`).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().write_attempt_timeout(Duration::from_secs(2));
    /// assert!(config.config_report().to_string().contains("write_attempt_timeout = 2 s"));
    /// ```
    pub fn write_attempt_timeout(self, timeout: Duration) -> Self {
        Self { write_attempt_timeout: Some(clamp(timeout)), ..self.given("write_attempt_timeout") }
    }

    /// Sets how long one call to `hbase:meta` may take when the location of a region is looked up.
    /// The default is the value of [`attempt_timeout`](Self::attempt_timeout)
    /// (`hbase.client.meta.read.rpc.timeout`, the value of `hbase.rpc.timeout`).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().meta_attempt_timeout(Duration::from_secs(2));
    /// assert!(config.config_report().to_string().contains("meta_attempt_timeout = 2 s"));
    /// ```
    pub fn meta_attempt_timeout(self, timeout: Duration) -> Self {
        Self { meta_attempt_timeout: Some(clamp(timeout)), ..self.given("meta_attempt_timeout") }
    }

    /// Limits how often an operation is retried. By default only the deadline of the operation
    /// limits this (`hbase.client.retries.number`, 15).
    ///
    /// With 0, only one attempt is made. When the limit is reached, the operation fails with the
    /// error of the last attempt.
    ///
    /// ```
    /// let config = tallrow::Config::new().max_retries(3);
    /// assert!(config.config_report().to_string().contains("max_retries = 3"));
    /// ```
    pub fn max_retries(self, max_retries: usize) -> Self {
        Self { max_retries: Some(max_retries), ..self.given("max_retries") }
    }

    /// Sets the first pause after a server said that it is overloaded. The default is the value of
    /// [`pause`](Self::pause). The property is `hbase.client.pause.server.overloaded`; its default
    /// is the value of `hbase.client.pause`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().overloaded_pause(Duration::from_millis(500));
    /// assert!(config.config_report().to_string().contains("overloaded_pause = 500 ms"));
    /// ```
    pub fn overloaded_pause(self, pause: Duration) -> Self {
        Self { overloaded_pause: Some(clamp(pause)), ..self.given("overloaded_pause") }
    }

    /// Sets the time from the start of a failed attempt to connect to a server to the start of the
    /// next attempt. The default is 50 ms (`hbase.ipc.client.failed.servers.expiry`, 2 s). In the
    /// meantime, the attempts of operations on the server fail at once, and the operations are
    /// retried as soon as the server can be reached. With the default, each client tries 20 times a
    /// second to connect to a server that refuses connections, however many operations wait for
    /// this server. It tries once per [`connect_timeout`](Self::connect_timeout) to connect to a
    /// server that does not answer at all.
    ///
    /// The setting also applies to the members of ZooKeeper's quorum, and to each connection to
    /// Bigtable.
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().failed_server_expiry(Duration::from_secs(1));
    /// assert!(config.config_report().to_string().contains("failed_server_expiry = 1 s"));
    /// ```
    pub fn failed_server_expiry(self, failed_server_expiry: Duration) -> Self {
        Self {
            failed_server_expiry: clamp(failed_server_expiry),
            ..self.given("failed_server_expiry")
        }
    }

    /// Limits the retries that the client makes in addition to its first attempts. The default is
    /// 20 % of its operations, plus 250 retries in each second. The Java client has no such limit.
    ///
    /// See [`RetryBudget`] for an example.
    pub fn retry_budget(self, retry_budget: RetryBudget) -> Self {
        Self { retry_budget, ..self.given("retry_budget") }
    }

    /// Sets how long a get with [`Consistency::Timeline`](crate::op::Consistency::Timeline) waits
    /// for the primary replica before it also asks the secondary replicas. The default is 10 ms
    /// (`hbase.client.primaryCallTimeout.get`, 10,000 us).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().primary_get_timeout(Duration::from_millis(3));
    /// assert!(config.config_report().to_string().contains("primary_get_timeout = 3 ms"));
    /// ```
    pub fn primary_get_timeout(self, primary_get_timeout: Duration) -> Self {
        Self {
            primary_get_timeout: clamp(primary_get_timeout),
            ..self.given("primary_get_timeout")
        }
    }

    /// Sets how long a call of a scan with
    /// [`Consistency::Timeline`](crate::op::Consistency::Timeline) waits for the primary replica
    /// before it also asks the secondary replicas. The default is 1 s
    /// (`hbase.client.replicaCallTimeout.scan`, 1,000,000 us).
    ///
    /// ```
    /// # use std::time::Duration;
    /// let config = tallrow::Config::new().primary_scan_timeout(Duration::from_millis(200));
    /// assert!(config.config_report().to_string().contains("primary_scan_timeout = 200 ms"));
    /// ```
    pub fn primary_scan_timeout(self, primary_scan_timeout: Duration) -> Self {
        Self {
            primary_scan_timeout: clamp(primary_scan_timeout),
            ..self.given("primary_scan_timeout")
        }
    }

    /// The shortest of the timeouts for the kinds of attempts.
    pub(crate) fn shortest_attempt_timeout(&self) -> Duration {
        let of_kinds =
            [self.read_attempt_timeout, self.write_attempt_timeout, self.meta_attempt_timeout];
        of_kinds.into_iter().flatten().fold(self.attempt_timeout, Duration::min)
    }
}
