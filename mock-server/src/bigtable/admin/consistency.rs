//! Replication: there is one cluster, so it is always consistent.

use tallrow_wire::bigtable::{
    CheckConsistencyRequest, CheckConsistencyResponse, GenerateConsistencyTokenRequest,
    GenerateConsistencyTokenResponse,
};

use crate::bigtable::call::Call;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::replies::Replies;
use crate::bigtable::status::{StatusResult, invalid};

/// What a token starts with; the name of its table follows.
const TOKEN: &str = "consistent:";

/// A token for what was written until now.
pub(crate) fn generate_consistency_token(call: &Call<'_>) -> StatusResult<Replies> {
    let request: GenerateConsistencyTokenRequest = call.decode()?;
    OpenTable::find(call.cluster, &request.name)?;
    let consistency_token = format!("{TOKEN}{}", request.name);
    Ok(Replies::one(&GenerateConsistencyTokenResponse { consistency_token }))
}

/// Whether all clusters have what was written before a token.
pub(crate) fn check_consistency(call: &Call<'_>) -> StatusResult<Replies> {
    let request: CheckConsistencyRequest = call.decode()?;
    OpenTable::find(call.cluster, &request.name)?;
    let table = request.consistency_token.strip_prefix(TOKEN);
    if table != Some(&request.name) {
        return Err(invalid(format!(
            "The consistency token \"{}\" is none of the table {}",
            request.consistency_token, request.name
        )));
    }
    Ok(Replies::one(&CheckConsistencyResponse { consistent: true }))
}
