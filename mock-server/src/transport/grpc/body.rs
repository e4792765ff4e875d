//! Receives the request message of a call, and sends the reply messages.

use std::future::poll_fn;

use bytes::{Bytes, BytesMut};
use h2::{RecvStream, SendStream};
use tallrow_wire::bigtable::Status;

use crate::base::limits;
use crate::bigtable::{PREFIX_BYTES, StatusCode};

/// A frame up to this size is sent at once. The connection buffers the frame until the client can
/// receive it.
const SMALL_BYTES: usize = 16 << 10;

/// The reason why no message was received.
pub(super) enum Unreadable {
    /// The call is answered with this status.
    Status(Status),
    /// The client has given up.
    Gone,
}

/// Receives the whole request message of a call.
pub(super) async fn receive(body: &mut RecvStream) -> Result<Bytes, Unreadable> {
    let mut whole = BytesMut::new();
    let mut first: Option<Bytes> = None;
    while let Some(part) = body.data().await {
        let part = part.map_err(|_| Unreadable::Gone)?;
        body.flow_control().release_capacity(part.len()).map_err(|_| Unreadable::Gone)?;
        if whole.len() + part.len() > limits::REQUEST_BYTES + PREFIX_BYTES {
            let text = format!("The request has more than {} bytes", limits::REQUEST_BYTES);
            return Err(Unreadable::Status(StatusCode::ResourceExhausted.status(text)));
        }
        // Most requests arrive in one part, which need not be copied.
        match first.take() {
            None if whole.is_empty() => first = Some(part),
            before => {
                if let Some(before) = before {
                    whole.reserve(announced(&before).max(before.len() + part.len()));
                    whole.extend_from_slice(&before);
                }
                whole.extend_from_slice(&part);
            }
        }
    }
    message(first.unwrap_or_else(|| whole.freeze())).map_err(Unreadable::Status)
}

/// Returns the size of a frame according to its prefix; 0 if the size is above the limit.
fn announced(start: &[u8]) -> usize {
    let len = start.get(1..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_be_bytes(*b));
    let len = usize::try_from(len).unwrap_or(0) + PREFIX_BYTES;
    if len > limits::REQUEST_BYTES + PREFIX_BYTES { 0 } else { len }
}

/// Returns the message in a frame.
fn message(mut frame: Bytes) -> Result<Bytes, Status> {
    if frame.len() < PREFIX_BYTES || announced(&frame) != frame.len() {
        let text = format!(
            "The body has {} bytes, which are not one message with its length before it",
            frame.len()
        );
        return Err(StatusCode::Internal.status(text));
    }
    if frame.first() != Some(&0) {
        let text = "The request is compressed. The server takes grpc-encoding: identity only";
        return Err(StatusCode::Unimplemented.status(text));
    }
    Ok(frame.split_off(PREFIX_BYTES))
}

/// Sends a frame, as fast as the client receives it.
pub(super) async fn send(
    stream: &mut SendStream<Bytes>,
    mut frame: Bytes,
) -> Result<(), h2::Error> {
    if frame.len() <= SMALL_BYTES {
        return stream.send_data(frame, false);
    }
    while !frame.is_empty() {
        stream.reserve_capacity(frame.len());
        let room = match poll_fn(|cx| stream.poll_capacity(cx)).await {
            Some(room) => room?,
            None => return Err(h2::Reason::CANCEL.into()),
        };
        let part = frame.split_to(room.min(frame.len()));
        stream.send_data(part, false)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_one_message_and_nothing_else() {
        assert_eq!(message(Bytes::from_static(b"\0\0\0\0\x02ab")).unwrap(), "ab");
        assert_eq!(message(Bytes::from_static(b"\0\0\0\0\0")).unwrap(), "");
        for bad in [&b""[..], b"\0\0\0\0", b"\0\0\0\0\x02a", b"\0\0\0\0\0a", b"\0\xff\xff\xff\xffa"]
        {
            let status = message(Bytes::copy_from_slice(bad)).unwrap_err();
            assert_eq!(status.code, StatusCode::Internal as i32);
        }
        let compressed = message(Bytes::from_static(b"\x01\0\0\0\0")).unwrap_err();
        assert_eq!(compressed.code, StatusCode::Unimplemented as i32);
    }
}
