//! What a read takes of a row: a tree of filters, checked when it is decoded.

mod apply;
mod decode;
mod pattern;

use std::ops::Bound;

use bytes::Bytes;

pub(super) use apply::{FilteredRow, SeenCell};
pub(super) use decode::decode;

use pattern::Pattern;

/// A filter.
#[derive(Debug)]
pub(super) enum Filter {
    /// Each on what the one before leaves.
    Chain(Vec<Filter>),
    /// What each leaves, together.
    Interleave(Vec<Filter>),
    /// One of two, by whether another leaves any cell.
    Condition {
        predicate: Box<Filter>,
        yes: Option<Box<Filter>>,
        no: Option<Box<Filter>>,
    },
    RowKey(Pattern),
    Family(Pattern),
    Qualifier(Pattern),
    Value(Pattern),
    Columns {
        family: Bytes,
        qualifiers: (Bound<Bytes>, Bound<Bytes>),
    },
    /// The times from the first to before the second.
    Micros(i64, i64),
    Values(Bound<Bytes>, Bound<Bytes>),
    RowOffset(usize),
    RowLimit(usize),
    ColumnLimit(usize),
    /// Rows with this probability.
    Sample(f64),
    StripValue,
    Label(String),
    /// Sends cells to the result at once, past all other filters.
    Sink,
    PassAll,
    BlockAll,
}
