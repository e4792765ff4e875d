//! The answers to one call, in frames.

use std::vec;

use bytes::Bytes;
use prost::Message;

use super::frame::frame;
use super::read_rows::RowStream;
use super::status::StatusResult;
use crate::state::Cluster;

/// What a call answers: one message, or several.
pub(crate) enum Replies {
    /// These frames.
    Ready(vec::IntoIter<Bytes>),
    /// Rows that are read as they are wanted.
    Rows(Box<RowStream>),
}

impl Replies {
    /// No message.
    pub(crate) fn none() -> Self {
        Self::Ready(Vec::new().into_iter())
    }

    /// One message.
    pub(super) fn one(message: &impl Message) -> Self {
        Self::Ready(vec![frame(message)].into_iter())
    }

    /// Several messages.
    pub(super) fn many<M: Message>(messages: impl IntoIterator<Item = M>) -> Self {
        let frames: Vec<Bytes> = messages.into_iter().map(|m| frame(&m)).collect();
        Self::Ready(frames.into_iter())
    }

    /// The next frame; none after the last.
    pub(crate) fn next(&mut self, cluster: &Cluster) -> Option<StatusResult<Bytes>> {
        match self {
            Self::Ready(frames) => frames.next().map(Ok),
            Self::Rows(rows) => rows.next(cluster).transpose(),
        }
    }
}
