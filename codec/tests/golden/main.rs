//! Bytes of other implementations, which ours must equal.

mod bad_schemas;
mod bigtable;
mod format;
mod json;
mod schema;
mod splits;
