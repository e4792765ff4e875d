//! Cloud Bigtable's services over the tables of HBase's default namespace: what is written through one protocol is read
//! through the other. Timestamps are milliseconds in the store and microseconds in the messages.

mod admin;
mod call;
mod check_and_mutate;
mod chunk;
mod filter;
mod frame;
mod limits;
pub(crate) mod mangle;
mod methods;
mod mutate;
mod mutation;
mod names;
mod open_table;
mod outcomes;
mod ping_and_warm;
mod read_modify_write;
mod read_rows;
mod read_stats;
mod replies;
mod row_change;
mod row_set;
mod row_writer;
mod sample_row_keys;
mod seen_cell;
mod status;
mod tables_of;
mod timestamp;
mod torn_rows;
mod whole_rows;

pub(crate) use call::Call;
pub(crate) use frame::PREFIX_BYTES;
pub(crate) use methods::{name, names, run};
pub(crate) use replies::Replies;
pub use status::StatusCode;
pub(crate) use status::{StatusResult, retry_info};
pub(crate) use tables_of::tables_of;
