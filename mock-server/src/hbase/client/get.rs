//! Get, and the encoding of cells as a `Result` message.

use std::borrow::{Borrow, Cow};

use bytes::BytesMut;
use tallrow_wire::cell_block;
use tallrow_wire::exception;
use tallrow_wire::proto::{self, GetRequest, GetResponse};

use crate::base::{RemoteResult, remote_exception};
use crate::cells::StoredCell;
use crate::hbase::access::readable_columns;
use crate::hbase::call::Call;
use crate::hbase::peer::CellCodec;
use crate::regions::{Region, RegionState};

/// Answers a Get.
pub(crate) fn get(call: &Call<'_>, request: GetRequest) -> RemoteResult<(GetResponse, BytesMut)> {
    let region = call.region(&request.region)?;
    if request.get.closest_row_before.unwrap_or(false) {
        let text = "Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking \
            getClosestRowBefore removed in hbase-2.0.0 replaced by reverse Scan.";
        return Err(remote_exception(exception::UNKNOWN_PROTOCOL, text));
    }
    let mut state = call.lock_for_read(&region)?;
    let mut block = BytesMut::new();
    let result = read_row(call, &region, &mut state, &request.get, &mut block)?;
    Ok((GetResponse { result: Some(result) }, block))
}

/// Reads a row for a Get, alone or in a Multi.
pub(super) fn read_row(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    get: &proto::Get,
    block: &mut BytesMut,
) -> RemoteResult<proto::Result> {
    state.read_requests += 1;
    let mut get = Cow::Borrowed(get);
    if let Cow::Owned(column) = readable_columns(call, region, &state.schema, &get.column)? {
        get = Cow::Owned(proto::Get { column, ..get.into_owned() });
    }
    let cells = state.get(region, &get, None, call.now())?;
    let mut result = match get.existence_only.unwrap_or(false) {
        true => existence(!cells.is_empty()),
        false => encode_result(&cells, call.peer.codec_of_get_response(), block),
    };
    // On the primary replica, a result without cells leaves this field unset.
    if region.replica_id() > 0 {
        result.stale = Some(true);
    }
    Ok(result)
}

/// Encodes cells as a result: in a cell block if there is a codec for it, else in the message.
pub(super) fn encode_result(
    cells: &[impl Borrow<StoredCell>],
    codec: Option<CellCodec>,
    block: &mut BytesMut,
) -> proto::Result {
    if cells.is_empty() {
        return proto::Result { associated_cell_count: Some(0), ..Default::default() };
    }
    let Some(codec) = codec else {
        let cell = cells.iter().map(|c| c.borrow().to_proto()).collect();
        let (stale, partial) = (Some(false), Some(false));
        return proto::Result { cell, stale, partial, ..Default::default() };
    };
    cells.iter().for_each(|c| append_cell(c.borrow(), codec, block));
    proto::Result {
        associated_cell_count: Some(cells.len() as i32),
        stale: Some(false),
        ..Default::default()
    }
}

/// Makes the result of a Get that only checks whether the row exists.
fn existence(exists: bool) -> proto::Result {
    proto::Result { associated_cell_count: Some(0), exists: Some(exists), ..Default::default() }
}

/// Appends a cell to a cell block.
pub(super) fn append_cell(cell: &StoredCell, codec: CellCodec, block: &mut BytesMut) {
    let bytes = match codec {
        CellCodec::KeyValue => cell.key_value(),
        CellCodec::KeyValueWithTags => cell.key_value_with_tags(),
    };
    cell_block::put_cell(bytes, block);
}
