//! What is wrong with a filter before it is sent.
//!
//! # Invariants
//!
//! - A filter that HBase would misinterpret is not sent. Tests:
//!   `tests/suites/client/filters.rs::a_filter_that_hbase_misinterprets_is_not_sent`.

use std::ops::Bound;

use super::FuzzyRow;
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
        match &self.0 {
            Kind::SingleColumnValue(_)
            | Kind::Dependent(_)
            | Kind::Page(_)
            | Kind::RandomRow(_)
            | Kind::Skip(_)
            | Kind::WhileMatch(_) => Some(self),
            Kind::All(filters) | Kind::Any(filters) => {
                filters.iter().find_map(Self::needing_whole_rows)
            }
            Kind::Row(..)
            | Kind::Family(..)
            | Kind::Qualifier(..)
            | Kind::Value(..)
            | Kind::ColumnValue { .. }
            | Kind::Prefix(_)
            | Kind::ColumnPrefixes(_)
            | Kind::ColumnRange(..)
            | Kind::ColumnPagination { .. }
            | Kind::ColumnPaginationFrom { .. }
            | Kind::ColumnCount(_)
            | Kind::FirstKeyOnly
            | Kind::FirstKeyMatching(_)
            | Kind::KeyOnly { .. }
            | Kind::FuzzyRows(_)
            | Kind::RowRanges(_)
            | Kind::InclusiveStop(_)
            | Kind::Timestamps(_)
            | Kind::Custom(..) => None,
        }
    }

    fn problem_at(&self, columns: &Columns, used: Use, depth: usize) -> Option<String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Some(format!("filters are nested more than {DEPTH} deep"));
        };
        let empty = |what: &str| Some(format!("the filter has an empty list of {what}"));
        match &self.0 {
            Kind::Row(compare, comparator)
            | Kind::Family(compare, comparator)
            | Kind::Qualifier(compare, comparator)
            | Kind::Value(compare, comparator) => comparator.problem(*compare),
            Kind::SingleColumnValue(test) => test
                .comparator
                .problem(test.compare)
                .or_else(|| unread(&test.family, &test.qualifier, columns)),
            Kind::ColumnValue { family, qualifier, compare, comparator } => {
                comparator.problem(*compare).or_else(|| unread(family, qualifier, columns))
            }
            Kind::Dependent(test) => {
                let value = test.value.as_ref();
                value
                    .and_then(|(compare, comparator)| comparator.problem(*compare))
                    .or_else(|| unread(&test.family, &test.qualifier, columns))
            }
            Kind::FirstKeyMatching(qualifiers) if qualifiers.is_empty() => empty("qualifiers"),
            Kind::Custom(class, _) if class.is_empty() => {
                Some("the filter has an empty class name".into())
            }
            Kind::ColumnPrefixes(prefixes) if prefixes.is_empty() => empty("column prefixes"),
            Kind::ColumnRange(Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b))
                if a > b =>
            {
                let (a, b) = (a.escape_ascii(), b.escape_ascii());
                Some(format!("the filter has a range of columns from \"{a}\" to \"{b}\", which is before it"))
            }
            Kind::ColumnPagination { limit, offset } => {
                positive("limit of columns", *limit).or_else(|| not_too_many("offset of columns", *offset))
            }
            Kind::ColumnPaginationFrom { limit, .. } => positive("limit of columns", *limit),
            Kind::ColumnCount(_) if matches!(used, Use::Scan { .. }) => Some(
                "ColumnCountGetFilter would end the scan with its first row; use column_pagination".into(),
            ),
            Kind::ColumnCount(limit) => positive("limit of columns", *limit),
            Kind::Page(rows) => match i64::try_from(*rows) {
                Ok(1..) => None,
                _ => Some(format!("the filter has a page of {rows} rows; 1 to 2^63 - 1 are possible")),
            },
            Kind::FuzzyRows(_) if matches!(used, Use::Scan { reversed: true, .. }) => Some(
                "a reversed scan with FuzzyRowFilter can keep a server searching forever; scan forwards".into(),
            ),
            Kind::FuzzyRows(rows) if rows.is_empty() => empty("fuzzy row keys"),
            Kind::FuzzyRows(rows) => rows.iter().find_map(fuzzy_row_problem),
            Kind::RowRanges(ranges) if ranges.is_empty() => {
                Some("the filter has no range with rows in it".into())
            }
            Kind::RandomRow(chance) if chance.is_nan() => {
                Some("the filter has a chance that is not a number".into())
            }
            Kind::Timestamps(timestamps) if timestamps.is_empty() => empty("timestamps"),
            Kind::All(filters) | Kind::Any(filters) if filters.is_empty() => empty("filters"),
            Kind::All(filters) | Kind::Any(filters) => {
                filters.iter().find_map(|filter| filter.problem_at(columns, used, depth))
            }
            Kind::Skip(filter) | Kind::WhileMatch(filter) => {
                filter.problem_at(columns, used, depth)
            }
            Kind::Prefix(_)
            | Kind::ColumnPrefixes(_)
            | Kind::ColumnRange(..)
            | Kind::FirstKeyOnly
            | Kind::FirstKeyMatching(_)
            | Kind::Custom(..)
            | Kind::KeyOnly { .. }
            | Kind::RowRanges(_)
            | Kind::InclusiveStop(_)
            | Kind::RandomRow(_)
            | Kind::Timestamps(_) => None,
        }
    }
}

fn positive(what: &str, number: u32) -> Option<String> {
    match number {
        0 => Some(format!("the filter has a {what} of 0, which keeps nothing")),
        _ => not_too_many(what, number),
    }
}

fn not_too_many(what: &str, number: u32) -> Option<String> {
    let too_many = i32::try_from(number).is_err();
    too_many.then(|| format!("the filter has a {what} of {number}, more than {}", i32::MAX))
}

/// What is wrong with testing a column that is not read.
fn unread(family: &[u8], qualifier: &[u8], columns: &Columns) -> Option<String> {
    (!columns.contains(family, qualifier)).then(|| {
        let column = show::column(family, qualifier);
        format!("the filter tests column {column}, which is not read; read it too")
    })
}

fn fuzzy_row_problem(row: &FuzzyRow) -> Option<String> {
    let (key, mask) = (row.row.len(), row.mask.len());
    if key != mask {
        return Some(format!(
            "a fuzzy row key of {key} bytes has a mask of {mask}; it needs one for each byte"
        ));
    }
    if key == 0 {
        return Some("a fuzzy row key is empty".into());
    }
    let other = row.mask.iter().find(|m| **m > 1)?;
    Some(format!("a mask holds {other}; 0 stands for a byte that counts, 1 for one that does not"))
}
