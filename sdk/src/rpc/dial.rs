//! Opening a socket to a server.

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::CallError;

/// A connected socket; `address` is `host:port`.
pub(crate) async fn dial(address: &str, timeout: Duration) -> Result<TcpStream, CallError> {
    let connected = tokio::time::timeout(timeout, TcpStream::connect(address)).await;
    let unreachable =
        |why: String, refused| CallError::Unreachable { why: format!("{address}: {why}"), refused };
    match connected {
        Ok(Ok(stream)) => {
            tune(&stream).map_err(|e| unreachable(e.to_string(), false))?;
            Ok(stream)
        }
        Ok(Err(e)) => Err(unreachable(e.to_string(), e.kind() == io::ErrorKind::ConnectionRefused)),
        Err(_) => {
            Err(unreachable(format!("no answer within {:.1} s", timeout.as_secs_f64()), false))
        }
    }
}

/// No delay for small writes; a host that vanished is noticed although nothing is being sent.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(Duration::from_secs(30))
        .with_interval(Duration::from_secs(10));
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}
