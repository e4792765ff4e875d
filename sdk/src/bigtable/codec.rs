//! Messages as gRPC frames them.

use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, Response};
use prost::Message;
use tonic::codec::BufferSettings;
use tonic::{Code, Status, Streaming};
use tonic_prost::ProstDecoder;

use super::channel::Answer;
use super::failure::{Failure, Reached};

/// What stands before a message: whether it is compressed, and its length.
const PREFIX: usize = 5;
/// A message has at most a row, and what goes with it.
const MAX_MESSAGE: usize = 300 << 20;
/// The buffer that each call reads into begins so large, as most answers are small; it grows with the messages.
const BUFFER: usize = 512;

/// What is sent as one message.
pub(super) trait ToFrame {
    /// The message with its prefix, not compressed.
    fn to_frame(&self) -> Result<Bytes, Failure>;
}

impl<M: Message> ToFrame for M {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        frame(self.encoded_len(), |frame| self.encode_raw(frame))
    }
}

/// The frame of a message, some of whose fields are encoded already: the fields of a message may come in any order.
pub(super) fn with_fields<'a>(
    head: &impl Message,
    fields: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<Bytes, Failure> {
    let length = head.encoded_len() + fields.clone().map(<[u8]>::len).sum::<usize>();
    frame(length, |frame| {
        head.encode_raw(frame);
        fields.for_each(|field| frame.extend_from_slice(field));
    })
}

/// A frame of a message of so many bytes.
fn frame(length: usize, encode: impl FnOnce(&mut BytesMut)) -> Result<Bytes, Failure> {
    let prefix = u32::try_from(length).map_err(|_| {
        let text = format!("a message of {length} bytes, and gRPC has at most 4 GiB");
        Failure::local(Code::InvalidArgument, text, Reached::Nothing)
    })?;
    let mut frame = BytesMut::with_capacity(PREFIX + length);
    frame.put_u8(0);
    frame.put_u32(prefix);
    encode(&mut frame);
    Ok(frame.freeze())
}

/// The headers of an answer, and its messages; or how the call has failed.
pub(super) fn messages<R>(response: Response<Answer>) -> Result<(HeaderMap, Streaming<R>), Status>
where
    R: Message + Default + 'static,
{
    let (head, body) = response.into_parts();
    let decoder = ProstDecoder::new(BufferSettings::new(BUFFER, BUFFER));
    let messages = match Status::from_header_map(&head.headers) {
        Some(status) if status.code() != Code::Ok => return Err(status),
        Some(_) => Streaming::new_empty(decoder, body),
        None => Streaming::new_response(decoder, body, head.status, None, Some(MAX_MESSAGE)),
    };
    Ok((head.headers, messages))
}

/// The only message of an answer.
pub(super) async fn message<R>(response: Response<Answer>) -> Result<R, Status>
where
    R: Message + Default + 'static,
{
    let (headers, mut messages) = messages(response)?;
    let only = async {
        let first = messages.message().await?;
        messages.trailers().await?;
        first.ok_or_else(|| Status::internal("the answer has no message"))
    };
    only.await.map_err(|mut status| {
        status.metadata_mut().as_mut().extend(headers);
        status
    })
}
