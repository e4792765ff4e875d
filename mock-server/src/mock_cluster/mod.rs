//! The public face: a cluster that a test starts, disturbs and inspects.

mod builder;
mod cluster;
mod error;
mod region;

pub use builder::MockClusterBuilder;
pub use cluster::MockCluster;
pub use error::MockClusterError;
pub use region::MockRegion;
