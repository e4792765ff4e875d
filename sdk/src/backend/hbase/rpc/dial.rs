//! Opening a connection to a server.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::call::CallError;
use crate::config::connector::{Connector, Stream, tcp};

/// An open connection.
pub(crate) enum Dialed {
    Tcp(TcpStream),
    Custom(Stream),
}

/// A connection to `address`, which is `host:port`.
pub(crate) async fn dial(
    connector: &Connector,
    address: &str,
    within: Duration,
) -> Result<Dialed, CallError> {
    let connected = timeout(within, async {
        match connector.connect(address) {
            Some(connecting) => connecting.await.map(Dialed::Custom),
            None => tcp(address).await.map(Dialed::Tcp),
        }
    });
    let unreachable =
        |why: String, refused| CallError::Unreachable { why: format!("{address}: {why}"), refused };
    match connected.await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(e)) => Err(unreachable(e.to_string(), e.kind() == io::ErrorKind::ConnectionRefused)),
        Err(_) => {
            Err(unreachable(format!("no answer within {:.1} s", within.as_secs_f64()), false))
        }
    }
}
