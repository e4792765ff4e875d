//! Get.

use bytes::BytesMut;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{GetRequest, GetResponse};

use super::result::{existence, result};
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::service::call::Call;

/// Answers a Get.
pub(crate) fn get(call: &Call<'_>, request: GetRequest) -> RemoteResult<(GetResponse, BytesMut)> {
    let region = call.region(&request.region)?;
    if request.get.closest_row_before.unwrap_or(false) {
        let text = "Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore removed in hbase-2.0.0 replaced by reverse Scan.";
        return Err(remote_exception(exception::UNKNOWN_PROTOCOL, text));
    }
    let mut state = call.open_to_read(&region)?;
    state.read_requests += 1;
    let cells = state.get(&region, &request.get, None, call.now())?;
    let mut block = BytesMut::new();
    let mut result = match request.get.existence_only.unwrap_or(false) {
        true => existence(!cells.is_empty()),
        false => result(&cells, call.peer.gets_in_cell_blocks(), &mut block),
    };
    // A result of the primary replica without cells says nothing of it.
    if region.replica_id() > 0 {
        result.stale = Some(true);
    }
    Ok((GetResponse { result: Some(result) }, block))
}
