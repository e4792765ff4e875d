//! A connection that writes slowly.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::time::sleep;

/// How many bytes wait to be written.
const BUFFER_BYTES: usize = 64 << 10;

/// The two ends of a pipe: one for the server, one whose bytes [`copy`] writes slowly.
pub(super) fn pipe() -> (DuplexStream, DuplexStream) {
    tokio::io::duplex(BUFFER_BYTES)
}

/// Copies what is received, and byte by byte what is sent, with a pause before each byte.
pub(super) async fn copy<S: AsyncRead + AsyncWrite + Unpin>(
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
