//! The frames in which gRPC sends messages.

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;
use tonic::{Code, Status};

use super::failure::{CallProgress, Failure, unreadable_answer_status};

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

/// A message of which some fields are already encoded.
pub(super) struct WithFields<'a, M> {
    /// The other fields of the message.
    pub(super) head: M,
    pub(super) fields: &'a [u8],
}

impl<M: Message> ToFrame for WithFields<'_, M> {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame_with_fields(&self.head, std::iter::once(self.fields))
    }
}

/// Returns the frame of a message that consists of the fields of `head` and of `fields`, which are
/// already encoded. This is possible because the fields of a message may be in any order.
pub(super) fn frame_with_fields<'a>(
    head: &impl Message,
    fields: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<Bytes, Failure> {
    let length = head.encoded_len() + fields.clone().map(<[u8]>::len).sum::<usize>();
    frame(length, |frame| {
        head.encode_raw(frame);
        fields.for_each(|field| frame.extend_from_slice(field));
    })
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
