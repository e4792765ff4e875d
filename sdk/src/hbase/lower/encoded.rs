use bytes::Bytes;

use super::row_op::{Idempotency, Undated};
use crate::cell::Cell;
use crate::op::{Cells, MutationKind, Target};
use crate::wire::proto::{ColumnValue, MutationProto, MutationType, NameBytesPair, QualifierValue};
use crate::{DeliveryGuarantee, Result};

/// What encoding a mutation needs in addition to it: the limit for its cells, and its nonce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MutationContext {
    pub(crate) max_cell_bytes: usize,
    pub(crate) nonce: u64,
}

/// One mutation, validated and ready to be sent.
pub(super) struct Encoded {
    pub(super) row: Bytes,
    pub(super) message: MutationProto,
    /// The cells that are not in the message.
    pub(super) cells: Bytes,
    pub(super) idempotency: Idempotency,
    /// The parts that get a time from the client, if it sets one.
    pub(super) undated: Option<Undated>,
}

pub(super) fn encode(
    kind: MutationKind,
    mutation: Cells,
    to: &Target<'_>,
    context: MutationContext,
) -> Result<Encoded> {
    let invalid = |why: String| to.invalid(kind.name(), &mutation.row, why);
    if let Some(problem) = &mutation.problem {
        return Err(invalid(problem.clone()));
    }
    if mutation.cells.is_empty() && kind != MutationKind::Delete {
        return Err(invalid("it has no cells; name at least one column".into()));
    }
    let (largest, limit) = (mutation.cells.largest(), context.max_cell_bytes);
    if largest > limit {
        return Err(invalid(format!(
            "a cell of {largest} bytes, more than max_cell_bytes, {limit}; split it, or keep it elsewhere"
        )));
    }
    // HBase 2.5.10 frees the memory of a request's cell block before it has written the answer to an increment or
    // append, whose cells are still in it: the answer may then hold another request's bytes. Cells inside the message
    // are copied by the server.
    let adds = matches!(kind, MutationKind::Increment | MutationKind::Append);
    let whole_row = mutation.deletes_row(kind);
    let server_time = !adds && (mutation.server_time || whole_row);
    let delivery = mutation.delivery.unwrap_or(to.delivery);
    let idempotency = match delivery {
        _ if mutation.once => Idempotency::Never,
        _ if adds => Idempotency::WithNonce,
        DeliveryGuarantee::AtMostOnce if server_time => Idempotency::Never,
        _ => Idempotency::Write,
    };
    let dates = delivery == DeliveryGuarantee::Idempotent && server_time && !mutation.once;
    let undated = dates.then(|| Undated {
        rows: whole_row.then_some(0).into_iter().collect(),
        deletes: kind == MutationKind::Delete,
    });
    let count = i32::try_from(mutation.cells.len())
        .map_err(|_| invalid("it has more than 2^31 - 1 cells".into()))?;
    let (column_value, cells) = match adds {
        true => (column_values(mutation.cells.cells()), Bytes::new()),
        false => (Vec::new(), mutation.cells.into_block()),
    };
    let ttl = mutation.ttl.map(|ttl| {
        let millis = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        NameBytesPair { name: "_ttl".into(), value: Some(millis.to_be_bytes().to_vec().into()) }
    });
    let message = MutationProto {
        row: Some(mutation.row.clone()),
        column_value,
        mutate_type: Some(mutation_type(kind) as i32),
        timestamp: mutation.until.map(crate::Timestamp::as_millis),
        attribute: ttl.into_iter().collect(),
        // A delete of the whole row names no cells, and then no block is announced.
        associated_cell_count: (!cells.is_empty()).then_some(count),
        nonce: adds.then_some(context.nonce),
        ..Default::default()
    };
    Ok(Encoded { row: mutation.row, message, cells, idempotency, undated })
}

fn mutation_type(kind: MutationKind) -> MutationType {
    match kind {
        MutationKind::Put => MutationType::Put,
        MutationKind::Delete => MutationType::Delete,
        MutationKind::Increment => MutationType::Increment,
        MutationKind::Append => MutationType::Append,
    }
}

/// Cells as a message carries them: by family.
fn column_values(cells: impl Iterator<Item = Cell>) -> Vec<ColumnValue> {
    let mut columns: Vec<ColumnValue> = Vec::new();
    for cell in cells {
        let value = QualifierValue {
            qualifier: Some(cell.share(cell.qualifier())),
            value: Some(cell.share(cell.value())),
            ..Default::default()
        };
        match columns.iter_mut().find(|c| c.family == cell.family()) {
            Some(column) => column.qualifier_value.push(value),
            None => columns.push(ColumnValue {
                family: cell.share(cell.family()),
                qualifier_value: vec![value],
            }),
        }
    }
    columns
}
