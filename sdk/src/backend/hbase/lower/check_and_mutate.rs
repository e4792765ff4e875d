//! Turns a conditional change into a mutation with a `Condition`.

use super::comparator::{comparator_message, compare_type};
use super::encoder::Encoder;
use super::filter::filter_message;
use super::mutation::lower_mutation;
use super::row_op::EncodedRowOperation;
use crate::model::columns::TimeRange;
use crate::request::op::{CallTarget, CheckAndMutate, Condition};
use crate::wire::proto;
use crate::{Result, Timestamp};

const NAME: &str = "check and mutate";

/// Lowers a conditional change to a mutation with a `Condition`. When such a mutation is sent
/// again, HBase recognizes an increment or append by its nonce, but applies a put or delete a
/// second time, so conditional puts and deletes must not be sent twice.
pub(super) fn lower_check_and_mutate(
    check: CheckAndMutate,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedRowOperation> {
    let problem = check.problem();
    let CheckAndMutate { row, condition, mutation, options: _ } = check;
    let invalid = |why: String| to.invalid(NAME, &row, why);
    let Some(mutation) = mutation else {
        return Err(invalid("it has nothing to do; give it a mutation with then(..)".into()));
    };
    if let Some(problem) = problem {
        return Err(invalid(problem));
    }
    let mut op = lower_mutation(*mutation, to, encoder)?;
    if op.about.row != row {
        return Err(invalid("the change is of another row than the condition".into()));
    }
    let base = proto::Condition { row, ..Default::default() };
    let condition = match *condition {
        // If a cell is compared with an empty value, HBase takes the empty value to mean a missing
        // cell, except in a filter.
        Condition::Cell(cell) if cell.has_empty_operand() => proto::Condition {
            filter: Some(filter_message(&cell.comparison_filter())),
            time_range: cell.time_range.map(time_range),
            ..base
        },
        Condition::Cell(cell) => proto::Condition {
            family: Some(cell.family),
            qualifier: Some(cell.qualifier),
            // In the message, the given value is on the left side of the comparison.
            compare_type: Some(compare_type(cell.compare.swap_operands()) as i32),
            comparator: Some(comparator_message(&cell.comparator)),
            time_range: cell.time_range.map(time_range),
            ..base
        },
        Condition::Filter(filter) => {
            proto::Condition { filter: Some(filter_message(&filter)), ..base }
        }
    };
    op.op.condition = Some(encoder.encode_message(&condition));
    op.about.name = NAME;
    op.about.is_conditional = true;
    op.about.idempotency = op.about.idempotency.with_condition();
    Ok(op)
}

fn time_range(range: TimeRange) -> proto::TimeRange {
    let TimeRange { from, to } = range;
    proto::TimeRange { from: from.map(Timestamp::as_millis), to: to.map(Timestamp::as_millis) }
}
