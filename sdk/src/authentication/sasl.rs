//! The opening of a connection to a secured server (`HBaseSaslRpcClient`): SASL's GSSAPI (RFC
//! 4752), and DIGEST-MD5 for tokens.

use std::io;

#[cfg(feature = "kerberos")]
use base64::Engine as _;
#[cfg(feature = "kerberos")]
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

#[cfg(feature = "kerberos")]
use super::digest;
use super::gssapi::{GssContext, GssStep, Gssapi};
use super::protection::{Protection, choose_protection};
use super::wrapped_stream::WrappedStream;
use super::{Authentication, BoxError, Mechanism};
use crate::runtime::limited_read::read_announced;

/// The number that a server sends in place of a token's length to continue without authentication.
const SWITCH_TO_SIMPLE: u32 = -88_i32 as u32;
/// The message of a server that is starting and has not logged in yet: its own principal is still
/// the name of the user of its process.
const NOT_LOGGED_IN: &str = "Kerberos principal does NOT contain an instance (hostname)";
/// The largest token that is read before both sides have proved their identities.
const MAX_TOKEN: u32 = 1 << 20;
/// The maximum length of the text of a refusal that is read.
const MAX_TEXT: u32 = 1 << 16;
/// The longest message that the client says it accepts, as in Java.
const MAX_BUFFER: u32 = 1 << 16;

/// A connection whose preamble has been sent, and on which the connection header is next.
pub(crate) enum OpenedConnection<S> {
    /// The server asks for no authentication.
    Simple(S),
    /// Messages are sent as they are.
    Plain(S),
    /// Messages are signed, or signed and encrypted.
    Protected(WrappedStream<S>, Protection),
}

/// Why a connection could not be opened.
#[derive(Debug)]
pub(crate) enum AuthenticationError {
    /// The client or the server did not prove its identity to the other side. The operation is not
    /// retried.
    Refused(String),
    Broken(io::Error),
}

impl From<io::Error> for AuthenticationError {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Proves the client's identity to the server at `host`, and the server's identity to the client.
/// `preamble` is sent at the start of the connection.
pub(crate) async fn authenticate<S>(
    authentication: &Authentication,
    stream: S,
    preamble: &[u8],
    host: &str,
    is_master: bool,
) -> Result<OpenedConnection<S>, AuthenticationError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let accepted = authentication.accepted();
    let opened = match &authentication.mechanism {
        Mechanism::Gssapi { implementation, servers, .. } => {
            let service =
                servers.for_host(host, is_master).map_err(AuthenticationError::Refused)?;
            by_gssapi(&**implementation, stream, preamble, service, accepted).await
        }
        #[cfg(feature = "kerberos")]
        Mechanism::Token(token) => by_token(token, stream, preamble, host, accepted).await,
    };
    match opened? {
        OpenedConnection::Simple(_) if !authentication.allows_simple => {
            Err(AuthenticationError::Refused(format!(
                "the server {host} asks for no authentication, so that anybody could be it; is it of this cluster? Authentication::allow_simple calls it nevertheless"
            )))
        }
        opened => Ok(opened),
    }
}

async fn by_gssapi<S>(
    implementation: &dyn Gssapi,
    mut stream: S,
    preamble: &[u8],
    service: String,
    accepted: &[Protection],
) -> Result<OpenedConnection<S>, AuthenticationError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let untold = |error: BoxError| {
        AuthenticationError::Refused(format!(
            "this client cannot prove itself to {service}: {error}"
        ))
    };
    let (mut negotiation, mut token) =
        implementation.start(service.clone()).await.map_err(untold)?;
    stream.write_all(preamble).await?;
    let mut context = loop {
        send(&mut stream, &token).await?;
        let answer = receive(&mut stream, &service).await?;
        let answer = match answer {
            Answer::Token(answer) => answer,
            Answer::Simple => return Ok(OpenedConnection::Simple(stream)),
            Answer::Refusal(said) if said.contains(NOT_LOGGED_IN) => {
                return Err(AuthenticationError::Broken(io::Error::other(format!(
                    "the server has not logged in itself yet: {said}"
                ))));
            }
            Answer::Refusal(said) => {
                implementation.on_refused(&service);
                return Err(AuthenticationError::Refused(format!(
                    "the server refuses the proof: {said}. It is called {service}: is that its principal, has its keytab the newest key, and are the clocks within 5 min? Its log says which"
                )));
            }
        };
        let step = negotiation.step(&answer).map_err(|error| {
            // The token may be an error of Kerberos, with which some services refuse the proof.
            implementation.on_refused(&service);
            untold(error)
        });
        match step? {
            GssStep::Continue(next, further) => (negotiation, token) = (next, further),
            GssStep::Done(context) => break context,
        }
    };
    // Both sides have proved their identities; the server now sends the protections that it offers.
    send(&mut stream, &[]).await?;
    let offer = receive(&mut stream, &service).await?.token(&service)?;
    let (offer, _) = context.unwrap(offer).map_err(untold)?;
    let [layers, size @ ..] = <[u8; 4]>::try_from(offer).map_err(|offer| {
        AuthenticationError::Refused(format!(
            "{service} offers its layers in {} bytes, not 4",
            offer.len()
        ))
    })?;
    let offered = Protection::ALL.into_iter().filter(|one| layers & one.security_layer_bit() != 0);
    let offered: Vec<&str> = offered.map(Protection::name).collect();
    let chosen = choose_protection(&service, accepted, &offered, Protection::name)
        .map_err(AuthenticationError::Refused)?;
    let buffer = match chosen {
        Protection::Authentication => 0,
        Protection::Integrity | Protection::Privacy => MAX_BUFFER,
    };
    let reply = (u32::from(chosen.security_layer_bit()) << 24 | buffer).to_be_bytes();
    let reply = context.wrap(&reply, false).map_err(untold)?;
    send(&mut stream, &reply).await?;
    let [a, b, c] = size;
    let most = u32::from_be_bytes([0, a, b, c]) as usize;
    Ok(protected(stream, context, chosen, most))
}

