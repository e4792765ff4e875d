//! `ClientService`: reads and writes of rows.

mod get;
mod multi;
mod mutate;
mod scan;

use std::borrow::Borrow;

use bytes::BytesMut;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{self, CoprocessorServiceRequest, CoprocessorServiceResponse};

use crate::call::{Call, put_cell};
use crate::cell::StoredCell;
use crate::region::Region;
use crate::remote_exception::{RemoteResult, remote_exception};

pub(crate) use get::get;
pub(crate) use multi::multi;
pub(crate) use mutate::mutate;
pub(crate) use scan::scan;

/// Cells as a result: beside the message when the client reads blocks, else inside it.
fn result(
    cells: &[impl Borrow<StoredCell>],
    in_block: bool,
    block: &mut BytesMut,
) -> proto::Result {
    if cells.is_empty() {
        return proto::Result { associated_cell_count: Some(0), ..Default::default() };
    }
    if !in_block {
        let cell = cells.iter().map(|c| c.borrow().to_proto()).collect();
        let (stale, partial) = (Some(false), Some(false));
        return proto::Result { cell, stale, partial, ..Default::default() };
    }
    cells.iter().for_each(|c| put_cell(c.borrow(), block));
    proto::Result {
        associated_cell_count: Some(cells.len() as i32),
        stale: Some(false),
        ..Default::default()
    }
}

/// Answers a call to a coprocessor: there are none.
pub(crate) fn exec_service(
    call: &Call<'_>,
    request: CoprocessorServiceRequest,
) -> RemoteResult<CoprocessorServiceResponse> {
    let region = call.cluster.region(call.server, &request.region)?;
    drop(call.cluster.open(call.server, &region)?);
    Err(no_coprocessor(&request.call.service_name, &region))
}

fn no_coprocessor(service: &str, region: &Region) -> RemoteException {
    let region = &region.shown;
    let text = format!("No registered coprocessor service found for {service} in region {region}");
    remote_exception(exception::UNKNOWN_PROTOCOL, text)
}

/// The answer to "does the row exist".
fn existence(exists: bool) -> proto::Result {
    proto::Result { associated_cell_count: Some(0), exists: Some(exists), ..Default::default() }
}
