//! Applies a filter to the cells of one row, and defines a cell as a read returns it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::CellFilter;
use crate::bigtable::timestamp;
use crate::cells::StoredCell;

/// The state of applying a filter to the cells of one row.
pub(in crate::bigtable) struct FilterRun<'a> {
    key: &'a [u8],
    /// The cells that have reached a sink.
    sunk: Vec<FilteredCell<'a>>,
}

impl<'a> FilterRun<'a> {
    /// Replaces the cells of a row by the cells that a filter returns.
    pub(in crate::bigtable) fn apply_to_row(
        filter: &'a CellFilter,
        key: &'a [u8],
        cells: &mut Vec<FilteredCell<'a>>,
    ) {
        let mut row = Self { key, sunk: Vec::new() };
        row.apply(filter, cells);
        if !row.sunk.is_empty() {
            cells.append(&mut row.sunk);
            sort(cells);
        }
    }

    fn apply(&mut self, filter: &'a CellFilter, cells: &mut Vec<FilteredCell<'a>>) {
        match filter {
            CellFilter::Chain(filters) => {
                for filter in filters {
                    if !cells.is_empty() {
                        self.apply(filter, cells);
                    }
                }
            }
            CellFilter::Interleave(filters) => {
                let mut all = Vec::new();
                for filter in filters {
                    let mut passed = cells.clone();
                    self.apply(filter, &mut passed);
                    all.append(&mut passed);
                }
                sort(&mut all);
                *cells = all;
            }
            CellFilter::Condition { predicate, yes, no } => {
                let mut matched = cells.clone();
                self.apply(predicate, &mut matched);
                match if matched.is_empty() { no } else { yes } {
                    Some(filter) => self.apply(filter, cells),
                    None => cells.clear(),
                }
            }
            CellFilter::RowKey(pattern) => {
                if !pattern.matches(self.key) {
                    cells.clear();
                }
            }
            CellFilter::Sample(chance) => {
                if sample(self.key) >= *chance {
                    cells.clear();
                }
            }
            CellFilter::Family(pattern) => {
                let mut last: Option<(&[u8], bool)> = None;
                cells.retain(|cell| match last {
                    Some((family, matched)) if family == cell.family() => matched,
                    _ => {
                        let matched = pattern.matches(cell.family());
                        last = Some((cell.family(), matched));
                        matched
                    }
                });
            }
            CellFilter::Qualifier(pattern) => {
                cells.retain(|cell| pattern.matches(cell.qualifier()))
            }
            CellFilter::Value(pattern) => cells.retain(|cell| pattern.matches(cell.value())),
            CellFilter::Columns { family, qualifiers: (start, end) } => {
                let qualifiers = bounds(start, end);
                let inside = |cell: &FilteredCell<'_>| qualifiers.contains(cell.qualifier());
                cells.retain(|cell| cell.family() == family && inside(cell));
            }
            CellFilter::TimestampRange(range) => {
                cells.retain(|cell| range.contains(&cell.micros()))
            }
            CellFilter::Values(start, end) => {
                let values = bounds(start, end);
                cells.retain(|cell| values.contains(cell.value()));
            }
            CellFilter::ValueBitmask(mask) => cells.retain(|cell| has_bits(cell.value(), mask)),
            CellFilter::CellsPerRowOffset(count) => {
                cells.drain(..cells.len().min(*count));
            }
            CellFilter::CellsPerRowLimit(count) => cells.truncate(*count),
            CellFilter::CellsPerColumnLimit(limit) => {
                let mut counts = ColumnCounts::default();
                cells.retain(|cell| counts.next(cell) <= *limit);
            }
            CellFilter::StripValue => cells.iter_mut().for_each(|cell| cell.stripped = true),
            CellFilter::Label(label) => cells.iter_mut().for_each(|cell| cell.label = Some(label)),
            CellFilter::Sink => self.sunk.append(cells),
            CellFilter::PassAll => {}
            CellFilter::BlockAll => cells.clear(),
        }
    }
}

/// A counter of the cells of each column, one column after the other.
#[derive(Default)]
struct ColumnCounts<'a> {
    column: Option<(&'a [u8], &'a [u8])>,
    count: usize,
}

impl<'a> ColumnCounts<'a> {
    /// Counts a cell, and returns the number of cells of its column so far.
    fn next(&mut self, cell: &FilteredCell<'a>) -> usize {
        let column = Some((cell.family(), cell.qualifier()));
        if self.column != column {
            (self.column, self.count) = (column, 0);
        }
        self.count += 1;
        self.count
    }
}

/// Sorts cells in the order of the store; cells with the same column and timestamp keep their
/// order.
fn sort(cells: &mut [FilteredCell<'_>]) {
    cells.sort_by(|a, b| {
        (a.family().cmp(b.family()))
            .then_with(|| a.qualifier().cmp(b.qualifier()))
            .then_with(|| b.micros().cmp(&a.micros()))
    });
}

/// Returns whether a value has the length of a mask and all of its bits.
fn has_bits(value: &[u8], mask: &[u8]) -> bool {
    value.len() == mask.len() && value.iter().zip(mask).all(|(byte, mask)| byte & mask == *mask)
}

fn bounds<'b>(start: &'b Bound<Bytes>, end: &'b Bound<Bytes>) -> impl RangeBounds<[u8]> + 'b {
    (start.as_ref().map(|at| &at[..]), end.as_ref().map(|at| &at[..]))
}

/// Returns a number from 0 to 1 that depends only on the key, so that two reads take the same
/// sample.
fn sample(key: &[u8]) -> f64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A stored cell with the changes that filters made to it.
#[derive(Clone, Copy, Debug)]
pub(in crate::bigtable) struct FilteredCell<'a> {
    cell: &'a StoredCell,
    pub(in crate::bigtable) stripped: bool,
    pub(in crate::bigtable) label: Option<&'a str>,
}

impl<'a> FilteredCell<'a> {
    /// Makes a cell that no filter has changed.
    pub(in crate::bigtable) fn of(cell: &'a StoredCell) -> Self {
        Self { cell, stripped: false, label: None }
    }

    /// The family.
    pub(in crate::bigtable) fn family(&self) -> &'a [u8] {
        self.cell.family()
    }

    /// The qualifier.
    pub(in crate::bigtable) fn qualifier(&self) -> &'a [u8] {
        self.cell.qualifier()
    }

    /// The value; empty if it was stripped.
    pub(in crate::bigtable) fn value(&self) -> &'a [u8] {
        if self.stripped { &[] } else { self.cell.value() }
    }

    /// The timestamp in microseconds.
    pub(in crate::bigtable) fn micros(&self) -> i64 {
        timestamp::millis_to_micros(self.cell.timestamp())
    }
}
