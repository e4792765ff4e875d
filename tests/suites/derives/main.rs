//! Row types that the derives must accept, each in a file that stands for a crate. Rejected ones
//! are in `tests/suites/ui`.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "a crate has these lints only if it asks for them"
)]

// `every_kind_of_cell` uses it from here.
extern crate tallrow as row;

mod arguments;
pub mod every_kind_of_cell;
pub mod every_option;
mod free_names;
pub mod from_a_macro;
mod own_types;
mod paths;
