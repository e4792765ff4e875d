//! The settings that limit the bytes, rows and calls of a client.

use super::Config;
use crate::request::consistency::HedgedReadBudget;

impl Config {
    /// Limits how many calls are sent to secondary replicas while the primary replica may still
    /// answer. The default is 10 % of the reads with
    /// [`Consistency::Timeline`](crate::op::Consistency::Timeline), plus 50 calls in each second.
    /// The Java client has no such limit.
    ///
    /// See [`HedgedReadBudget`] for an example.
    pub fn hedged_reads(self, hedged_reads: HedgedReadBudget) -> Self {
        Self { hedged_reads, ..self.given("hedged_reads") }
    }

    /// Limits the total size in bytes of the operations in flight; further operations wait. The
    /// default is 64 MiB. The Java client has no such limit.
    ///
    /// When all these bytes are in use, there are half as many additional bytes, which are divided
    /// among the servers that the client knows, so that a slow server does not delay operations on
    /// other servers. If the client knows only one server, there are no additional bytes. An
    /// operation that is larger than its server's part of the additional bytes waits.
    ///
    /// This limits the memory that is used for writes that servers have not answered yet. An
    /// operation that is larger than the limit is sent when no other operation is in flight. An
    /// operation that waits until its deadline fails with [`Busy`](crate::ErrorKind::Busy), and
    /// nothing was sent.
    pub fn in_flight_bytes(self, in_flight_bytes: usize) -> Self {
        Self { in_flight_bytes, ..self.given("in_flight_bytes") }
    }

