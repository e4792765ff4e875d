//! Shared by the programs: a cluster, new tables, and what their tests run.

pub mod place;
pub mod program;
