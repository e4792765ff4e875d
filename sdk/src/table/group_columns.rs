//! The columns that a group of cells has in the row type that contains it.

use std::fmt;
use std::marker::PhantomData;

use super::CellGroup;
use super::names::ColumnName;
use crate::model::value::ValueOrOption;
use crate::table::column::Column;

/// The columns of a [`CellGroup`] in the row type that contains the group.
///
/// `#[derive(Table)]` makes a constant of this type for each `#[flatten]`.
///
/// See [`CellGroup`] for an example.
pub struct GroupColumns<T, G> {
    columns: &'static [ColumnName],
    of: PhantomData<fn() -> (T, G)>,
}

impl<T, G> GroupColumns<T, G> {
    pub(super) const fn new(columns: &'static [ColumnName]) -> Self {
        Self { columns, of: PhantomData }
    }
}

impl<T, G: CellGroup> GroupColumns<T, G> {
    /// Returns the column of the row type that corresponds to a column of the group.
    ///
    /// See [`CellGroup`] for an example.
    pub fn column<H, V, C>(self, column: Column<H, V, C>) -> Column<T, V, C>
    where
        G: ValueOrOption<H>,
    {
        let own = (column.family(), column.qualifier());
        let at = G::COLUMNS.iter().position(|name| *name == own);
        // A column of the group is always in `COLUMNS`, because only the derive of the group makes
        // one.
        let (family, qualifier) = at.and_then(|at| self.columns.get(at)).copied().unwrap_or(own);
        let required = column.is_required() && <G as ValueOrOption<H>>::REQUIRED;
        column.with_name(family, qualifier).with_required(required)
    }
}

impl<T, G> Clone for GroupColumns<T, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, G> Copy for GroupColumns<T, G> {}

impl<T, G> fmt::Debug for GroupColumns<T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.columns).finish()
    }
}
