//! Filters that select cells by their families, qualifiers and timestamps.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;

use bytes::Bytes;
use tallrow_wire::proto::{
    self, ColumnCountGetFilter, ColumnPaginationFilter, ColumnPrefixFilter, ColumnRangeFilter,
    FirstKeyValueMatchingQualifiersFilter, KeyOnlyFilter, MultipleColumnPrefixFilter,
    TimestampsFilter,
};

use super::comparator::Comparison;
use super::message::{decode_comparison_filter, decode_message};
use super::{Filter, Hint, ReturnCode};
use crate::base::RemoteResult;
use crate::cells::StoredCell;

/// Decodes a filter by family, qualifier or timestamp; `None` for any other class.
pub(super) fn decode(
    class: &str,
    sent: &proto::Filter,
    _reversed: bool,
) -> RemoteResult<Option<Box<dyn Filter>>> {
    let filter: Box<dyn Filter> = match class {
        "FamilyFilter" => Box::new(FamilyFilter(decode_comparison_filter(sent)?)),
        "QualifierFilter" => Box::new(Qualifier(decode_comparison_filter(sent)?)),
        "FirstKeyOnlyFilter" => Box::new(FirstKeyOnly::default()),
        "FirstKeyValueMatchingQualifiersFilter" => {
            let asked: FirstKeyValueMatchingQualifiersFilter = decode_message(sent)?;
            let qualifiers = asked.qualifiers.into_iter().collect();
            Box::new(FirstKeyMatching { qualifiers, found: false })
        }
        "KeyOnlyFilter" => {
            let length_as_value = decode_message::<KeyOnlyFilter>(sent)?.len_as_val;
            Box::new(KeyOnly { length_as_value })
        }
        "ColumnPrefixFilter" => {
            Box::new(ColumnPrefix(decode_message::<ColumnPrefixFilter>(sent)?.prefix))
        }
        "MultipleColumnPrefixFilter" => {
            let prefixes = decode_message::<MultipleColumnPrefixFilter>(sent)?.sorted_prefixes;
            let prefixes = prefixes.into_iter().collect();
            Box::new(ColumnPrefixes { prefixes, sought: None })
        }
        "ColumnRangeFilter" => {
            let range: ColumnRangeFilter = decode_message(sent)?;
            let bound = |key: Option<Bytes>, inclusive: Option<bool>| match (key, inclusive) {
                (None, _) => Bound::Unbounded,
                (Some(key), Some(true)) => Bound::Included(key),
                (Some(key), _) => Bound::Excluded(key),
            };
            Box::new(ColumnRange {
                min: bound(range.min_column, range.min_column_inclusive),
                max: bound(range.max_column, range.max_column_inclusive),
            })
        }
        "ColumnPaginationFilter" => {
            let page: ColumnPaginationFilter = decode_message(sent)?;
            let (limit, offset) = (page.limit, page.offset.unwrap_or(0));
            Box::new(ColumnPage { limit, offset, first: page.column_offset, count: 0 })
        }
        "ColumnCountGetFilter" => {
            let limit = decode_message::<ColumnCountGetFilter>(sent)?.limit;
            Box::new(ColumnCount { limit, count: 0 })
        }
        "TimestampsFilter" => {
            let asked: TimestampsFilter = decode_message(sent)?;
            let timestamps = asked.timestamps.into_iter().filter_map(|t| t.try_into().ok());
            let can_hint = asked.can_hint.unwrap_or(false);
            Box::new(Timestamps { timestamps: timestamps.collect(), can_hint })
        }
        _ => return Ok(None),
    };
    Ok(Some(filter))
}

/// `FamilyFilter`
#[derive(Debug)]
struct FamilyFilter(Comparison);

impl Filter for FamilyFilter {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.family()), ReturnCode::NEXT_ROW)
    }
}

/// `QualifierFilter`
#[derive(Debug)]
struct Qualifier(Comparison);

impl Filter for Qualifier {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.qualifier()), ReturnCode::SKIP)
    }
}

