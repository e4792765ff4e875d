//! One call that carries one operation or many.
//!
//! A single operation is sent as itself (`Get`, `Mutate`), several as one `Multi` with a region action for each region
//! and one more for each operation with a condition.

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::call::{Call, CallError};
use super::op::{Op, OpReply, Request};
use crate::wire::WireError;
use crate::wire::cell_block::CellBlock;
use crate::wire::exception::RemoteException;
use crate::wire::frame::Response;
use crate::wire::proto::{
    EncodedAction, EncodedGetRequest, EncodedMultiRequest, EncodedMutateRequest,
    EncodedRegionAction, GetResponse, MultiResponse, MutateResponse, RegionSpecifier,
    RegionSpecifierType, ResultOrException,
};

pub(crate) fn region_specifier(name: &Bytes) -> RegionSpecifier {
    RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value: name.clone() }
}

/// How the answer to a call is divided among its operations.
pub(super) enum Shape {
    Get,
    Mutate,
    /// The region actions of the call, in order.
    Multi(Vec<Group>),
}

/// What one region action carries.
pub(super) enum Group {
    /// Independent operations, an action each.
    Independent(Vec<usize>),
    /// One operation, all or none of its actions done.
    Atomic(usize),
}

impl Group {
    fn ops(&self) -> &[usize] {
        match self {
            Self::Independent(ops) => ops,
            Self::Atomic(op) => std::slice::from_ref(op),
        }
    }
}

/// The frame of one call for all of `ops`, which must not be empty, and how to read its answer.
pub(super) fn encode(ops: &[&Op], call_id: u32, timeout: std::time::Duration) -> (BytesMut, Shape) {
    if let [op] = ops {
        let region = region_specifier(&op.region);
        let high_priority = op.high_priority;
        match &op.request {
            Request::Get(get) => {
                let param = EncodedGetRequest { region, get: get.clone() };
                let call = Call { method: "Get", param: &param, high_priority, timeout };
                return (call.encode(call_id, &[]), Shape::Get);
            }
            Request::Mutate(mutation) => {
                let param = EncodedMutateRequest {
                    region,
                    mutation: mutation.clone(),
                    condition: op.condition.clone(),
                    nonce_group: Some(op.nonce_group),
                };
                let call = Call { method: "Mutate", param: &param, high_priority, timeout };
                return (call.encode(call_id, &op.cells), Shape::Mutate);
            }
            Request::MutateRow(_) => {}
        }
    }
    encode_many(ops, call_id, timeout)
}

fn encode_many(ops: &[&Op], call_id: u32, timeout: std::time::Duration) -> (BytesMut, Shape) {
    let mut shape: Vec<Group> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        if op.condition.is_some() || matches!(op.request, Request::MutateRow(_)) {
            shape.push(Group::Atomic(at));
            continue;
        }
        let of_region = |group: &&mut Vec<usize>| {
            group.first().and_then(|i| ops.get(*i)).is_some_and(|first| first.region == op.region)
        };
        let mut apart = shape.iter_mut().filter_map(|group| match group {
            Group::Independent(ops) => Some(ops),
            Group::Atomic(_) => None,
        });
        match apart.find(of_region) {
            Some(group) => group.push(at),
            None => shape.push(Group::Independent(vec![at])),
        }
    }
    let mut cells = BytesMut::with_capacity(ops.iter().map(|op| op.cells.len()).sum());
    let mut param = EncodedMultiRequest { region_action: Vec::new(), nonce_group: None };
    for group in &shape {
        let mut region_action = EncodedRegionAction {
            atomic: matches!(group, Group::Atomic(_)).then_some(true),
            ..Default::default()
        };
        for op in group.ops().iter().filter_map(|at| ops.get(*at)) {
            for message in op.request.messages() {
                let message = Some(message.clone());
                let (mutation, get) = match &op.request {
                    Request::Get(_) => (None, message),
                    Request::Mutate(_) | Request::MutateRow(_) => (message, None),
                };
                let index = Some(region_action.action.len() as u32);
                region_action.action.push(EncodedAction { index, mutation, get });
            }
            cells.extend_from_slice(&op.cells);
            region_action.region = region_specifier(&op.region);
            region_action.condition = op.condition.clone();
            param.nonce_group = Some(op.nonce_group);
        }
        param.region_action.push(region_action);
    }
    let high_priority = ops.iter().any(|op| op.high_priority);
    let call = Call { method: "Multi", param: &param, high_priority, timeout };
    (call.encode(call_id, &cells), Shape::Multi(shape))
}

