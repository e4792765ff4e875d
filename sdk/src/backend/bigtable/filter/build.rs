//! Makes Bigtable's filters in their simplest form: a chain or an interleave has at least two
//! parts.

use bytes::Bytes;

use crate::wire::bigtable::{
    Chain, ColumnRange, Condition, EndQualifier, EndValue, Filter, Interleave, RowFilter,
    StartQualifier, StartValue, TimestampRange, ValueRange,
};

pub(super) fn of(filter: Filter) -> RowFilter {
    RowFilter { filter: Some(filter) }
}

/// A filter that lets everything pass.
pub(super) fn pass() -> RowFilter {
    of(Filter::PassAllFilter(true))
}

/// A filter that lets nothing pass.
pub(super) fn block() -> RowFilter {
    of(Filter::BlockAllFilter(true))
}

fn is_pass(filter: &RowFilter) -> bool {
    matches!(filter.filter, Some(Filter::PassAllFilter(_)))
}

fn is_block(filter: &RowFilter) -> bool {
    matches!(filter.filter, Some(Filter::BlockAllFilter(_)))
}

/// A filter that applies each of these filters to the cells that the previous one leaves.
pub(super) fn chain(filters: impl IntoIterator<Item = RowFilter>) -> RowFilter {
    let mut parts = Vec::new();
    for filter in filters {
        match filter.filter {
            Some(Filter::Chain(chain)) => parts.extend(chain.filters),
            _ if is_pass(&filter) => {}
            _ if is_block(&filter) => return block(),
            _ => parts.push(filter),
        }
    }
    match (parts.pop(), parts.is_empty()) {
        (None, _) => pass(),
        (Some(only), true) => only,
        (Some(last), false) => {
            parts.push(last);
            of(Filter::Chain(Chain { filters: parts }))
        }
    }
}

/// A filter that leaves the cells that any of these filters leaves, which must leave different
/// cells.
pub(super) fn interleave(filters: impl IntoIterator<Item = RowFilter>) -> RowFilter {
    let mut parts = Vec::new();
    for filter in filters {
        match filter.filter {
            Some(Filter::Interleave(inner)) => parts.extend(inner.filters),
            _ if is_block(&filter) => {}
            _ => parts.push(filter),
        }
    }
    match (parts.pop(), parts.is_empty()) {
        (None, _) => block(),
        (Some(only), true) => only,
        (Some(last), false) => {
            parts.push(last);
            of(Filter::Interleave(Interleave { filters: parts }))
        }
    }
}

/// A filter that applies `found` if the predicate leaves any cell of the row, and otherwise
/// `missing`; without such a filter, nothing passes.
pub(super) fn condition(
    predicate: RowFilter,
    found: Option<RowFilter>,
    missing: Option<RowFilter>,
) -> RowFilter {
    if is_block(&predicate) {
        return missing.unwrap_or_else(block);
    }
    if is_pass(&predicate) {
        return found.unwrap_or_else(block);
    }
    of(Filter::Condition(Box::new(Condition {
        predicate_filter: Some(Box::new(predicate)),
        true_filter: found.map(Box::new),
        false_filter: missing.map(Box::new),
    })))
}

/// A filter that leaves all cells of a row in which the predicate finds a cell, and none of other
/// rows.
pub(super) fn rows_with(predicate: RowFilter) -> RowFilter {
    condition(predicate, Some(pass()), None)
}

/// A filter that leaves all cells of a row in which the predicate finds no cell, and none of other
/// rows.
pub(super) fn rows_without(predicate: RowFilter) -> RowFilter {
    condition(predicate, None, Some(pass()))
}

/// A filter that leaves the newest `versions` versions of each column.
pub(super) fn newest(versions: u32) -> RowFilter {
    match i32::try_from(versions) {
        Ok(i32::MAX) | Err(_) => pass(),
        Ok(0) => block(),
        Ok(versions) => of(Filter::CellsPerColumnLimitFilter(versions)),
    }
}

/// A filter that leaves the first `cells` cells of each row.
pub(super) fn first(cells: u32) -> RowFilter {
    match i32::try_from(cells) {
        Ok(i32::MAX) | Err(_) => pass(),
        Ok(0) => block(),
        Ok(cells) => of(Filter::CellsPerRowLimitFilter(cells)),
    }
}

/// A filter that leaves what follows the first `cells` cells of each row.
pub(super) fn skip(cells: u32) -> RowFilter {
    match i32::try_from(cells) {
        Ok(0) => pass(),
        Ok(cells) => of(Filter::CellsPerRowOffsetFilter(cells)),
        Err(_) => of(Filter::CellsPerRowOffsetFilter(i32::MAX)),
    }
}

pub(super) fn times(range: TimestampRange) -> RowFilter {
    match range {
        TimestampRange { start_timestamp_micros: 0, end_timestamp_micros: 0 } => pass(),
        range => of(Filter::TimestampRangeFilter(range)),
    }
}

/// A filter that leaves one column.
pub(super) fn column(family: &str, qualifier: &[u8]) -> RowFilter {
    let at = Bytes::copy_from_slice(qualifier);
    // An empty bound may be read as no bound.
    let (start_qualifier, end_qualifier) = match qualifier.is_empty() {
        true => (None, EndQualifier::EndQualifierOpen(Bytes::from_static(b"\0"))),
        false => {
            let start = StartQualifier::StartQualifierClosed(at.clone());
            (Some(start), EndQualifier::EndQualifierClosed(at))
        }
    };
    of(Filter::ColumnRangeFilter(ColumnRange {
        family_name: family.to_owned(),
        start_qualifier,
        end_qualifier: Some(end_qualifier),
    }))
}

/// A filter that leaves the values from `start` to before `end`.
pub(super) fn values(start: &[u8], end: Option<&[u8]>) -> RowFilter {
    let copy = Bytes::copy_from_slice;
    of(Filter::ValueRangeFilter(ValueRange {
        start_value: (!start.is_empty()).then(|| StartValue::StartValueClosed(copy(start))),
        end_value: end.map(|end| EndValue::EndValueOpen(copy(end))),
    }))
}
