//! Operations as plain data, which are built, then handed to a table: operations on single rows,
//! scans, the filters of both, and the options of all.

pub(crate) mod call_options;
pub(crate) mod consistency;
pub(crate) mod delivery;
pub mod filter;
pub mod op;
pub(crate) mod scan;
pub(crate) mod selection;
mod visibility;
