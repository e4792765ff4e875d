//! A connection whose bytes are signed or encrypted.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use super::gssapi::{BoxError, GssContext};

/// The length of the largest wrapped message that is read. Servers send all available bytes as one
/// message, for instance a response with many rows.
const MAX_MESSAGE: usize = 1 << 30;
/// The least memory in bytes that is reserved for what is going to arrive. For a long message, as
/// many bytes are reserved as have arrived already.
const AHEAD: usize = 64 << 10;
/// How many bytes a wrapped message can be longer than its text.
const OVERHEAD: usize = 128;
/// The length of the longest message that is sent, if the server does not say what it accepts.
const USUAL: usize = 1 << 16;

/// A stream of wrapped messages. The length of a message, in four bytes, stands before it. The
/// texts in the messages, one after the other, are the bytes of the connection.
pub(crate) struct WrappedStream<S> {
    stream: S,
    context: Box<dyn GssContext>,
    seals: bool,
    /// The longest text of a message that is sent.
    max_message_len: usize,
    /// The received bytes that are not a whole message yet.
    received: BytesMut,
    /// The bytes that were unwrapped and not read yet.
    text: BytesMut,
    /// The bytes that were wrapped and not written yet.
    sending: BytesMut,
}

impl<S> WrappedStream<S> {
    /// Creates a stream over `stream`. `max_message_len` is the length of the longest message that
    /// the server accepts; 0 if the server names no length.
    pub(super) fn new(
        stream: S,
        context: Box<dyn GssContext>,
        seals: bool,
        max_message_len: usize,
    ) -> Self {
        let max_message_len = match max_message_len {
            0 => USUAL,
            len => len,
        };
        Self {
            stream,
            context,
            seals,
            max_message_len: max_message_len.saturating_sub(OVERHEAD).max(1),
            received: BytesMut::new(),
            text: BytesMut::new(),
            sending: BytesMut::new(),
        }
    }

    /// Protects all further messages with another context. No message may be on its way.
    #[cfg(feature = "kerberos")]
    pub(crate) fn protect_with(&mut self, context: Box<dyn GssContext>) {
        self.context = context;
    }

    /// Unwraps the received messages that are whole.
    fn unwrap_received(&mut self) -> io::Result<()> {
        while let Some(len) = self.next_len()? {
            if self.received.len() < 4 + len {
                break;
            }
            self.received.advance(4);
            let token = self.received.split_to(len).to_vec();
            let (text, sealed) = self.context.unwrap(token).map_err(broken)?;
            if self.seals && !sealed {
                return Err(broken("the server has not encrypted a message".into()));
            }
            self.text.extend_from_slice(&text);
        }
        Ok(())
    }

    fn next_len(&self) -> io::Result<Option<usize>> {
        let Some(len) = self.received.first_chunk::<4>() else { return Ok(None) };
        let len = u32::from_be_bytes(*len) as usize;
        match len <= MAX_MESSAGE {
            true => Ok(Some(len)),
            false => Err(broken(format!("a message of {len} bytes").into())),
        }
    }
}

fn broken(error: BoxError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("a protected connection: {error}"))
}

impl<S: AsyncRead + Unpin> AsyncRead for WrappedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if !this.text.is_empty() {
                let len = out.remaining().min(this.text.len());
                out.put_slice(&this.text.split_to(len));
                return Poll::Ready(Ok(()));
            }
            let missing =
                this.next_len()?.map_or(0, |len| (4 + len).saturating_sub(this.received.len()));
            this.received.reserve(missing.clamp(AHEAD, AHEAD.max(this.received.len())));
            let before = this.received.len();
            // The future of `read_buf` has no state of its own, so each poll may start a new one.
            let read = pin!(this.stream.read_buf(&mut this.received));
            ready!(read.poll(cx))?;
            if this.received.len() == before {
                return match this.received.is_empty() {
                    true => Poll::Ready(Ok(())),
                    false => Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
                };
            }
            this.unwrap_received()?;
        }
    }
}

impl<S: AsyncWrite + Unpin> WrappedStream<S> {
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.sending.is_empty() {
            let wrote = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.sending))?;
            if wrote == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sending.advance(wrote);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WrappedStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        ready!(this.poll_send(cx))?;
        let text = bytes.get(..this.max_message_len).unwrap_or(bytes);
        let token = this.context.wrap(text, this.seals).map_err(broken)?;
        this.sending.extend_from_slice(&(token.len() as u32).to_be_bytes());
        this.sending.extend_from_slice(&token);
        // The bytes that are left are written before the next message, or when the stream is
        // flushed.
        match this.poll_send(cx) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => Poll::Ready(Ok(text.len())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_send(cx))?;
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_send(cx))?;
        Pin::new(&mut this.stream).poll_shutdown(cx)
    }
}