/// The answers of the `count` operations of a call, in the order they were given in.
pub(super) fn decode(
    response: Response,
    shape: &Shape,
    count: usize,
) -> Result<Vec<Result<OpReply, CallError>>, CallError> {
    let mut block = CellBlock::new(response.cells);
    let replies = match shape {
        Shape::Get => {
            let message = GetResponse::decode(response.message)?;
            vec![Ok(OpReply::from_result(message.result, true, &mut block)?)]
        }
        Shape::Mutate => {
            let message = MutateResponse::decode(response.message)?;
            let processed = message.processed.unwrap_or(true);
            vec![Ok(OpReply::from_result(message.result, processed, &mut block)?)]
        }
        Shape::Multi(shape) => {
            decode_multi(MultiResponse::decode(response.message)?, shape, count, &mut block)?
        }
    };
    block.finish()?;
    Ok(replies)
}

fn decode_multi(
    message: MultiResponse,
    shape: &[Group],
    count: usize,
    block: &mut CellBlock,
) -> Result<Vec<Result<OpReply, CallError>>, CallError> {
    let found = message.region_action_result.len();
    if found != shape.len() {
        let text = format!("{found} region results for {} region actions", shape.len());
        return Err(WireError::new("Multi response", text).into());
    }
    // An action without an answer was perhaps done and perhaps not.
    let missing =
        || CallError::Protocol(WireError::new("Multi response", "an action has no result"));
    let mut replies: Vec<_> = (0..count).map(|_| Err(missing())).collect();
    for (result, group) in message.region_action_result.into_iter().zip(shape) {
        if let Some(exception) = result.exception {
            let exception = RemoteException::from_pair(&exception);
            for at in group.ops() {
                if let Some(reply) = replies.get_mut(*at) {
                    *reply = Err(CallError::Exception(exception.clone()));
                }
            }
            continue;
        }
        match group {
            Group::Independent(ops) => {
                for entry in result.result_or_exception {
                    let index = entry.index.unwrap_or(0) as usize;
                    let reply = reply_of(entry, true, block)?;
                    match ops.get(index).and_then(|at| replies.get_mut(*at)) {
                        Some(slot) => *slot = reply,
                        None => {
                            let text = format!("a result for action {index} of {}", ops.len());
                            return Err(WireError::new("Multi response", text).into());
                        }
                    }
                }
            }
            Group::Atomic(at) => {
                let Some(slot) = replies.get_mut(*at) else { continue };
                let processed = result.processed.unwrap_or(true);
                for entry in result.result_or_exception {
                    let reply = reply_of(entry, processed, block)?;
                    // The cells of all increments and appends are in one of the entries.
                    *slot = match (std::mem::replace(slot, Err(missing())), reply) {
                        (Ok(mut all), Ok(one)) => {
                            all.cells.extend(one.cells);
                            Ok(all)
                        }
                        (Err(CallError::Exception(e)), _) => Err(CallError::Exception(e)),
                        (_, reply) => reply,
                    };
                }
            }
        }
    }
    Ok(replies)
}

fn reply_of(
    entry: ResultOrException,
    processed: bool,
    block: &mut CellBlock,
) -> Result<Result<OpReply, CallError>, CallError> {
    Ok(match entry.exception {
        Some(exception) => Err(CallError::Exception(RemoteException::from_pair(&exception))),
        None => Ok(OpReply::from_result(entry.result, processed, block)?),
    })
}
