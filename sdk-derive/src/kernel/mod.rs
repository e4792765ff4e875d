//! The parts that all derives use: attributes read entry by entry, errors collected on their
//! tokens, spans, and the path of the library.

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
