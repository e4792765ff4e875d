//! A byte stream as hyper reads and writes it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connector::Stream;

/// How much is read at once.
const CHUNK: usize = 4 << 10;

pub(super) struct Bytes(pub(super) Stream);

impl Read for Bytes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut chunk = [0; CHUNK];
        let room = to.remaining().min(CHUNK);
        let mut buffer = ReadBuf::new(chunk.get_mut(..room).unwrap_or_default());
        ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer))?;
        to.put_slice(buffer.filled());
        Poll::Ready(Ok(()))
    }
}

impl Write for Bytes {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
