//! Keys that the derive must accept, each in a file that represents a crate. What it refuses is in
//! `tests/suites/ui`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]
#![allow(clippy::multiple_bound_locations, reason = "users may write bounds in either place")]
#![allow(missing_docs, unreachable_pub, reason = "these lints are off unless a crate enables them")]

mod byte_literals;
mod generics;
mod hygiene;
mod hygiene_in_place;
mod names;
pub mod private_field;
mod private_key;
mod renamed_dependency;
pub mod strict_crate;
mod tags;
mod transparent;
mod tuple_of;
mod types_elsewhere;
mod unused_parts;
