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

mod admin;
mod assignment;
mod call;
mod call_counts;
mod catalog;
mod cell;
mod client;
mod clock;
mod cluster;
mod condition;
mod connection;
mod dispatch;
mod fault;
mod filters;
mod limits;
mod listener;
mod master;
mod matcher;
mod meta_rows;
mod methods;
mod mock_cluster;
mod mutation;
mod nonce;
mod outbox;
mod procedure;
mod read;
mod region;
mod registry;
mod remote_exception;
mod scanner;
mod schema;
mod server;
mod store;
mod tables;

pub use fault::{ConnectionFaultPoint, Fault, FaultPoint};
pub use mock_cluster::{MockCluster, MockClusterBuilder, MockError, MockRegion};
