//! Multi: many actions, grouped by region.

use bytes::BytesMut;
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    self, Action, Condition, MultiRegionLoadStats, MultiRequest, MultiResponse, RegionAction,
    RegionActionResult, ResultOrException,
};

use super::mutate::{apply, repeated};
use super::{existence, no_coprocessor, result};
use crate::call::Call;
use crate::cell::StoredCell;
use crate::condition::{self, Verdict};
use crate::limits;
use crate::mutation::Mutation;
use crate::nonce::Nonce;
use crate::region::{Region, RegionState};
use crate::remote_exception::{RemoteResult, remote_exception};

/// Answers a Multi.
pub(crate) fn multi(
    call: &Call<'_>,
    request: MultiRequest,
) -> RemoteResult<(MultiResponse, BytesMut)> {
    if request.region_action.is_empty() {
        return Err(remote_exception(exception::IO, "Index: 0"));
    }
    let mut multi = Multi {
        call,
        group: request.nonce_group,
        cells: call.cell_block(),
        block: BytesMut::new(),
    };
    let mut response = MultiResponse::default();
    let common = request.condition;
    for action in request.region_action {
        let together = action.atomic.unwrap_or(false);
        let condition = action.condition.clone().or_else(|| common.clone());
        let result = if together || condition.is_some() {
            let result = multi.together(action, condition.as_ref())?;
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
    /// The cells of the request not yet taken by an action.
    cells: CellBlock,
    /// The cells of the response.
    block: BytesMut,
}

/// Puts and Deletes that wait to be applied together.
type Waiting = Vec<(Option<u32>, Mutation)>;

impl Multi<'_> {
    /// The actions of one region, each with a fate of its own.
    fn one_by_one(&mut self, action: RegionAction) -> RemoteResult<RegionActionResult> {
        let region = match self.call.cluster.region(self.call.server, &action.region) {
            Ok(region) => region,
            Err(exception) => return self.refused(&action, &exception),
        };
        let mut state = match self.call.cluster.open(self.call.server, &region) {
            Ok(state) => state,
            Err(exception) => return self.refused(&action, &exception),
        };
        let mut answer = RegionActionResult::default();
        let mut waiting: Waiting = Vec::new();
        for Action { index, mutation, get, service_call } in action.action {
            if self.block.len() > limits::RESULT_BYTES {
                self.skip_cells(mutation.as_ref())?;
                let text = "Max result size exceeded";
                let exception = remote_exception(exception::MULTI_ACTION_RESULT_TOO_LARGE, text);
                answer.result_or_exception.push(failed(index, &exception));
                continue;
            }
            let outcome = if let Some(get) = get {
                state.requests.0 += 1;
                let found = state.get(&region, &get, None, self.call.now());
                let exists = get.existence_only.unwrap_or(false);
                found.map(|cells| match exists {
                    true => existence(!cells.is_empty()),
                    false => result(&cells, self.call.peer.get_in_blocks(), &mut self.block),
                })
            } else if let Some(mutation) = mutation {
                state.requests.1 += 1;
                let mutation = match Mutation::decode(mutation, &mut self.cells) {
                    Ok(mutation) => mutation,
                    // A Java server dies of these before it looks at the actions one by one.
                    Err(exception) if exception.class == exception::IO => return Err(exception),
                    Err(exception) => {
                        answer.result_or_exception.push(failed(index, &exception));
                        continue;
                    }
                };
                if !mutation.changes() {
                    waiting.push((index, mutation));
                    continue;
                }
                self.flush(&region, &mut state, &mut waiting, &mut answer);
                self.change(&region, &mut state, &mutation)
            } else if let Some(service) = service_call {
                Err(no_coprocessor(&service.service_name, &region))
            } else {
                Err(remote_exception(exception::HBASE_IO, "Unexpected Action type"))
            };
            answer.result_or_exception.push(match outcome {
                Ok(result) => done(index, Some(result)),
                Err(exception) => failed(index, &exception),
            });
        }
        self.flush(&region, &mut state, &mut waiting, &mut answer);
        Ok(answer)
    }

    /// An increment or append on its own.
    fn change(
        &mut self,
        region: &Region,
        state: &mut RegionState,
        mutation: &Mutation,
    ) -> RemoteResult<proto::Result> {
        let now = self.call.now();
        let nonce = Nonce::of(self.group, mutation.nonce);
        let changed = match repeated(self.call, nonce, mutation, region, state, now)? {
            Some(changed) => changed,
            None => apply(self.call, region, state, &[mutation], nonce, (now, true))?,
        };
        let changed = if mutation.returns { changed } else { Vec::new() };
        Ok(result(&changed, self.call.peer.cell_blocks, &mut self.block))
    }

    /// Applies the waiting Puts and Deletes, sorted by row. One cell above the limit fails all of them.
    fn flush(
        &self,
        region: &Region,
        state: &mut RegionState,
        waiting: &mut Waiting,
        answer: &mut RegionActionResult,
    ) {
        if waiting.is_empty() {
            return;
        }
        let mut batch = std::mem::take(waiting);
        batch.sort_by(|(_, a), (_, b)| a.row.cmp(&b.row));
        let entries = &mut answer.result_or_exception;
        if let Some(exception) = batch.iter().find_map(|(_, m)| m.check_size().err()) {
            entries.extend(batch.iter().map(|(index, _)| failed(*index, &exception)));
            return;
        }
        let refusals: Vec<Option<RemoteException>> =
            batch.iter().map(|(_, m)| m.check(region, state, true).err()).collect();
        let good = batch.iter().zip(&refusals).filter(|(_, refusal)| refusal.is_none());
        let good: Vec<&Mutation> = good.map(|((_, m), _)| m).collect();
        let applied = apply(self.call, region, state, &good, None, (self.call.now(), true));
        entries.extend(batch.iter().zip(&refusals).map(|((index, _), refusal)| {
            match refusal.as_ref().or(applied.as_ref().err()) {
                None => done(*index, Some(proto::Result::default())),
                Some(exception) => failed(*index, exception),
            }
        }));
    }

    /// The actions of one region, all or none, perhaps under a condition.
    fn together(
        &mut self,
        action: RegionAction,
        condition: Option<&Condition>,
    ) -> RemoteResult<RegionActionResult> {
        let region = match self.call.cluster.region(self.call.server, &action.region) {
            Ok(region) => region,
            Err(exception) => return self.refused(&action, &exception),
        };
        let mut mutations = Vec::with_capacity(action.action.len());
        let actions = action.action.len();
        let mut refusal = None;
        for Action { mutation, get, .. } in action.action {
            if let Some(get) = get {
                let row = get.row.escape_ascii();
                let text = format!("Atomic put and/or delete only, not a Get=row: \"{row}\"");
                refusal = refusal.or(Some(remote_exception(exception::DO_NOT_RETRY, text)));
                continue;
            }
            match Mutation::decode(mutation.unwrap_or_default(), &mut self.cells) {
                Ok(mutation) => mutations.push(mutation),
                Err(exception) if exception.class == exception::IO => return Err(exception),
                Err(exception) => refusal = refusal.or(Some(exception)),
            }
        }
        let outcome = match refusal {
            Some(exception) => Err(exception),
            None => self.apply_together(&region, condition, &mutations),
        };
        // What is done together is counted through, whatever index its actions carry.
        let entries = |of: &dyn Fn(u32) -> Option<proto::Result>| {
            (0..actions as u32).map(|at| done(Some(at), of(at))).collect()
        };
        Ok(match outcome {
            Err(exception) => refusal_of(&exception),
            Ok(None) => RegionActionResult {
                result_or_exception: entries(&|_| None),
                processed: Some(false),
                ..Default::default()
            },
            Ok(Some(changed)) => {
                let rest = condition.is_none().then(proto::Result::default);
                let first = match changed.is_empty() {
                    true => rest.clone(),
                    false => Some(result(&changed, false, &mut BytesMut::new())),
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

    /// The changed cells; none when the condition fails.
    fn apply_together(
        &mut self,
        region: &Region,
        condition: Option<&Condition>,
        mutations: &[Mutation],
    ) -> RemoteResult<Option<Vec<StoredCell>>> {
        let mut guard = self.call.cluster.open(self.call.server, region)?;
        let state = &mut *guard;
        state.requests.1 += mutations.len() as u64;
        let now = self.call.now();
        mutations.iter().try_for_each(Mutation::check_size)?;
        let mut not_before = 0;
        if let Some(condition) = condition {
            if let Some(other) = mutations.iter().find(|m| m.row != condition.row) {
                return Err(condition::other_row(&other.row, &condition.row));
            }
            match condition::check(condition, region, state, now)? {
                Verdict::Holds { not_before: at } => not_before = at,
                Verdict::Fails => return Ok(None),
            }
        }
        let nonce = mutations.iter().rev().find_map(|m| Nonce::of(self.group, m.nonce));
        let now = now.max(not_before);
        let mut all: Vec<&Mutation> = mutations.iter().collect();
        let mut known = Vec::new();
        for change in mutations.iter().filter(|m| m.changes()) {
            known.extend(repeated(self.call, nonce, change, region, state, now)?);
        }
        let mut changed = match known.is_empty() {
            true => apply(self.call, region, state, &all, nonce, (now, false))?,
            false => {
                // Increments and appends that were made before become reads; the others are made again.
                all.retain(|m| !m.changes());
                apply(self.call, region, state, &all, None, (now, false))?;
                known.concat()
            }
        };
        let shown = |c: &StoredCell| {
            mutations.iter().any(|m| {
                m.returns
                    && m.columns().any(|column| column_of(c) == (&column.0[..], &column.1[..]))
            })
        };
        changed.retain(shown);
        Ok(Some(changed))
    }

    /// All actions of a region refused; their cells in the request are stepped over.
    fn refused(
        &mut self,
        action: &RegionAction,
        exception: &RemoteException,
    ) -> RemoteResult<RegionActionResult> {
        for action in &action.action {
            self.skip_cells(action.mutation.as_ref())?;
        }
        Ok(refusal_of(exception))
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

fn refusal_of(exception: &RemoteException) -> RegionActionResult {
    RegionActionResult { exception: Some(exception.to_pair()), ..Default::default() }
}

fn done(index: Option<u32>, result: Option<proto::Result>) -> ResultOrException {
    ResultOrException { index, result, ..Default::default() }
}

fn failed(index: Option<u32>, exception: &RemoteException) -> ResultOrException {
    ResultOrException { index, exception: Some(exception.to_pair()), ..Default::default() }
}
