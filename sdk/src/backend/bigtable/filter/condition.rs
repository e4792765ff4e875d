//! Converts the condition of a change to the predicate of a `CheckAndMutateRow` call.

use super::build::{chain, condition, in_value_range, pass_all};
use super::cells::{CellPart, CellSet};
use super::comparison;
use super::kept::FamilyLimits;
use super::read::{ReadSpec, check_size, lower_read};
use crate::model::columns::CellSelection;
use crate::request::filter::{CompareOperator, Operand};
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
    kept: Option<&FamilyLimits>,
    now: Timestamp,
) -> Result<Predicate> {
    let cell = match of {
        Condition::Filter(filter) => {
            let read =
                lower_read(&ReadSpec::new(&CellSelection::default(), Some(filter)), kept, now)?;
            return Ok(Predicate { filter: read.unwrap_or_else(pass_all), holds_if_found: true });
        }
        Condition::Cell(cell) => cell,
    };
    let mut columns = CellSelection::default();
    columns.select_column(&cell.family, &cell.qualifier);
    columns.time_range = cell.time_range;
    let newest = lower_read(&ReadSpec::new(&columns, None), kept, now)?.unwrap_or_else(pass_all);
    let with = |value: RowFilter| chain([newest.clone(), value]);
    let (filter, holds_if_found) = if matches!(cell.comparator.0, Operand::Null) {
        // As on HBase, a cell with an empty value is treated as absent.
        (with(in_value_range(b"\0", None)), cell.compare == CompareOperator::NotEqual)
    } else {
        let unsupported = || {
            let (sign, with) = (cell.compare.symbol(), &cell.comparator);
            let text =
                format!("a condition that compares by {sign} {with:?} is not possible in Bigtable");
            Error::new(ErrorKind::Unsupported, text)
        };
        let pattern =
            comparison::matching_strings(cell.compare, &cell.comparator).ok_or_else(unsupported)?;
        let differs = CellSet::Matching(CellPart::Value, pattern.clone().complement());
        let filter = match CellSet::Matching(CellPart::Value, pattern).to_row_filter() {
            Some(matches) => with(matches),
            None => {
                let differs = differs.to_row_filter().ok_or_else(unsupported)?;
                condition(with(differs), None, Some(with(pass_all())))
            }
        };
        (filter, true)
    };
    check_size(&filter)?;
    Ok(Predicate { filter, holds_if_found })
}
