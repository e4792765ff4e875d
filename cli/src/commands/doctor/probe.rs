//! Finds out what kind of server answers at a port.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The time to wait for each reply.
const PATIENCE: Duration = Duration::from_secs(2);

/// The kind of server that answers at a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProbeAnswer {
    /// ZooKeeper, with the first line of its reply to `srvr`.
    ZooKeeper(String),
    HBase,
    Http,
    Tls,
    /// A server of another kind, which sent these bytes.
    Other(Vec<u8>),
    Nothing,
}

/// Returns the first message of a TLS handshake: version 1.2, 32 zero bytes in place of random
/// bytes, and one cipher suite.
fn client_hello() -> Vec<u8> {
    let head = [0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 3];
    let after_random = [0, 0, 2, 0, 0x2f, 1, 0];
    [&head[..], &[0; 32], &after_random].concat()
}

/// Sends requests that different kinds of servers answer, one after the other, and returns which
/// kind of server the replies show.
pub(super) async fn probe(address: SocketAddr) -> ProbeAnswer {
    // An HBase server replies with an error that says what it expected; an HTTP server replies with
    // HTTP.
    let first = exchange(address, b"GET / HTTP/1.0\r\n\r\n").await;
    if contains(&first, b"FatalConnectionException") || contains(&first, b"HEADER=HBas") {
        return ProbeAnswer::HBase;
    }
    if first.starts_with(b"HTTP/") {
        return ProbeAnswer::Http;
    }
    if is_tls(&first) {
        return ProbeAnswer::Tls;
    }
    let second = exchange(address, b"srvr").await;
    let text = String::from_utf8_lossy(&second).lines().next().unwrap_or_default().to_owned();
    if text.to_lowercase().contains("zookeeper") || text.contains("srvr is not executed") {
        return ProbeAnswer::ZooKeeper(text);
    }
    let third = exchange(address, &client_hello()).await;
    if is_tls(&third) {
        return ProbeAnswer::Tls;
    }
    [first, second, third]
        .into_iter()
        .find(|bytes| !bytes.is_empty())
        .map_or(ProbeAnswer::Nothing, ProbeAnswer::Other)
}

/// Sends bytes, and returns the first bytes of the reply; returns no bytes if the server closes the
/// connection or takes too long.
async fn exchange(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(bytes).await?;
        let mut answer = vec![0; 512];
        let len = stream.read(&mut answer).await?;
        answer.truncate(len);
        std::io::Result::Ok(answer)
    };
    match timeout(PATIENCE, exchange).await {
        Ok(Ok(answer)) => answer,
        _ => Vec::new(),
    }
}

/// Whether the bytes start with a TLS 1 record that is an alert or a handshake message.
fn is_tls(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x15, 3]) || bytes.starts_with(&[0x16, 3])
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
