//! How much there may be at a time.

use super::Config;
use crate::request::consistency::HedgedReads;

impl Config {
    /// How many calls are made to secondary replicas although the primary one may still answer: for
    /// 10 % of the reads with [`Consistency::Timeline`](crate::op::Consistency::Timeline), and 50
    /// in each second. The Java client has no such limit.
    ///
    /// See [`HedgedReads`] for an example.
    pub fn hedged_reads(self, hedged_reads: HedgedReads) -> Self {
        Self { hedged_reads, ..self.given("hedged_reads") }
    }

    /// How many bytes of operations may be in flight at a time: 64 MiB; further callers wait. The
    /// Java client has no such limit.
    ///
    /// When all of it is in use, each of the servers that the client knows may have its part of
    /// half as much in addition: a slow one then does not keep the others waiting. With one server
    /// there is no such part, and operations larger than it wait.
    ///
    /// It limits the memory of writes that servers have not answered yet. An operation that is
    /// larger than the limit is sent when it is the only one. One that waits until its deadline
    /// fails with [`Busy`](crate::ErrorKind::Busy), and nothing was sent.
    pub fn in_flight_bytes(self, in_flight_bytes: usize) -> Self {
        Self { in_flight_bytes, ..self.given("in_flight_bytes") }
    }

    /// Whether an operation waits if [`in_flight_bytes`](Self::in_flight_bytes) are in flight, or
    /// the connection to its server takes no more: yes.
    ///
    /// Otherwise it fails at once with [`TooBusy`](crate::ErrorKind::TooBusy), and nothing was
    /// sent: for a program that would rather refuse work than let it queue. One handle of a table
    /// can have another setting:
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
    /// assert_eq!(other.unwrap_err().kind(), ErrorKind::TooBusy);
    /// put("r2").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn wait_when_full(self, wait_when_full: bool) -> Self {
        Self { wait_when_full, ..self.given("wait_when_full") }
    }

    /// How many bytes a scan may fetch ahead of its reader: 4 MiB
    /// (twice `hbase.client.scanner.max.result.size`, 2 MiB).
    ///
    /// While a program works on one page, the next one is fetched. A scan of several ranges, such
    /// as one over the buckets of a salted key, divides the bytes among its ranges.
    pub fn prefetch_bytes(self, prefetch_bytes: usize) -> Self {
        Self { prefetch_bytes, ..self.given("prefetch_bytes") }
    }

    /// The largest cell that is sent, key and value together: 10 MiB
    /// (`hbase.client.keyvalue.maxsize`).
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

    /// How many bytes of writes a [`Writer`](crate::writer::Writer) may have collected or under
    /// way, if it does not say ([`max_bytes`](crate::writer::WriterBuilder::max_bytes)): 16 MiB
    /// (`hbase.client.write.buffer`, 2 MiB).
    ///
    /// ```
    /// let config = tallrow::Config::new().writer_bytes(4 << 20);
    /// assert!(config.config_report().to_string().contains("writer_bytes = 4 MiB"));
    /// ```
    pub fn writer_bytes(self, writer_bytes: usize) -> Self {
        Self { writer_bytes, ..self.given("writer_bytes") }
    }

    /// How many calls with single operations may be outstanding at one server: 2. What arrives in
    /// the meantime is sent together when one of them is answered. The Java client sends each
    /// alone.
    ///
    /// One operation at a time is therefore sent immediately, and many concurrent ones share calls,
    /// which costs the servers less. More calls shorten the wait of an operation under load, at the
    /// price of smaller calls.
    pub fn calls_per_server(self, calls_per_server: usize) -> Self {
        Self { calls_per_server, ..self.given("calls_per_server") }
    }

    /// How many calls with operations on rows may be outstanding at one server, those that are slow
    /// included: no limit (`hbase.client.perserver.requests.threshold`, no limit either).
    ///
    /// Further operations wait for an answer. It is the largest
    /// [`adaptive_window`](Self::adaptive_window).
    ///
    /// ```
    /// let config = tallrow::Config::new().max_calls_per_server(100);
    /// assert!(config.config_report().to_string().contains("max_calls_per_server = 100"));
    /// ```
    pub fn max_calls_per_server(self, calls: usize) -> Self {
        Self { max_calls_per_server: Some(calls), ..self.given("max_calls_per_server") }
    }

    /// Whether the client limits the calls with operations that are outstanding at a server while
    /// the server says that it has too much to do, or answers late: yes. The Java client has a
    /// pause before each call instead, if it is switched on (`hbase.client.backpressure.enabled`,
    /// false).
    ///
    /// The limit is halved when the server's queue is full, and reduced by less when it is too busy
    /// with one region, throttles a user, answers late or not at all. It is never below 1, and
    /// grows back with the answers. What waits for it takes nothing away from other servers. See
    /// [`WindowEvent`](crate::observe::WindowEvent) for how to watch it.
    ///
    /// ```
    /// let config = tallrow::Config::new().adaptive_window(false);
    /// assert!(config.config_report().to_string().contains("adaptive_window = false"));
    /// ```
    pub fn adaptive_window(self, adaptive_window: bool) -> Self {
        Self { adaptive_window, ..self.given("adaptive_window") }
    }
}
