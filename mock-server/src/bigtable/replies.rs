//! The answers to one call, in frames.

use std::vec;

use bytes::Bytes;
use prost::Message;

use super::frame::frame;
use super::status::StatusResult;
use crate::state::Cluster;

/// Messages that are made as they are wanted.
pub(super) trait Stream: Send {
    /// The next frame; none after the last.
    fn next(&mut self, cluster: &Cluster) -> StatusResult<Option<Bytes>>;
}

/// What a call answers: one message, or several.
pub(crate) struct Replies(Kind);

enum Kind {
    Ready(vec::IntoIter<Bytes>),
    Stream(Box<dyn Stream>),
}

impl Replies {
    /// No message.
    pub(crate) fn none() -> Self {
        Self(Kind::Ready(Vec::new().into_iter()))
    }

    /// One message.
    pub(super) fn one(message: &impl Message) -> Self {
        Self(Kind::Ready(vec![frame(message)].into_iter()))
    }

    /// Several messages.
    pub(super) fn many<M: Message>(messages: impl IntoIterator<Item = M>) -> Self {
        Self::frames(messages.into_iter().map(|m| frame(&m)).collect())
    }

    /// Several messages that are in frames.
    pub(super) fn frames(frames: Vec<Bytes>) -> Self {
        Self(Kind::Ready(frames.into_iter()))
    }

    /// The messages of a stream.
    pub(super) fn stream(stream: impl Stream + 'static) -> Self {
        Self(Kind::Stream(Box::new(stream)))
    }

    /// The next frame; none after the last.
    pub(crate) fn next(&mut self, cluster: &Cluster) -> Option<StatusResult<Bytes>> {
        match &mut self.0 {
            Kind::Ready(frames) => frames.next().map(Ok),
            Kind::Stream(stream) => stream.next(cluster).transpose(),
        }
    }
}
