//! The inverse of a filter, which keeps exactly what the filter drops, where HBase has one.

use super::kind::{Filter, Kind};
use crate::{Error, Result};

/// What a filter decides about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decides {
    /// Rows, by their key.
    Rows,
    /// Rows, by one of their cells.
    RowsByCell,
    /// Cells.
    Cells,
}

impl Filter {
    /// The filter that keeps exactly what this one drops: each of the rows, or each of the cells.
    ///
    /// It exists for comparisons, prefixes, ranges of columns or rows, single columns of which the
    /// newest version decides, and lists of these that decide about either rows or cells, not about
    /// rows by other cells.
    ///
    /// ```
    /// use tallrow::{
    ///     Filter,
    ///     filter::{Compare, SingleColumnValue},
    /// };
    ///
    /// let sold =
    ///     SingleColumnValue::new("d", "state", Compare::Equal, "sold").filter_if_missing(true);
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
    /// A filter without one.
    pub fn inverse(&self) -> Result<Self> {
        self.inverted().map(|(filter, _)| filter).ok_or_else(|| {
            Error::invalid(format!("{self:?} has no filter that is exactly its inverse"))
                .during("invert filter")
        })
    }

    fn inverted(&self) -> Option<(Self, Decides)> {
        Some(match &self.0 {
            Kind::Rows(filter) => (filter.inverse()?, Decides::Rows),
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

/// The inverses of a list's members, if they may be in one list: what drops cells would hide them
/// from what decides about rows by cells.
fn each(filters: &[Filter]) -> Option<(Vec<Filter>, Decides)> {
    let inverted = filters.iter().map(Filter::inverted).collect::<Option<Vec<_>>>()?;
    let any = |decides| inverted.iter().any(|(_, d)| *d == decides);
    let decides = match (any(Decides::RowsByCell), any(Decides::Cells)) {
        (true, true) => return None,
        (true, false) => Decides::RowsByCell,
        (false, true) => Decides::Cells,
        (false, false) => Decides::Rows,
    };
    Some((inverted.into_iter().map(|(filter, _)| filter).collect(), decides))
}
