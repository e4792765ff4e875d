//! Serves an HTTP/2 connection over any byte stream.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use std::{io, mem};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::sync::Notify;
use tokio::time::sleep;

use super::answer::answer;
use crate::faults::ConnectionEffect;
use crate::transport::RpcServer;

/// How many bytes of one request a client may send ahead.
const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// How many bytes of all requests of a connection a client may send ahead.
const CONNECTION_WINDOW_BYTES: u32 = 8 << 20;

/// How many calls a client may have at a time on a connection: as many as Google's front ends allow.
const MAX_CALLS: u32 = 100;

/// If the signal that closes a connection has at most this many references, the connection writes
/// each reply at once. The connection holds one reference, and each call holds one, so this means
/// that there is at most one call.
const FEW_CALLS: usize = 2;

/// Serves a connection until the client closes it, breaks the protocol, or the server dies.
pub(crate) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(rpc: RpcServer, stream: S) {
    let server = Arc::clone(&rpc.server);
    tokio::select! {
        biased;
        () = server.wait_until_killed() => {}
        // An error ends the connection, and there is no caller to report it to.
        _ = connect(rpc, stream) => {}
    }
}

/// Serves a connection, for which a fault may fire.
async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
    rpc: RpcServer,
    mut stream: S,
) -> io::Result<()> {
    match rpc.effect_on_connection() {
        None => run(rpc, stream).await.map_err(io::Error::other),
        Some(ConnectionEffect::Close) => Ok(()),
        Some(ConnectionEffect::Write(bytes)) => {
            stream.write_all(&bytes).await?;
            stream.flush().await?;
            tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.map(drop)
        }
        Some(ConnectionEffect::Trickle(pause)) => {
            let (inner, outer) = tokio::io::duplex(SLOW_BYTES);
            tokio::select! {
                done = run(rpc, inner) => done.map_err(io::Error::other),
                done = copy_slowly(stream, outer, pause) => done,
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
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_concurrent_streams(MAX_CALLS);
    let mut connection = builder.handshake::<_, Bytes>(stream).await?;
    let close = Arc::new(Notify::new());
    let mut woken = false;
    loop {
        tokio::select! {
            biased;
            () = close.notified() => {
                // Data that was sent before is written first.
                poll_fn(|cx| {
                    let _ = connection.poll_accept(cx);
                    Poll::Ready(())
                })
                .await;
                return Ok(());
            }
            request = poll_fn(|cx| {
                // If there are several calls, the calls that can be answered now are answered
                // first: their replies are then written together.
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

/// The maximum number of bytes that wait to be written on a connection that writes slowly.
const SLOW_BYTES: usize = 64 << 10;

/// Copies received bytes at once. Bytes to be sent are copied one by one, with a pause before each
/// byte.
async fn copy_slowly<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    pipe: DuplexStream,
    pause: Duration,
) -> std::io::Result<()> {
    let (mut from_client, mut to_client) = tokio::io::split(stream);
    let (mut from_server, mut to_server) = tokio::io::split(pipe);
    let slowly = async {
        let mut byte = [0];
        while from_server.read(&mut byte).await? > 0 {
            sleep(pause).await;
            to_client.write_all(&byte).await?;
            to_client.flush().await?;
        }
        Ok(())
    };
    tokio::select! {
        done = tokio::io::copy(&mut from_client, &mut to_server) => done.map(drop),
        done = slowly => done,
    }
}
