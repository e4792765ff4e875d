//! Filters of rows by their keys and their number.

use bytes::Bytes;
use fastrand::Rng;

use super::comparator::Comparison;
use super::{Filter, Hint, ReturnCode};
use crate::cells::StoredCell;

/// `PrefixFilter`
#[derive(Debug)]
pub(super) struct Prefix {
    pub(super) prefix: Bytes,
    pub(super) reversed: bool,
    pub(super) out: bool,
    pub(super) passed: bool,
    /// Whether the row is before the prefix.
    pub(super) before: bool,
}

impl Filter for Prefix {
    fn reset(&mut self) {
        self.out = true;
    }

    fn filter_all_remaining(&self) -> bool {
        self.passed
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.passed {
            return true;
        }
        let order = row.get(..self.prefix.len()).unwrap_or(row).cmp(&self.prefix[..]);
        let order = if self.reversed { order.reverse() } else { order };
        self.passed = order.is_gt();
        self.before = order.is_lt();
        self.out = order.is_ne();
        self.passed
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        match self.before {
            true => ReturnCode::HINT,
            false => ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW),
        }
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn is_hinting(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// `InclusiveStopFilter`
#[derive(Debug)]
pub(super) struct InclusiveStop {
    pub(super) stop: Bytes,
    pub(super) reversed: bool,
    pub(super) done: bool,
}

impl Filter for InclusiveStop {
    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let order = row.cmp(&self.stop[..]);
        self.done = if self.reversed { order.is_lt() } else { order.is_gt() };
        self.done
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.done, ReturnCode::NEXT_ROW)
    }
}

/// `PageFilter`
#[derive(Debug)]
pub(super) struct Page {
    pub(super) size: i64,
    pub(super) rows: i64,
}

impl Filter for Page {
    fn filter_all_remaining(&self) -> bool {
        self.rows >= self.size
    }

    fn filter_row_key(&mut self, _: &[u8]) -> bool {
        false
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::INCLUDE
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.rows += 1;
        self.rows > self.size
    }
}

/// `RandomRowFilter`
#[derive(Debug)]
pub(super) struct RandomRow {
    pub(super) chance: f32,
    pub(super) random: Rng,
    pub(super) out: bool,
}

impl Filter for RandomRow {
    fn filter_row_key(&mut self, _: &[u8]) -> bool {
        self.out = self.random.f64() >= f64::from(self.chance);
        self.out
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// `RowFilter`
#[derive(Debug)]
pub(super) struct Row {
    pub(super) comparison: Comparison,
    pub(super) out: bool,
}

impl Filter for Row {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        self.out = !self.comparison.holds(row);
        self.out
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW)
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// A key of a `FuzzyRowFilter`.
#[derive(Debug)]
pub(super) struct FuzzyKey {
    pub(super) key: Bytes,
    /// Which of its bytes are fixed.
    pub(super) fixed: Vec<bool>,
}

/// `FuzzyRowFilter`
#[derive(Debug)]
pub(super) struct FuzzyRow(pub(super) Vec<FuzzyKey>);

impl Filter for FuzzyRow {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let row = cell.row();
        // A shorter row is compared with the start of the key.
        let matches = self.0.iter().any(|FuzzyKey { key, fixed }| {
            key.iter().zip(fixed).zip(row).all(|((k, fixed), r)| !fixed || k == r)
        });
        ReturnCode::include_if(matches, ReturnCode::HINT)
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// One range of `MultiRowRangeFilter`.
#[derive(Debug)]
pub(super) struct RowRange {
    pub(super) start: Bytes,
    pub(super) start_inclusive: bool,
    pub(super) stop: Bytes,
    pub(super) stop_inclusive: bool,
}

impl RowRange {
    fn contains(&self, row: &[u8]) -> bool {
        let after_start = row > &self.start[..] || (self.start_inclusive && row == self.start);
        let before_stop = self.stop.is_empty()
            || row < &self.stop[..]
            || (self.stop_inclusive && row == self.stop);
        after_start && before_stop
    }
}

/// `MultiRowRangeFilter`
#[derive(Debug)]
pub(super) struct RowRanges(pub(super) Vec<RowRange>);

impl Filter for RowRanges {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let contained = self.0.iter().any(|r| r.contains(cell.row()));
        ReturnCode::include_if(contained, ReturnCode::HINT)
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
