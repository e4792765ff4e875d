//! The metrics of one scan: its calls, regions, rows, bytes and waiting times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;

/// What a scan has cost so far, all of its ranges and regions together (`ScanMetrics`).
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
/// assert_eq!(metrics.server.get("ROWS_SCANNED"), Some(&2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScanMetrics {
    /// Calls for rows, those that failed included (`RPC_CALLS`).
    pub calls: u64,
    /// Calls that failed and were followed by another attempt (`RPC_RETRIES`).
    pub retries: u64,
    /// Calls that renewed the lease of a scanner, while its reader was slow.
    pub renewals: u64,
    /// Regions that rows were requested of (`REGIONS_SCANNED`); one that had to be opened again
    /// counts once for each time.
    pub regions: u64,
    /// Answers that were only a sign of life (`Result.isCursor`, or nothing at all).
    pub heartbeats: u64,
    /// Rows, or parts of rows, that were received.
    pub rows: u64,
    /// Rows, or parts of rows, that a secondary replica has sent, and that may be stale (see
    /// [`Consistency`](crate::op::Consistency)).
    pub stale_rows: u64,
    /// Cells of these.
    pub cells: u64,
    /// Bytes of these cells, as [`Cell::size`](crate::cell::Cell::size) counts them
    /// (`BYTES_IN_RESULTS`).
    pub bytes: u64,
    /// How long the scan waited for servers, summed over its ranges.
    pub server_time: Duration,
    /// How long rows that had been fetched waited for their reader, summed over its ranges. No
    /// timeout counts it.
    pub reader_time: Duration,
    /// The row that a server reached last without finding one, from a heartbeat with a
    /// [cursor](crate::Scan::cursors).
    pub cursor: Option<Bytes>,
    /// What the servers counted, by HBase's names, such as `ROWS_SCANNED`, `ROWS_FILTERED` and,
    /// from 2.6 on, `BLOCK_BYTES_SCANNED`; empty unless [requested](crate::Scan::server_metrics).
    pub server: BTreeMap<String, u64>,
}

/// The metrics of a scan that is under way; clones are of the same scan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScanMeter(Arc<Mutex<ScanMetrics>>);

impl ScanMeter {
    /// The metrics, to be counted up. They are locked for each page, not for each row.
    pub(crate) fn count(&self) -> MutexGuard<'_, ScanMetrics> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call for rows has ended.
    pub(crate) fn called(&self, took: Duration) {
        let mut metrics = self.count();
        metrics.calls += 1;
        metrics.server_time += took;
    }

    pub(crate) fn metrics(&self) -> ScanMetrics {
        self.count().clone()
    }
}
