//! The examples, as `cargo run --example` runs them.

mod encodings;
mod flights;
mod quickstart;
mod shown;

// The parts of `flights` that have unit tests. An example that is itself built as a test would not
// be built as the program that is run here.
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../flights/csv.rs"]
mod csv;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../flights/day.rs"]
mod day;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../flights/tables.rs"]
mod tables;
