//! Cloud Bigtable's services, for the tables of HBase's default namespace: what is written through
//! one protocol can be read through the other. Timestamps are milliseconds in the store and
//! microseconds in the messages.

mod admin;
mod call;
mod filter;
mod limits;
pub(crate) mod mangle;
mod methods;
mod names;
mod open_table;
mod reads;
mod status;
mod timestamp;
mod writes;

pub(crate) use call::{GrpcCall, PREFIX_BYTES, Replies};
pub(crate) use methods::{name, names, run};
pub(crate) use names::tables_of;
pub use status::StatusCode;
pub(crate) use status::{StatusResult, retry_info};
