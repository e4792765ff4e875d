//! The check that an answer contains only cells that were asked for. An answer with any other cell
//! is rejected as a whole: whether the server is at fault or something between the server and the
//! client, the remaining cells are not trusted either.
//!
//! # Invariants
//!
//! - An answer with anything that was not asked for is an error. Tests:
//!   `tests/suites/faults/asked_for.rs::what_was_not_asked_for_is_an_error`.

use std::sync::Arc;

use crate::Scan;
use crate::model::columns::{CellSelection, CopyOnWriteCellSelection, FamilyColumns, has_family};
use crate::model::show;
use crate::wire::WireError;
use crate::wire::cell::Cell;

/// Which cells of a row an answer may contain. The type is small, because each operation has a
/// value of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExpectedCells {
    /// Any cells: the answer to a change contains the cells that it changed.
    Any,
    /// The cells of these families, or of all families if the list is empty, with at most
    /// `versions` versions of each column.
    Own { families: Vec<FamilyColumns>, versions: u32 },
    /// The cells of these columns, which are shared by many reads.
    Shared(Arc<CellSelection>),
}

impl ExpectedCells {
    /// Returns the cells that a read of these columns asks for.
    pub(crate) fn of(read: CopyOnWriteCellSelection) -> Self {
        match read.try_into_shared() {
            Ok(shared) => Self::Shared(shared),
            Err(CellSelection { families, versions, .. }) => Self::Own { families, versions },
        }
    }

    /// Returns the cells that a scan asks for.
    pub(crate) fn of_scan(scan: &Scan) -> Self {
        // A raw scan returns delete markers in addition to the versions.
        let versions = if scan.hbase.raw { u32::MAX } else { scan.columns.versions };
        Self::Own { families: scan.columns.families.clone(), versions }
    }

    /// Returns an error unless all `cells` are of one row, which may be any row, and were asked
    /// for.
    #[inline]
    pub(crate) fn check_any_row<'c>(
        &self,
        mut cells: impl Iterator<Item = &'c Cell>,
    ) -> Result<(), WireError> {
        let Some(first) = cells.next() else { return Ok(()) };
        self.check_family(first)?;
        self.check_following(first, cells)
    }

    /// Returns an error unless all `cells` are of this row and were asked for.
    pub(crate) fn check<'c>(
        &self,
        mut cells: impl Iterator<Item = &'c Cell>,
        row: &[u8],
    ) -> Result<(), WireError> {
        let Some(first) = cells.next() else { return Ok(()) };
        check_row_key(first, row)?;
        self.check_family(first)?;
        self.check_following(first, cells)
    }

    /// Returns an error unless the `cells` that follow the first one are of the same row and were
    /// asked for.
    fn check_following<'c>(
        &self,
        first: &'c Cell,
        cells: impl Iterator<Item = &'c Cell>,
    ) -> Result<(), WireError> {
        let mut before = first;
        let mut of_column: u32 = 1;
        for cell in cells {
            if !before.has_same_row_and_family(cell) {
                check_row_key(cell, first.row())?;
                self.check_family(cell)?;
                of_column = 1;
            } else if before.qualifier() == cell.qualifier() {
                of_column = of_column.saturating_add(1);
                self.check_versions(cell, of_column)?;
            } else {
                of_column = 1;
            }
            before = cell;
        }
        Ok(())
    }

    /// Returns an error if a cell is one version too many of its column.
    fn check_versions(&self, cell: &Cell, of_column: u32) -> Result<(), WireError> {
        let versions = match self {
            Self::Any => return Ok(()),
            Self::Own { versions, .. } => *versions,
            Self::Shared(read) => read.versions,
        };
        if of_column <= versions {
            return Ok(());
        }
        let (family, qualifier) = (show::bytes(cell.family()), show::bytes(cell.qualifier()));
        Err(not_asked_for(format!(
            "{of_column} versions of column {family}:{qualifier}, of {versions} at most"
        )))
    }

    /// Returns an error if a cell is of a family that was not asked for.
    #[inline]
    fn check_family(&self, cell: &Cell) -> Result<(), WireError> {
        let families = match self {
            Self::Any => return Ok(()),
            Self::Own { families, .. } => families,
            Self::Shared(read) => &read.families,
        };
        match has_family(families, cell.family()) {
            true => Ok(()),
            false => Err(not_asked_for(format!("a cell of family {}", show::bytes(cell.family())))),
        }
    }
}

/// Returns an error if a cell is of another row.
fn check_row_key(cell: &Cell, row: &[u8]) -> Result<(), WireError> {
    if cell.row() == row {
        return Ok(());
    }
    let (found, wanted) = (show::row_key(cell.row()), show::row_key(row));
    Err(not_asked_for(format!("a cell of row {found}, not of {wanted}")))
}

pub(crate) fn not_asked_for(what: String) -> WireError {
    WireError::new("answer of a server", format!("it has what was not asked for: {what}"))
}
