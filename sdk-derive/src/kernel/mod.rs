//! The parts that all derives use: they read attributes entry by entry, collect errors with their
//! spans, set the spans of generated code, and find the path of the library.

mod entries;
mod entry;
mod errors;
mod library;
mod message;

pub(crate) use entries::{Bytes, Entries};
pub(crate) use entry::{Entry, Spanned, Value, span, ungrouped};
pub(crate) use errors::{
    AttrPlacement, Errors, report_misplaced_attrs, respan, with_derive_hygiene,
};
pub(crate) use library::library_path;
pub(crate) use message::{backticked_list, did_you_mean, nearest};
