//! Bytes of other implementations, which ours must equal.

mod format;
mod schema;
mod splits;
