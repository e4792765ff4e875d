//! A call of Bigtable's services, as its method receives it, and the replies to it, in gRPC's
//! frames.

use std::pin::Pin;
use std::vec;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::WireError;
use tallrow_wire::bigtable::FeatureFlags;

use super::status::{StatusCode, StatusResult};
use crate::state::Cluster;

/// A call of one of Bigtable's methods.
pub(crate) struct GrpcCall<'a> {
    /// The cluster.
    pub(crate) cluster: &'a Cluster,
    /// Returns the features that the client says it supports.
    pub(crate) features: &'a dyn Fn() -> FeatureFlags,
    /// Whether the client fails at a row that is sent in several messages.
    pub(crate) needs_whole_rows: bool,
    /// The encoded request.
    pub(crate) message: Bytes,
}

impl GrpcCall<'_> {
    /// Decodes the request.
    pub(super) fn decode<M: Message + Default>(&self) -> StatusResult<M> {
        M::decode(self.message.clone())
            .map_err(|e| StatusCode::Internal.status(format!("The request cannot be decoded: {e}")))
    }

    /// Calls `read` with the encoded request, which is an `M`. If `read` fails, the error text is
    /// the one that decoding the whole message gives.
    pub(super) fn decode_with<'m, M: Message + Default, R>(
        &'m self,
        read: impl FnOnce(&'m [u8]) -> Result<R, WireError>,
    ) -> StatusResult<R> {
        read(&self.message).map_err(|error| match self.decode::<M>() {
            Err(status) => status,
            Ok(_) => StatusCode::Internal.status(format!("The request cannot be decoded: {error}")),
        })
    }
}

/// Ends when a stream may have a further frame.
pub(crate) type Waiting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A stream of messages that are made on demand.
pub(super) trait Stream: Send {
    /// Returns the next frame; none after the last, and none as long as there is no further one.
    fn next(&mut self, cluster: &Cluster) -> StatusResult<Option<Bytes>>;

    /// Waits for the next frame, if there is none yet; returns `None` after the last.
    fn wait(&self, _: &Cluster) -> Option<Waiting> {
        None
    }
}

/// The reply messages of a call: none, one or several.
pub(crate) struct ReplyMessages(ReplyFrames);

enum ReplyFrames {
    Ready(vec::IntoIter<Bytes>),
    Stream(Box<dyn Stream>),
}

impl ReplyMessages {
    /// Makes replies without a message.
    pub(crate) fn none() -> Self {
        Self(ReplyFrames::Ready(Vec::new().into_iter()))
    }

    /// Makes a reply of one message.
    pub(super) fn one(message: &impl Message) -> Self {
        Self(ReplyFrames::Ready(vec![frame(message)].into_iter()))
    }

    /// Makes replies of several messages.
    pub(super) fn many<M: Message>(messages: impl IntoIterator<Item = M>) -> Self {
        Self::frames(messages.into_iter().map(|m| frame(&m)).collect())
    }

    /// Makes replies of several messages that are already in frames.
    pub(super) fn frames(frames: Vec<Bytes>) -> Self {
        Self(ReplyFrames::Ready(frames.into_iter()))
    }

    /// Makes replies of the messages of a stream.
    pub(super) fn stream(stream: impl Stream + 'static) -> Self {
        Self(ReplyFrames::Stream(Box::new(stream)))
    }

    /// Waits for the next frame, if there is none yet; returns `None` after the last.
    pub(crate) fn wait(&self, cluster: &Cluster) -> Option<Waiting> {
        match &self.0 {
            ReplyFrames::Ready(_) => None,
            ReplyFrames::Stream(stream) => stream.wait(cluster),
        }
    }

    /// Returns the next frame; none after the last, and none as long as there is no further one.
    pub(crate) fn next(&mut self, cluster: &Cluster) -> Option<StatusResult<Bytes>> {
        match &mut self.0 {
            ReplyFrames::Ready(frames) => frames.next().map(Ok),
            ReplyFrames::Stream(stream) => stream.next(cluster).transpose(),
        }
    }
}

/// The length of the prefix of a message in a frame.
pub(crate) const PREFIX_BYTES: usize = 5;

/// Puts a message into a frame.
pub(super) fn frame(message: &impl Message) -> Bytes {
    let mut out = start_frame(message.encoded_len());
    // This cannot fail, because the buffer grows.
    let _ = message.encode(&mut out);
    finish_frame(out)
}

/// Starts a frame; its message is not written yet.
pub(super) fn start_frame(capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(PREFIX_BYTES + capacity);
    out.extend_from_slice(&[0; PREFIX_BYTES]);
    out
}

/// Completes the frame after its message was written.
pub(super) fn finish_frame(mut out: Vec<u8>) -> Bytes {
    let len = u32::try_from(out.len().saturating_sub(PREFIX_BYTES)).unwrap_or(u32::MAX);
    if let Some(prefix) = out.get_mut(1..PREFIX_BYTES) {
        prefix.copy_from_slice(&len.to_be_bytes());
    }
    out.into()
}
