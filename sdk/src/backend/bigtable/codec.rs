//! The frames in which gRPC sends messages.

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;
use tonic::{Code, Status};

use super::failure::{CallProgress, Failure, unreadable_answer_status};
use crate::wire::bigtable::MutateRow;

/// The length in bytes of the prefix of a message. The prefix contains a compression flag and the
/// length of the message.
const PREFIX: usize = 5;

/// A value that can be sent as one message.
pub(super) trait ToFrame {
    /// Returns the message with its prefix, not compressed.
    fn to_frame(&self) -> Result<Bytes, Failure>;
}

impl<M: Message> ToFrame for M {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame(self.encoded_len(), |frame| self.encode_raw(frame))
    }
}

/// A request whose fields that name its table are already encoded: see
/// [`TargetFields`](super::lower::TargetFields).
pub(super) struct OnTarget<'a, M> {
    pub(super) target: &'a [u8],
    /// The other fields of the request.
    pub(super) rest: &'a M,
}

impl<M: Message> ToFrame for OnTarget<'_, M> {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame(self.target.len() + self.rest.encoded_len(), |frame| {
            frame.extend_from_slice(self.target);
            self.rest.encode_raw(frame);
        })
    }
}

/// A request for a change of one row, like [`OnTarget`].
pub(super) struct MutateRowFrame<'a> {
    pub(super) target: &'a [u8],
    pub(super) rest: MutateRow<'a>,
}

impl ToFrame for MutateRowFrame<'_> {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame(self.target.len() + self.rest.encoded_len(), |frame| {
            frame.extend_from_slice(self.target);
            self.rest.encode(frame);
        })
    }
}

/// A message of which all fields are already encoded.
pub(super) struct EncodedFields<'a, const N: usize>(pub(super) [&'a [u8]; N]);

impl<const N: usize> ToFrame for EncodedFields<'_, N> {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame_of_fields(self.0.iter().copied())
    }
}

/// Returns the frame of a message that consists of `fields`, which are already encoded. This is
/// possible because the fields of a message may be in any order.
pub(super) fn frame_of_fields<'a>(
    fields: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<Bytes, Failure> {
    let length = fields.clone().map(<[u8]>::len).sum();
    frame(length, |frame| fields.for_each(|field| frame.extend_from_slice(field)))
}

/// Returns the frame of a message that `encode` writes and that has `length` bytes.
fn frame(length: usize, encode: impl FnOnce(&mut BytesMut)) -> Result<Bytes, Failure> {
    let prefix = u32::try_from(length).map_err(|_| {
        let text = format!("a message of {length} bytes, and gRPC has at most 4 GiB");
        Failure::new(Code::InvalidArgument, text, CallProgress::NotSent)
    })?;
    let mut frame = BytesMut::with_capacity(PREFIX + length);
    frame.put_u8(0);
    frame.put_u32(prefix);
    encode(&mut frame);
    Ok(frame.freeze())
}

/// Decodes a message.
pub(super) fn decode<R: Message + Default>(message: Bytes) -> Result<R, Status> {
    let wrong = |error| {
        unreadable_answer_status(format!("the answer is not a message of its call: {error}"))
    };
    R::decode(message).map_err(wrong)
}
