//! Splits an answer into its messages. The pieces in which an answer arrives may end anywhere.

use bytes::{Buf, Bytes, BytesMut};
use tonic::Status;

use crate::backend::bigtable::failure::unreadable_answer_status;

/// The length in bytes of the prefix of a message. The prefix contains a compression flag and the
/// length of the message.
const PREFIX: usize = 5;
/// The maximum length of a message in bytes. The largest row of Bigtable fits into such a message.
const MAX_MESSAGE: usize = 300 << 20;
/// The most bytes that are allocated for a message before it has arrived, whatever length its
/// prefix announces.
const FIRST: usize = 1 << 20;

/// The bytes of an answer that have arrived and were not yet returned as messages.
#[derive(Default)]
pub(super) struct Frames {
    /// The bytes of the last piece that were not used yet.
    piece: Bytes,
    /// A message that spans several pieces, with its prefix, as far as the message has arrived.
    begun: BytesMut,
}

impl Frames {
    /// Adds another piece. Before this, [`next`](Self::next) must have returned `None`, because the
    /// bytes of the previous piece that were not used are dropped.
    pub(super) fn push(&mut self, piece: Bytes) {
        self.piece = piece;
    }

    /// Returns the next message; `None` if it has not arrived completely. A message that arrived in
    /// one piece is not copied.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, Status> {
        if self.piece.is_empty() {
            return Ok(None);
        }
        if self.begun.is_empty() {
            if let Some(len) = length(&self.piece)? {
                if self.piece.len() >= PREFIX + len {
                    let mut message = self.piece.split_to(PREFIX + len);
                    message.advance(PREFIX);
                    return Ok(Some(message));
                }
                self.begun.reserve((PREFIX + len).min(FIRST));
            }
            self.take(self.piece.len());
            return Ok(None);
        }
        self.take(PREFIX.saturating_sub(self.begun.len()));
        let Some(len) = length(&self.begun)? else { return Ok(None) };
        self.take((PREFIX + len).saturating_sub(self.begun.len()));
        if self.begun.len() < PREFIX + len {
            return Ok(None);
        }
        let mut message = std::mem::take(&mut self.begun).freeze();
        message.advance(PREFIX);
        Ok(Some(message))
    }

    /// Whether no part of a message is left.
    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty() && self.piece.is_empty()
    }

    /// Moves `len` bytes from the last piece to the message that has begun, or all bytes of the
    /// piece if it is shorter.
    fn take(&mut self, len: usize) {
        let len = len.min(self.piece.len());
        self.begun.extend_from_slice(&self.piece.split_to(len));
    }
}

/// Reads the length of the message at the beginning of `frame` from its prefix; `None` if the
/// prefix is not complete yet.
fn length(frame: &[u8]) -> Result<Option<usize>, Status> {
    let Some((compressed, rest)) = frame.split_first() else { return Ok(None) };
    if *compressed != 0 {
        let text = format!("a message with compression flag {compressed}, and none was agreed on");
        return Err(unreadable_answer_status(text));
    }
    let Some(len) = rest.first_chunk() else { return Ok(None) };
    match u32::from_be_bytes(*len) as usize {
        len if len > MAX_MESSAGE => {
            let text = format!("a message of {len} bytes, more than {MAX_MESSAGE}");
            Err(unreadable_answer_status(text))
        }
        len => Ok(Some(len)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads these bytes in pieces of `size` bytes. Returns the messages, and whether no part of a
    /// message is left.
    fn read(bytes: &[u8], size: usize) -> (Vec<Bytes>, bool) {
        let mut frames = Frames::default();
        let mut messages = Vec::new();
        for piece in bytes.chunks(size) {
            frames.push(Bytes::copy_from_slice(piece));
            while let Some(message) = frames.next().unwrap() {
                messages.push(message);
            }
        }
        (messages, frames.is_empty())
    }

    #[test]
    fn messages_are_the_same_however_they_are_cut() {
        let long = vec![7; 300];
        let messages: [&[u8]; 5] = [b"one", b"", b"three", &long, b"x"];
        let mut bytes = Vec::new();
        for message in messages {
            bytes.push(0);
            bytes.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
            bytes.extend(message);
        }
        for size in 1..=bytes.len() {
            let (found, is_over) = read(&bytes, size);
            assert_eq!(found, messages);
            assert!(is_over);
            let (found, is_over) = read(&bytes[..bytes.len() - 1], size);
            assert_eq!(found, messages[..4]);
            assert!(!is_over, "the last one is not here");
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let error = |bytes: &'static [u8]| {
            let mut frames = Frames::default();
            frames.push(Bytes::from_static(bytes));
            frames.next().unwrap_err()
        };
        assert!(error(b"\x01").message().contains("compression flag 1"));
        assert!(error(b"\x00\xff\xff\xff\xff").message().contains("4294967295 bytes"));
    }
}
