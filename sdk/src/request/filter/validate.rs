//! What is wrong with a filter before it is sent.
//!
//! # Invariants
//!
//! - A filter that HBase would misinterpret is not sent. Tests:
//!   `tests/suites/client/filters.rs::a_filter_that_hbase_misinterprets_is_not_sent`.

use super::kind::{Filter, Kind};
use crate::model::columns::Columns;
use crate::model::show;

/// How deep filters may hold filters.
const DEPTH: usize = 64;

/// What a filter is used in.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    Get,
    /// Whether it returns rows in reverse order, and whether in parts of a number of cells.
    Scan {
        reversed: bool,
        in_parts: bool,
    },
}

impl Filter {
    /// What is wrong with it in a read of these columns, if anything.
    pub(crate) fn problem(&self, columns: &Columns, used: Use) -> Option<String> {
        self.problem_at(columns, used, DEPTH).or_else(|| match used {
            Use::Scan { in_parts: true, .. } => self.needing_whole_rows().map(|filter| {
                format!(
                    "the filter {filter:?} decides about whole rows, and the scan reads them in parts; leave out \
                     batch, or take partial_rows, which reads the rows that such a filter keeps as a whole"
                )
            }),
            Use::Scan { .. } | Use::Get => None,
        })
    }

    /// The filter in it that decides about whole rows, if there is one: `Filter.hasFilterRow`.
    /// HBase rejects it with a `batch`, with an exception that does not say that it is final.
    /// Filters of other classes are not checked.
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

    fn problem_at(&self, columns: &Columns, used: Use, depth: usize) -> Option<String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Some(format!("filters are nested more than {DEPTH} deep"));
        };
        match &self.0 {
            Kind::Rows(filter) => filter.problem(used),
            Kind::Cells(filter) => filter.problem(columns, used),
            Kind::All(filters) | Kind::Any(filters) => empty(filters, "filters").or_else(|| {
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

pub(super) fn empty<T>(list: &[T], what: &str) -> Option<String> {
    list.is_empty().then(|| format!("the filter has an empty list of {what}"))
}

pub(super) fn positive(what: &str, number: u32) -> Option<String> {
    match number {
        0 => Some(format!("the filter has a {what} of 0, which keeps nothing")),
        _ => not_too_many(what, number),
    }
}

pub(super) fn not_too_many(what: &str, number: u32) -> Option<String> {
    let too_many = i32::try_from(number).is_err();
    too_many.then(|| format!("the filter has a {what} of {number}, more than {}", i32::MAX))
}

/// What is wrong with testing a column that is not read.
pub(super) fn unread(family: &[u8], qualifier: &[u8], columns: &Columns) -> Option<String> {
    (!columns.contains(family, qualifier)).then(|| {
        let column = show::column(family, qualifier);
        format!("the filter tests column {column}, which is not read; read it too")
    })
}
