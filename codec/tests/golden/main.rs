//! Bytes of other implementations, which ours must equal.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod bad_schemas;
mod bigtable;
mod bigtable_key;
mod derived;
mod format;
mod json;
mod phoenix_key;
mod schema;
mod splits;
