//! The public API: a cluster that a test starts, disturbs and inspects.

mod builder;
mod changes;
mod cluster;
mod counts;
mod data;
mod error;
mod faults;
mod ports;
mod servers;
mod tables;

pub use builder::MockClusterBuilder;
pub use cluster::{MockCluster, MockRegion};
pub use error::MockClusterError;
#[cfg(feature = "control")]
pub(crate) use ports::bind_again;
