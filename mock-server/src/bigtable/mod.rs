//! Cloud Bigtable's services, for the tables of HBase's default namespace: what is written through
//! one protocol can be read through the other. Timestamps are milliseconds in the store and
//! microseconds in the messages.

mod admin;
mod bundles;
mod call;
mod changes;
mod filter;
mod limits;
pub(crate) mod mangle;
mod methods;
mod names;
mod open_table;
mod queries;
mod reads;
mod status;
mod table_parts;
mod timestamp;
mod views;
mod writes;

pub(crate) use call::{GrpcCall, PREFIX_BYTES, ReplyMessages};
pub(crate) use methods::{method_name, method_names, run_method};
pub(crate) use names::table_ids_of_request;
pub use status::StatusCode;
#[cfg(feature = "control")]
pub(crate) use status::retry_delay;
pub(crate) use status::{StatusResult, retry_info};
