//! A call, as the method that it is for receives it.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::WireError;
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

    /// Reads the request, which is an `M`, where it is. What is wrong with one is known to the decoder of all messages.
    pub(super) fn read<'m, M: Message + Default, R>(
        &'m self,
        read: impl FnOnce(&'m [u8]) -> Result<R, WireError>,
    ) -> StatusResult<R> {
        read(&self.message).map_err(|error| match self.decode::<M>() {
            Err(status) => status,
            Ok(_) => StatusCode::Internal.status(format!("The request cannot be decoded: {error}")),
        })
    }
}
