//! What a read takes of a row: a tree of filters, checked when it is decoded.

mod apply;
mod decode;
mod pattern;

use std::ops::{Bound, Range};

use bytes::Bytes;

pub(super) use apply::{FilteredRow, SeenCell};
pub(super) use decode::decode;

use pattern::Pattern;

/// A filter.
#[derive(Debug)]
pub(super) enum CellFilter {
    /// Each on what the one before leaves.
    Chain(Vec<CellFilter>),
    /// What each leaves, together.
    Interleave(Vec<CellFilter>),
    /// One of two, by whether another leaves any cell.
    Condition {
        predicate: Box<CellFilter>,
        yes: Option<Box<CellFilter>>,
        no: Option<Box<CellFilter>>,
    },
    RowKey(Pattern),
    Family(Pattern),
    Qualifier(Pattern),
    Value(Pattern),
    Columns {
        family: Bytes,
        qualifiers: (Bound<Bytes>, Bound<Bytes>),
    },
    Micros(Range<i64>),
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
