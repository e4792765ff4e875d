//! `MultiRowRangeFilter`: rows in several ranges, with a seek from one range to the next.

use bytes::Bytes;
use tallrow_wire::proto::{self, MultiRowRangeFilter};

use super::{Filter, Hint, ReturnCode};
use crate::cells::StoredCell;

/// One range of `MultiRowRangeFilter`.
#[derive(Debug)]
struct RowRange {
    start: Bytes,
    start_inclusive: bool,
    stop: Bytes,
    stop_inclusive: bool,
}

impl RowRange {
    fn contains(&self, row: &[u8]) -> bool {
        let after_start = row > &self.start[..] || (self.start_inclusive && row == self.start);
        let before_stop = self.stop.is_empty()
            || row < &self.stop[..]
            || (self.stop_inclusive && row == self.stop);
        after_start && before_stop
    }

    /// Adds a range that starts later, and overlaps with this range or continues it. Returns
    /// whether it does.
    fn join(&mut self, next: &Self) -> bool {
        let touches = next.start == self.stop && (self.stop_inclusive || next.start_inclusive);
        if !self.stop.is_empty() && next.start > self.stop || next.start == self.stop && !touches {
            return false;
        }
        if self.stop.is_empty() || next.stop.is_empty() {
            self.stop = Bytes::new();
        } else if next.stop > self.stop {
            (self.stop, self.stop_inclusive) = (next.stop.clone(), next.stop_inclusive);
        } else {
            self.stop_inclusive |= next.stop == self.stop && next.stop_inclusive;
        }
        true
    }
}

/// `MultiRowRangeFilter`
#[derive(Debug)]
pub(super) struct RowRanges {
    /// The ranges in the direction of the scan.
    ranges: Vec<RowRange>,
    reversed: bool,
    /// The index of the range that the scan is in or before.
    current: usize,
    /// Whether the scan has reached the first range that it reads.
    found_first: bool,
    /// The decision about the cells of the current row.
    code: ReturnCode,
    done: bool,
}

/// Where a row is among the ranges.
enum Place {
    BeforeFirst,
    /// In or before the range with this index.
    At(usize),
    /// At the first row of the range with this index, which does not include that row.
    AtExcluded(usize),
}

impl RowRanges {
    pub(super) fn new(sent: MultiRowRangeFilter, reversed: bool) -> Self {
        let range = |r: proto::RowRange| RowRange {
            start: r.start_row.unwrap_or_default(),
            start_inclusive: r.start_row_inclusive.unwrap_or(false),
            stop: r.stop_row.unwrap_or_default(),
            stop_inclusive: r.stop_row_inclusive.unwrap_or(false),
        };
        let mut sorted: Vec<_> = sent.row_range_list.into_iter().map(range).collect();
        sorted.sort_by(|a, b| a.start.cmp(&b.start));
        let mut ranges: Vec<RowRange> = Vec::with_capacity(sorted.len());
        for range in sorted {
            if !ranges.last_mut().is_some_and(|last| last.join(&range)) {
                ranges.push(range);
            }
        }
        if reversed {
            ranges.reverse();
        }
        let (current, found_first, done) = (0, false, false);
        Self { ranges, reversed, current, found_first, code: ReturnCode::NEXT_ROW, done }
    }

    /// The row at which a range starts, in the direction of the scan, and whether the range
    /// includes it.
    fn first_row<'r>(&self, range: &'r RowRange) -> (&'r Bytes, bool) {
        match self.reversed {
            true => (&range.stop, range.stop_inclusive),
            false => (&range.start, range.start_inclusive),
        }
    }

    /// Looks for a row among the ranges (`getNextRangeIndex`).
    fn place(&mut self, row: &[u8]) -> Place {
        let found = self.ranges.binary_search_by(|range| {
            let order = self.first_row(range).0[..].cmp(row);
            if self.reversed { order.reverse() } else { order }
        });
        let contains = |at: usize| self.ranges.get(at).is_some_and(|range| range.contains(row));
        match found {
            Ok(at) => match self.ranges.get(at).is_some_and(|range| self.first_row(range).1) {
                true => Place::At(at),
                false => Place::AtExcluded(at),
            },
            Err(at) if at > 0 && contains(at - 1) => Place::At(at - 1),
            Err(0) if !contains(0) => Place::BeforeFirst,
            Err(at) => {
                self.found_first = true;
                Place::At(at)
            }
        }
    }
}

impl Filter for RowRanges {
    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.done {
            return true;
        }
        let contains = |ranges: &[RowRange], at: usize| {
            ranges.get(at).is_some_and(|range| range.contains(row))
        };
        self.code = ReturnCode::INCLUDE;
        if self.found_first && contains(&self.ranges, self.current) {
            return false;
        }
        let place = self.place(row);
        self.current = match place {
            Place::BeforeFirst => 0,
            Place::At(at) | Place::AtExcluded(at) => at,
        };
        if self.current >= self.ranges.len() {
            self.done = true;
            self.code = ReturnCode::NEXT_ROW;
        } else if matches!(place, Place::AtExcluded(_)) {
            self.code = ReturnCode::NEXT_ROW;
        } else {
            let is_in = match self.found_first {
                true => contains(&self.ranges, self.current),
                false => !matches!(place, Place::BeforeFirst),
            };
            self.found_first = true;
            if !is_in {
                self.code = ReturnCode::SEEK_NEXT_USING_HINT;
            }
        }
        false
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        self.code
    }

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        let range = self.ranges.get(self.current)?;
        Some(Hint::Row(self.first_row(range).0.clone()))
    }

    fn gives_hints(&self) -> bool {
        true
    }
}