    /// Sets whether an operation waits when as many bytes as
    /// [`in_flight_bytes`](Self::in_flight_bytes) allows are in flight, or when the connection to
    /// its server accepts nothing more. The default is yes.
    ///
    /// If it does not wait, the operation fails at once with
    /// [`TooManyInFlight`](crate::ErrorKind::TooManyInFlight), and nothing is sent. This is for a program that
    /// refuses work rather than queueing it. A handle of a table can have another setting:
    /// [`RawTable::with_wait_when_full`](crate::RawTable::with_wait_when_full).
    ///
    /// ```
    /// use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::start().await?;
    /// let config = Config::new().in_flight_bytes(10_000).wait_when_full(false);
    /// let client = Client::connect_with(&mock.url(), config).await?;
    /// client
    ///     .admin()
    ///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
    ///     .await?;
    /// let table = client.raw_table("t")?;
    ///
    /// let put = |row| table.put(Put::new(row).cell("d", "q", vec![0; 9_000]));
    /// let (one, other) = tokio::join!(put("r1"), put("r2"));
    /// assert!(one.is_ok());
    /// assert_eq!(other.unwrap_err().kind(), ErrorKind::TooManyInFlight);
    /// put("r2").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn wait_when_full(self, wait_when_full: bool) -> Self {
        Self { wait_when_full, ..self.given("wait_when_full") }
    }

    /// Sets how many bytes a scan may fetch ahead of its reader. The default is 4 MiB (twice
    /// `hbase.client.scanner.max.result.size`, 2 MiB).
    ///
    /// While a program works on one page, the next page is fetched. A scan of several ranges, such
    /// as one over the buckets of a salted key, divides the bytes among its ranges.
    pub fn prefetch_bytes(self, prefetch_bytes: usize) -> Self {
        Self { prefetch_bytes, ..self.given("prefetch_bytes") }
    }

    /// Sets the maximum size in bytes of a cell that is sent, key and value together. The default
    /// is 10 MiB (`hbase.client.keyvalue.maxsize`).
    ///
    /// A larger cell is refused before it is sent. The servers have a limit of their own,
    /// `hbase.server.keyvalue.maxsize`, which is also 10 MiB by default; to send larger cells,
    /// raise both limits.
    ///
    /// ```
    /// use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect_with("mock:", Config::new().max_cell_bytes(1_024)).await?;
    /// client
    ///     .admin()
    ///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
    ///     .await?;
    /// let put = Put::new("r").cell("d", "photo", [0; 2_000]);
    /// let error = client.raw_table("t")?.put(put).await.unwrap_err();
    /// assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn max_cell_bytes(self, max_cell_bytes: usize) -> Self {
        Self { max_cell_bytes, ..self.given("max_cell_bytes") }
    }

    /// Sets how many rows one call of a scan may return, if the scan does not set this itself
    /// ([`Scan::rows_per_call`](crate::Scan::rows_per_call)). By default, a call returns as many
    /// rows as fit into a page (`hbase.client.scanner.caching`, the same default). With 0,
    /// connecting fails with [`InvalidArgument`](crate::ErrorKind::InvalidArgument).
    ///
    /// ```
    /// let config = tallrow::Config::new().rows_per_call(100);
    /// assert!(config.config_report().to_string().contains("rows_per_call = 100"));
    /// ```
    pub fn rows_per_call(self, rows: usize) -> Self {
        Self { rows_per_call: Some(rows), ..self.given("rows_per_call") }
    }

    /// Sets how many bytes of writes a [`Writer`](crate::writer::Writer) may have collected or in
    /// flight, if the writer does not set this itself
    /// ([`max_bytes`](crate::writer::WriterBuilder::max_bytes)). The default is 16 MiB
    /// (`hbase.client.write.buffer`, 2 MiB).
    ///
    /// ```
    /// let config = tallrow::Config::new().writer_bytes(4 << 20);
    /// assert!(config.config_report().to_string().contains("writer_bytes = 4 MiB"));
    /// ```
    pub fn writer_bytes(self, writer_bytes: usize) -> Self {
        Self { writer_bytes, ..self.given("writer_bytes") }
    }

    /// Sets how many calls with single operations may be outstanding at one server. The default
    /// is 2. Operations that arrive in the meantime are sent together when one of these calls is
    /// answered. The Java client sends each operation in its own call.
    ///
    /// An operation that is alone is therefore sent immediately, and many concurrent operations
    /// share calls, which costs the servers less. More calls shorten the wait of an operation under
    /// load, at the price of smaller calls.
    pub fn calls_per_server(self, calls_per_server: usize) -> Self {
        Self { calls_per_server, ..self.given("calls_per_server") }
    }

    /// Limits how many calls may be outstanding at one server. All calls with operations on rows
    /// are counted, slow ones too. The default is no limit
    /// (`hbase.client.perserver.requests.threshold`, no limit either).
    ///
    /// Further operations wait until one of these calls is answered. The limit is also the maximum
    /// of the [`adaptive_window`](Self::adaptive_window).
    ///
    /// ```
    /// let config = tallrow::Config::new().max_calls_per_server(100);
    /// assert!(config.config_report().to_string().contains("max_calls_per_server = 100"));
    /// ```
    pub fn max_calls_per_server(self, calls: usize) -> Self {
        Self { max_calls_per_server: Some(calls), ..self.given("max_calls_per_server") }
    }

    /// Sets whether the client limits how many calls are outstanding at a server that says that it
    /// is overloaded, or that answers late. The default is yes. The Java client instead pauses
    /// before each call, if `hbase.client.backpressure.enabled` is set (default: false).
    ///
    /// The limit is halved when the server's queue is full, and reduced by less when the server is
    /// too busy with one region, throttles a user, or answers late or not at all. The limit is
    /// never below 1, and grows back as answers arrive. Operations that wait because of the limit
    /// do not delay operations on other servers. See [`WindowEvent`](crate::observe::WindowEvent)
    /// for how to observe the limit.
    ///
    /// ```
    /// let config = tallrow::Config::new().adaptive_window(false);
    /// assert!(config.config_report().to_string().contains("adaptive_window = false"));
    /// ```
    pub fn adaptive_window(self, adaptive_window: bool) -> Self {
        Self { adaptive_window, ..self.given("adaptive_window") }
    }
}
