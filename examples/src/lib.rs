//! Shared by the programs: a cluster, and new tables.

pub mod place;
pub mod tables;
