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

mod admin;
mod aggregates;
mod backups;
mod both_protocols;
mod bundles;
mod changes;
mod client;
mod connections;
mod emulator_issues;
mod faults;
mod filters;
#[path = "../suite/data/folder.rs"]
#[allow(dead_code, reason = "the tests of HBase's protocol use more of it")]
mod folder;
#[path = "../suite/frames.rs"]
#[allow(dead_code, reason = "the tests of HBase's protocol use more of it")]
mod frames;
mod garbage;
mod idempotency;
mod kept;
mod malformed;
mod model;
mod read_modify_write;
mod reads;
mod rows;
mod views;
mod writes;
