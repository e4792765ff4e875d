//! Makes Bigtable's filters in their simplest form: a chain or an interleave has at least two
//! parts.

use bytes::Bytes;

use crate::wire::bigtable::{
    Chain, ColumnRange, Condition, EndQualifier, EndValue, Filter, Interleave, RowFilter,
    StartQualifier, StartValue, TimestampRange, ValueRange,
};

pub(super) fn row_filter(filter: Filter) -> RowFilter {
    RowFilter { filter: Some(filter) }
}

/// Returns the filter that everything passes.
pub(super) fn pass_all() -> RowFilter {
    row_filter(Filter::PassAllFilter(true))
}

/// Returns the filter that nothing passes.
pub(super) fn block_all() -> RowFilter {
    row_filter(Filter::BlockAllFilter(true))
}

fn is_pass(filter: &RowFilter) -> bool {
    matches!(filter.filter, Some(Filter::PassAllFilter(_)))
}

fn is_block(filter: &RowFilter) -> bool {
    matches!(filter.filter, Some(Filter::BlockAllFilter(_)))
}

/// Returns a filter that applies these filters one after the other, each to the cells that pass the
/// previous filter.
pub(super) fn chain(filters: impl IntoIterator<Item = RowFilter>) -> RowFilter {
    filters.into_iter().fold(pass_all(), then)
}

/// Returns a filter that applies `next` to the cells that pass `first`. Most filters of gets have
/// only one part, for which this allocates nothing.
fn then(first: RowFilter, next: RowFilter) -> RowFilter {
    if is_pass(&first) || is_block(&next) {
        return next;
    }
    if is_pass(&next) || is_block(&first) {
        return first;
    }
    let parts = |filter: RowFilter| match filter.filter {
        Some(Filter::Chain(chain)) => chain.filters,
        _ => vec![filter],
    };
    let mut filters = parts(first);
    filters.extend(parts(next));
    row_filter(Filter::Chain(Chain { filters }))
}

/// Returns a filter that keeps the cells that pass any of these filters. No cell may pass two of
/// them.
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
        (None, _) => block_all(),
        (Some(only), true) => only,
        (Some(last), false) => {
            parts.push(last);
            row_filter(Filter::Interleave(Interleave { filters: parts }))
        }
    }
}

/// Returns a filter that applies `found` to a row of which any cell passes the predicate, and
/// `missing` to any other row. If the filter to apply is `None`, nothing passes.
pub(super) fn condition(
    predicate: RowFilter,
    found: Option<RowFilter>,
    missing: Option<RowFilter>,
) -> RowFilter {
    if is_block(&predicate) {
        return missing.unwrap_or_else(block_all);
    }
    if is_pass(&predicate) {
        return found.unwrap_or_else(block_all);
    }
    row_filter(Filter::Condition(Box::new(Condition {
        predicate_filter: Some(Box::new(predicate)),
        true_filter: found.map(Box::new),
        false_filter: missing.map(Box::new),
    })))
}

/// Returns a filter that keeps all cells of the rows of which any cell passes the predicate, and no
/// cells of other rows.
pub(super) fn rows_with(predicate: RowFilter) -> RowFilter {
    condition(predicate, Some(pass_all()), None)
}

/// Returns a filter that keeps all cells of the rows of which no cell passes the predicate, and no
/// cells of other rows.
pub(super) fn rows_without(predicate: RowFilter) -> RowFilter {
    condition(predicate, None, Some(pass_all()))
}

/// Returns a filter that keeps the newest `versions` versions of each column.
pub(super) fn newest_versions(versions: u32) -> RowFilter {
    match i32::try_from(versions) {
        Ok(i32::MAX) | Err(_) => pass_all(),
        Ok(0) => block_all(),
        Ok(versions) => row_filter(Filter::CellsPerColumnLimitFilter(versions)),
    }
}

/// Returns a filter that keeps the first `cells` cells of each row.
pub(super) fn first_cells(cells: u32) -> RowFilter {
    match i32::try_from(cells) {
        Ok(i32::MAX) | Err(_) => pass_all(),
        Ok(0) => block_all(),
        Ok(cells) => row_filter(Filter::CellsPerRowLimitFilter(cells)),
    }
}

/// Returns a filter that skips the first `cells` cells of each row.
pub(super) fn skip_cells(cells: u32) -> RowFilter {
    match i32::try_from(cells) {
        Ok(0) => pass_all(),
        Ok(cells) => row_filter(Filter::CellsPerRowOffsetFilter(cells)),
        Err(_) => row_filter(Filter::CellsPerRowOffsetFilter(i32::MAX)),
    }
}

pub(super) fn in_time_range(range: TimestampRange) -> RowFilter {
    match range {
        TimestampRange { start_timestamp_micros: 0, end_timestamp_micros: 0 } => pass_all(),
        range => row_filter(Filter::TimestampRangeFilter(range)),
    }
}

/// Returns a filter that keeps one column.
pub(super) fn column(family: &str, qualifier: &[u8]) -> RowFilter {
    let at = Bytes::copy_from_slice(qualifier);
    // The service may treat an empty bound as no bound.
    let (start_qualifier, end_qualifier) = match qualifier.is_empty() {
        true => (None, EndQualifier::EndQualifierOpen(Bytes::from_static(b"\0"))),
        false => {
            let start = StartQualifier::StartQualifierClosed(at.clone());
            (Some(start), EndQualifier::EndQualifierClosed(at))
        }
    };
    row_filter(Filter::ColumnRangeFilter(ColumnRange {
        family_name: family.to_owned(),
        start_qualifier,
        end_qualifier: Some(end_qualifier),
    }))
}

/// Returns a filter that keeps the cells whose values are from `start` to before `end`.
pub(super) fn in_value_range(start: &[u8], end: Option<&[u8]>) -> RowFilter {
    let copy = Bytes::copy_from_slice;
    row_filter(Filter::ValueRangeFilter(ValueRange {
        start_value: (!start.is_empty()).then(|| StartValue::StartValueClosed(copy(start))),
        end_value: end.map(|end| EndValue::EndValueOpen(copy(end))),
    }))
}