#[cfg(feature = "kerberos")]
async fn by_token<S>(
    token: &super::DelegationToken,
    mut stream: S,
    preamble: &[u8],
    host: &str,
    accepted: &[Protection],
) -> Result<OpenedConnection<S>, AuthenticationError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let untold = |why: String| {
        AuthenticationError::Refused(format!(
            "this client cannot prove itself to {host} by {token}: {why}"
        ))
    };
    if let Some(why) = token.problem() {
        return Err(untold(why));
    }
    let refused = |said: String| {
        AuthenticationError::Refused(format!(
            "the server {host} refuses {token}: {said}. Has the token ended, or is it of another cluster?"
        ))
    };
    stream.write_all(preamble).await?;
    send(&mut stream, &[]).await?;
    let challenge = match receive(&mut stream, host).await? {
        Answer::Token(challenge) => challenge,
        Answer::Simple => return Ok(OpenedConnection::Simple(stream)),
        Answer::Refusal(said) => return Err(refused(said)),
    };
    let mut random = [0; 24];
    getrandom::fill(&mut random).map_err(|why| untold(why.to_string()))?;
    let cnonce = STANDARD.encode(random);
    let (user, password) = token.digest_credentials();
    let answered =
        digest::answer(&challenge, &user, &password, accepted, &cnonce).map_err(untold)?;
    send(&mut stream, &answered.answer).await?;
    let proof = match receive(&mut stream, host).await? {
        Answer::Refusal(said) => return Err(refused(said)),
        other => other.token(host)?,
    };
    let (chosen, most) = (answered.protection, answered.max_message_len);
    let context = answered.finish(&proof).map_err(untold)?;
    Ok(protected(stream, Box::new(context), chosen, most))
}

/// Returns the stream with the protection that was agreed on. `most` is the longest message that
/// the server accepts.
fn protected<S>(
    stream: S,
    context: Box<dyn GssContext>,
    chosen: Protection,
    most: usize,
) -> OpenedConnection<S> {
    match chosen {
        Protection::Authentication => OpenedConnection::Plain(stream),
        Protection::Integrity | Protection::Privacy => {
            let seals = chosen == Protection::Privacy;
            OpenedConnection::Protected(WrappedStream::new(stream, context, seals, most), chosen)
        }
    }
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, token: &[u8]) -> io::Result<()> {
    let len = u32::try_from(token.len()).map_err(|_| io::Error::other("a token of 4 GiB"))?;
    stream.write_all(&[&len.to_be_bytes()[..], token].concat()).await?;
    stream.flush().await
}

/// The answer of a server to a token.
enum Answer {
    Token(Vec<u8>),
    /// The server continues without authentication.
    Simple,
    /// The server refuses the client, for this reason.
    Refusal(String),
}

impl Answer {
    /// Returns the token; any other answer is an error.
    fn token(self, service: &str) -> Result<Vec<u8>, AuthenticationError> {
        match self {
            Self::Token(token) => Ok(token),
            Self::Simple => Err(AuthenticationError::Refused(format!(
                "{service} asks for no authentication after all"
            ))),
            Self::Refusal(said) => Err(AuthenticationError::Refused(format!(
                "{service} refuses the connection: {said}"
            ))),
        }
    }
}

async fn receive<S: AsyncRead + Unpin>(
    stream: &mut S,
    service: &str,
) -> Result<Answer, AuthenticationError> {
    match stream.read_u32().await? {
        0 => {}
        1 => {
            let class = text(stream).await?;
            let said = text(stream).await?;
            let class = class.rsplit(['.', '$']).next().unwrap_or(&class);
            return Ok(Answer::Refusal(format!("{said} ({class})")));
        }
        // A frame with an exception, from a server that does not know this way to open a
        // connection.
        len if len <= MAX_TEXT => {
            let frame = read_announced(stream, len).await?;
            return Err(AuthenticationError::Refused(format!(
                "{service} refuses the connection: {}",
                shown(&frame)
            )));
        }
        other => {
            return Err(AuthenticationError::Refused(format!(
                "{service} does not answer as SASL: its status is {other:#x}"
            )));
        }
    }
    match stream.read_u32().await? {
        SWITCH_TO_SIMPLE => Ok(Answer::Simple),
        len if len <= MAX_TOKEN => Ok(Answer::Token(read_announced(stream, len).await?)),
        len => Err(AuthenticationError::Refused(format!(
            "{service} announces a token of {len} bytes; {MAX_TOKEN} are read"
        ))),
    }
}

async fn text<S: AsyncRead + Unpin>(stream: &mut S) -> Result<String, AuthenticationError> {
    let len = stream.read_u32().await?;
    if len > MAX_TEXT {
        return Err(AuthenticationError::Refused(format!("a refusal with a text of {len} bytes")));
    }
    Ok(shown(&read_announced(stream, len).await?))
}

/// Returns the text of a server that has not proved its identity, as errors show it: its beginning,
/// without control characters.
fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.chars().filter(|character| !character.is_control()).take(300).collect()
}
