//! Get.

use bytes::BytesMut;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{GetRequest, GetResponse};

use super::{existence, result};
use crate::call::Call;
use crate::remote_exception::{RemoteResult, remote_exception};

/// Answers a Get.
pub(crate) fn get(call: &Call<'_>, request: GetRequest) -> RemoteResult<(GetResponse, BytesMut)> {
    let region = call.cluster.region(call.server, &request.region)?;
    if request.get.closest_row_before.unwrap_or(false) {
        let text = "Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore removed in hbase-2.0.0 replaced by reverse Scan.";
        return Err(remote_exception(exception::UNKNOWN_PROTOCOL, text));
    }
    let mut state = call.cluster.open(call.server, &region)?;
    state.requests.0 += 1;
    let cells = state.get(&region, &request.get, None, call.now())?;
    let mut block = BytesMut::new();
    let result = match request.get.existence_only.unwrap_or(false) {
        true => existence(!cells.is_empty()),
        false => result(&cells, call.peer.get_in_blocks(), &mut block),
    };
    Ok((GetResponse { result: Some(result) }, block))
}
