//! The filter that keeps the cells written at the time of a given column's cell.

use std::fmt;

use bytes::Bytes;

use super::argument::{Argument, bare, column_words, compared};
use super::{Comparator, Compare};
use crate::model::show;

/// Keeps the cells that were written at the time of one column's cell (`DependentColumnFilter`).
///
/// The column must be among those that are read. It applies to cells before the column only if the
/// row is read in one piece, which is what this client requests.
///
/// ```
/// use tallrow::{
///     Filter,
///     filter::{Compare, DependentColumn},
/// };
///
/// let written_with_it =
///     DependentColumn::new("d", "batch").value(Compare::Equal, "7").drop_column();
/// assert_eq!(
///     format!("{:?}", Filter::from(written_with_it)),
///     r#"DependentColumnFilter(d:batch = "7", drop_dependent_column: true)"#
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct DependentColumn {
    pub(crate) family: Bytes,
    pub(crate) qualifier: Bytes,
    pub(crate) value: Option<(Compare, Comparator)>,
    pub(crate) drop: bool,
}

impl DependentColumn {
    /// Keeps the cells written at the times of this column's cells.
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

    /// Makes only those cells of the column count whose value compares like this.
    pub fn value(mut self, compare: Compare, comparator: impl Into<Comparator>) -> Self {
        self.value = Some((compare, comparator.into()));
        self
    }

    /// The column itself is left out of what is read.
    pub fn drop_column(mut self) -> Self {
        self.drop = true;
        self
    }

    /// Its arguments as one, because `Debug` shows them in another order than a filter string.
    pub(super) fn argument(&self) -> Argument {
        let value = self.value.as_ref();
        let compared = value.map_or(Some(Vec::new()), |(compare, comparator)| {
            compared(*compare, comparator).map(Vec::from)
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
            write!(f, " {} {comparator:?}", compare.sign())?;
        }
        write!(f, ", drop_dependent_column: {}", self.drop)
    }
}
