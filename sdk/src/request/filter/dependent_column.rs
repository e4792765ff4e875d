//! The filter that keeps the cells whose timestamp is also the timestamp of a cell of a given
//! column.

use std::fmt;

use bytes::Bytes;

use super::argument::{Argument, bare, column_words, comparison_words};
use super::{Comparator, CompareOperator};
use crate::model::show;

/// A filter that keeps those cells of a row whose timestamp is also the timestamp of a cell of one
/// given column (`DependentColumnFilter`).
///
/// The column must be among the columns that the read requests. HBase applies the filter to cells
/// that sort before the column only if it reads the row in one piece. This client always requests
/// that.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{CompareOperator, DependentColumn},
/// };
///
/// let written_with_it =
///     DependentColumn::new("d", "batch").value(CompareOperator::Equal, "7").drop_column();
/// assert_eq!(
///     format!("{:?}", Filter::from(written_with_it)),
///     r#"DependentColumnFilter(d:batch = "7", drop_dependent_column: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct DependentColumn {
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) value: Option<(CompareOperator, Comparator)>,
    pub(crate) drop: bool,
}

impl DependentColumn {
    /// Makes a filter that keeps the cells whose timestamp is also the timestamp of a cell of this
    /// column.
    ///
    /// See [`DependentColumn`] for an example of this and the other functions.
    pub fn new(family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        Self {
            family: Bytes::copy_from_slice(family.as_ref()),
            qualifier: Bytes::copy_from_slice(qualifier.as_ref()),
            value: None,
            drop: false,
        }
    }

    /// Uses only the timestamps of those cells of the column for which `value <compare> comparator`
    /// holds.
    pub fn value(mut self, compare: CompareOperator, comparator: impl Into<Comparator>) -> Self {
        self.value = Some((compare, comparator.into()));
        self
    }

    /// Does not return the cells of the column itself.
    pub fn drop_column(mut self) -> Self {
        self.drop = true;
        self
    }

    /// Returns all arguments as a single one, because their order in the `Debug` text differs from
    /// their order in a filter string.
    pub(super) fn argument(&self) -> Argument {
        let value = self.value.as_ref();
        let compared = value.map_or(Some(Vec::new()), |(compare, comparator)| {
            comparison_words(*compare, comparator).map(Vec::from)
        });
        let column = column_words(&self.family, &self.qualifier);
        let written = compared.map(|value| [&column[..], &[bare(self.drop)], &value].concat());
        Argument::new(format!("{self:?}"), written)
    }
}

impl fmt::Debug for DependentColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show::column(&self.family, &self.qualifier))?;
        if let Some((compare, comparator)) = &self.value {
            write!(f, " {} {comparator:?}", compare.symbol())?;
        }
        write!(f, ", drop_dependent_column: {}", self.drop)
    }
}
