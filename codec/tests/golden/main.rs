//! Bytes of other implementations, which ours must equal.

mod bad_schemas;
mod bigtable;
mod derived;
mod format;
mod json;
mod phoenix_key;
mod schema;
mod splits;
