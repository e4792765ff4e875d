//! Mutate: one Put, Delete, Increment or Append, with or without a condition.

use bytes::BytesMut;
use tallrow_wire::proto::{MutateRequest, MutateResponse};

use super::apply::{apply, known_result};
use super::result::result;
use crate::regions::{self, ConditionResult, Mutation};
use crate::remote_exception::RemoteResult;
use crate::service::call::Call;
use crate::state::Nonce;

/// Answers a Mutate.
pub(crate) fn mutate(
    call: &Call<'_>,
    request: MutateRequest,
) -> RemoteResult<(MutateResponse, BytesMut)> {
    let region = call.region(&request.region)?;
    let mut cells = call.cells();
    let mutation = Mutation::decode(request.mutation, &mut cells)?;
    let nonce = Nonce::of(request.nonce_group, mutation.nonce);
    let mut guard = call.open_to_write(&region)?;
    let state = &mut *guard;
    state.write_requests += 1;
    let now = call.now();
    let mut block = BytesMut::new();
    let mut response = MutateResponse::default();
    let mut min_timestamp = 0;
    if let Some(condition) = &request.condition {
        if condition.row != mutation.row {
            return Err(regions::row_mismatch(&mutation.row, &condition.row));
        }
        match regions::check_condition(condition, &region, state, now)? {
            ConditionResult::Met { min_timestamp: at } => min_timestamp = at,
            ConditionResult::NotMet => {
                response.processed = Some(false);
                return Ok((response, block));
            }
        }
        response.processed = Some(true);
    }
    mutation.check_size(state)?;
    if !mutation.is_read_modify_write() {
        apply(call, &region, state, &[&mutation], None, now.max(min_timestamp), false)?;
        response.processed = Some(true);
        return Ok((response, block));
    }
    let changed = match known_result(call, nonce, &mutation, &region, state, now)? {
        Some(changed) => changed,
        None => apply(call, &region, state, &[&mutation], nonce, now.max(min_timestamp), false)?,
    };
    let changed = if mutation.return_results { changed } else { Vec::new() };
    response.result = Some(result(&changed, call.peer.cell_blocks, &mut block));
    Ok((response, block))
}
