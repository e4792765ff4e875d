//! Cells in an answer that were not asked for. A server that sends such, or whatever is between, is
//! not to be trusted with the others either.

use std::sync::Arc;

use crate::columns::{Columns, FamilyColumns, Selected};
use crate::show;
use crate::wire::WireError;
use crate::wire::cell::Cell;

/// Which cells of a row an answer may have. It is small, as each operation has one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    /// Any: what a change answers is what it changed.
    Any,
    /// Those of all families, with at most `versions` versions of each.
    All { versions: u32 },
    /// Those of some columns, with at most `versions` versions of each.
    Own { columns: Vec<FamilyColumns>, versions: u32 },
    /// Those of columns that many reads share.
    Shared(Arc<Columns>),
}

impl Asked {
    /// What a read asks for.
    pub(crate) fn of(read: Selected) -> Self {
        let versions = read.versions;
        match read.families.is_empty() {
            true => Self::All { versions },
            false => match read.into_parts() {
                Ok(shared) => Self::Shared(shared),
                Err(own) => Self::Own { columns: own.families, versions },
            },
        }
    }

    /// An error if not all of these are of this row and were asked for.
    pub(crate) fn check(&self, cells: &[Cell], row: &[u8]) -> Result<(), WireError> {
        match self {
            Self::Any => check_cells(cells, row, |_| true, u32::MAX),
            Self::All { versions } => check_cells(cells, row, |_| true, *versions),
            Self::Own { columns, versions } => {
                let has = |family: &[u8]| columns.iter().any(|read| read.family == family);
                check_cells(cells, row, has, *versions)
            }
            Self::Shared(read) => {
                check_cells(cells, row, |family| read.has_family(family), read.versions)
            }
        }
    }
}

/// An error if not all of these are of this row and of families that were asked for, with no more
/// versions of a column than were asked for.
pub(crate) fn check_cells(
    cells: &[Cell],
    row: &[u8],
    is_asked: impl Fn(&[u8]) -> bool,
    versions: u32,
) -> Result<(), WireError> {
    let mut before: Option<&Cell> = None;
    let mut of_column = 1;
    for cell in cells {
        let before = before.replace(cell);
        match before.filter(|before| before.is_beside(cell)) {
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

/// An error if a cell is of another row, or of a family that was not asked for.
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
