//! Sets of cells. Whether a cell is in such a set does not depend on the other cells of its row.

use super::build::{
    block_all, chain, in_time_range, in_value_range, interleave, pass_all, row_filter, rows_without,
};
use super::byte_ranges::ByteRanges;
use super::pattern::{StringSet, any_of, quote};
use crate::wire::bigtable::{Filter, RowFilter, TimestampRange, ValueBitmask};

/// The part of a cell that decides whether the cell is in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellPart {
    Row,
    Family,
    Qualifier,
    Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum CellSet {
    Matching(CellPart, StringSet),
    /// The cells with a timestamp in one of these ranges of microseconds, each of which contains
    /// its start but not its end. The ranges are sorted, with gaps between them.
    InTimeRanges(Vec<(i64, i64)>),
    Sample(f64),
    Intersection(Vec<CellSet>),
    Union(Vec<CellSet>),
}

impl CellSet {
    /// Returns the cells of one column.
    pub(super) fn column(family: &[u8], qualifier: &[u8]) -> Self {
        let only =
            |part, bytes| Self::Matching(part, StringSet::Ranges(ByteRanges::exactly(bytes)));
        Self::Intersection(vec![
            only(CellPart::Family, family),
            only(CellPart::Qualifier, qualifier),
        ])
    }

    /// Returns all cells that are not in this set; `None` if that set cannot be expressed.
    pub(super) fn complement(&self) -> Option<Self> {
        let each = |parts: &[Self]| parts.iter().map(Self::complement).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::Matching(part, pattern) => Self::Matching(*part, pattern.clone().complement()),
            Self::InTimeRanges(times) => Self::InTimeRanges(other_times(times)),
            Self::Sample(_) => return None,
            Self::Intersection(parts) => Self::Union(each(parts)?),
            Self::Union(parts) => Self::Intersection(each(parts)?),
        })
    }

    /// Returns the filter that keeps exactly the cells of this set, and returns each only once;
    /// `None` if there is no such filter.
    pub(super) fn to_row_filter(&self) -> Option<RowFilter> {
        match self {
            Self::Matching(part, pattern) => of_part(*part, pattern),
            Self::InTimeRanges(ranges) => Some(interleave(ranges.iter().map(|(start, end)| {
                // An end of 0 means that there is no end.
                let end = if *end == i64::MAX { 0 } else { *end };
                in_time_range(TimestampRange {
                    start_timestamp_micros: *start,
                    end_timestamp_micros: end,
                })
            }))),
            Self::Sample(chance) => Some(row_filter(Filter::RowSampleFilter(*chance))),
            Self::Intersection(parts) => {
                let parts = merged(parts, ByteRanges::intersection, |_, _| None);
                Some(chain(parts.iter().map(Self::to_row_filter).collect::<Option<Vec<_>>>()?))
            }
            Self::Union(parts) => {
                let either = |a: &str, b: &str| Some(any_of([a, b].map(str::to_owned)));
                any(merged(parts, ByteRanges::union, either))
            }
        }
    }
}

/// Merges sets that are decided by the same part of a cell into one set, where that is possible.
/// `ranges` merges two sets of strings that are stored as ranges, and `patterns` merges two that
/// are stored as patterns.
fn merged(
    parts: &[CellSet],
    ranges: fn(ByteRanges, ByteRanges) -> ByteRanges,
    patterns: fn(&str, &str) -> Option<String>,
) -> Vec<CellSet> {
    let mut merged: Vec<CellSet> = Vec::new();
    'parts: for cells in parts {
        if let CellSet::Matching(part, pattern) = cells {
            for other in &mut merged {
                let CellSet::Matching(of, with) = other else { continue };
                let both = match (&*with, pattern) {
                    _ if of != part => None,
                    (StringSet::Ranges(a), StringSet::Ranges(b)) => {
                        Some(StringSet::Ranges(ranges(a.clone(), b.clone())))
                    }
                    (
                        StringSet::Regex { pattern: a, negated: false },
                        StringSet::Regex { pattern: b, negated: false },
                    ) => patterns(a, b).map(StringSet::regex),
                    _ => None,
                };
                if let Some(both) = both {
                    *with = both;
                    continue 'parts;
                }
            }
        }
        merged.push(cells.clone());
    }
    merged
}

/// Returns the filter that keeps the cells that are in any of these sets. A cell in several sets
/// would be returned several times, so the filter for each set skips the cells of the previous
/// sets.
fn any(parts: Vec<CellSet>) -> Option<RowFilter> {
    let others = |cells: &CellSet| cells.complement().and_then(|others| others.to_row_filter());
    let (mut first, last): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|cells| others(cells).is_some());
    // A set whose complement has no filter can only be the last one.
    if last.len() > 1 {
        return None;
    }
    first.extend(last);
    let mut filters = Vec::new();
    let mut before: Vec<RowFilter> = Vec::new();
    for cells in &first {
        filters.push(chain(before.iter().cloned().chain([cells.to_row_filter()?])));
        before.extend(others(cells));
    }
    Some(interleave(filters))
}

fn of_part(part: CellPart, pattern: &StringSet) -> Option<RowFilter> {
    if let StringSet::Ranges(ranges) = pattern {
        if ranges.is_empty() {
            return Some(block_all());
        }
        if ranges.is_all() {
            return Some(pass_all());
        }
        if part == CellPart::Value {
            return Some(interleave(ranges.iter().map(|(start, end)| in_value_range(start, end))));
        }
    }
    match (part, pattern) {
        (CellPart::Value, StringSet::Bits { mask, negated: false }) => {
            let mask = ValueBitmask { mask: mask.clone() };
            Some(row_filter(Filter::ValueBitmaskFilter(mask)))
        }
        // A pattern of row keys decides about whole rows, and a filter of whole rows can be
        // negated.
        (CellPart::Row, StringSet::Regex { pattern, negated: true }) => {
            Some(rows_without(row_filter(Filter::RowKeyRegexFilter(non_empty(pattern.clone())))))
        }
        (_, pattern) => {
            let pattern = pattern.to_regex()?;
            Some(row_filter(match part {
                CellPart::Row => Filter::RowKeyRegexFilter(non_empty(pattern)),
                CellPart::Family => Filter::FamilyNameRegexFilter(pattern),
                CellPart::Qualifier => Filter::ColumnQualifierRegexFilter(non_empty(pattern)),
                CellPart::Value => Filter::ValueRegexFilter(non_empty(pattern)),
            }))
        }
    }
}

/// Replaces an empty pattern, which matches only the empty string, by `()`: the service refuses an
/// empty pattern, or treats it as an unset field.
fn non_empty(pattern: String) -> bytes::Bytes {
    if pattern.is_empty() { bytes::Bytes::from_static(b"()") } else { pattern.into() }
}

fn other_times(times: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut others = Vec::new();
    let mut from = 0;
    for (start, end) in times {
        if from < *start {
            others.push((from, *start));
        }
        from = *end;
    }
    if from < i64::MAX {
        others.push((from, i64::MAX));
    }
    others
}

/// Returns the pattern that matches any of these names.
pub(super) fn names_pattern<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> String {
    let pattern = any_of(names.into_iter().map(quote));
    if pattern.is_empty() { "()".into() } else { pattern }
}
