//! The cluster that a command works on, and its tables.

pub(crate) mod connection;
pub(crate) mod tables;
