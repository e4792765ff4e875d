//! Opens connections to servers, and authenticates the client on them.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::call::CallError;
use crate::authentication::{Authenticated, Authentication, Failed, Protection, authenticate};
use crate::config::connector::{Connector, ReadWrite, Stream, tcp};
use crate::model::hosts::split;
use crate::wire::preamble::{Auth, Preamble};

/// The stream of an open connection.
pub(crate) enum Dialed {
    Tcp(TcpStream),
    Custom(Stream),
}

/// Opens a connection to `address`, which is `host:port`.
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

/// The stream of a connection, and which identities were proved on it.
pub(super) struct Opened {
    pub(super) stream: Dialed,
    pub(super) proved: Proved,
}

/// The identities that were proved on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proved {
    /// None, because no authentication is configured: not even the preamble has been sent.
    NotAsked,
    /// The identities of the client and the server; messages have this protection.
    Both(Protection),
    /// None, because the server asked for no proof.
    Neither,
}

/// Proves the identity of the client to the server on a new connection.
pub(super) async fn prove(
    authentication: &Authentication,
    stream: Dialed,
    address: &str,
    is_master: bool,
    within: Duration,
) -> Result<Opened, CallError> {
    // The future is on the heap, because it is large and connections are rarely opened.
    let proving = Box::pin(async {
        match stream {
            Dialed::Tcp(tcp) => on(authentication, tcp, Dialed::Tcp, address, is_master).await,
            Dialed::Custom(stream) => {
                on(authentication, stream, Dialed::Custom, address, is_master).await
            }
        }
    });
    let unreachable =
        |why: String| CallError::Unreachable { why: format!("{address}: {why}"), refused: false };
    match timeout(within, proving).await {
        Ok(Ok(opened)) => Ok(opened),
        Ok(Err(Failed::Refused(why))) => {
            Err(CallError::Unauthenticated { why: format!("{address}: {why}") })
        }
        Ok(Err(Failed::Broken(error))) => {
            Err(unreachable(format!("the connection ended before both sides were known: {error}")))
        }
        Err(_) => Err(unreachable(format!(
            "no answer to the client's proof within {:.1} s",
            within.as_secs_f64()
        ))),
    }
}

/// Proves the identity of the client on a stream. `dialed` converts the stream back to a
/// [`Dialed`], unless the messages on it are protected.
async fn on<S: ReadWrite + 'static>(
    authentication: &Authentication,
    stream: S,
    dialed: fn(S) -> Dialed,
    address: &str,
    is_master: bool,
) -> Result<Opened, Failed> {
    let (host, _) = split(address);
    let by = if authentication.is_by_token() { Auth::Digest } else { Auth::Kerberos };
    let preamble = Preamble::Calls(by).encode();
    let (stream, proved) = match authenticate(authentication, stream, &preamble, host, is_master)
        .await?
    {
        Authenticated::Simple(stream) => (dialed(stream), Proved::Neither),
        Authenticated::Plain(stream) => (dialed(stream), Proved::Both(Protection::Authentication)),
        Authenticated::Protected(stream, protection) => {
            (Dialed::Custom(Box::new(stream)), Proved::Both(protection))
        }
    };
    Ok(Opened { stream, proved })
}
