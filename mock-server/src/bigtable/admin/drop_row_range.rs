//! DropRowRange: the rows of a prefix, or all.

use tallrow_wire::bigtable::{DropRowRangeRequest, DropTarget, Empty};

use crate::bigtable::call::Call;
use crate::bigtable::limits::check_row_key;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::replies::Replies;
use crate::bigtable::status::{StatusResult, invalid};

/// Drops rows.
pub(crate) fn drop_row_range(call: &Call<'_>) -> StatusResult<Replies> {
    let request: DropRowRangeRequest = call.decode()?;
    let table = OpenTable::find(call.cluster, &request.name)?;
    let prefix = match &request.target {
        Some(DropTarget::RowKeyPrefix(prefix)) => {
            check_row_key(prefix)?;
            &prefix[..]
        }
        Some(DropTarget::DeleteAllDataFromTable(true)) => b"",
        _ => {
            return Err(invalid(
                "The target must be a row_key_prefix, or delete_all_data_from_table = true",
            ));
        }
    };
    for region in table.regions(call.cluster) {
        let mut state = region.lock();
        let first = state.store.cells().row(prefix).next();
        if first.is_some_and(|cell| cell.row().starts_with(prefix)) {
            state.store.drop_rows(prefix);
        }
    }
    Ok(Replies::one(&Empty {}))
}
