//! A call, as the method that it is for receives it.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::FeatureFlags;

use super::status::{StatusCode, StatusResult};
use crate::state::Cluster;

/// One call.
pub(crate) struct Call<'a> {
    /// The cluster.
    pub(crate) cluster: &'a Cluster,
    /// What the client says that it can do.
    pub(crate) features: &'a dyn Fn() -> FeatureFlags,
    /// The encoded request.
    pub(crate) message: Bytes,
}

impl Call<'_> {
    /// Decodes the request.
    pub(super) fn decode<M: Message + Default>(&self) -> StatusResult<M> {
        M::decode(self.message.clone())
            .map_err(|e| StatusCode::Internal.status(format!("The request cannot be decoded: {e}")))
    }
}
