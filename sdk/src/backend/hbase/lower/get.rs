//! Turns a get, or a check whether a row exists, into a `Get` message.

use bytes::Bytes;

use super::columns::{max_versions, time_range};
use super::encoder::Encoder;
use super::filter::filter_message;
use super::options::read_attributes;
use super::row_op::{EncodedRowOperation, OperationContext, ReplicaSelection};
use crate::Result;
use crate::backend::hbase::expected_cells::ExpectedCells;
use crate::backend::hbase::rpc::{Op, Request};
use crate::backend::repeat::Idempotency;
use crate::model::cell::validate_row;
use crate::request::op::{CallTarget, Get};
use crate::wire::proto;

/// Lowers a get to a `Get` message that requests the cells, or with `existence_only` only whether
/// there are any.
pub(super) fn lower_get(
    get: Get,
    existence_only: bool,
    to: &CallTarget<'_>,
    encoder: &mut Encoder,
) -> Result<EncodedRowOperation> {
    let name = if existence_only { "exists" } else { "get" };
    validate_row(&get.row)
        .and(get.problem().map_or(Ok(()), Err))
        .map_err(|why| to.invalid(name, &get.row, why))?;
    let Get { row, columns: read, filter, options: _ } = get;
    let replicas = ReplicaSelection::of(to.options.map(|o| &**o), to.consistency);
    let message = proto::Get {
        row,
        consistency: replicas.consistency(),
        max_versions: Some(max_versions(&read)),
        // If families were loaded on demand, the server could evaluate the filter first, and read
        // the families that the filter does not use at a later time.
        load_column_families_on_demand: filter.as_ref().map(|_| false),
        filter: filter.as_deref().map(filter_message),
        time_range: read.time_range.map(time_range),
        existence_only: existence_only.then_some(true),
        attribute: read_attributes(to.options.map(|o| &**o)),
        ..Default::default()
    };
    let request = Request::Get(encoder.encode_get(&message, &read.families));
    let about = OperationContext::new(name, message.row, Idempotency::Read, to);
    // The answer to an existence check has no cells.
    let asked = ExpectedCells::of(read);
    Ok(EncodedRowOperation {
        about: OperationContext { replicas, expected_cells: asked, ..about },
        op: Op { request, cells: Bytes::new(), condition: None },
        undated: None,
    })
}
