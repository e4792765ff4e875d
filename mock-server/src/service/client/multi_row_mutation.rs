//! `MultiRowMutationEndpoint`, HBase's endpoint for changes of several rows of a region in one step.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception;
use tallrow_wire::proto::MutateRowsRequest;

use super::apply::apply;
use crate::regions::{Mutation, Region, RegionState};
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::service::call::Call;
use crate::state::Nonce;

/// Runs a method of `MultiRowMutationService`; none if there is no such method.
pub(super) fn run(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    method: &str,
    request: Bytes,
) -> RemoteResult<Option<Vec<u8>>> {
    if method != "MutateRows" {
        return Ok(None);
    }
    let request = MutateRowsRequest::decode(request)
        .map_err(|e| remote_exception(exception::INVALID_PROTOBUF, format!("{method}: {e}")))?;
    let mut no_cells = CellBlock::new(Bytes::new());
    let mutations = request.mutation_request.into_iter();
    let mutations: Vec<Mutation> =
        mutations.map(|m| Mutation::decode(m, &mut no_cells)).collect::<RemoteResult<_>>()?;
    for (at, mutation) in mutations.iter().enumerate() {
        if !region.contains(&mutation.row) {
            // The first row may be of a region that moved; the others are then in several regions.
            let class = if at == 0 { exception::WRONG_REGION } else { exception::DO_NOT_RETRY };
            let row = mutation.row.escape_ascii();
            return Err(remote_exception(class, format!("Requested row out of range '{row}'")));
        }
    }
    state.write_requests += mutations.len() as u64;
    let all: Vec<&Mutation> = mutations.iter().collect();
    let nonce = Nonce::of(request.nonce_group, request.nonce);
    apply(call, region, state, &all, nonce, call.now(), true)?;
    Ok(Some(Vec::new()))
}
