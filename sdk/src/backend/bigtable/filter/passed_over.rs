//! Finds lists of filters whose answers on HBase depend on cells that HBase passes over.
//!
//! A filter that excludes a cell may tell HBase where to continue: at the next column, at a
//! qualifier or at the next row. The cells that HBase passes over in this way are not shown to any
//! filter of the list. If an earlier filter of the list decides about the row by one of these
//! columns, it treats that column as missing. Whether HBase passes over the column depends on
//! whether the row has another column before it. Bigtable passes over nothing, so the answers of
//! such a list would differ on Bigtable.

use super::byte_ranges::{ByteRanges, bound};
use super::comparison;
use super::pattern::StringSet;
use crate::Filter;
use crate::request::filter::{CellFilter, Kind};

/// The column by which a filter decides about a row; `None` if it decides by every cell.
type Decisive<'f> = Option<Column<'f>>;

#[derive(Clone, Copy)]
struct Column<'f> {
    family: &'f [u8],
    qualifier: &'f [u8],
    newest_only: bool,
}

/// Returns the first filter of a list that may make HBase pass over cells by which an earlier
/// filter of the list decides; `None` if there is no such filter.
pub(super) fn first_filter_skipping_decisive_cells(filters: &[Filter]) -> Option<&Filter> {
    let mut before: Vec<Decisive<'_>> = Vec::new();
    for filter in filters {
        if !before.iter().all(|decisive| shows(filter, *decisive)) {
            return Some(filter);
        }
        decide(filter, &mut before);
    }
    None
}

fn decide<'f>(filter: &'f Filter, by: &mut Vec<Decisive<'f>>) {
    match &filter.0 {
        Kind::Cells(CellFilter::SingleColumnValue(test)) => by.push(Some(Column {
            family: &test.family,
            qualifier: &test.qualifier,
            newest_only: test.latest_version_only,
        })),
        Kind::Skip(_) => by.push(None),
        Kind::All(filters) | Kind::Any(filters) => {
            filters.iter().for_each(|filter| decide(filter, by));
        }
        Kind::Rows(_) | Kind::Cells(_) | Kind::WhileMatch(_) | Kind::Custom(..) => {}
    }
}

/// Whether HBase shows the decisive cells to the filters before `filter` in any case, whatever
/// other cells the row has.
fn shows(filter: &Filter, decisive: Decisive<'_>) -> bool {
    match &filter.0 {
        Kind::Cells(cells) => shows_cells(cells, decisive),
        Kind::All(filters) => filters.iter().all(|filter| shows(filter, decisive)),
        // HBase continues at the first of the places where these filters continue.
        Kind::Any(filters) => filters.iter().any(|filter| shows(filter, decisive)),
        // If `Skip` passes over anything in a row, it excludes the whole row.
        Kind::Skip(_) | Kind::Rows(_) | Kind::WhileMatch(_) | Kind::Custom(..) => true,
    }
}

fn shows_cells(cells: &CellFilter, column: Decisive<'_>) -> bool {
    match cells {
        // With these filters, HBase continues at the next cell, or nothing of the row is returned.
        CellFilter::Qualifier(..)
        | CellFilter::Value(..)
        | CellFilter::SingleColumnValue(_)
        | CellFilter::KeyOnly { .. }
        | CellFilter::Dependent(_) => true,
        CellFilter::Family(compare, comparator) => {
            column.is_some_and(|Column { family, .. }| {
                let kept = comparison::matching_strings(*compare, comparator);
                matches!(kept, Some(StringSet::Ranges(kept)) if kept.contains(family))
            })
        }
        CellFilter::ColumnPrefixes(prefixes) => {
            column.is_some_and(|Column { qualifier, .. }| {
                prefixes.iter().any(|prefix| qualifier.starts_with(prefix))
            })
        }
        CellFilter::ColumnRange(from, to) => column.is_some_and(|Column { qualifier, .. }| {
            ByteRanges::between(bound(from), bound(to)).contains(qualifier)
        }),
        // HBase shows only the newest version of a column before the filter's own column, and
        // nothing of a column after the filter's own column.
        CellFilter::ColumnValue { family: of_own, qualifier: own, .. } => {
            column.is_some_and(|Column { family, qualifier, newest_only }| {
                let (column, own) = ((family, qualifier), (&of_own[..], &own[..]));
                column == own || newest_only && column < own
            })
        }
        // After the oldest of the filter's timestamps, HBase continues with the next column.
        CellFilter::Timestamps { .. } => column.is_some_and(|column| column.newest_only),
        CellFilter::ColumnPagination { .. }
        | CellFilter::ColumnPaginationFrom { .. }
        | CellFilter::ColumnCount(_)
        | CellFilter::FirstKeyOnly
        | CellFilter::FirstKeyMatching(_) => false,
    }
}
