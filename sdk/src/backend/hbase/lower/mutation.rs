//! Turns a change of one row into a `MutationProto`, or into several that are applied in one step.

use super::encoder::{Encoder, encode};
use super::row_mutations::lower_row_mutations;
use super::row_op::{About, RowOp};
use crate::Result;
use crate::backend::hbase::rpc::{Op, Request};
use crate::request::op::{Mutation, Target};

/// A `MutationProto`, or several that are applied in one step.
pub(super) fn lower_mutation(
    mutation: Mutation,
    to: &Target<'_>,
    encoder: &mut Encoder,
) -> Result<RowOp> {
    let (kind, cells) = match mutation.single() {
        Ok(single) => single,
        Err(several) => return lower_row_mutations(several, to, encoder),
    };
    let encoded = encode(kind, cells, to, encoder)?;
    let about = About::new(kind.name(), encoded.row, encoded.repetition.idempotency, to);
    Ok(RowOp {
        about: About { hides: encoded.hides, ..about },
        op: Op { request: Request::Mutate(encoded.message), cells: encoded.cells, condition: None },
        undated: encoded.undated,
    })
}
