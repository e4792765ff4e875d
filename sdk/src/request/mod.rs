//! Operations as plain data, which a program builds and then hands to a table: operations on single
//! rows, scans, and the filters and options of both.

pub(crate) mod call_options;
pub(crate) mod consistency;
pub(crate) mod delivery;
pub mod filter;
pub mod op;
pub(crate) mod scan;
pub(crate) mod selection;
mod visibility;
