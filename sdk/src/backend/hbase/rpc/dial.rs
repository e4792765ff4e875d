//! Opens connections to servers, and authenticates the client on them.

use std::io;
use std::time::Duration;

use bytes::Bytes;
#[cfg(feature = "kerberos")]
use prost::Message;
#[cfg(feature = "kerberos")]
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::call::CallError;
use crate::authentication::{
    Authentication, AuthenticationError, OpenedConnection, Protection, authenticate,
};
#[cfg(feature = "kerberos")]
use crate::authentication::{GssContext, WrappedStream, aes};
use crate::config::connector::{BoxedConnection, Connector, ReadWrite, connect_tcp};
use crate::model::hosts::split;
#[cfg(feature = "kerberos")]
use crate::runtime::limited_read::read_announced;
use crate::wire::preamble::{Auth, Preamble, encode_header};
use crate::wire::proto::ConnectionHeader;
#[cfg(feature = "kerberos")]
use crate::wire::proto::ConnectionHeaderResponse;

/// The stream of an open connection.
pub(crate) enum DialedStream {
    Tcp(TcpStream),
    Custom(BoxedConnection),
}

/// Opens a connection to `address`, which is `host:port`.
pub(crate) async fn dial(
    connector: &Connector,
    address: &str,
    within: Duration,
) -> Result<DialedStream, CallError> {
    let connected = timeout(within, async {
        match connector.connect(address) {
            Some(connecting) => connecting.await.map(DialedStream::Custom),
            None => connect_tcp(address).await.map(DialedStream::Tcp),
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
pub(super) struct OpenedStream {
    pub(super) stream: DialedStream,
    /// The header, and the preamble if it has not been sent; empty if both have been sent.
    pub(super) opening: Bytes,
    /// The protection of the messages, if both sides have proved their identities.
    pub(super) protection: Option<Protection>,
}

/// Proves the identity of the client to the server on a new connection.
pub(super) async fn authenticate_stream(
    authentication: &Authentication,
    stream: DialedStream,
    address: &str,
    header: &ConnectionHeader,
    is_master: bool,
    within: Duration,
) -> Result<OpenedStream, CallError> {
    // The future is on the heap, because it is large and connections are rarely opened.
    let proving = Box::pin(async {
        match stream {
            DialedStream::Tcp(tcp) => {
                on(authentication, tcp, DialedStream::Tcp, address, header, is_master).await
            }
            DialedStream::Custom(stream) => {
                on(authentication, stream, DialedStream::Custom, address, header, is_master).await
            }
        }
    });
    let unreachable =
        |why: String| CallError::Unreachable { why: format!("{address}: {why}"), refused: false };
    match timeout(within, proving).await {
        Ok(Ok(opened)) => Ok(opened),
        Ok(Err(AuthenticationError::Refused(why))) => {
            Err(CallError::Unauthenticated { why: format!("{address}: {why}") })
        }
        Ok(Err(AuthenticationError::Broken(error))) => {
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
/// [`DialedStream`], unless the messages on it are protected.
async fn on<S: ReadWrite + 'static>(
    authentication: &Authentication,
    stream: S,
    dialed: fn(S) -> DialedStream,
    address: &str,
    header: &ConnectionHeader,
    is_master: bool,
) -> Result<OpenedStream, AuthenticationError> {
    let (host, _) = split(address);
    let by = if authentication.is_by_token() { Auth::Digest } else { Auth::Kerberos };
    let preamble = Preamble::Calls(by).encode();
    let opened = authenticate(authentication, stream, &preamble, host, is_master).await?;
    // A client that has proved its identity sends no user name: another name would be taken for a
    // user on whose behalf the client acts.
    let proved = ConnectionHeader { user_info: None, ..header.clone() };
    Ok(match opened {
        OpenedConnection::Simple(stream) => OpenedStream {
            stream: dialed(stream),
            opening: encode_header(header),
            protection: None,
        },
        OpenedConnection::Plain(stream) => {
            let protection = Some(Protection::Authentication);
            OpenedStream { stream: dialed(stream), opening: encode_header(&proved), protection }
        }
        #[cfg(feature = "kerberos")]
        OpenedConnection::Protected(mut stream, protection)
            if authentication.encrypts_by_aes(protection) =>
        {
            agree_on_keys(&mut stream, proved).await?;
            let stream = DialedStream::Custom(Box::new(stream));
            OpenedStream { stream, opening: Bytes::new(), protection: Some(protection) }
        }
        OpenedConnection::Protected(stream, protection) => {
            let stream = DialedStream::Custom(Box::new(stream));
            OpenedStream { stream, opening: encode_header(&proved), protection: Some(protection) }
        }
    })
}

/// Sends the connection header, and encrypts all further messages by AES with the keys of the
/// server's answer.
#[cfg(feature = "kerberos")]
async fn agree_on_keys<S: ReadWrite>(
    stream: &mut WrappedStream<S>,
    mut header: ConnectionHeader,
) -> Result<(), AuthenticationError> {
    header.rpc_crypto_cipher_transformation = Some(aes::CIPHER.into());
    stream.write_all(&encode_header(&header)).await?;
    stream.flush().await?;
    let encryption = read_encryption_keys(stream).await?;
    stream.protect_with(encryption);
    Ok(())
}

/// Reads a server's answer to the connection header, and returns the encryption with the cipher and
/// the keys that the server chose. An answer without keys is an error.
#[cfg(feature = "kerberos")]
pub(crate) async fn read_encryption_keys<S: AsyncRead + Unpin>(
    stream: &mut S,
) -> Result<Box<dyn GssContext>, AuthenticationError> {
    /// The longest answer that is read.
    const MAX_ANSWER: u32 = 1 << 16;
    let len = stream.read_u32().await?;
    if len > MAX_ANSWER {
        let text = format!("an answer of {len} bytes to the header of a connection");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text).into());
    }
    let answer = read_announced(stream, len).await?;
    let refused =
        |why: String| AuthenticationError::Refused(format!("the server's keys for AES: {why}"));
    let answer = ConnectionHeaderResponse::decode(&answer[..]);
    let answer = answer.map_err(|why| refused(why.to_string()))?;
    let meta = answer.crypto_cipher_meta.ok_or_else(|| refused("it sent none".into()))?;
    let sent = aes::Keys {
        key: meta.out_key.as_deref().unwrap_or_default(),
        initialization_vector: meta.out_iv.as_deref().unwrap_or_default(),
    };
    let received = aes::Keys {
        key: meta.in_key.as_deref().unwrap_or_default(),
        initialization_vector: meta.in_iv.as_deref().unwrap_or_default(),
    };
    aes::boxed_context(&meta.transformation, sent, received).map_err(refused)
}
