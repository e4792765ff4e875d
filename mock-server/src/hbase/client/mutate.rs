//! Mutate: one Put, Delete, Increment or Append, with or without a condition. Mutations, including
//! those of a Multi, are applied with their nonces.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::BytesMut;
use tallrow_wire::exception;
use tallrow_wire::proto::{self, Column, Get, MutateRequest, MutateResponse};

use super::get::encode_result;
use crate::base::{RemoteResult, remote_exception};
use crate::cells::StoredCell;
use crate::hbase::access;
use crate::hbase::call::Call;
use crate::regions::{self, ConditionResult, Mutation, Region, RegionState};
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
    let mut guard = call.lock_for_write(&region)?;
    let state = &mut *guard;
    state.write_requests += 1;
    let now = call.now();
    let mut block = BytesMut::new();
    let mut response = MutateResponse::default();
    let mut min_timestamp = 0;
    if let Some(condition) = request.condition.as_ref().filter(|c| c.row != mutation.row) {
        return Err(regions::row_mismatch(&mutation.row, &condition.row));
    }
    mutation.check_size(state)?;
    if let Some(condition) = &request.condition {
        access::check_condition(call, &region, condition, std::slice::from_ref(&mutation))?;
        match regions::check_condition(condition, &region, state, now)? {
            ConditionResult::Met { min_timestamp: at } => min_timestamp = at,
            ConditionResult::NotMet => {
                response.processed = Some(false);
                return Ok((response, block));
            }
        }
        response.processed = Some(true);
    }
    if !mutation.is_read_modify_write() {
        apply_mutations(call, &region, state, &[&mutation], None, now.max(min_timestamp), false)?;
        response.processed = Some(true);
        return Ok((response, block));
    }
    response.result =
        Some(read_modify_write(call, &region, state, &mutation, nonce, min_timestamp, &mut block)?);
    Ok((response, block))
}

/// Applies an increment or append, unless its nonce is known, and returns the result. The new cells
/// are not older than `min_timestamp`.
pub(super) fn read_modify_write(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    mutation: &Mutation,
    nonce: Option<Nonce>,
    min_timestamp: u64,
    block: &mut BytesMut,
) -> RemoteResult<proto::Result> {
    let now = call.now();
    let changed = match result_of_applied_nonce(call, region, state, mutation, nonce, now)? {
        Some(changed) => changed,
        None => {
            apply_mutations(call, region, state, &[mutation], nonce, now.max(min_timestamp), false)?
        }
    };
    let changed = if mutation.return_results { changed } else { Vec::new() };
    Ok(encode_result(&changed, call.peer.cell_codec, block))
}

/// Returns the result of an increment or append that was already applied with this nonce: the cells
/// as of the sequence id of that write. Returns `None` if the nonce is unknown.
pub(super) fn result_of_applied_nonce(
    call: &Call<'_>,
    region: &Region,
    state: &RegionState,
    mutation: &Mutation,
    nonce: Option<Nonce>,
    now: u64,
) -> RemoteResult<Option<Vec<StoredCell>>> {
    let applied = nonce.and_then(|n| call.server.nonces().applied_sequence_id(n, now));
    let Some(sequence_id) = applied else { return Ok(None) };
    let column = |(family, qualifier): (&bytes::Bytes, &bytes::Bytes)| Column {
        family: family.clone(),
        qualifier: vec![qualifier.clone()],
    };
    let get = Get {
        row: mutation.row.clone(),
        column: mutation.columns().map(column).collect(),
        ..Default::default()
    };
    let cells = state.get(region, &get, Some(sequence_id), now)?;
    Ok(Some(cells.into_iter().map(Cow::into_owned).collect()))
}

/// Applies either all mutations or none, in one write, and returns the new cells of increments and
/// appends. `now` is the timestamp of cells that have none; `atomic` says whether the client
/// requested one atomic write.
pub(super) fn apply_mutations(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    mutations: &[&Mutation],
    nonce: Option<Nonce>,
    now: u64,
    atomic: bool,
) -> RemoteResult<Vec<StoredCell>> {
    access::check_writes(call, region, &state.schema, mutations.iter().copied())?;
    let mut writes = Vec::with_capacity(mutations.len());
    let mut changed = Vec::new();
    for mutation in mutations {
        mutation.check(region, state, atomic)?;
        let from = writes.len();
        mutation.append_writes(region, state, now, &mut writes)?;
        if mutation.is_read_modify_write() {
            changed.extend(from..writes.len());
        }
    }
    if writes.is_empty() {
        return Ok(Vec::new());
    }
    let sequence_id = state.store.write(&writes)?;
    if let Some(nonce) = nonce {
        let now = call.now();
        call.server.nonces().remember(nonce, &region.name, sequence_id, now);
        state.store.note_nonce(nonce.to_record(sequence_id, now));
    }
    let order = state.store.cells().order();
    let mut cells = Vec::with_capacity(changed.len());
    for write in changed.into_iter().filter_map(|at| writes.get(at)) {
        let cell = StoredCell::new(&write.cell.in_row(&write.row), None, sequence_id, order);
        cells.push(cell.map_err(|e| remote_exception(exception::IO, e.to_string()))?);
    }
    cells.sort();
    if state.store.needs_flush() {
        let schema = Arc::clone(&state.schema);
        state.store.flush(&schema, &[], call.now());
    }
    call.cluster.note_growth(region, state);
    Ok(cells)
}
