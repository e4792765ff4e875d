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

/// A message with its prefix, not compressed.
pub(super) fn encode(message: &impl Message) -> Result<Bytes, Failure> {
    let length = message.encoded_len();
    let invalid = |text: String| Failure::local(Code::InvalidArgument, text, Reached::Nothing);
    let prefix = u32::try_from(length)
        .map_err(|_| invalid(format!("a message of {length} bytes, and gRPC has at most 4 GiB")))?;
    let mut frame = BytesMut::with_capacity(PREFIX + length);
    frame.put_u8(0);
    frame.put_u32(prefix);
    message.encode(&mut frame).map_err(|e| invalid(e.to_string()))?;
    Ok(frame.freeze())
}

/// The headers of an answer, and its messages; or how the call has failed.
pub(super) fn messages<R>(response: Response<Answer>) -> Result<(HeaderMap, Streaming<R>), Status>
where
    R: Message + Default + 'static,
{
    let (head, body) = response.into_parts();
    let decoder = ProstDecoder::new(BufferSettings::default());
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
