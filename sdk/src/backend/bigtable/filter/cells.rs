//! Sets of cells. Whether a cell is in such a set does not depend on the other cells of its row.

use super::build::{block, chain, interleave, of, pass, rows_without, times, values};
use super::byte_ranges::ByteRanges;
use super::pattern::{Pattern, any_of, quote};
use crate::wire::bigtable::{Filter, RowFilter, TimestampRange};

/// The part of a cell that decides whether the cell is in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Row,
    Family,
    Qualifier,
    Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    Of(Part, Pattern),
    /// The cells with a timestamp in one of these ranges of microseconds, each of which contains
    /// its start but not its end. The ranges are sorted, with gaps between them.
    At(Vec<(i64, i64)>),
    Sample(f64),
    All(Vec<Cells>),
    Any(Vec<Cells>),
}

impl Cells {
    /// Returns the cells of one column.
    pub(super) fn column(family: &[u8], qualifier: &[u8]) -> Self {
        let only = |part, bytes| Self::Of(part, Pattern::Ranges(ByteRanges::exactly(bytes)));
        Self::All(vec![only(Part::Family, family), only(Part::Qualifier, qualifier)])
    }

    /// Returns all cells that are not in this set; `None` if that set cannot be expressed.
    pub(super) fn complement(&self) -> Option<Self> {
        let each = |parts: &[Self]| parts.iter().map(Self::complement).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::Of(part, pattern) => Self::Of(*part, pattern.clone().complement()),
            Self::At(times) => Self::At(other_times(times)),
            Self::Sample(_) => return None,
            Self::All(parts) => Self::Any(each(parts)?),
            Self::Any(parts) => Self::All(each(parts)?),
        })
    }

    /// Returns the filter that keeps exactly the cells of this set, and returns each only once;
    /// `None` if there is no such filter.
    pub(super) fn filter(&self) -> Option<RowFilter> {
        match self {
            Self::Of(part, pattern) => of_part(*part, pattern),
            Self::At(ranges) => Some(interleave(ranges.iter().map(|(start, end)| {
                // An end of 0 means that there is no end.
                let end = if *end == i64::MAX { 0 } else { *end };
                times(TimestampRange { start_timestamp_micros: *start, end_timestamp_micros: end })
            }))),
            Self::Sample(chance) => Some(of(Filter::RowSampleFilter(*chance))),
            Self::All(parts) => {
                let parts = merged(parts, ByteRanges::intersection, |_, _| None);
                Some(chain(parts.iter().map(Self::filter).collect::<Option<Vec<_>>>()?))
            }
            Self::Any(parts) => {
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
    parts: &[Cells],
    ranges: fn(ByteRanges, ByteRanges) -> ByteRanges,
    patterns: fn(&str, &str) -> Option<String>,
) -> Vec<Cells> {
    let mut merged: Vec<Cells> = Vec::new();
    'parts: for cells in parts {
        if let Cells::Of(part, pattern) = cells {
            for other in &mut merged {
                let Cells::Of(of, with) = other else { continue };
                let both = match (&*with, pattern) {
                    _ if of != part => None,
                    (Pattern::Ranges(a), Pattern::Ranges(b)) => {
                        Some(Pattern::Ranges(ranges(a.clone(), b.clone())))
                    }
                    (
                        Pattern::Regex { pattern: a, negated: false },
                        Pattern::Regex { pattern: b, negated: false },
                    ) => patterns(a, b).map(Pattern::regex),
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
fn any(parts: Vec<Cells>) -> Option<RowFilter> {
    let others = |cells: &Cells| cells.complement().and_then(|others| others.filter());
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
        filters.push(chain(before.iter().cloned().chain([cells.filter()?])));
        before.extend(others(cells));
    }
    Some(interleave(filters))
}

fn of_part(part: Part, pattern: &Pattern) -> Option<RowFilter> {
    if let Pattern::Ranges(ranges) = pattern {
        if ranges.is_none() {
            return Some(block());
        }
        if ranges.is_all() {
            return Some(pass());
        }
        if part == Part::Value {
            return Some(interleave(ranges.iter().map(|(start, end)| values(start, end))));
        }
    }
    match (part, pattern) {
        // A pattern of row keys decides about whole rows, and a filter of whole rows can be
        // negated.
        (Part::Row, Pattern::Regex { pattern, negated: true }) => {
            Some(rows_without(of(Filter::RowKeyRegexFilter(pattern.clone().into()))))
        }
        (_, pattern) => {
            let pattern = pattern.positive()?;
            Some(of(match part {
                Part::Row => Filter::RowKeyRegexFilter(pattern.into()),
                Part::Family => Filter::FamilyNameRegexFilter(pattern),
                Part::Qualifier => Filter::ColumnQualifierRegexFilter(non_empty(pattern)),
                Part::Value => Filter::ValueRegexFilter(non_empty(pattern)),
            }))
        }
    }
}

/// Replaces an empty pattern, which matches only the empty string, by `()`, so that the service
/// does not treat it as an unset field.
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
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> String {
    let pattern = any_of(names.into_iter().map(quote));
    if pattern.is_empty() { "()".into() } else { pattern }
}
