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
use crate::model::columns::{CellSelection, FamilyColumns, SharedCellSelection, has_family};
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
    pub(crate) fn of(read: SharedCellSelection) -> Self {
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
    pub(crate) fn check_row(&self, cells: &[Cell]) -> Result<(), WireError> {
        match (self, cells) {
            (_, []) => Ok(()),
            (Self::Own { families, .. }, [_]) if families.is_empty() => Ok(()),
            (_, [first, ..]) => self.check(cells, first.row()),
        }
    }

    /// Returns an error unless all `cells` are of this row and were asked for.
    pub(crate) fn check(&self, cells: &[Cell], row: &[u8]) -> Result<(), WireError> {
        match self {
            Self::Any => check_cells(cells, row, |_| true, u32::MAX),
            Self::Own { families, versions } => {
                check_cells(cells, row, |family| has_family(families, family), *versions)
            }
            Self::Shared(read) => {
                let is_asked = |family: &[u8]| has_family(&read.families, family);
                check_cells(cells, row, is_asked, read.versions)
            }
        }
    }
}

/// Returns an error unless all `cells` are of this row and of families that were asked for, with no
/// more versions of a column than were asked for.
fn check_cells(
    cells: &[Cell],
    row: &[u8],
    is_asked: impl Fn(&[u8]) -> bool,
    versions: u32,
) -> Result<(), WireError> {
    let mut before: Option<&Cell> = None;
    let mut of_column = 1;
    for cell in cells {
        let before = before.replace(cell);
        match before.filter(|before| before.has_same_row_and_family(cell)) {
            Some(before) if before.qualifier() == cell.qualifier() => of_column += 1,
            Some(_) => of_column = 1,
            None => {
                check_place(cell, row, &is_asked)?;
                of_column = 1;
            }
        }
        if of_column > versions {
            let column = (show::bytes(cell.family()), show::bytes(cell.qualifier()));
            let (family, qualifier) = column;
            return Err(not_asked_for(format!(
                "{of_column} versions of column {family}:{qualifier}, of {versions} at most"
            )));
        }
    }
    Ok(())
}

/// Returns an error if a cell is of another row, or of a family that was not asked for.
fn check_place(cell: &Cell, row: &[u8], is_asked: impl Fn(&[u8]) -> bool) -> Result<(), WireError> {
    if cell.row() != row {
        let (found, wanted) = (show::row_key(cell.row()), show::row_key(row));
        return Err(not_asked_for(format!("a cell of row {found}, not of {wanted}")));
    }
    match is_asked(cell.family()) {
        true => Ok(()),
        false => Err(not_asked_for(format!("a cell of family {}", show::bytes(cell.family())))),
    }
}

pub(crate) fn not_asked_for(what: String) -> WireError {
    WireError::new("answer of a server", format!("it has what was not asked for: {what}"))
}
