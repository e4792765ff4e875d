//! A mock HBase cluster that speaks HBase's own RPC, inside the process of a test or as the program `tallrow-mock`.
//!
//! With the feature `bigtable`, [`MockClusterBuilder::bigtable_port`] serves Cloud Bigtable's gRPC services too, over the
//! same tables: what is written through one protocol is read through the other.
//!
//! It follows HBase's rules, not only its messages: versions, delete markers, time to live, conditions, nonces, scanners
//! with leases, regions on several servers that move, split and merge, `hbase:meta` as a region that is scanned. The
//! official Java client works with it, unmodified.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use tallrow_mock::{Fault, MockCluster};
//!
//! let cluster = MockCluster::start().await.unwrap();
//! cluster.inject(Fault::on("Mutate").nth(1).drop_reply());
//! // ... a client of `cluster.url()` writes, and the reply to its first write is lost ...
//! assert_eq!(cluster.call_count("Mutate"), 0);
//! # });
//! ```
//!
//! A fault makes calls of one method ([`Fault::on`]) or connections ([`Fault::on_connect`]) fail: some of them by
//! number, or each with a probability that follows from a seed. [`MockCluster::unfired_faults`] lists the faults that
//! have not happened. [`MockClusterBuilder::in_memory`] starts a cluster without sockets, for tests in paused time.

#[cfg(feature = "bigtable")]
mod bigtable;
mod binary_text;
mod cell;
mod faults;
mod filters;
mod limits;
mod lock;
mod mock_cluster;
mod procedure;
mod regions;
mod remote_exception;
mod schema;
mod service;
mod state;
mod transport;

#[cfg(feature = "bigtable")]
pub use bigtable::StatusCode;
pub use faults::{CallFaultBuilder, ConnectionFaultBuilder, Fault};
pub use mock_cluster::{MockCluster, MockClusterBuilder, MockClusterError, MockRegion};
