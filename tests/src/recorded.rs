//! Records what clients send to a mock cluster, and reads the headers of their calls.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use tallrow::Connector;
use tallrow_mock::MockCluster;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What clients sent to a mock cluster.
#[derive(Clone, Default)]
pub struct Recorded(Arc<Mutex<Vec<Sent>>>);

/// All that was written to one connection.
type Sent = Arc<Mutex<Vec<u8>>>;

/// The header of a call.
#[derive(Debug, PartialEq)]
pub struct Header {
    /// The name of the method.
    pub method: String,
    /// The priority; 0 if there is none.
    pub priority: u64,
    /// The timeout in ms; 0 if there is none.
    pub timeout: u64,
    /// The message after the header, and the cells.
    pub body: Vec<u8>,
}

impl Recorded {
    /// Connects to a mock cluster, in memory.
    #[must_use]
    pub fn connector(&self, mock: &MockCluster) -> Connector {
        let (mock, recorded) = (mock.clone(), self.clone());
        Connector::new(move |host, port| {
            let sent = Sent::default();
            recorded.0.lock().unwrap().push(sent.clone());
            std::future::ready(mock.dial(&host, port).map(|stream| Tap { stream, sent }))
        })
    }

    /// Whether these bytes were sent, over any connection.
    ///
    /// # Panics
    /// If another test panicked while it used this.
    #[must_use]
    pub fn has_sent(&self, bytes: &[u8]) -> bool {
        let all = self.0.lock().unwrap().clone();
        let has = |sent: &Sent| sent.lock().unwrap().windows(bytes.len()).any(|b| b == bytes);
        all.iter().any(has)
    }

    /// The headers of the calls of this method, those of each connection in their order.
    ///
    /// # Panics
    /// If something else than calls was sent.
    #[must_use]
    pub fn calls(&self, method: &str) -> Vec<Header> {
        let all = self.0.lock().unwrap().clone();
        let of = |sent: Sent| headers(&sent.lock().unwrap());
        all.into_iter().flat_map(of).filter(|header| header.method == method).collect()
    }
}

fn headers(mut sent: &[u8]) -> Vec<Header> {
    // `HBas`, version, authentication, then the connection header with its length.
    sent = sent.split_at(6.min(sent.len())).1;
    let mut frames = Vec::new();
    while let Some((length, rest)) = sent.split_first_chunk::<4>() {
        let (frame, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        frames.push(frame);
        sent = rest;
    }
    frames.into_iter().skip(1).map(header).collect()
}

fn header(mut frame: &[u8]) -> Header {
    let length = varint(&mut frame) as usize;
    let (mut fields, body) = frame.split_at(length);
    let body = body.to_vec();
    let mut header = Header { method: String::new(), priority: 0, timeout: 0, body };
    while !fields.is_empty() {
        match varint(&mut fields) {
            0x30 => header.priority = varint(&mut fields),
            0x38 => header.timeout = varint(&mut fields),
            tag if tag & 7 == 2 => {
                let length = varint(&mut fields) as usize;
                let (value, rest) = fields.split_at(length);
                fields = rest;
                if tag >> 3 == 3 {
                    header.method = String::from_utf8(value.to_vec()).unwrap();
                }
            }
            _ => drop(varint(&mut fields)),
        }
    }
    header
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7F) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

struct Tap<S> {
    stream: S,
    sent: Sent,
}

impl<S: AsyncRead + Unpin> AsyncRead for Tap<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tap<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.sent.lock().unwrap().extend_from_slice(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
