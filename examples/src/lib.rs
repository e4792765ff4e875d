//! Code that the programs share: a cluster, new tables, and the functions that tests use to run the
//! programs.

pub mod place;
pub mod program;
