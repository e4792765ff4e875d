//! Filters of cells by their families, qualifiers and timestamps.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use bytes::Bytes;

use super::comparator::Comparison;
use super::{Filter, ReturnCode};
use crate::cell::StoredCell;

/// `FamilyFilter`
#[derive(Debug)]
pub(super) struct Family(pub(super) Comparison);

impl Filter for Family {
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
            Ordering::Less => ReturnCode::SKIP,
            Ordering::Equal => ReturnCode::INCLUDE,
            Ordering::Greater => ReturnCode::NEXT_ROW,
        }
    }
}

/// `MultipleColumnPrefixFilter`
#[derive(Debug)]
pub(super) struct ColumnPrefixes(pub(super) Vec<Bytes>);

impl Filter for ColumnPrefixes {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let matches = self.0.iter().any(|p| cell.qualifier().starts_with(p));
        ReturnCode::include_if(matches, ReturnCode::SKIP)
    }
}

/// `ColumnRangeFilter`: bounds, each with whether it is inclusive.
#[derive(Debug)]
pub(super) struct ColumnRange {
    pub(super) min: Option<(Bytes, bool)>,
    pub(super) max: Option<(Bytes, bool)>,
}

impl Filter for ColumnRange {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let qualifier = cell.qualifier();
        let below = self.min.as_ref().is_some_and(|(min, inclusive)| {
            qualifier < &min[..] || (!inclusive && qualifier == min)
        });
        let above = self.max.as_ref().is_some_and(|(max, inclusive)| {
            qualifier > &max[..] || (!inclusive && qualifier == max)
        });
        match (below, above) {
            (true, _) => ReturnCode::NEXT_COL,
            (_, true) => ReturnCode::NEXT_ROW,
            _ => ReturnCode::INCLUDE,
        }
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
                return ReturnCode::SKIP;
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
pub(super) struct Timestamps(pub(super) BTreeSet<u64>);

impl Filter for Timestamps {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let timestamp = cell.timestamp();
        let older = self.0.first().is_none_or(|oldest| timestamp < *oldest);
        match self.0.contains(&timestamp) {
            true => ReturnCode::INCLUDE,
            false if older => ReturnCode::NEXT_COL,
            false => ReturnCode::SKIP,
        }
    }
}
