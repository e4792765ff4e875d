//! The properties of row keys, tested with derived structs: order, round trip, prefix-freedom,
//! canonical decoding, and ranges that contain exactly the rows of a model.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod broken_keys;
mod by_schema;
mod keys;
mod layouts;
mod order;
mod ranges;
mod read_back;
mod schema;
mod schema_matching;
mod schema_splits;
mod show;

use proptest::test_runner::Config;

tallrow_codec::install_counting_allocator!();

/// Whether `TALLROW_THOROUGH` is set, as by `.ci/run`.
fn thorough() -> bool {
    std::env::var_os("TALLROW_THOROUGH").is_some()
}

/// This many random cases, or a quarter of them unless all are to be tried.
fn cases(all: u32) -> Config {
    Config::with_cases(if thorough() { all } else { all / 4 })
}
