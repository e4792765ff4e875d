//! The counters that a test can read: calls, scanners, cells.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use super::cluster::MockCluster;

impl MockCluster {
    /// The number of calls of a method, by its name on the wire, over all servers.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.call_count("Get"), 0);
    /// # });
    /// ```
    pub fn call_count(&self, method: &str) -> u64 {
        self.handle.calls.arrived_count(method)
    }

    /// The number of calls of each method that was called, over all servers.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert!(cluster.call_counts().is_empty());
    /// # });
    /// ```
    pub fn call_counts(&self) -> BTreeMap<String, u64> {
        self.handle.calls.arrived_counts()
    }

    /// Returns the trace headers (`RPCTInfo.headers`) of the calls of a method that had trace
    /// headers, in the order in which the calls arrived, over all servers. The latest 1,000 calls
    /// with such headers are remembered, of all methods together. A call of Bigtable's services is
    /// remembered with all its headers if it has a `traceparent` or a routing cookie.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert!(cluster.trace_headers("Get").is_empty());
    /// # });
    /// ```
    pub fn trace_headers(&self, method: &str) -> Vec<BTreeMap<String, String>> {
        self.handle.calls.traces(method)
    }

    /// The number of calls that name the region of `hbase:meta`, or one of its replicas, over all
    /// servers. A scan counts once, when its scanner is opened.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.meta_call_count(), 0);
    /// # });
    /// ```
    pub fn meta_call_count(&self) -> u64 {
        self.cluster().meta_calls.load(Ordering::Relaxed)
    }

    /// The number of calls of a method that were dropped, over all servers: they were neither
    /// applied nor answered, because their timeout had passed before they were started.
    /// [`CallFaultBuilder::delay_in_queue`] makes calls late.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.dropped_call_count("Mutate"), 0);
    /// # });
    /// ```
    ///
    /// [`CallFaultBuilder::delay_in_queue`]: crate::CallFaultBuilder::delay_in_queue
    pub fn dropped_call_count(&self, method: &str) -> u64 {
        self.handle.calls.dropped_count(method)
    }

    /// The number of scanners that are open on the live region servers, and whose leases have not
    /// expired.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.open_scanner_count(), 0);
    /// # });
    /// ```
    pub fn open_scanner_count(&self) -> usize {
        let now = self.cluster().clock.now();
        let servers = self.cluster().servers();
        let alive = servers.iter().filter(|server| server.is_alive());
        alive.map(|server| server.scanners().open_count(now)).sum()
    }

    /// The number of matching cells that scanners have read, over all servers: a measure of the
    /// cost of a test's scans.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert_eq!(cluster.scanned_cell_count(), 0);
    /// # });
    /// ```
    pub fn scanned_cell_count(&self) -> u64 {
        self.cluster().servers().iter().map(|server| server.scanners().cells_read()).sum()
    }
}
