//! Multi: a batch of actions, grouped by region.

use bytes::BytesMut;
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    self, Action, Condition, CoprocessorServiceResult, MultiRegionLoadStats, MultiRequest,
    MultiResponse, RegionAction, RegionActionResult, ResultOrException,
};

use super::coprocessor;
use super::get::{encode_result, read_row};
use super::mutate::{apply_mutations, read_modify_write, result_of_applied_nonce};
use crate::base::{RemoteResult, limits, remote_exception};
use crate::cells::StoredCell;
use crate::hbase::access;
use crate::hbase::call::Call;
use crate::regions::{self, ConditionResult, Mutation, MutationKind, Region, RegionState};
use crate::state::Nonce;

/// Answers a Multi.
pub(crate) fn multi(
    call: &Call<'_>,
    request: MultiRequest,
) -> RemoteResult<(MultiResponse, BytesMut)> {
    if request.region_action.is_empty() {
        return Err(remote_exception(exception::IO, "Index: 0"));
    }
    let mut multi =
        Multi { call, group: request.nonce_group, cells: call.cells(), block: BytesMut::new() };
    let mut response = MultiResponse::default();
    let common = request.condition;
    for action in request.region_action {
        let atomic = action.atomic.unwrap_or(false);
        let condition = action.condition.clone().or_else(|| common.clone());
        let result = if atomic || condition.is_some() {
            let result = multi.atomically(action, condition.as_ref())?;
            if condition.is_none() || common.is_some() {
                response.processed = result.processed.or(response.processed);
            }
            result
        } else {
            multi.one_by_one(action)?
        };
        response.region_action_result.push(result);
    }
    if common.is_none() {
        response.region_statistics = Some(MultiRegionLoadStats::default());
    }
    Ok((response, multi.block))
}

struct Multi<'a> {
    call: &'a Call<'a>,
    group: Option<u64>,
    /// The cells of the request that no action has taken yet.
    cells: CellBlock,
    /// The cells of the response.
    block: BytesMut,
}

/// Puts and Deletes that will be applied in one write, with the indexes of their actions.
type Pending = Vec<(Option<u32>, Mutation)>;

