//! Cells in an answer that were not asked for. A server that sends such, or whatever is between, is
//! not to be trusted with the others either.

use crate::show;
use crate::wire::WireError;
use crate::wire::cell::Cell;

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
        if cell.row() != row {
            let (found, wanted) = (show::row_key(cell.row()), show::row_key(row));
            return Err(not_asked_for(format!("a cell of row {found}, not of {wanted}")));
        }
        let same_family = before.is_some_and(|before| before.family() == cell.family());
        if !same_family && !is_asked(cell.family()) {
            return Err(not_asked_for(format!("a cell of family {}", show::bytes(cell.family()))));
        }
        let again = same_family && before.is_some_and(|b| b.qualifier() == cell.qualifier());
        of_column = if again { of_column + 1 } else { 1 };
        if of_column > versions {
            let column = (show::bytes(cell.family()), show::bytes(cell.qualifier()));
            let (family, qualifier) = column;
            return Err(not_asked_for(format!(
                "{of_column} versions of column {family}:{qualifier}, of {versions} at most"
            )));
        }
        before = Some(cell);
    }
    Ok(())
}

pub(crate) fn not_asked_for(what: String) -> WireError {
    WireError::new("answer of a server", format!("it has what was not asked for: {what}"))
}
