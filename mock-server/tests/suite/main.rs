//! The mock cluster, driven by raw frames over connections in memory: no port, no client, no sleep.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod access;
mod batches;
mod cell_rules;
mod chores;
mod concurrency;
mod conditions;
mod connection_faults;
mod connections;
#[cfg(feature = "control")]
mod control;
mod counters;
mod data;
mod dumps;
mod faults;
mod file_trackers;
mod filters;
mod frames;
mod in_memory;
mod late_calls;
mod meta_replicas;
mod meta_table;
mod named_columns;
#[path = "../../../tests/src/own_loopback.rs"]
#[allow(unreachable_pub, reason = "the tests of the client export it")]
mod own_loopback;
mod page;
mod peers;
mod scans;
mod servers;
mod tables;
mod transcripts;
mod zookeeper;

/// Whether tests try all their cases, because `TALLROW_THOROUGH` is set.
fn thorough() -> bool {
    std::env::var_os("TALLROW_THOROUGH").is_some()
}
