//! A reader that keeps the bytes that pass through it: the CSV parser returns values only, and a
//! refused line is kept as it was written.

use std::io::{self, Read};

use bytes::{Bytes, BytesMut};

/// How long a line may be: a quote that is not closed would take the rest of the file.
pub(super) const MAX_LINE: usize = 16 << 20;

/// A reader that keeps what was read until it is taken.
pub(super) struct Kept<R> {
    reader: R,
    bytes: BytesMut,
}

impl<R> Kept<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, bytes: BytesMut::new() }
    }

    /// Takes the next bytes.
    pub(super) fn take(&mut self, count: usize) -> Bytes {
        self.bytes.split_to(count.min(self.bytes.len())).freeze()
    }
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.len() > MAX_LINE {
            return Err(too_long());
        }
        let count = self.reader.read(buffer)?;
        self.bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// The error of a line that is too long.
pub(super) fn too_long() -> io::Error {
    io::Error::other("it is longer than 16 MiB; is a quote not closed?")
}
