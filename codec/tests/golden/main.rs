//! Bytes of other implementations, which ours must equal.

mod schema;
mod splits;
