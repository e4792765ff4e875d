//! A message as gRPC frames it: a byte that says whether it is compressed, its length, its bytes.

use bytes::Bytes;
use prost::Message;

/// The length of what precedes a message.
pub(crate) const PREFIX_BYTES: usize = 5;

/// A message in a frame.
pub(super) fn frame(message: &impl Message) -> Bytes {
    let mut out = start(message.encoded_len());
    // The buffer grows as needed.
    let _ = message.encode(&mut out);
    finish(out)
}

/// A frame whose message is not written yet.
pub(super) fn start(capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(PREFIX_BYTES + capacity);
    out.extend_from_slice(&[0; PREFIX_BYTES]);
    out
}

/// The frame, after its message was written.
pub(super) fn finish(mut out: Vec<u8>) -> Bytes {
    let len = u32::try_from(out.len().saturating_sub(PREFIX_BYTES)).unwrap_or(u32::MAX);
    if let Some(prefix) = out.get_mut(1..PREFIX_BYTES) {
        prefix.copy_from_slice(&len.to_be_bytes());
    }
    out.into()
}
