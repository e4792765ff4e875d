//! A mock HBase cluster that speaks HBase's own RPC: for a test, in its process, or as the program `tallrow-mock`.
//!
//! It keeps HBase's rules, not only its messages: versions, delete markers, time to live, conditions, nonces, scanners
//! with leases, regions on several servers that move, split and merge, `hbase:meta` as a region that is scanned. The
//! unmodified Java client works on it.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use tallrow_mock::{Fault, MockCluster};
//!
//! let cluster = MockCluster::start().await.unwrap();
//! cluster.inject(Fault::on("Mutate").nth(1).lose_reply());
//! // ... a client of `cluster.url()` writes, and the reply to its first write is lost ...
//! assert_eq!(cluster.calls("Mutate"), 0);
//! # });
//! ```
//!
//! Faults strike calls of any service by their method ([`Fault::on`]) or connections ([`Fault::on_connect`]), by a seed
//! or by count. [`MockCluster::unfired_faults`] tells a test whether it saw all of them.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

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

pub use faults::{
    CallFaultBuilder, CallFaultBuilder as FaultPoint, ConnectionFaultBuilder,
    ConnectionFaultBuilder as ConnectionFaultPoint, Fault,
};
pub use mock_cluster::{MockCluster, MockClusterBuilder, MockError, MockRegion};
