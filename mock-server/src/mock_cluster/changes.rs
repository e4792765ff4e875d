//! Changes of a running cluster, now and at calls; its clock, and its transcript.

use std::sync::Arc;
use std::time::Duration;

use super::cluster::MockCluster;
use super::error::MockClusterError;
use crate::base::{limits, lock};
use crate::faults::{Change, InjectedFault};
use crate::procedures;
use crate::schema;

impl MockCluster {
    /// Makes a change now. Must be called inside a tokio runtime.
    ///
    /// See [`Change`] for an example.
    ///
    /// # Errors
    /// The change is not possible: there is no such table, server or region, or the clock would
    /// pass the year 9999.
    pub fn apply(&self, change: &Change) -> Result<(), MockClusterError> {
        let result = self.try_apply(change);
        let transcript = &self.handle.calls.transcript;
        match &result {
            Ok(()) => transcript.record(format_args!("change: {change}")),
            Err(_) => transcript.record(format_args!("change: {change}: failed")),
        }
        result
    }

    fn try_apply(&self, change: &Change) -> Result<(), MockClusterError> {
        let what = change.to_string();
        let io = |error: std::io::Error| MockClusterError::new(&what, &error.to_string());
        match change {
            Change::MoveRegion { table, row, replica: 0, server } => {
                self.move_region(table, row, *server)
            }
            Change::MoveRegion { table, row, replica, server } => {
                self.move_replica(table, row, *replica, *server)
            }
            Change::StaleMeta { table, row, server, time } => {
                self.move_unannounced(&what, table, row, *server, *time)
            }
            Change::OpenSlowly { table, row, time } => self.open_slowly(&what, table, row, *time),
            Change::SplitRegion { table, at } => self.split_region(table, at),
            Change::MergeRegions { table, row } => self.merge_regions(&what, table, row),
            Change::KillServer { server } => self.kill_server(*server),
            Change::StartServer => self.start_server().map(drop).map_err(io),
            Change::KillMaster => self.kill_master(),
            Change::StartMaster => self.start_master().map(drop).map_err(io),
            Change::SetRegionReplicaReplication { enabled } => {
                self.set_region_replica_replication(*enabled);
                Ok(())
            }
            Change::EndScanCallsAfter { rows } => {
                self.end_scan_calls_after(*rows);
                Ok(())
            }
            Change::SplitLargeRegions { max_filesize } => {
                self.split_large_regions(*max_filesize);
                Ok(())
            }
            #[cfg(feature = "bigtable")]
            Change::RequireToken { token } => {
                self.require_token(token.as_deref());
                Ok(())
            }
            Change::AdvanceClock { time } => self.advance_clock(*time),
        }
    }

    /// Makes a change that was planned for a call. An error is remembered.
    pub(super) fn apply_at_call(&self, change: &Change) {
        let Err(error) = self.apply(change) else { return };
        let mut failed = lock(&self.handle.failed_changes);
        if failed.len() < limits::FAILED_CHANGES {
            failed.push(error);
        }
    }

    /// The errors of the changes that were [planned for a call](crate::CallFaultBuilder::change)
    /// and failed then, in the order of the calls. The first 100 are remembered. A test can assert
    /// that this list is empty.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let cluster = tallrow_mock::MockCluster::start().await.unwrap();
    /// assert!(cluster.failed_changes().is_empty());
    /// # });
    /// ```
    pub fn failed_changes(&self) -> Vec<MockClusterError> {
        lock(&self.handle.failed_changes).clone()
    }

    /// The injected faults with their numbers, and the number of times that they fired, in the order
    /// of their injection.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Fault, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.inject(Fault::on("Get").nth(3).drop_reply());
    /// let injected = cluster.injected_faults();
    /// assert_eq!(injected[0].fault, Fault::on("Get").nth(3).drop_reply());
    /// assert_eq!((injected[0].matched, injected[0].fired), (0, 0));
    /// # });
    /// ```
    pub fn injected_faults(&self) -> Vec<InjectedFault> {
        self.handle.faults.injected()
    }

    /// The time of the cluster's clock, in ms since 1970.
    ///
    /// See [`MockCluster::advance_clock`] for an example.
    pub fn clock_ms(&self) -> u64 {
        self.cluster().clock.now()
    }

