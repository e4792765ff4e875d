//! Keys that the derive must take, each in a file that stands for a crate. What it refuses is in `tests/ui`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]
#![allow(clippy::multiple_bound_locations, reason = "users may write bounds as they like")]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "a crate has these lints only if it asks for them"
)]

mod byte_literals;
mod generics;
mod hygiene;
mod hygiene_in_place;
pub mod private_field;
mod private_key;
mod renamed_dependency;
pub mod strict_crate;
mod tuple_of;
mod types_elsewhere;
mod unused_parts;
