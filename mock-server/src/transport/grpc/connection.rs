//! One HTTP/2 connection over any byte stream.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::{io, mem};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

use super::answer::answer;
use super::slow;
use crate::faults::ConnectionEffect;
use crate::transport::RpcServer;

/// How many bytes of one request a client may send ahead.
const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// How many bytes of all requests of a connection a client may send ahead.
const CONNECTION_WINDOW_BYTES: u32 = 8 << 20;

/// A connection has few calls, and writes each answer at once, as long as there are at most this
/// many references to what closes it. One of them is its own.
const FEW_CALLS: usize = 2;

/// Serves a connection until the client closes it, breaks the protocol, or the server dies.
pub(crate) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(rpc: RpcServer, stream: S) {
    let server = Arc::clone(&rpc.server);
    tokio::select! {
        biased;
        () = server.killed() => {}
        // An error ends the connection, and there is no caller to report it to.
        _ = connect(rpc, stream) => {}
    }
}

/// Serves a connection, to which a fault may happen.
async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
    rpc: RpcServer,
    mut stream: S,
) -> io::Result<()> {
    match rpc.faults.of_connection(rpc.server.role) {
        None => run(rpc, stream).await.map_err(io::Error::other),
        Some(ConnectionEffect::Close) => Ok(()),
        Some(ConnectionEffect::Write(bytes)) => {
            stream.write_all(&bytes).await?;
            stream.flush().await?;
            tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.map(drop)
        }
        Some(ConnectionEffect::Trickle(pause)) => {
            let (inner, outer) = slow::pipe();
            tokio::select! {
                done = run(rpc, inner) => done.map_err(io::Error::other),
                done = slow::copy(stream, outer, pause) => done,
            }
        }
    }
}

async fn run<S: AsyncRead + AsyncWrite + Unpin>(
    rpc: RpcServer,
    stream: S,
) -> Result<(), h2::Error> {
    let mut builder = h2::server::Builder::new();
    builder
        .initial_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES);
    let mut connection = builder.handshake::<_, Bytes>(stream).await?;
    let close = Arc::new(Notify::new());
    let mut woken = false;
    loop {
        tokio::select! {
            biased;
            () = close.notified() => {
                // What was sent before is written first.
                poll_fn(|cx| {
                    let _ = connection.poll_accept(cx);
                    Poll::Ready(())
                })
                .await;
                return Ok(());
            }
            request = poll_fn(|cx| {
                // Of several calls, those that can be answered now are answered first: their answers are then written at
                // once.
                if mem::take(&mut woken) && Arc::strong_count(&close) > FEW_CALLS {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                let request = connection.poll_accept(cx);
                woken = request.is_pending();
                request
            }) => {
                let Some(request) = request else { return Ok(()) };
                let (request, respond) = request?;
                tokio::spawn(answer(rpc.clone(), request, respond, Arc::clone(&close)));
            }
        }
    }
}
