//! Turns a change of one row into a `MutationProto`, or several changes of one row into
//! `MutationProto`s that are applied in one step.

use bytes::{Bytes, BytesMut};

use super::encoder::{EncodedMutation, Encoder, encode_mutation};
use super::row_op::{EncodedRowOperation, MissingTimestamps, OperationContext};
use crate::Result;
use crate::backend::hbase::rpc::{Op, Request};
use crate::backend::repeat::RepeatPolicy;
use crate::request::op::{CallTarget, Mutation, RowMutations};

const NAME: &str = "mutate row";

/// Lowers a change of one row to a `MutationProto`, or several changes of one row to
/// `MutationProto`s that are applied in one step.
pub(super) fn lower_mutation(
    mutation: Mutation,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedRowOperation> {
    let (kind, cells) = match mutation.try_into_single() {
        Ok(single) => single,
        Err(several) => return lower_row_mutations(several, to, encoder),
    };
    let encoded = encode_mutation(kind, cells, to, encoder)?;
    let about =
        OperationContext::new(kind.name(), encoded.row, encoded.repeat_policy.idempotency, to);
    Ok(EncodedRowOperation {
        about: OperationContext {
            deletes_until_server_time: encoded.deletes_until_server_time,
            ..about
        },
        op: Op { request: Request::Mutate(encoded.message), cells: encoded.cells, condition: None },
        undated: encoded.undated,
    })
}

/// Lowers several changes of one row to `MutationProto`s that a server applies in one step.
fn lower_row_mutations(
    several: RowMutations,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedRowOperation> {
    let problem = several.problem();
    let RowMutations { row, mutations, delivery, .. } = several;
    let parts = mutations.into_iter().map(|(kind, mut cells)| {
        cells.delivery = delivery.or(cells.delivery);
        encode_mutation(kind, cells, to, encoder)
    });
    let parts: Vec<EncodedMutation> = parts.collect::<Result<_>>()?;
    if let Some(problem) = problem {
        return Err(to.invalid(NAME, &row, problem));
    }
    let repeat_policy = RepeatPolicy::of_step(parts.iter().map(|part| part.repeat_policy));
    let undated = repeat_policy.has_client_timestamp.then(|| merge(&parts)).flatten();
    let deletes_until_server_time = parts.iter().any(|part| part.deletes_until_server_time);
    let mut cells = BytesMut::with_capacity(parts.iter().map(|part| part.cells.len()).sum());
    parts.iter().for_each(|part| cells.extend_from_slice(&part.cells));
    let messages: Vec<Bytes> = parts.into_iter().map(|part| part.message).collect();
    let request = match &messages[..] {
        [only] => Request::Mutate(only.clone()),
        _ => Request::MutateRow(messages),
    };
    Ok(EncodedRowOperation {
        about: OperationContext {
            deletes_until_server_time,
            ..OperationContext::new(NAME, row, repeat_policy.idempotency, to)
        },
        op: Op { request, cells: cells.freeze(), condition: None },
        undated,
    })
}

/// Merges the `undated` of all parts of a step; `None` if no part has one.
fn merge(parts: &[EncodedMutation]) -> Option<MissingTimestamps> {
    let dated =
        parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.undated.as_ref()?)));
    dated.fold(None, |all, (at, part)| {
        let mut all = all.unwrap_or_default();
        all.row_delete_positions.extend(part.row_delete_positions.iter().map(|_| at));
        all.deletes |= part.deletes;
        Some(all)
    })
}
