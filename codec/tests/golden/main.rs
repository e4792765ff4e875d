//! Bytes of other implementations, which ours must equal.

mod bad_schemas;
mod format;
mod schema;
mod splits;
