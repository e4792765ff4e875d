//! The metrics of one scan: its calls, regions, rows, bytes and waiting times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;

/// The cost of a scan so far, summed over all of its ranges and regions (`ScanMetrics` in HBase).
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// # let client = Client::connect("mock:").await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")).splits(["m"])).await?;
/// # let table = client.raw_table("t")?;
/// for row in ["a", "b", "n"] {
///     table.put(Put::new(row).cell("d", "q", "v")).await?;
/// }
/// let mut rows = table.scan(Scan::range("b"..).server_metrics())?;
/// while rows.next_row().await?.is_some() {}
/// let metrics = rows.metrics();
/// assert_eq!((metrics.calls, metrics.regions, metrics.rows, metrics.cells), (2, 2, 2, 2));
/// assert_eq!(metrics.server_counts.get("ROWS_SCANNED"), Some(&2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScanMetrics {
    /// The number of calls for rows, including failed calls (`RPC_CALLS`).
    pub calls: u64,
    /// The number of calls that failed and were followed by another attempt (`RPC_RETRIES`).
    pub retries: u64,
    /// The number of calls that renewed the lease of a scanner while the reader was slow.
    pub renewals: u64,
    /// The number of regions from which rows were requested (`REGIONS_SCANNED`). A region is
    /// counted again each time that its scanner had to be opened again.
    pub regions: u64,
    /// The number of responses without rows that only show that a server is still working
    /// (`Result.isCursor`, or an empty response).
    pub heartbeats: u64,
    /// The number of rows, or of parts of rows, that were received.
    pub rows: u64,
    /// The number of rows, or of parts of rows, that secondary replicas sent. They may be stale
    /// (see [`Consistency`](crate::op::Consistency)).
    pub stale_rows: u64,
    /// The number of cells that were received.
    pub cells: u64,
    /// The bytes of the cells that were received, as [`Cell::size`](crate::cell::Cell::size) counts
    /// them (`BYTES_IN_RESULTS`).
    pub bytes: u64,
    /// How long the scan waited for servers, summed over the ranges of the scan.
    pub server_time: Duration,
    /// How long fetched rows waited for the reader, summed over the ranges of the scan. This time
    /// is not part of any timeout.
    pub reader_time: Duration,
    /// The last row key that a server reached without finding a row, from a heartbeat with a
    /// [cursor](crate::Scan::cursors).
    pub cursor: Option<Bytes>,
    /// The counts of the servers, by HBase's names, such as `ROWS_SCANNED`, `ROWS_FILTERED` and,
    /// from 2.6 on, `BLOCK_BYTES_SCANNED`; empty unless the scan
    /// [requested](crate::Scan::server_metrics) these counts. On Bigtable, these are
    /// `ROWS_SCANNED` and `ROWS_FILTERED`.
    pub server_counts: BTreeMap<String, u64>,
    /// The statistics of Bigtable, if the scan [requested](crate::Scan::server_metrics) them and
    /// the service has sent them; it sends them after the last row of a call.
    pub request_stats: Option<RequestStats>,
}

/// Bigtable's statistics of the calls of a scan (`RequestStats`), summed over all calls that have
/// ended.
///
/// The more cells a read sees for each cell that it returns, the more of its work is wasted. A
/// narrower range or another row key is then better than a filter.
///
/// ```
/// # use tallrow::{Client, FamilyDescriptor, Put, Scan, TableDescriptor};
/// use tallrow::{Filter, filter::CompareOperator};
/// # use tallrow_mock::MockCluster;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mock = MockCluster::builder().bigtable_port(0).start().await?;
/// # let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// # let table = client.raw_table("t")?;
/// for (row, state) in [("a", "old"), ("b", "new"), ("c", "old")] {
///     table.put(Put::new(row).cell("d", "state", state)).await?;
/// }
/// let new = Filter::value(CompareOperator::Equal, "new");
/// let mut rows = table.scan(Scan::all().filter(new).server_metrics())?;
/// while rows.next_row().await?.is_some() {}
/// let stats = rows.metrics().request_stats.unwrap();
/// assert_eq!((stats.rows_seen, stats.rows_returned), (3, 1));
/// assert_eq!((stats.cells_seen, stats.cells_returned), (3, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestStats {
    /// How many calls these are the statistics of.
    pub requests: u64,
    /// The rows that were read, with those that were returned.
    pub rows_seen: u64,
    /// The rows that were returned.
    pub rows_returned: u64,
    /// The cells that were read, with those that were returned.
    pub cells_seen: u64,
    /// The cells that were returned.
    pub cells_returned: u64,
    /// How long the calls took in the service, from the arrival of a call to the end of its answer,
    /// summed over the calls.
    pub server_latency: Duration,
}

/// The metrics of a scan that is under way. All clones share the same metrics.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScanMeter(Arc<Mutex<ScanMetrics>>);

impl ScanMeter {
    /// Returns the metrics, so that the caller can add to them. They are locked for each page, not
    /// for each row.
    pub(crate) fn lock(&self) -> MutexGuard<'_, ScanMetrics> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call for rows that has ended.
    pub(crate) fn count_call(&self, took: Duration) {
        let mut metrics = self.lock();
        metrics.calls += 1;
        metrics.server_time += took;
    }

    /// Adds the statistics of a call of Bigtable.
    #[cfg(feature = "bigtable")]
    pub(crate) fn add_request_stats(&self, of_call: &RequestStats) {
        let mut metrics = self.lock();
        let sum = metrics.request_stats.get_or_insert_default();
        sum.requests += of_call.requests;
        sum.rows_seen = sum.rows_seen.saturating_add(of_call.rows_seen);
        sum.rows_returned = sum.rows_returned.saturating_add(of_call.rows_returned);
        sum.cells_seen = sum.cells_seen.saturating_add(of_call.cells_seen);
        sum.cells_returned = sum.cells_returned.saturating_add(of_call.cells_returned);
        sum.server_latency = sum.server_latency.saturating_add(of_call.server_latency);
        let (scanned, returned) = (sum.rows_seen, sum.rows_returned);
        let filtered = scanned.saturating_sub(returned);
        metrics.server_counts.insert("ROWS_SCANNED".into(), scanned);
        metrics.server_counts.insert("ROWS_FILTERED".into(), filtered);
    }

    pub(crate) fn metrics(&self) -> ScanMetrics {
        self.lock().clone()
    }
}
