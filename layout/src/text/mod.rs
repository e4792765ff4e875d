//! The text of a schema: its parser and its printer.

mod parse;
mod position;
mod print;
mod word;

pub use parse::{ParseError, Source, fingerprint_error, parse};
pub use position::{Position, Positions};
pub use print::print;
