//! Bytes of other implementations, which ours must equal.

mod splits;
