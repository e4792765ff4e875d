//! Changes of a cluster as data: regions that move, split, merge, open slowly or go stale in
//! `hbase:meta`, servers that die and start, settings, the clock.

use std::fmt;
use std::time::Duration;

use crate::base::to_string_binary;

/// A change of a cluster, which happens now
/// ([`MockCluster::apply`](crate::MockCluster::apply)) or at a call
/// ([`CallFaultBuilder::change`](crate::CallFaultBuilder::change)).
///
/// A region is named by its table and any row in it.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use std::time::Duration;
/// use tallrow_mock::{Change, Fault, MockCluster};
///
/// let cluster = MockCluster::start().await.unwrap();
/// let (table, row) = ("hbase:namespace".to_owned(), b"default".to_vec());
/// cluster.apply(&Change::SplitRegion { table: table.clone(), at: b"m".to_vec() }).unwrap();
/// assert_eq!(cluster.regions("hbase:namespace").len(), 2);
///
/// // The region goes away under the second call of a scan, and opens again a second later.
/// let slowly = Change::OpenSlowly { table, row, time: Duration::from_secs(1) };
/// cluster.inject(Fault::on("Scan").table("hbase:namespace").nth(2).change(slowly));
/// // The server dies when it gets the first write.
/// cluster.inject(Fault::on("Mutate").server(0).nth(1).change(Change::KillServer { server: 0 }));
/// assert_eq!(cluster.unfired_faults().len(), 2);
/// # });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The region, or one of its replicas, moves to a region server. The old server tells clients
    /// where it moved.
    MoveRegion {
        /// The table.
        table: String,
        /// A row of the region.
        row: Vec<u8>,
        /// The replica; 0 is the primary replica.
        replica: u16,
        /// The number of the region server.
        server: usize,
    },
    /// The region moves to a region server, but `hbase:meta` still names the old server, and the
    /// old server does not know where the region moved.
    StaleMeta {
        /// The table.
        table: String,
        /// A row of the region.
        row: Vec<u8>,
        /// The number of the region server.
        server: usize,
        /// After this time, `hbase:meta` is corrected. If `None`, it is corrected only when the
        /// region is next opened.
        time: Option<Duration>,
    },
    /// The region closes, and opens on the same server after this time.
    OpenSlowly {
        /// The table.
        table: String,
        /// A row of the region.
        row: Vec<u8>,
        /// How long the region is closed.
        time: Duration,
    },
    /// The region splits at a row. The second half starts with that row.
    SplitRegion {
        /// The table.
        table: String,
        /// The row.
        at: Vec<u8>,
    },
    /// The region and the next region merge, on the server of the first.
    MergeRegions {
        /// The table.
        table: String,
        /// A row of the first region.
        row: Vec<u8>,
    },
    /// A region server dies, as by [`MockCluster::kill_server`](crate::MockCluster::kill_server).
    KillServer {
        /// The number of the region server.
        server: usize,
    },
    /// Another region server starts.
    StartServer,
    /// The active master dies, as by [`MockCluster::kill_master`](crate::MockCluster::kill_master).
    KillMaster,
    /// Another master starts.
    StartMaster,
    /// The same as
    /// [`MockCluster::set_region_replica_replication`](crate::MockCluster::set_region_replica_replication).
    SetRegionReplicaReplication {
        /// Whether secondary replicas see each write at once.
        enabled: bool,
    },
    /// The same as [`MockCluster::end_scan_calls_after`](crate::MockCluster::end_scan_calls_after).
    EndScanCallsAfter {
        /// The number of rows; 0 means no limit.
        rows: u64,
    },
    /// The same as [`MockCluster::split_large_regions`](crate::MockCluster::split_large_regions).
    SplitLargeRegions {
        /// The size in bytes; `None` if no region splits by itself.
        max_filesize: Option<u64>,
    },
    /// The same as [`MockCluster::require_token`](crate::MockCluster::require_token).
    #[cfg(feature = "bigtable")]
    RequireToken {
        /// The token; `None` if none is required.
        token: Option<String>,
    },
    /// The clock of the cluster is advanced, as by
    /// [`MockCluster::advance_clock`](crate::MockCluster::advance_clock).
    AdvanceClock {
        /// By how much.
        time: Duration,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |row: &[u8]| to_string_binary(row);
        match self {
            Self::MoveRegion { table, row, replica: 0, server } => {
                write!(f, "move the region of row \"{}\" of {table} to server {server}", shown(row))
            }
            Self::MoveRegion { table, row, replica, server } => {
                let row = shown(row);
                write!(f, "move replica {replica} of row \"{row}\" of {table} to server {server}")
            }
            Self::StaleMeta { table, row, server, time } => {
                let row = shown(row);
                write!(f, "move the region of row \"{row}\" of {table} to server {server}, ")?;
                match time {
                    Some(time) => write!(f, "with a stale hbase:meta for {} ms", time.as_millis()),
                    None => f.write_str("with a stale hbase:meta"),
                }
            }
            Self::OpenSlowly { table, row, time } => {
                let (row, ms) = (shown(row), time.as_millis());
                write!(f, "open the region of row \"{row}\" of {table} slowly, in {ms} ms")
            }
            Self::SplitRegion { table, at } => write!(f, "split {table} at row \"{}\"", shown(at)),
            Self::MergeRegions { table, row } => {
                write!(f, "merge the region of row \"{}\" of {table} with the next", shown(row))
            }
            Self::KillServer { server } => write!(f, "kill region server {server}"),
            Self::StartServer => f.write_str("start a region server"),
            Self::KillMaster => f.write_str("kill the active master"),
            Self::StartMaster => f.write_str("start a master"),
            Self::SetRegionReplicaReplication { enabled } => {
                write!(f, "set the replication of writes to region replicas to {enabled}")
            }
            Self::EndScanCallsAfter { rows } => write!(f, "end calls of scans after {rows} rows"),
            Self::SplitLargeRegions { max_filesize: Some(bytes) } => {
                write!(f, "split regions that grow past {bytes} bytes")
            }
            Self::SplitLargeRegions { max_filesize: None } => {
                f.write_str("split no region by its size")
            }
            #[cfg(feature = "bigtable")]
            Self::RequireToken { token: Some(_) } => f.write_str("require an access token"),
            #[cfg(feature = "bigtable")]
            Self::RequireToken { token: None } => f.write_str("require no access token"),
            Self::AdvanceClock { time } => {
                write!(f, "advance the clock by {} ms", time.as_millis())
            }
        }
    }
}
