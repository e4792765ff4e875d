//! Bigtable's services, called with raw messages.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by a panic"
)]

mod client;
mod reads;
mod rows;
