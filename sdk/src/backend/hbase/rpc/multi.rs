//! Encodes one or more operations as one call, and decodes the answer.
//!
//! A single get or mutation is sent as a `Get` or `Mutate`. Several operations, and several
//! mutations of one row, are sent as one `Multi`. The `Multi` contains a region action for each
//! region, and one more for each operation that has a condition or several mutations.
//!
//! # Invariants
//!
//! - An acknowledged write is on the server: only a result of the server becomes `Ok`, and the
//!   outcome of an action without a result is unknown. Tests:
//!   `tests/suites/chaos/main.rs::a_load_survives_moves_splits_and_a_killed_server`,
//!   `tests/suites/faults/batches.rs::outcomes_are_true_although_one_call_in_three_fails`,
//!   `tests/tools/history`, `tests/tools/storm`.

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::call::CallError;
use super::compressed::CellCompression;
use super::op::{OpReply, Request, Routed};
use crate::wire::WireError;
use crate::wire::cell_block::CellBlock;
use crate::wire::frame::Response;
use crate::wire::multi::{self, Action, ActionOutcome, ActionResult, RegionAction, RegionResults};
use crate::wire::proto::{GetResponse, MutateResponse, RegionSpecifier, RegionSpecifierType};

/// The answer of each operation of a call.
pub(crate) type Answers = Vec<Result<OpReply, CallError>>;

pub(crate) fn region_specifier(name: &Bytes) -> RegionSpecifier {
    RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value: name.clone() }
}

/// How the answer to a call is divided among its operations.
pub(super) enum AnswerLayout {
    Get,
    Mutate,
    /// The region actions of the call, in order.
    Multi(Vec<Group>),
}

impl AnswerLayout {
    /// The method of the call.
    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Get => "Get",
            Self::Mutate => "Mutate",
            Self::Multi(_) => "Multi",
        }
    }
}

/// The operations that one region action carries.
pub(super) struct Group {
    /// The position of the first operation.
    first: usize,
    /// The number of operations, each of which has one action; 0 for a single atomic operation, of
    /// which either all actions are applied or none.
    independent_count: usize,
}

/// Appends the body of one call for all of `ops`: the parameter message, and then the cells. `ops`
/// must not be empty; adjacent operations of one region share a region action. Returns the length
/// of the parameter message, and how the answer is divided among the operations.
pub(super) fn encode<R: Routed>(
    ops: &[R],
    nonce_group: u64,
    compression: Option<&CellCompression>,
    body: &mut BytesMut,
) -> (usize, AnswerLayout) {
    let before = body.len();
    body.reserve(ops.iter().map(|op| op.op().size() + PER_ACTION).sum());
    let layout = match ops {
        [only] => encode_one(only, nonce_group, body),
        _ => None,
    };
    let layout = layout.unwrap_or_else(|| encode_many(ops, nonce_group, body));
    let param = body.len() - before;
    match (compression, ops) {
        (None, _) => put_cells(ops, body),
        (Some(compression), [only]) => {
            body.extend_from_slice(&compression.compress(&only.op().cells));
        }
        (Some(compression), _) => {
            let mut cells = BytesMut::new();
            put_cells(ops, &mut cells);
            body.extend_from_slice(&compression.compress(&cells));
        }
    }
    (param, layout)
}

fn put_cells<R: Routed>(ops: &[R], out: &mut BytesMut) {
    out.reserve(ops.iter().map(|op| op.op().cells.len()).sum());
    ops.iter().for_each(|op| out.extend_from_slice(&op.op().cells));
}

/// The maximum number of bytes that an action takes in a `Multi` in addition to its message.
const PER_ACTION: usize = 24;

fn encode_one(routed: &impl Routed, nonce_group: u64, body: &mut BytesMut) -> Option<AnswerLayout> {
    let (op, region) = (routed.op(), routed.region());
    match &op.request {
        Request::Get(get) => {
            multi::put_get_request(region, get, body);
            Some(AnswerLayout::Get)
        }
        Request::Mutate(mutation) => {
            let condition = op.condition.as_deref();
            multi::put_mutate_request(region, mutation, condition, nonce_group, body);
            Some(AnswerLayout::Mutate)
        }
        Request::MutateRow(_) => None,
    }
}

