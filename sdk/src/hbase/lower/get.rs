use bytes::Bytes;
use prost::Message;

use super::columns::{columns, max_versions, time_range};
use super::filter::filter_message;
use super::row_op::{Idempotency, RowOp};
use crate::Result;
use crate::cell::validate_row;
use crate::hbase::rpc::Request;
use crate::op::{Get, Target};
use crate::wire::proto;

/// A `Get`, of the cells or of whether there are any.
pub(super) fn lower_get(get: Get, existence_only: bool, to: &Target<'_>) -> Result<RowOp> {
    let name = if existence_only { "exists" } else { "get" };
    validate_row(&get.row)
        .and(get.problem().map_or(Ok(()), Err))
        .map_err(|why| to.invalid(name, &get.row, why))?;
    let Get { row, columns: read, filter } = get;
    let message = proto::Get {
        row: row.clone(),
        max_versions: Some(max_versions(&read)),
        // Otherwise families that the filter does not look at may be read later than it was evaluated.
        load_column_families_on_demand: filter.as_ref().map(|_| false),
        filter: filter.as_ref().map(filter_message),
        time_range: read.time_range.map(time_range),
        existence_only: existence_only.then_some(true),
        column: columns(read.families),
        ..Default::default()
    };
    Ok(RowOp {
        name,
        table: to.table.clone(),
        row,
        request: Request::Get(message.encode_to_vec().into()),
        cells: Bytes::new(),
        condition: None,
        idempotency: Idempotency::Read,
        undated: None,
        timeout: to.timeout,
    })
}
