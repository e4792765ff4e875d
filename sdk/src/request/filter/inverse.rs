//! The inverse of a filter keeps exactly what the filter drops. Not every filter has an inverse in
//! HBase.

use super::kind::{Filter, Kind};
use crate::{Error, Result};

/// The parts of a read that a filter keeps or drops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterTarget {
    /// Rows, by their key.
    Rows,
    /// Rows, by one of their cells.
    RowsByCell,
    /// Cells.
    Cells,
}

impl Filter {
    /// Returns the filter that keeps exactly the rows, or exactly the cells, that this filter
    /// drops.
    ///
    /// These filters have an inverse: comparisons of row keys, families, qualifiers and values;
    /// prefixes of row keys and of qualifiers; ranges of rows; `SingleColumnValue` if it tests only
    /// the newest version and does not exclude the column; and lists of these filters, unless a
    /// list has both `SingleColumnValue` and filters that keep or drop cells.
    ///
    /// ```
    /// use tallrow::{
    ///     Filter,
    ///     filter::{CompareOperator, SingleColumnValue},
    /// };
    ///
    /// let sold =
    ///     SingleColumnValue::new("d", "state", CompareOperator::Equal, "sold").filter_if_missing(true);
    /// let open = Filter::from(sold).or(Filter::prefix("x")).inverse()?;
    /// assert_eq!(
    ///     format!("{open:?}"),
    ///     r#"(SingleColumnValueFilter(d:state != "sold", filter_if_missing: false, latest_version_only: true) AND RowFilter(!= prefix "x"))"#
    /// );
    /// assert!(Filter::page(3).inverse().is_err());
    /// # Ok::<(), tallrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// The filter has no inverse.
    pub fn inverse(&self) -> Result<Self> {
        self.inverted().map(|(filter, _)| filter).ok_or_else(|| {
            Error::invalid(format!("{self:?} has no filter that is exactly its inverse"))
                .with_operation_if_unset("invert filter")
        })
    }

    fn inverted(&self) -> Option<(Self, FilterTarget)> {
        Some(match &self.0 {
            Kind::Rows(filter) => (filter.inverse()?, FilterTarget::Rows),
            Kind::Cells(filter) => filter.inverse()?,
            Kind::All(filters) => {
                let (filters, decides) = each(filters)?;
                (Self::any(filters), decides)
            }
            Kind::Any(filters) => {
                let (filters, decides) = each(filters)?;
                (Self::all(filters), decides)
            }
            Kind::Skip(_) | Kind::WhileMatch(_) | Kind::Custom(..) => return None,
        })
    }
}

/// Returns the inverses of the filters of a list; `None` if one of the filters has no inverse, or
/// if the inverses may not be in one list. A filter that drops cells would hide these cells from a
/// filter that keeps or drops rows by their cells.
fn each(filters: &[Filter]) -> Option<(Vec<Filter>, FilterTarget)> {
    let inverted = filters.iter().map(Filter::inverted).collect::<Option<Vec<_>>>()?;
    let any = |decides| inverted.iter().any(|(_, d)| *d == decides);
    let decides = match (any(FilterTarget::RowsByCell), any(FilterTarget::Cells)) {
        (true, true) => return None,
        (true, false) => FilterTarget::RowsByCell,
        (false, true) => FilterTarget::Cells,
        (false, false) => FilterTarget::Rows,
    };
    Some((inverted.into_iter().map(|(filter, _)| filter).collect(), decides))
}
