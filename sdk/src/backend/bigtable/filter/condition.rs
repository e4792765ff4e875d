//! Converts the condition of a change to the predicate of a `CheckAndMutateRow` call.

use super::build::{chain, condition, pass, values};
use super::cells::{Cells, Part};
use super::comparison;
use super::kept::Kept;
use super::read::{Read, check_size, lower_read};
use crate::model::columns::Columns;
use crate::request::filter::{Compare, Operand};
use crate::request::op::Condition;
use crate::wire::bigtable::RowFilter;
use crate::{Error, ErrorKind, Result, Timestamp};

/// A filter of the cells of a row, and whether a condition holds if the filter finds any cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Predicate {
    pub(crate) filter: RowFilter,
    /// If true, the condition holds if the filter finds a cell. If false, the condition holds if
    /// the filter finds none.
    pub(crate) holds_if_found: bool,
}

/// Lowers a condition to a predicate.
///
/// # Errors
/// Fails like [`lower_read`], and for a comparison that Bigtable cannot make.
pub(crate) fn lower_condition(
    of: &Condition,
    kept: Option<&Kept>,
    now: Timestamp,
) -> Result<Predicate> {
    let cell = match of {
        Condition::Filter(filter) => {
            let read = lower_read(&Read::new(&Columns::default(), Some(filter)), kept, now)?;
            return Ok(Predicate { filter: read.unwrap_or_else(pass), holds_if_found: true });
        }
        Condition::Cell(cell) => cell,
    };
    let mut columns = Columns::default();
    columns.column(&cell.family, &cell.qualifier);
    columns.time_range = cell.time_range;
    let newest = lower_read(&Read::new(&columns, None), kept, now)?.unwrap_or_else(pass);
    let with = |value: RowFilter| chain([newest.clone(), value]);
    let (filter, holds_if_found) = if matches!(cell.comparator.0, Operand::Null) {
        // As on HBase, a cell with an empty value is treated as absent.
        (with(values(b"\0", None)), cell.compare == Compare::NotEqual)
    } else {
        let unsupported = || {
            let (sign, with) = (cell.compare.sign(), &cell.comparator);
            let text =
                format!("a condition that compares by {sign} {with:?} is not possible in Bigtable");
            Error::new(ErrorKind::Unsupported, text)
        };
        let pattern =
            comparison::pattern(cell.compare, &cell.comparator).ok_or_else(unsupported)?;
        let differs = Cells::Of(Part::Value, pattern.clone().complement());
        let filter = match Cells::Of(Part::Value, pattern).filter() {
            Some(matches) => with(matches),
            None => {
                let differs = differs.filter().ok_or_else(unsupported)?;
                condition(with(differs), None, Some(with(pass())))
            }
        };
        (filter, true)
    };
    check_size(&filter)?;
    Ok(Predicate { filter, holds_if_found })
}
