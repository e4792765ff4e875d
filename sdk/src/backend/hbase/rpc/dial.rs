//! Opens connections to servers, and authenticates the client on them.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::call::CallError;
#[cfg(feature = "kerberos")]
use crate::authentication::aes;
use crate::authentication::{Authenticated, Authentication, Failed, Protection, authenticate};
use crate::config::connector::{Connector, ReadWrite, Stream, tcp};
use crate::model::hosts::split;
use crate::wire::preamble::{self, Auth, Preamble};
use crate::wire::proto::ConnectionHeader;

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

/// The stream of a connection, and what is to be sent first on it.
pub(super) struct Opened {
    pub(super) stream: Dialed,
    /// The header, and the preamble if it has not been sent; empty if both have been sent.
    pub(super) opening: Bytes,
    /// The protection of the messages, if both sides have proved their identities.
    pub(super) protection: Option<Protection>,
}

/// Proves the identity of the client to the server on a new connection.
pub(super) async fn prove(
    authentication: &Authentication,
    stream: Dialed,
    address: &str,
    header: &ConnectionHeader,
    is_master: bool,
    within: Duration,
) -> Result<Opened, CallError> {
    // The future is on the heap, because it is large and connections are rarely opened.
    let proving = Box::pin(async {
        match stream {
            Dialed::Tcp(tcp) => {
                on(authentication, tcp, Dialed::Tcp, address, header, is_master).await
            }
            Dialed::Custom(stream) => {
                on(authentication, stream, Dialed::Custom, address, header, is_master).await
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
        Err(_) => {
            let of_aes = match authentication.encrypts_by_aes(Protection::Privacy) {
                true => "; has the server hbase.rpc.crypto.encryption.aes.enabled, as this client?",
                false => "",
            };
            Err(unreachable(format!(
                "no answer to the client's proof within {:.1} s{of_aes}",
                within.as_secs_f64()
            )))
        }
    }
}

/// Proves the identity of the client on a stream. `dialed` converts the stream back to a
/// [`Dialed`], unless the messages on it are protected.
async fn on<S: ReadWrite + 'static>(
    authentication: &Authentication,
    stream: S,
    dialed: fn(S) -> Dialed,
    address: &str,
    header: &ConnectionHeader,
    is_master: bool,
) -> Result<Opened, Failed> {
    let (host, _) = split(address);
    let by = if authentication.is_by_token() { Auth::Digest } else { Auth::Kerberos };
    let preamble = Preamble::Calls(by).encode();
    let opened = authenticate(authentication, stream, &preamble, host, is_master).await?;
    let opening = |header| preamble::encode_header(header);
    // A client that has proved its identity sends no user name: another name would be taken for a
    // user on whose behalf the client acts.
    let proved = ConnectionHeader { user_info: None, ..header.clone() };
    Ok(match opened {
        Authenticated::Simple(stream) => {
            Opened { stream: dialed(stream), opening: opening(header), protection: None }
        }
        Authenticated::Plain(stream) => {
            let protection = Some(Protection::Authentication);
            Opened { stream: dialed(stream), opening: opening(&proved), protection }
        }
        #[cfg(feature = "kerberos")]
        Authenticated::Protected(mut stream, protection)
            if authentication.encrypts_by_aes(protection) =>
        {
            aes::agree(&mut stream, proved).await?;
            let stream = Dialed::Custom(Box::new(stream));
            Opened { stream, opening: Bytes::new(), protection: Some(protection) }
        }
        Authenticated::Protected(stream, protection) => {
            let stream = Dialed::Custom(Box::new(stream));
            Opened { stream, opening: opening(&proved), protection: Some(protection) }
        }
    })
}