impl Multi<'_> {
    /// Runs the actions of one region, each of which succeeds or fails on its own.
    fn one_by_one(&mut self, action: RegionAction) -> RemoteResult<RegionActionResult> {
        let region = match self.call.region(&action.region) {
            Ok(region) => region,
            Err(exception) => return self.all_rejected(&action, &exception),
        };
        let mut state = match self.call.lock_for_read(&region) {
            Ok(state) => state,
            Err(exception) => return self.all_rejected(&action, &exception),
        };
        let mut answer = RegionActionResult::default();
        let mut pending: Pending = Vec::new();
        for Action { index, mutation, get, service_call } in action.action {
            if self.block.len() > limits::RESULT_BYTES {
                self.skip_cells(mutation.as_ref())?;
                let text = "Max result size exceeded";
                let exception = remote_exception(exception::MULTI_ACTION_RESULT_TOO_LARGE, text);
                answer.result_or_exception.push(failed(index, &exception));
                continue;
            }
            let outcome = if let Some(get) = get {
                read_row(self.call, &region, &mut state, &get, &mut self.block)
            } else if region.replica_id() > 0 {
                self.skip_cells(mutation.as_ref())?;
                Err(remote_exception(exception::DO_NOT_RETRY, "region is read only"))
            } else if let Some(mutation) = mutation {
                state.write_requests += 1;
                let mutation = match Mutation::decode(mutation, &mut self.cells) {
                    Ok(mutation) => mutation,
                    // A real server fails here before it processes single actions.
                    Err(exception) if exception.class == exception::IO => return Err(exception),
                    Err(exception) => {
                        answer.result_or_exception.push(failed(index, &exception));
                        continue;
                    }
                };
                if !mutation.is_read_modify_write() {
                    pending.push((index, mutation));
                    continue;
                }
                self.flush(&region, &mut state, &mut pending, &mut answer);
                let sized = mutation.check_size(&state);
                sized.and_then(|()| {
                    let nonce = Nonce::of(self.group, mutation.nonce);
                    let block = &mut self.block;
                    read_modify_write(self.call, &region, &mut state, &mutation, nonce, 0, block)
                })
            } else if let Some(service) = service_call {
                self.flush(&region, &mut state, &mut pending, &mut answer);
                let value = coprocessor::run(self.call, &region, &mut state, *service);
                answer.result_or_exception.push(match value {
                    Ok(value) => ResultOrException {
                        index,
                        service_result: Some(CoprocessorServiceResult { value: Some(value) }),
                        ..Default::default()
                    },
                    Err(exception) => failed(index, &exception),
                });
                continue;
            } else {
                Err(remote_exception(exception::HBASE_IO, "Unexpected Action type"))
            };
            answer.result_or_exception.push(match outcome {
                Ok(result) => succeeded(index, Some(result)),
                Err(exception) => failed(index, &exception),
            });
        }
        self.flush(&region, &mut state, &mut pending, &mut answer);
        Ok(answer)
    }

    /// Applies the pending Puts and Deletes, sorted by row. If one of them has a cell above the
    /// size limit, or is not permitted, all of them fail.
    fn flush(
        &self,
        region: &Region,
        state: &mut RegionState,
        pending: &mut Pending,
        answer: &mut RegionActionResult,
    ) {
        if pending.is_empty() {
            return;
        }
        let mut batch = std::mem::take(pending);
        // The sizes are checked before the mutations are sorted.
        let sized = batch.iter().try_for_each(|(_, m)| m.check_size(state));
        batch.sort_by(|(_, a), (_, b)| a.row.cmp(&b.row));
        let entries = &mut answer.result_or_exception;
        let permitted = || {
            let mutations = batch.iter().map(|(_, mutation)| mutation);
            access::check_writes(self.call, region, &state.schema, mutations)
        };
        if let Err(exception) = sized.and_then(|()| permitted()) {
            entries.extend(batch.iter().map(|(index, _)| failed(*index, &exception)));
            return;
        }
        let rejections: Vec<Option<RemoteException>> =
            batch.iter().map(|(_, m)| m.check(region, state, false).err()).collect();
        let valid = batch.iter().zip(&rejections).filter(|(_, rejection)| rejection.is_none());
        let valid: Vec<&Mutation> = valid.map(|((_, m), _)| m).collect();
        let applied =
            apply_mutations(self.call, region, state, &valid, None, self.call.now(), false);
        entries.extend(batch.iter().zip(&rejections).map(|((index, _), rejection)| {
            match rejection.as_ref().or(applied.as_ref().err()) {
                None => succeeded(*index, Some(proto::Result::default())),
                Some(exception) => failed(*index, exception),
            }
        }));
    }

    /// Applies either all or none of the actions of one region, with or without a condition.
    fn atomically(
        &mut self,
        action: RegionAction,
        condition: Option<&Condition>,
    ) -> RemoteResult<RegionActionResult> {
        let region = match self.call.region(&action.region) {
            Ok(region) => region,
            Err(exception) => return self.all_rejected(&action, &exception),
        };
        let mut mutations = Vec::with_capacity(action.action.len());
        let actions = action.action.len();
        let mut rejection = None;
        for Action { mutation, get, .. } in action.action {
            if let Some(get) = get {
                let row = get.row.escape_ascii();
                let text = format!("Atomic put and/or delete only, not a Get=row: \"{row}\"");
                rejection = rejection.or(Some(remote_exception(exception::DO_NOT_RETRY, text)));
                continue;
            }
            match Mutation::decode(mutation.unwrap_or_default(), &mut self.cells) {
                Ok(mutation) => mutations.push(mutation),
                Err(exception) if exception.class == exception::IO => return Err(exception),
                Err(exception) => rejection = rejection.or(Some(exception)),
            }
        }
        let outcome = match rejection {
            Some(exception) => Err(exception),
            None => self.apply_atomically(&region, condition, &mutations),
        };
        // The results of an atomic group are numbered in order, whatever the indexes of the actions
        // are.
        let entries = |of: &dyn Fn(u32) -> Option<proto::Result>| {
            (0..actions as u32).map(|at| succeeded(Some(at), of(at))).collect()
        };
        Ok(match outcome {
            Err(exception) => region_failed(&exception),
            Ok(None) => RegionActionResult {
                result_or_exception: entries(&|_| None),
                processed: Some(false),
                ..Default::default()
            },
            Ok(Some(changed)) => {
                let rest = condition.is_none().then(proto::Result::default);
                let first = match changed.is_empty() {
                    true => rest.clone(),
                    false => Some(encode_result(&changed, None, &mut BytesMut::new())),
                };
                RegionActionResult {
                    result_or_exception: entries(&|at| {
                        if at == 0 { first.clone() } else { rest.clone() }
                    }),
                    processed: Some(true),
                    ..Default::default()
                }
            }
        })
    }

    /// Applies all mutations of a group, and returns the new cells of increments and appends;
    /// `None` if the condition is not met.
    fn apply_atomically(
        &mut self,
        region: &Region,
        condition: Option<&Condition>,
        mutations: &[Mutation],
    ) -> RemoteResult<Option<Vec<StoredCell>>> {
        let mut guard = self.call.lock_for_write(region)?;
        let state = &mut *guard;
        state.write_requests += mutations.len() as u64;
        let now = self.call.now();
        // A real server does not check the sizes of Deletes in a group that has a condition, unless
        // the group is a single mutation.
        let leaves_out_deletes = condition.is_some() && mutations.len() > 1;
        let sized =
            mutations.iter().filter(|m| !leaves_out_deletes || m.kind != MutationKind::Delete);
        sized.clone().try_for_each(|m| m.check_size(state))?;
        let mut min_timestamp = 0;
        if let Some(condition) = condition {
            if let Some(other) = mutations.iter().find(|m| m.row != condition.row) {
                return Err(regions::row_mismatch(&other.row, &condition.row));
            }
            access::check_condition(self.call, region, condition, mutations)?;
            match regions::check_condition(condition, region, state, now)? {
                ConditionResult::Met { min_timestamp: at } => min_timestamp = at,
                ConditionResult::NotMet => return Ok(None),
            }
        }
        let nonce = mutations.iter().rev().find_map(|m| Nonce::of(self.group, m.nonce));
        let now = now.max(min_timestamp);
        let mut all: Vec<&Mutation> = mutations.iter().collect();
        let mut known = Vec::new();
        for mutation in mutations.iter().filter(|m| m.is_read_modify_write()) {
            known.extend(result_of_applied_nonce(self.call, region, state, mutation, nonce, now)?);
        }
        let mut changed = match known.is_empty() {
            true => apply_mutations(self.call, region, state, &all, nonce, now, true)?,
            false => {
                // Increments and appends that were applied before become reads; the other mutations
                // are applied again.
                all.retain(|m| !m.is_read_modify_write());
                apply_mutations(self.call, region, state, &all, None, now, true)?;
                known.concat()
            }
        };
        let returned = |c: &StoredCell| {
            mutations.iter().any(|m| {
                m.return_results
                    && m.columns().any(|column| column_of(c) == (&column.0[..], &column.1[..]))
            })
        };
        changed.retain(returned);
        Ok(Some(changed))
    }

    /// Fails all actions of a region, and skips their cells in the request.
    fn all_rejected(
        &mut self,
        action: &RegionAction,
        exception: &RemoteException,
    ) -> RemoteResult<RegionActionResult> {
        for action in &action.action {
            self.skip_cells(action.mutation.as_ref())?;
        }
        Ok(region_failed(exception))
    }

    fn skip_cells(&mut self, mutation: Option<&proto::MutationProto>) -> RemoteResult<()> {
        let count = mutation.and_then(|m| m.associated_cell_count).unwrap_or(0).max(0) as usize;
        let skipped = self.cells.cells(count);
        skipped.map(drop).map_err(|e| remote_exception(exception::IO, e.to_string()))
    }
}

fn column_of(cell: &StoredCell) -> (&[u8], &[u8]) {
    (cell.family(), cell.qualifier())
}

fn region_failed(exception: &RemoteException) -> RegionActionResult {
    RegionActionResult { exception: Some(exception.to_pair()), ..Default::default() }
}

fn succeeded(index: Option<u32>, result: Option<proto::Result>) -> ResultOrException {
    ResultOrException { index, result, ..Default::default() }
}

fn failed(index: Option<u32>, exception: &RemoteException) -> ResultOrException {
    ResultOrException { index, exception: Some(exception.to_pair()), ..Default::default() }
}
