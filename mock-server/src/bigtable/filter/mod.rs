//! Filters, which select the cells of a row that a read returns: a tree, checked when it is
//! decoded.

mod apply;
mod decode;
mod pattern;

use std::ops::{Bound, Range};

use bytes::Bytes;

pub(super) use apply::{FilterRun, FilteredCell};
pub(super) use decode::decode;

use pattern::Pattern;

/// A decoded filter.
#[derive(Debug)]
pub(super) enum CellFilter {
    /// Applies the filters in sequence, each to the cells that the filter before returns.
    Chain(Vec<CellFilter>),
    /// Applies each filter to the same cells, and joins the cells that the filters return.
    Interleave(Vec<CellFilter>),
    /// Applies `yes` if `predicate` returns any cell, else `no`.
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
    TimestampRange(Range<i64>),
    Values(Bound<Bytes>, Bound<Bytes>),
    /// Returns the cells whose values have the length of the mask and all of its bits.
    ValueBitmask(Bytes),
    CellsPerRowOffset(usize),
    CellsPerRowLimit(usize),
    CellsPerColumnLimit(usize),
    /// Keeps a row with this probability.
    Sample(f64),
    StripValue,
    Label(String),
    /// Sends cells directly to the result, past all other filters.
    Sink,
    PassAll,
    BlockAll,
}
