//! Queries in SQL: prepared once, executed with parameters, and read as a stream of rows.

mod execution;
mod handle;
mod lower;
mod plan;
mod read;
mod rows;

pub(crate) use handle::prepare;
pub use handle::{BoundQuery, PreparedQuery};
pub(crate) use read::decode_results;
pub use rows::QueryRows;
