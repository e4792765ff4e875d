//! The check of a filter before it is sent.
//!
//! # Invariants
//!
//! - A filter that HBase would misinterpret is not sent. Tests:
//!   `tests/suites/client/filters.rs::a_filter_that_hbase_misinterprets_is_not_sent`.

use super::kind::{Filter, Kind};
use crate::model::columns::CellSelection;
use crate::model::show;

/// How deep filters may be nested.
const DEPTH: usize = 64;

/// The kind of read that a filter is used in.
#[derive(Clone, Copy)]
pub(crate) enum ReadKind {
    Get,
    /// A scan: whether it returns rows in reverse order, and whether it returns them in parts of a
    /// fixed number of cells.
    Scan {
        reversed: bool,
        in_parts: bool,
    },
}

impl Filter {
    /// Returns what is wrong with the filter in a read of these columns, if anything.
    pub(crate) fn problem(&self, columns: &CellSelection, used: ReadKind) -> Option<String> {
        self.problem_at(columns, used, DEPTH).or_else(|| match used {
            ReadKind::Scan { in_parts: true, .. } => self.needing_whole_rows().map(|filter| {
                format!(
                    "the filter {filter:?} decides about whole rows, and the scan reads them in parts; leave out \
                     batch, or take partial_rows, which reads the rows that such a filter keeps as a whole"
                )
            }),
            ReadKind::Scan { .. } | ReadKind::Get => None,
        })
    }

    /// Returns the part of this filter that keeps or drops whole rows (`Filter.hasFilterRow`), if
    /// there is one. HBase rejects such a filter together with a `batch`, with an exception that
    /// does not say that it is final. Filters of custom classes are not checked.
    fn needing_whole_rows(&self) -> Option<&Self> {
        let class = match &self.0 {
            Kind::Rows(filter) => filter.class(),
            Kind::Cells(filter) => filter.class(),
            Kind::Skip(_) | Kind::WhileMatch(_) => return Some(self),
            Kind::All(filters) | Kind::Any(filters) => {
                return filters.iter().find_map(Self::needing_whole_rows);
            }
            Kind::Custom(..) => return None,
        };
        class.of_whole_rows.then_some(self)
    }

    fn problem_at(&self, columns: &CellSelection, used: ReadKind, depth: usize) -> Option<String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Some(format!("filters are nested more than {DEPTH} deep"));
        };
        match &self.0 {
            Kind::Rows(filter) => filter.problem(used),
            Kind::Cells(filter) => filter.problem(columns, used),
            Kind::All(filters) | Kind::Any(filters) => problem_if_empty(filters, "filters")
                .or_else(|| {
                    filters.iter().find_map(|filter| filter.problem_at(columns, used, depth))
                }),
            Kind::Skip(filter) | Kind::WhileMatch(filter) => {
                filter.problem_at(columns, used, depth)
            }
            Kind::Custom(class, _) => {
                class.is_empty().then(|| "the filter has an empty class name".into())
            }
        }
    }
}

pub(super) fn problem_if_empty<T>(list: &[T], what: &str) -> Option<String> {
    list.is_empty().then(|| format!("the filter has an empty list of {what}"))
}

pub(super) fn problem_unless_positive(what: &str, number: u32) -> Option<String> {
    match number {
        0 => Some(format!("the filter has a {what} of 0, which keeps nothing")),
        _ => problem_if_too_many(what, number),
    }
}

pub(super) fn problem_if_too_many(what: &str, number: u32) -> Option<String> {
    let too_many = i32::try_from(number).is_err();
    too_many.then(|| format!("the filter has a {what} of {number}, more than {}", i32::MAX))
}

/// Returns an error text if a filter tests this column and the read does not request the column.
pub(super) fn problem_if_unread(
    family: &[u8],
    qualifier: &[u8],
    columns: &CellSelection,
) -> Option<String> {
    (!columns.contains(family, qualifier)).then(|| {
        let column = show::column(family, qualifier);
        format!("the filter tests column {column}, which is not read; read it too")
    })
}
