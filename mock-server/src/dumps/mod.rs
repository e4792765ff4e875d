//! Tables as text: schemas, regions and cells, line by line, to be read again.
//!
//! # Invariants
//!
//! - A table that is dumped and loaded has the same schema, the same boundaries of regions and the
//!   same cells, in the same order. Tests:
//!   `mock-server/tests/suite/dumps/round_trip.rs::what_is_dumped_and_loaded_is_the_same_table`.
//! - No text makes the reader panic, and nothing is loaded of a text with a mistake. Tests:
//!   `mock-server/tests/suite/dumps/malformed.rs`.

mod cell;
mod line;
mod loader;
mod reader;
mod writer;

pub(crate) use line::DumpError;
pub(crate) use loader::load;
pub(crate) use writer::{dump_all, dump_table};

/// The first words of a dump.
const TITLE: [&str; 2] = ["tallrow-mock", "tables"];

/// The version of the format.
const VERSION: &str = "1";

/// The first line of a dump, without its end.
fn title() -> String {
    format!("{} {VERSION}", TITLE.join(" "))
}
