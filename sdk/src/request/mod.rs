//! Operations as plain data, which a program builds and then passes to a table: operations on
//! single rows, scans, and their filters and options.

pub(crate) mod call_options;
pub(crate) mod consistency;
pub(crate) mod delivery;
pub mod filter;
pub mod op;
pub(crate) mod scan;
pub(crate) mod selection;
mod visibility;
