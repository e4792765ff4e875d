//! PingAndWarm: what a client calls before it uses a connection.

use tallrow_wire::bigtable::{PingAndWarmRequest, PingAndWarmResponse};

use super::call::Call;
use super::names;
use super::replies::Replies;
use super::status::StatusResult;

/// Answers a PingAndWarm.
pub(super) fn ping_and_warm(call: &Call<'_>) -> StatusResult<Replies> {
    let request: PingAndWarmRequest = call.decode()?;
    names::check_instance(call.cluster, &request.name)?;
    Ok(Replies::one(&PingAndWarmResponse {}))
}
