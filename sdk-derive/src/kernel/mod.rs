//! The parts that all derives use: they read attributes entry by entry, collect errors with their
//! spans, set the spans of generated code, and find the path of the library.

mod entries;
mod entry;
mod errors;
mod library;
mod message;

pub(crate) use entries::{Bytes, Entries};
pub(crate) use entry::{Entry, Spanned, Value, span, ungrouped};
pub(crate) use errors::{Belong, Errors, here, misplaced, respan};
pub(crate) use library::library;
pub(crate) use message::{did_you_mean, list, nearest};
