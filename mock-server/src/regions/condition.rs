//! Conditions of check-and-mutate, which compare the given value with the stored value, in that
//! order.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, CompareType, Get};

use super::query::{self, RowQuery};
use super::region::{Region, RegionState, check_row_key};
use crate::base::{RemoteResult, remote_exception, to_string_binary};
use crate::filters::{self, Comparator};

/// The result of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionResult {
    /// The condition does not hold.
    NotMet,
    /// The condition holds.
    Met {
        /// The timestamp of the cell that was checked; 0 if there is no such cell. Cells that are
        /// then written must not be older.
        min_timestamp: u64,
    },
}

/// The exception for an action on a row other than the checked row.
pub(crate) fn row_mismatch(action: &[u8], checked: &[u8]) -> RemoteException {
    let (action, checked) = (to_string_binary(action), to_string_binary(checked));
    let text =
        format!("The row of the action <{action}> doesn't match the original one <{checked}>");
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// Checks a condition: by its filter, or by the newest visible version of its column.
pub(crate) fn check_condition(
    condition: &proto::Condition,
    region: &Region,
    state: &RegionState,
    now: u64,
) -> RemoteResult<ConditionResult> {
    check_row_key(&condition.row)?;
    if !region.contains(&condition.row) {
        let text = region.out_of_range_text("doCheckAndRowMutate", &condition.row);
        return Err(remote_exception(exception::WRONG_REGION, text));
    }
    if let Some(filter) = &condition.filter {
        let get = Get {
            row: condition.row.clone(),
            filter: Some(filter.clone()),
            time_range: condition.time_range.clone(),
            ..Default::default()
        };
        let cells = state.get(region, &get, None, now)?;
        return Ok(match cells.first() {
            None => ConditionResult::NotMet,
            Some(cell) => ConditionResult::Met { min_timestamp: cell.timestamp() },
        });
    }
    let family = condition.family.clone().unwrap_or_default();
    let family = query::family_of(&state.schema, &family, &region.display_name)?;
    let compare_type = condition
        .compare_type
        .and_then(|t| CompareType::try_from(t).ok())
        .unwrap_or(CompareType::Less);
    let comparator = match &condition.comparator {
        Some(comparator) => Comparator::decode(comparator)?,
        None => Comparator::Null,
    };
    let range = query::time_range(condition.time_range.as_ref())?;
    let qualifier = condition.qualifier.clone().unwrap_or_default();
    let query = RowQuery::of_column(family, Some(qualifier), range, 1);
    let cell = state.store.newest(&condition.row, query, now);
    let equal = compare_type != CompareType::NotEqual;
    let holds = match &cell {
        None => comparator.equals_absent() && equal,
        Some(cell) if comparator.equals_absent() => cell.value().is_empty() == equal,
        Some(cell) => filters::holds(compare_type, comparator.compare(cell.value())),
    };
    Ok(match holds {
        true => ConditionResult::Met { min_timestamp: cell.map_or(0, |c| c.timestamp()) },
        false => ConditionResult::NotMet,
    })
}
