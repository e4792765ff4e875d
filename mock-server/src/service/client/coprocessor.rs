//! Coprocessors, of which there are none.

use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{CoprocessorServiceRequest, CoprocessorServiceResponse};

use crate::regions::Region;
use crate::remote_exception::{RemoteResult, remote_exception};
use crate::service::call::Call;

/// Rejects a call to a coprocessor.
pub(crate) fn exec_service(
    call: &Call<'_>,
    request: CoprocessorServiceRequest,
) -> RemoteResult<CoprocessorServiceResponse> {
    let region = call.region(&request.region)?;
    drop(call.open(&region)?);
    Err(no_coprocessor(&request.call.service_name, &region))
}

/// The exception for a coprocessor that does not exist.
pub(super) fn no_coprocessor(service: &str, region: &Region) -> RemoteException {
    let region = &region.shown;
    let text = format!("No registered coprocessor service found for {service} in region {region}");
    remote_exception(exception::UNKNOWN_PROTOCOL, text)
}