    /// Advances the clock of the cluster at once, in addition to tokio's time. If the added time is
    /// long enough, cells whose time to live is over are gone, the leases of scanners have expired,
    /// and nonces are forgotten; new cells get later timestamps. The pauses of faults and the
    /// sessions of ZooKeeper follow tokio's time alone.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use std::time::Duration;
    /// use tallrow_mock::MockCluster;
    ///
    /// let cluster = MockCluster::builder().clock_start_ms(1_000).start().await.unwrap();
    /// cluster.advance_clock(Duration::from_secs(3600)).unwrap();
    /// assert!(cluster.clock_ms() >= 3_601_000);
    /// assert!(cluster.advance_clock(Duration::MAX).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    /// The clock would pass the year 9999.
    pub fn advance_clock(&self, by: Duration) -> Result<(), MockClusterError> {
        match self.cluster().clock.advance(by) {
            true => Ok(()),
            false => {
                let what = format!("advance the clock by {} ms", by.as_millis());
                Err(MockClusterError::new(&what, "the clock would pass the year 9999"))
            }
        }
    }

    /// Records the transcript of the cluster from now on: a line for each call, with its server,
    /// method, tables and outcome, and for each change and each fault on a connection.
    ///
    /// See [`MockCluster::transcript`] for an example.
    pub fn record_transcript(&self) {
        self.handle.calls.transcript.start();
    }

    /// The transcript since [`MockCluster::record_transcript`]; the latest 100,000 lines are kept.
    /// It contains no times, ports or values. So if all calls come one after the other, or in
    /// tokio's paused time, two runs with the same seed and the same calls have the same
    /// transcript.
    ///
    /// ```
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use tallrow_mock::{Change, MockCluster};
    ///
    /// let cluster = MockCluster::start().await.unwrap();
    /// cluster.record_transcript();
    /// cluster.apply(&Change::KillServer { server: 0 }).unwrap();
    /// assert_eq!(cluster.transcript(), "1 change: kill region server 0\n");
    /// # });
    /// ```
    pub fn transcript(&self) -> String {
        let lines = self.handle.calls.transcript.latest(usize::MAX);
        lines.into_iter().map(|line| line + "\n").collect()
    }

    /// The latest lines of the transcript, at most `count`.
    #[cfg(feature = "control")]
    pub(crate) fn latest_transcript_lines(&self, count: usize) -> Vec<String> {
        self.handle.calls.transcript.latest(count)
    }

    fn move_unannounced(
        &self,
        what: &str,
        table: &str,
        row: &[u8],
        server: usize,
        time: Option<Duration>,
    ) -> Result<(), MockClusterError> {
        let region = {
            let cluster = self.cluster().lock_admin();
            let region = self.region(what, table, row)?;
            procedures::move_region_unannounced(&cluster, &region, server)
                .map_err(|e| MockClusterError::from_exception(what, &e))?;
            region
        };
        if let Some(time) = time {
            let cluster = self.shared_cluster();
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                procedures::announce_region(&cluster.lock_admin(), &region);
            });
        }
        Ok(())
    }

    fn open_slowly(
        &self,
        what: &str,
        table: &str,
        row: &[u8],
        time: Duration,
    ) -> Result<(), MockClusterError> {
        let (region, server) = {
            let cluster = self.cluster().lock_admin();
            let region = self.region(what, table, row)?;
            let server = procedures::start_reopening(&cluster, &region)
                .map_err(|e| MockClusterError::from_exception(what, &e))?;
            (region, server)
        };
        let cluster = self.shared_cluster();
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            procedures::finish_reopening(&cluster.lock_admin(), &region, server);
        });
        Ok(())
    }

    fn merge_regions(&self, what: &str, table: &str, row: &[u8]) -> Result<(), MockClusterError> {
        let cluster = self.cluster().lock_admin();
        let first = self.region(what, table, row)?;
        let all = match first.info.table_name == schema::meta_table_name() {
            true => Vec::new(),
            false => cluster.regions_of(&first.info.table_name),
        };
        let mut from_first = all.into_iter().skip_while(|region| !Arc::ptr_eq(region, &first));
        let pair: Vec<_> = from_first.by_ref().take(2).collect();
        if pair.len() < 2 {
            return Err(MockClusterError::new(what, "it is the last region of its table"));
        }
        procedures::merge_regions(&cluster, &pair)
            .map_err(|e| MockClusterError::from_exception(what, &e))
    }
}
