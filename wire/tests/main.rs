//! Messages, cells and blocks: bytes that somebody else wrote, and any bytes.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod arbitrary_bytes;
mod captured;
mod compression;
mod descriptors;
mod multi;
