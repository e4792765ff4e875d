//! Conditions of check-and-mutate: "given value, comparison, stored value", in that order.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, CompareType, Get};

use crate::filters::{self, Comparator};
use crate::read::{self, Read};
use crate::region::{Region, RegionState, check_row, show};
use crate::remote_exception::{RemoteResult, remote_exception};

/// What a condition found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does not hold.
    Fails,
    /// It holds; what is written now must not be older than this.
    Holds {
        /// The timestamp of the cell that was looked at, 0 when there was none.
        not_before: u64,
    },
}

/// The exception for an action on another row than its condition's.
pub(crate) fn other_row(action: &[u8], checked: &[u8]) -> RemoteException {
    let (action, checked) = (show(action), show(checked));
    let text =
        format!("The row of the action <{action}> doesn't match the original one <{checked}>");
    remote_exception(exception::DO_NOT_RETRY, text)
}

/// Looks at the newest visible version of the condition's column.
pub(crate) fn check(
    condition: &proto::Condition,
    region: &Region,
    state: &RegionState,
    now: u64,
) -> RemoteResult<Verdict> {
    check_row(&condition.row)?;
    if !region.contains(&condition.row) {
        let text = region.out_of_range("doCheckAndRowMutate", &condition.row);
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
            None => Verdict::Fails,
            Some(cell) => Verdict::Holds { not_before: cell.timestamp() },
        });
    }
    let family = condition.family.clone().unwrap_or_default();
    let family = read::family_of(&state.schema, &family, &region.shown)?;
    let compare_type = condition
        .compare_type
        .and_then(|t| CompareType::try_from(t).ok())
        .unwrap_or(CompareType::Less);
    let comparator = match &condition.comparator {
        Some(comparator) => Comparator::decode(comparator)?,
        None => Comparator::Null,
    };
    let range = read::time_range(condition.time_range.as_ref())?;
    let qualifier = condition.qualifier.clone().unwrap_or_default();
    let read = Read::of_column(family, Some(qualifier), range, 1);
    let cell = state.store.newest(&condition.row, read, now);
    let equal = compare_type != CompareType::NotEqual;
    let holds = match &cell {
        None => comparator.is_null() && equal,
        Some(cell) if comparator.is_null() => cell.value().is_empty() == equal,
        Some(cell) => filters::holds(compare_type, comparator.compare(cell.value())),
    };
    Ok(match holds {
        true => Verdict::Holds { not_before: cell.map_or(0, |c| c.timestamp()) },
        false => Verdict::Fails,
    })
}
