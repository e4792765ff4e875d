use prost::Message;

use super::encoded::{MutationContext, encode};
use super::row_mutations::lower_row_mutations;
use super::row_op::RowOp;
use crate::Result;
use crate::hbase::rpc::Request;
use crate::op::{Mutation, Target};

/// A `MutationProto`, or several that are applied in one step.
pub(super) fn lower_mutation(
    mutation: Mutation,
    to: &Target<'_>,
    context: MutationContext,
) -> Result<RowOp> {
    let (kind, cells) = match mutation.single() {
        Ok(single) => single,
        Err(several) => return lower_row_mutations(several, to, context),
    };
    let encoded = encode(kind, cells, to, context)?;
    Ok(RowOp {
        name: kind.name(),
        table: to.table.clone(),
        row: encoded.row,
        request: Request::Mutate(encoded.message.encode_to_vec().into()),
        cells: encoded.cells,
        condition: None,
        idempotency: encoded.idempotency,
        undated: encoded.undated,
        timeout: to.timeout,
    })
}
