//! The limits of the servers, with the names of their HBase settings.

/// `hbase.ipc.max.request.size`: 256 MiB.
pub(crate) const REQUEST_BYTES: usize = 256 << 20;

/// The largest connection header: 1 MiB, as for SASL tokens.
pub(crate) const CONNECTION_HEADER_BYTES: usize = 1 << 20;

/// `hbase.server.keyvalue.maxsize`: 10 MiB.
pub(crate) const CELL_BYTES: usize = 10 << 20;

/// `hbase.server.scanner.max.result.size`: 100 MiB. It also limits the response to a Multi.
pub(crate) const RESULT_BYTES: usize = 100 << 20;

/// `hbase.hregion.memstore.flush.size`: 128 MiB.
pub(crate) const MEMSTORE_FLUSH_BYTES: usize = 128 << 20;

/// `hbase.hstore.compactionThreshold`: the number of store files from which a minor compaction
/// merges them.
pub(crate) const COMPACTION_THRESHOLD: usize = 3;

/// How long a compaction that a client has asked for is reported to run, in ms.
pub(crate) const COMPACTION_MS: u64 = 100;

/// `hbase.procedure.cleaner.evict.ttl`: a procedure that has ended is listed for 15 minutes.
pub(crate) const FINISHED_PROCEDURE_TTL_MS: u64 = 15 * 60 * 1000;

/// The maximum number of ended procedures that are remembered. The oldest are dropped first.
pub(crate) const FINISHED_PROCEDURES: usize = 1_000;

/// `hbase.server.hashNonce.gracePeriod`: 30 minutes.
pub(crate) const NONCE_TTL_MS: u64 = 30 * 60 * 1000;

/// How long Bigtable remembers the token of a mutation: 15 minutes.
#[cfg(feature = "bigtable")]
pub(crate) const IDEMPOTENCY_WINDOW_MS: u64 = 15 * 60 * 1000;

/// About the maximum memory of the idempotency tokens of a region, in bytes. Beyond it, a mutation
/// with a new token is refused until older tokens are forgotten.
#[cfg(feature = "bigtable")]
pub(crate) const IDEMPOTENCY_BYTES_PER_REGION: usize = 128 << 20;

/// `hbase.client.scanner.timeout.period`: 60 s.
pub(crate) const SCANNER_LEASE_MS: u64 = 60_000;

/// `hbase.ipc.min.client.request.timeout`: a call waits at least 20 ms before it expires.
pub(crate) const MIN_CALL_TIMEOUT_MS: u32 = 20;

/// How long a server remembers where a region moved: 2 minutes.
pub(crate) const MOVED_REGION_TTL_MS: u64 = 120_000;

/// `hbase.client.bootstrap.node.limit`.
pub(crate) const BOOTSTRAP_NODES: usize = 10;

/// `minSessionTimeout` of ZooKeeper: 2 ticks of 2 s.
pub(crate) const MIN_SESSION_TIMEOUT_MS: u64 = 4_000;

/// `maxSessionTimeout` of ZooKeeper: 20 ticks of 2 s.
pub(crate) const MAX_SESSION_TIMEOUT_MS: u64 = 40_000;

/// The maximum number of connections to ZooKeeper. Further connections are closed. (ZooKeeper's own
/// `maxClientCnxns` limits the connections of each client.)
pub(crate) const ZOOKEEPER_CONNECTIONS: usize = 1000;

/// The maximum number of sessions of ZooKeeper, whether or not they have a connection.
pub(crate) const ZOOKEEPER_SESSIONS: usize = 10_000;

/// About the maximum memory of the watches of a connection, in bytes. A connection with more is
/// closed.
pub(crate) const WATCH_BYTES_PER_CONNECTION: usize = 1 << 20;

/// The maximum number of method names that are counted. HBase has about 150 methods, but a client
/// may send any name.
pub(crate) const COUNTED_METHODS: usize = 1000;

/// The maximum number of calls whose trace headers are kept. The oldest are dropped first.
pub(crate) const TRACED_CALLS: usize = 1000;

/// The maximum number of closed scanners that are remembered.
pub(crate) const CLOSED_SCANNERS: usize = 10_000;

/// The maximum number of lines that a transcript keeps. The oldest are dropped first.
pub(crate) const TRANSCRIPT_LINES: usize = 100_000;

/// The maximum size of a line of a transcript.
pub(crate) const TRANSCRIPT_LINE_BYTES: usize = 500;

/// The maximum number of failed changes that are remembered.
pub(crate) const FAILED_CHANGES: usize = 100;
