//! A mock HBase cluster that speaks HBase's own RPC, inside the process of a test or as the program
//! `tallrow-mock`.
//!
//! With the feature `bigtable`, [`MockClusterBuilder::bigtable_port`] serves Cloud Bigtable's gRPC
//! services too, over the same tables: what is written through one protocol can be read through the
//! other. Families of Bigtable can have aggregate types, a mutation that is repeated with its token
//! is applied once, and tables have authorized views and backups. With the feature `control`, a cluster has a control
//! port for programs in other languages and for browsers, and reads scenarios: faults and changes
//! in a file.
//!
//! Clients connect to the master, or with [`MockClusterBuilder::zookeeper_port`] to ZooKeeper, as
//! most of them do by default.
//!
//! The mock follows HBase's rules, not only the format of its messages: versions, delete markers,
//! time to live, conditions, nonces, scanners with leases, regions on several servers that move,
//! split and merge, and `hbase:meta` as a region that clients scan. The unmodified official Java
//! client works with it.
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
//! A fault makes calls of one method ([`Fault::on`]) or connections ([`Fault::on_connect`]) fail:
//! all of them, some of them selected by number, or each with a probability. Random decisions are
//! derived from a seed. [`MockCluster::unfired_faults`] lists the faults that have not happened.
//! A [`Change`] moves, splits, merges or hides regions, kills and starts servers and advances the
//! clock: now, or at a call of one method.
//! [`MockClusterBuilder::in_memory`] starts a cluster without sockets, for tests in paused time.
//!
//! # The modules of this crate
//!
//! From top to bottom; each module uses only the modules below it.
//!
//! - `fuzz`: what the decoders make of any bytes, for the fuzz targets of this repository
//! - `program`: the flags of the program, and what it does from its start to its end
//! - `control`: the control port, which serves the public API as HTTP and JSON, and scenarios
//! - `mock_cluster`: the public API, which starts, disturbs and inspects a cluster
//! - `transport`: HBase's RPC, gRPC and ZooKeeper's protocol over byte streams, from a listener to
//!   the method of a call
//! - `faults`: faults and changes as data, and the decision which of them happens
//! - `bigtable`: Cloud Bigtable's methods, over the tables of HBase's default namespace
//! - `hbase`: HBase's methods: `client`, `admin`, `master`, `registry`
//! - `zookeeper`: the znodes by which clients find the servers of HBase, sessions, and watches
//! - `recovery`: the state of a cluster that keeps its data, read and written as a whole
//! - `dumps`: tables as text, to be written and read
//! - `procedures`: the changes of tables, regions and `hbase:meta` that the master carries out
//! - `state`: what all servers of a cluster share: servers, catalog, nonces, scanners, clock
//! - `regions`: the cells of a range of rows, and how they are read and changed
//! - `journal`: the file that keeps the tables of a cluster over restarts, and its records
//! - `filters`: HBase's filters and comparators, a type for each class
//! - `schema`: the schemas of tables: defaults, checks, the tables of HBase itself
//! - `cells`: stored cells and their order
//! - `base`: exceptions, limits, locks

mod base;
#[cfg(feature = "bigtable")]
mod bigtable;
mod cells;
#[cfg(feature = "control")]
mod control;
mod dumps;
mod faults;
mod filters;
#[doc(hidden)]
pub mod fuzz;
mod hbase;
mod journal;
mod mock_cluster;
mod procedures;
#[cfg(all(feature = "bigtable", feature = "control"))]
#[doc(hidden)]
pub mod program;
mod recovery;
mod regions;
mod schema;
mod state;
mod transport;
mod zookeeper;

#[cfg(feature = "bigtable")]
pub use bigtable::StatusCode;
#[cfg(feature = "control")]
pub use control::{ControlPort, Scenario, ScenarioError};
pub use faults::{CallFaultBuilder, Change, ConnectionFaultBuilder, Fault, InjectedFault};
pub use mock_cluster::{MockCluster, MockClusterBuilder, MockClusterError, MockRegion};
pub use state::ChangedPort;
#[cfg(feature = "bigtable")]
pub use state::{MockQuery, MockSqlType, MockSqlValue};