/// `FirstKeyOnlyFilter`
#[derive(Debug, Default)]
struct FirstKeyOnly {
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
struct FirstKeyMatching {
    qualifiers: BTreeSet<Bytes>,
    found: bool,
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
struct KeyOnly {
    length_as_value: bool,
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
struct ColumnPrefix(Bytes);

impl Filter for ColumnPrefix {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let qualifier = cell.qualifier();
        match qualifier.get(..self.0.len()).unwrap_or(qualifier).cmp(&self.0[..]) {
            Ordering::Less => ReturnCode::SEEK_NEXT_USING_HINT,
            Ordering::Equal => ReturnCode::INCLUDE,
            Ordering::Greater => ReturnCode::NEXT_ROW,
        }
    }

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::column(&self.0))
    }

    fn gives_hints(&self) -> bool {
        true
    }
}

/// `MultipleColumnPrefixFilter`
#[derive(Debug)]
struct ColumnPrefixes {
    prefixes: BTreeSet<Bytes>,
    /// The prefix that was sought last.
    sought: Option<Bytes>,
}

impl Filter for ColumnPrefixes {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.prefixes.is_empty() {
            return ReturnCode::INCLUDE;
        }
        let qualifier = Bytes::copy_from_slice(cell.qualifier());
        // As in HBase, only the last prefix that is not after the qualifier is compared with it. A
        // shorter prefix before that prefix is ignored, even if the qualifier starts with it.
        let before = self.prefixes.range(..=qualifier.clone()).next_back();
        if before.is_some_and(|prefix| qualifier.starts_with(prefix)) {
            return ReturnCode::INCLUDE;
        }
        let after = (Bound::Excluded(qualifier), Bound::Unbounded);
        let Some(next) = self.prefixes.range(after).next() else { return ReturnCode::NEXT_ROW };
        self.sought = Some(next.clone());
        ReturnCode::SEEK_NEXT_USING_HINT
    }

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        self.sought.as_deref().map(Hint::column)
    }

    fn gives_hints(&self) -> bool {
        true
    }
}

/// `ColumnRangeFilter`
#[derive(Debug)]
struct ColumnRange {
    min: Bound<Bytes>,
    max: Bound<Bytes>,
}

impl ColumnRange {
    /// Returns the qualifier at which the range starts, whether or not the range includes it.
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
            (true, _) => ReturnCode::SEEK_NEXT_USING_HINT,
            (_, true) => ReturnCode::NEXT_ROW,
            _ => ReturnCode::INCLUDE,
        }
    }

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        self.start().map(Hint::column)
    }

    fn gives_hints(&self) -> bool {
        true
    }
}

/// `ColumnPaginationFilter`
#[derive(Debug)]
struct ColumnPage {
    limit: i32,
    offset: i32,
    first: Option<Bytes>,
    count: i32,
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
                return ReturnCode::SEEK_NEXT_USING_HINT;
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

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        self.first.as_deref().map(Hint::column)
    }
}

/// `ColumnCountGetFilter`
#[derive(Debug)]
struct ColumnCount {
    limit: i32,
    count: i32,
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
struct Timestamps {
    timestamps: BTreeSet<u64>,
    can_hint: bool,
}

impl Filter for Timestamps {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let timestamp = cell.timestamp();
        let older = self.timestamps.first().is_none_or(|oldest| timestamp < *oldest);
        match self.timestamps.contains(&timestamp) {
            true => ReturnCode::INCLUDE,
            false if older => ReturnCode::NEXT_COL,
            false if self.can_hint => ReturnCode::SEEK_NEXT_USING_HINT,
            false => ReturnCode::SKIP,
        }
    }

    fn hint(&mut self, cell: &StoredCell) -> Option<Hint> {
        let next = self.timestamps.range(..cell.timestamp()).next_back();
        let qualifier = Bytes::copy_from_slice(cell.qualifier());
        self.can_hint.then(|| Hint::Column { qualifier, timestamp: next.copied().unwrap_or(0) })
    }

    fn gives_hints(&self) -> bool {
        true
    }
}
