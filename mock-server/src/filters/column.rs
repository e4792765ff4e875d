//! Filters of cells by their families, qualifiers and timestamps.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;

use bytes::Bytes;

use super::comparator::Comparison;
use super::{Filter, Hint, ReturnCode};
use crate::cells::StoredCell;

/// `FamilyFilter`
#[derive(Debug)]
pub(super) struct FamilyFilter(pub(super) Comparison);

impl Filter for FamilyFilter {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.family()), ReturnCode::NEXT_ROW)
    }
}

/// `QualifierFilter`
#[derive(Debug)]
pub(super) struct Qualifier(pub(super) Comparison);

impl Filter for Qualifier {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.qualifier()), ReturnCode::SKIP)
    }
}

/// `FirstKeyOnlyFilter`
#[derive(Debug, Default)]
pub(super) struct FirstKeyOnly {
    found: bool,
}

impl Filter for FirstKeyOnly {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        let first = !std::mem::replace(&mut self.found, true);
        ReturnCode::include_if(first, ReturnCode::NEXT_ROW)
    }
}

/// `FirstKeyValueMatchingQualifiersFilter`
#[derive(Debug)]
pub(super) struct FirstKeyMatching {
    pub(super) qualifiers: BTreeSet<Bytes>,
    pub(super) found: bool,
}

impl Filter for FirstKeyMatching {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let found_before = self.found;
        self.found |= self.qualifiers.contains(cell.qualifier());
        ReturnCode::include_if(!found_before, ReturnCode::NEXT_ROW)
    }
}

/// `KeyOnlyFilter`
#[derive(Debug)]
pub(super) struct KeyOnly {
    pub(super) length_as_value: bool,
}

impl Filter for KeyOnly {
    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::INCLUDE
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        let len = (cell.value().len() as u32).to_be_bytes();
        Cow::Owned(cell.with_value(if self.length_as_value { &len } else { b"" }))
    }
}

/// `ColumnPrefixFilter`
#[derive(Debug)]
pub(super) struct ColumnPrefix(pub(super) Bytes);

impl Filter for ColumnPrefix {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let qualifier = cell.qualifier();
        match qualifier.get(..self.0.len()).unwrap_or(qualifier).cmp(&self.0[..]) {
            Ordering::Less => ReturnCode::HINT,
            Ordering::Equal => ReturnCode::INCLUDE,
            Ordering::Greater => ReturnCode::NEXT_ROW,
        }
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::column(&self.0))
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `MultipleColumnPrefixFilter`
#[derive(Debug)]
pub(super) struct ColumnPrefixes {
    pub(super) prefixes: BTreeSet<Bytes>,
    /// The prefix that was sought last.
    pub(super) sought: Option<Bytes>,
}

impl Filter for ColumnPrefixes {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.prefixes.is_empty() {
            return ReturnCode::INCLUDE;
        }
        let qualifier = Bytes::copy_from_slice(cell.qualifier());
        // As in HBase, a longer prefix that is not one of the qualifier hides a shorter one that
        // is.
        let before = self.prefixes.range(..=qualifier.clone()).next_back();
        if before.is_some_and(|prefix| qualifier.starts_with(prefix)) {
            return ReturnCode::INCLUDE;
        }
        let after = (Bound::Excluded(qualifier), Bound::Unbounded);
        let Some(next) = self.prefixes.range(after).next() else { return ReturnCode::NEXT_ROW };
        self.sought = Some(next.clone());
        ReturnCode::HINT
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        self.sought.as_deref().map(Hint::column)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `ColumnRangeFilter`
#[derive(Debug)]
pub(super) struct ColumnRange {
    pub(super) min: Bound<Bytes>,
    pub(super) max: Bound<Bytes>,
}

impl ColumnRange {
    /// The qualifier at which the range starts, whether it is part of it or not.
    fn start(&self) -> Option<&[u8]> {
        match &self.min {
            Bound::Included(min) | Bound::Excluded(min) => Some(min),
            Bound::Unbounded => None,
        }
    }
}

impl Filter for ColumnRange {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let qualifier = cell.qualifier();
        let below = match &self.min {
            Bound::Included(min) => qualifier < &min[..],
            Bound::Excluded(min) => qualifier <= &min[..],
            Bound::Unbounded => false,
        };
        let above = match &self.max {
            Bound::Included(max) => qualifier > &max[..],
            Bound::Excluded(max) => qualifier >= &max[..],
            Bound::Unbounded => false,
        };
        match (below, above) {
            (true, _) if self.start() == Some(qualifier) => ReturnCode::NEXT_COL,
            (true, _) => ReturnCode::HINT,
            (_, true) => ReturnCode::NEXT_ROW,
            _ => ReturnCode::INCLUDE,
        }
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        self.start().map(Hint::column)
    }

    fn is_hinting(&self) -> bool {
        true
    }
}

/// `ColumnPaginationFilter`
#[derive(Debug)]
pub(super) struct ColumnPage {
    pub(super) limit: i32,
    pub(super) offset: i32,
    pub(super) first: Option<Bytes>,
    pub(super) count: i32,
}

impl Filter for ColumnPage {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if let Some(first) = &self.first {
            if self.count >= self.limit {
                return ReturnCode::NEXT_ROW;
            }
            if self.count == 0 && cell.qualifier() < &first[..] {
                return ReturnCode::HINT;
            }
            self.count += 1;
            return ReturnCode::INCLUDE_AND_NEXT_COL;
        }
        if self.count >= self.offset.saturating_add(self.limit) {
            return ReturnCode::NEXT_ROW;
        }
        self.count += 1;
        match self.count <= self.offset {
            true => ReturnCode::NEXT_COL,
            false => ReturnCode::INCLUDE_AND_NEXT_COL,
        }
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        self.first.as_deref().map(Hint::column)
    }
}

/// `ColumnCountGetFilter`
#[derive(Debug)]
pub(super) struct ColumnCount {
    pub(super) limit: i32,
    pub(super) count: i32,
}

impl Filter for ColumnCount {
    fn reset(&mut self) {
        self.count = 0;
    }

    fn filter_all_remaining(&self) -> bool {
        self.count > self.limit
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        self.count = self.count.saturating_add(1);
        match self.count > self.limit {
            true => ReturnCode::NEXT_COL,
            false => ReturnCode::INCLUDE_AND_NEXT_COL,
        }
    }
}

/// `TimestampsFilter`
#[derive(Debug)]
pub(super) struct Timestamps {
    pub(super) timestamps: BTreeSet<u64>,
    pub(super) can_hint: bool,
}

impl Filter for Timestamps {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let timestamp = cell.timestamp();
        let older = self.timestamps.first().is_none_or(|oldest| timestamp < *oldest);
        match self.timestamps.contains(&timestamp) {
            true => ReturnCode::INCLUDE,
            false if older => ReturnCode::NEXT_COL,
            false if self.can_hint => ReturnCode::HINT,
            false => ReturnCode::SKIP,
        }
    }

    fn hint(&self, cell: &StoredCell) -> Option<Hint> {
        let next = self.timestamps.range(..cell.timestamp()).next_back();
        let qualifier = Bytes::copy_from_slice(cell.qualifier());
        self.can_hint.then(|| Hint::Column { qualifier, timestamp: next.copied().unwrap_or(0) })
    }

    fn is_hinting(&self) -> bool {
        true
    }
}
