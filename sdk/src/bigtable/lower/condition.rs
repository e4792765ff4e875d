//! The condition of a CheckAndMutateRow.

use bytes::Bytes;

use super::columns::{chain, family_name, filter, of_column, of_times};
use super::mutations::Refusal;
use super::read::lower_filter;
use crate::filter::{Comparator, Compare, Operand};
use crate::op::Condition;
use crate::wire::bigtable::{EndValue, Filter, Interleave, RowFilter, StartValue, ValueRange};

/// A filter, and whether the condition holds if it leaves any cell, or if it leaves none.
pub(super) struct Predicate {
    pub(super) filter: RowFilter,
    pub(super) holds_if_matched: bool,
}

pub(super) fn predicate(condition: &Condition) -> Result<Predicate, Refusal> {
    let cell = match condition {
        Condition::Filter(own) => {
            return Ok(Predicate { filter: lower_filter(own)?, holds_if_matched: true });
        }
        Condition::Cell(cell) => cell,
    };
    let mut filters = vec![of_column(&family_name(&cell.family)?, &cell.qualifier)];
    if let Some(range) = &cell.time_range {
        filters.push(of_times(range)?);
    }
    filters.push(filter(Filter::CellsPerColumnLimitFilter(1)));
    let Comparator(operand) = &cell.comparator;
    let holds_if_matched = match (operand, cell.compare) {
        // An empty value counts as none.
        (Operand::Null, compare) => {
            filters.push(not_empty());
            match compare {
                Compare::Equal => false,
                Compare::NotEqual => true,
                _ => {
                    return Err("whether there is a cell can only be equal or not"
                        .to_owned()
                        .into());
                }
            }
        }
        (Operand::Binary(value), compare) => {
            filters.extend(of_value(compare, value));
            true
        }
        _ => {
            return Err(Refusal::Unsupported(
                "conditions on a cell with this comparator; compare with bytes".into(),
            ));
        }
    };
    match chain(filters) {
        Some(filter) => Ok(Predicate { filter, holds_if_matched }),
        None => Err("it has no condition".to_owned().into()),
    }
}

fn between(start: Option<StartValue>, end: Option<EndValue>) -> RowFilter {
    filter(Filter::ValueRangeFilter(ValueRange { start_value: start, end_value: end }))
}

fn not_empty() -> RowFilter {
    between(Some(StartValue::StartValueOpen(Bytes::new())), None)
}

/// What a cell's value has to be.
fn of_value(compare: Compare, value: &Bytes) -> Option<RowFilter> {
    let (closed, open) = (StartValue::StartValueClosed, StartValue::StartValueOpen);
    let v = || value.clone();
    let below = || between(None, Some(EndValue::EndValueOpen(v())));
    let above = || between(Some(open(v())), None);
    Some(match compare {
        Compare::Equal => between(Some(closed(v())), Some(EndValue::EndValueClosed(v()))),
        // Nothing is before an empty value; an open end of no bytes would be no end.
        Compare::Less if value.is_empty() => filter(Filter::BlockAllFilter(true)),
        Compare::Less => below(),
        Compare::LessOrEqual if value.is_empty() => filter(Filter::ValueRegexFilter(Bytes::new())),
        Compare::LessOrEqual => between(None, Some(EndValue::EndValueClosed(v()))),
        Compare::Greater => above(),
        Compare::GreaterOrEqual => between(Some(closed(v())), None),
        Compare::NotEqual if value.is_empty() => above(),
        Compare::NotEqual => {
            filter(Filter::Interleave(Interleave { filters: vec![below(), above()] }))
        }
    })
}
