//! Mutate: one Put, Delete, Increment or Append, perhaps under a condition. And what batches share with it.

use std::borrow::Cow;

use bytes::BytesMut;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::{Column, Get, MutateRequest, MutateResponse};

use super::result;
use crate::call::Call;
use crate::cell::StoredCell;
use crate::condition::{self, Verdict};
use crate::mutation::Mutation;
use crate::nonce::Nonce;
use crate::region::{Region, RegionState};
use crate::remote_exception::{RemoteResult, remote_exception};

/// Answers a Mutate.
pub(crate) fn mutate(
    call: &Call<'_>,
    request: MutateRequest,
) -> RemoteResult<(MutateResponse, BytesMut)> {
    let region = call.cluster.region(call.server, &request.region)?;
    let mut cells = call.cell_block();
    let mutation = Mutation::decode(request.mutation, &mut cells)?;
    let nonce = Nonce::of(request.nonce_group, mutation.nonce);
    let mut guard = call.cluster.open(call.server, &region)?;
    let state = &mut *guard;
    state.requests.1 += 1;
    let now = call.now();
    let mut block = BytesMut::new();
    let mut response = MutateResponse::default();
    let mut not_before = 0;
    if let Some(condition) = &request.condition {
        if condition.row != mutation.row {
            return Err(condition::other_row(&mutation.row, &condition.row));
        }
        if let Some(changed) = repeated(call, nonce, &mutation, &region, state, now)? {
            response.processed = Some(true);
            response.result = Some(result(&changed, call.peer.cell_blocks, &mut block));
            return Ok((response, block));
        }
        match condition::check(condition, &region, state, now)? {
            Verdict::Holds { not_before: at } => not_before = at,
            Verdict::Fails => {
                response.processed = Some(false);
                return Ok((response, block));
            }
        }
        response.processed = Some(true);
    }
    if !mutation.changes() {
        mutation.check_size()?;
        apply(call, &region, state, &[&mutation], None, (now.max(not_before), true))?;
        response.processed = Some(true);
        return Ok((response, block));
    }
    let changed = match repeated(call, nonce, &mutation, &region, state, now)? {
        Some(changed) => changed,
        None => apply(call, &region, state, &[&mutation], nonce, (now.max(not_before), true))?,
    };
    let changed = if mutation.returns { changed } else { Vec::new() };
    response.result = Some(result(&changed, call.peer.cell_blocks, &mut block));
    Ok((response, block))
}

/// The cells an increment or append left, when an operation with this nonce was applied before.
pub(super) fn repeated(
    call: &Call<'_>,
    nonce: Option<Nonce>,
    mutation: &Mutation,
    region: &Region,
    state: &RegionState,
    now: u64,
) -> RemoteResult<Option<Vec<StoredCell>>> {
    let applied = nonce.and_then(|n| call.server.nonces().applied(n, now));
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

/// Applies mutations together, all or none, at a time, and gives back the cells that increments and appends left.
/// `alone` tells that they are one write only because they came together.
pub(super) fn apply(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    mutations: &[&Mutation],
    nonce: Option<Nonce>,
    (now, alone): (u64, bool),
) -> RemoteResult<Vec<StoredCell>> {
    let mut writes = Vec::with_capacity(mutations.len());
    let mut changed = Vec::new();
    for mutation in mutations {
        mutation.check(region, state, alone)?;
        let from = writes.len();
        mutation.plan(region, state, now, &mut writes)?;
        if mutation.changes() {
            changed.extend(from..writes.len());
        }
    }
    if writes.is_empty() {
        return Ok(Vec::new());
    }
    let sequence_id = state.store.write(&writes)?;
    if let Some(nonce) = nonce {
        call.server.nonces().remember(nonce, sequence_id, call.now());
    }
    let order = state.store.cells().order();
    let mut cells = Vec::with_capacity(changed.len());
    for write in changed.into_iter().filter_map(|at| writes.get(at)) {
        let cell = StoredCell::new(&write.row, &write.cell, None, sequence_id, order);
        cells.push(cell.map_err(|e| remote_exception(exception::IO, e.to_string()))?);
    }
    cells.sort();
    if state.store.wants_flush() {
        let schema = std::sync::Arc::clone(&state.schema);
        state.store.flush(&schema, &[], call.now());
    }
    Ok(cells)
}
