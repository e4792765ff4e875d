//! Every limit of the server in one place, with the setting of a real one that it stands for.

/// `hbase.ipc.max.request.size`: 256 MiB.
pub(crate) const REQUEST_BYTES: usize = 256 << 20;

/// The largest connection header: 1 MiB, as for SASL tokens.
pub(crate) const HEADER_BYTES: usize = 1 << 20;

/// `hbase.server.keyvalue.maxsize`: 10 MiB.
pub(crate) const CELL_BYTES: usize = 10 << 20;

/// `hbase.server.scanner.max.result.size`: 100 MiB; also what one Multi may answer.
pub(crate) const RESULT_BYTES: usize = 100 << 20;

/// `hbase.client.scanner.timeout.period`: 60 s.
pub(crate) const SCANNER_LEASE_MS: u64 = 60_000;

/// `hbase.ipc.min.client.request.timeout`: a call waits at least 20 ms before it expires.
pub(crate) const MIN_CALL_TIMEOUT_MS: u32 = 20;

/// How long a server knows where a region went: 2 minutes.
pub(crate) const MOVED_MS: u64 = 120_000;

/// `hbase.client.bootstrap.node.limit`.
pub(crate) const BOOTSTRAP_NODES: usize = 10;

/// How many names of methods are counted; there are about 150, and a client may make up more.
pub(crate) const COUNTED_METHODS: usize = 1000;

/// How many scanners that the server closed by itself are remembered.
pub(crate) const CLOSED_SCANNERS: usize = 10_000;
