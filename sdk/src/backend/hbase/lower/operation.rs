//! Turns any operation on one row into the message that is sent, and the reply into the outcome of
//! the operation.

use super::check_and_mutate::lower_check_and_mutate;
use super::encoder::Encoder;
use super::get::lower_get;
use super::mutation::lower_mutation;
use super::row_op::EncodedRowOperation;
use crate::backend::hbase::rpc::OpReply;
use crate::model::cell::Cell;
use crate::request::op::{BatchOutcome, CallTarget, RowOperation};
use crate::{Result, Row};

/// Lowers an operation to its message, and describes the operation for the retry loop.
pub(crate) fn encode_operation(
    operation: RowOperation,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedRowOperation> {
    let mut op = match operation {
        RowOperation::Get(get) => lower_get(get, false, to, encoder),
        RowOperation::Exists(get) => lower_get(get, true, to, encoder),
        RowOperation::Mutation(mutation) => lower_mutation(mutation, to, encoder),
        RowOperation::CheckAndMutate(check) => lower_check_and_mutate(check, to, encoder),
    };
    // In place, because an operation is large: to take it out of the result would move it twice.
    if let (Ok(op), Some(operation_name)) = (&mut op, to.operation_name) {
        op.about.name = operation_name;
    }
    op
}

/// Converts the reply to an operation into its outcome.
pub(crate) fn outcome(reply: OpReply) -> BatchOutcome {
    let OpReply { cells, exists, processed, stale } = reply;
    BatchOutcome {
        row: Row::new(Cell::wrap(cells), stale),
        exists,
        applied: processed,
        is_stale: stale,
    }
}