fn encode_many<R: Routed>(ops: &[R], nonce_group: u64, body: &mut BytesMut) -> AnswerLayout {
    let shares =
        |a: &R, b: &R| !a.op().is_atomic() && !b.op().is_atomic() && a.region() == b.region();
    let mut groups = Vec::new();
    let mut first = 0;
    for group in ops.chunk_by(shares) {
        let [routed, ..] = group else { continue };
        let (op, region) = (routed.op(), routed.region());
        let actions = group.iter().flat_map(|routed| {
            let request = &routed.op().request;
            request.messages().iter().map(move |message| match request {
                Request::Get(_) => Action::Get(message),
                Request::Mutate(_) | Request::MutateRow(_) => Action::Mutation(message),
            })
        });
        let (atomic, condition) = (op.is_atomic(), op.condition.as_deref());
        RegionAction { region, atomic, condition, actions }.encode(body);
        groups.push(Group { first, independent_count: if atomic { 0 } else { group.len() } });
        first += group.len();
    }
    multi::put_nonce_group(nonce_group, body);
    AnswerLayout::Multi(groups)
}

/// Decodes the answers of the `count` operations of a call, in the order of the operations.
pub(super) fn decode(
    response: Response,
    layout: &AnswerLayout,
    count: usize,
) -> Result<Answers, CallError> {
    let mut block = CellBlock::new(response.cells);
    let answers = match layout {
        AnswerLayout::Get => {
            let message = GetResponse::decode(response.message)?;
            vec![Ok(OpReply::from_result(message.result, true, &mut block)?)]
        }
        AnswerLayout::Mutate => {
            let message = MutateResponse::decode(response.message)?;
            let processed = message.processed.unwrap_or(true);
            vec![Ok(OpReply::from_result(message.result, processed, &mut block)?)]
        }
        AnswerLayout::Multi(groups) => decode_multi(&response.message, groups, count, &mut block)?,
    };
    block.finish()?;
    Ok(answers)
}

fn decode_multi(
    message: &[u8],
    groups: &[Group],
    count: usize,
    block: &mut CellBlock,
) -> Result<Answers, CallError> {
    let wrong = |text: String| CallError::from(WireError::new("Multi response", text));
    let mut slots: Vec<Option<Result<OpReply, CallError>>> = Vec::new();
    slots.resize_with(count, || None);
    let mut results = RegionResults::new(message);
    for (at, group) in groups.iter().enumerate() {
        let Some(result) = results.next().transpose()? else {
            return Err(wrong(format!("{at} region results for {} region actions", groups.len())));
        };
        let ops = slots.get_mut(group.first..group.first + group.independent_count.max(1));
        let ops = ops.unwrap_or_default();
        if let Some(exception) = result.exception {
            ops.iter_mut().for_each(|op| *op = Some(Err(CallError::Exception(exception.clone()))));
        } else if group.independent_count > 0 {
            for action in result.actions {
                let action = action?;
                let (index, of) = (action.index as usize, ops.len());
                let Some(op) = ops.get_mut(index) else {
                    return Err(wrong(format!("a result for action {index} of {of}")));
                };
                *op = Some(reply_of(action, true, block)?);
            }
        } else if let [op] = ops {
            let processed = result.processed.unwrap_or(true);
            for action in result.actions {
                let reply = reply_of(action?, processed, block)?;
                // One of the results contains the cells of all increments and appends.
                *op = Some(match (op.take(), reply) {
                    (Some(Ok(mut all)), Ok(one)) => {
                        all.cells.extend(one.cells);
                        Ok(all)
                    }
                    (Some(Err(error)), _) => Err(error),
                    (_, reply) => reply,
                });
            }
        }
    }
    let more = results.count();
    if more > 0 {
        let found = groups.len() + more;
        return Err(wrong(format!("{found} region results for {} region actions", groups.len())));
    }
    // An action without a result may or may not have been done.
    let missing = || Err(wrong("an action has no result".into()));
    Ok(slots.into_iter().map(|slot| slot.unwrap_or_else(missing)).collect())
}

fn reply_of(
    action: ActionResult<'_>,
    processed: bool,
    block: &mut CellBlock,
) -> Result<Result<OpReply, CallError>, CallError> {
    Ok(match action.outcome {
        ActionOutcome::Failed(exception) => Err(CallError::Exception(exception)),
        ActionOutcome::Done(result) => Ok(OpReply::from_action(&result, processed, block)?),
    })
}
