//! The opening of a connection to a secured server (`HBaseSaslRpcClient`), and SASL's GSSAPI in it
//! (RFC 4752).

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::gssapi::GssStep;
use super::protection::Protection;
use super::server_principal::ServerPrincipal;
use super::wrapped::Wrapped;
use super::{Authentication, BoxError};

/// What a server answers instead of a token: go on without authentication.
const SWITCH_TO_SIMPLE: u32 = -88_i32 as u32;
/// The largest token that is read before both have proved themselves.
const MAX_TOKEN: u32 = 1 << 20;
/// The largest texts that a refusal has.
const MAX_TEXT: u32 = 1 << 16;
/// What each side says that it takes at most, as Java does.
const MAX_BUFFER: u32 = 1 << 16;

/// A connection whose preamble has been sent, and on which the connection header is next.
pub(crate) enum Authenticated<S> {
    /// The server asks for no authentication.
    Simple(S),
    /// Messages are sent as they are.
    Plain(S),
    /// Messages are signed or encrypted.
    Protected(Wrapped<S>),
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum Failed {
    /// One of the two did not prove itself to the other. It is not tried again.
    Refused(String),
    Broken(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Proves the client to the server at `host`, and the server to the client. `preamble` is what the
/// connection begins with.
pub(crate) async fn authenticate<S>(
    authentication: &Authentication,
    mut stream: S,
    preamble: &[u8],
    host: &str,
    is_master: bool,
) -> Result<Authenticated<S>, Failed>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let principal = match &authentication.master {
        Some(master) if is_master => master,
        _ => &authentication.region_server,
    };
    let service = ServerPrincipal::of(principal, host).map_err(Failed::Refused)?;
    let untold = |error: BoxError| {
        Failed::Refused(format!("this client cannot prove itself to {service}: {error}"))
    };
    let started = authentication.mechanism.start(service.clone()).await;
    let (mut negotiation, mut token) = started.map_err(untold)?;
    stream.write_all(preamble).await?;
    let mut context = loop {
        send(&mut stream, &token).await?;
        let answer = receive(&mut stream, &service).await;
        if let Err(Failed::Refused(_)) = &answer {
            authentication.mechanism.refused(&service);
        }
        let Some(answer) = answer? else {
            return match authentication.allows_simple {
                true => Ok(Authenticated::Simple(stream)),
                false => Err(Failed::Refused(format!(
                    "the server {host} asks for no authentication, so that anybody could be it; is it of this cluster? Authentication::allow_simple calls it nevertheless"
                ))),
            };
        };
        match negotiation.step(&answer).map_err(untold)? {
            GssStep::Continue(next, further) => (negotiation, token) = (next, further),
            GssStep::Done(context) => break context,
        }
    };
    // Both have proved themselves; the server says what it protects messages by.
    send(&mut stream, &[]).await?;
    let Some(offer) = receive(&mut stream, &service).await? else {
        return Err(Failed::Refused(format!("{service} asks for no authentication after all")));
    };
    let (offer, _) = context.unwrap(offer).map_err(untold)?;
    let [layers, size @ ..] = <[u8; 4]>::try_from(offer).map_err(|offer| {
        Failed::Refused(format!("{service} offers its layers in {} bytes, not 4", offer.len()))
    })?;
    let accepted = match &authentication.protection[..] {
        [] => &Protection::ALL[..],
        accepted => accepted,
    };
    let chosen = accepted.iter().copied().find(|one| layers & one.layer() != 0);
    let chosen = chosen.ok_or_else(|| Failed::Refused(no_layer(&service, layers, accepted)))?;
    let buffer = match chosen {
        Protection::Authentication => 0,
        Protection::Integrity | Protection::Privacy => MAX_BUFFER,
    };
    let reply = (u32::from(chosen.layer()) << 24 | buffer).to_be_bytes();
    let reply = context.wrap(&reply, false).map_err(untold)?;
    send(&mut stream, &reply).await?;
    let [a, b, c] = size;
    let most = u32::from_be_bytes([0, a, b, c]) as usize;
    Ok(match chosen {
        Protection::Authentication => Authenticated::Plain(stream),
        Protection::Integrity | Protection::Privacy => {
            let seals = chosen == Protection::Privacy;
            Authenticated::Protected(Wrapped::new(stream, context, seals, most))
        }
    })
}

fn no_layer(service: &str, layers: u8, accepted: &[Protection]) -> String {
    let list = |all: &[Protection]| {
        let names: Vec<String> = all.iter().map(Protection::to_string).collect();
        if names.is_empty() { "none that is known".into() } else { names.join(", ") }
    };
    let offered: Vec<Protection> =
        Protection::ALL.into_iter().filter(|one| layers & one.layer() != 0).collect();
    format!(
        "{service} protects messages by {} (hbase.rpc.protection), and this client accepts {}: Authentication::protection takes others",
        list(&offered),
        list(accepted)
    )
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, token: &[u8]) -> io::Result<()> {
    let len = u32::try_from(token.len()).map_err(|_| io::Error::other("a token of 4 GiB"))?;
    stream.write_all(&[&len.to_be_bytes()[..], token].concat()).await?;
    stream.flush().await
}

/// The next token of the server; `None` if it asks for no authentication.
async fn receive<S: AsyncRead + Unpin>(
    stream: &mut S,
    service: &str,
) -> Result<Option<Vec<u8>>, Failed> {
    match stream.read_u32().await? {
        0 => {}
        1 => {
            let class = text(stream).await?;
            let said = text(stream).await?;
            return Err(Failed::Refused(refusal(service, &class, &said)));
        }
        // A frame with an exception, of a server that does not know this way of opening.
        len if len <= MAX_TEXT => {
            let mut frame = vec![0; len as usize];
            stream.read_exact(&mut frame).await?;
            let shown: String = String::from_utf8_lossy(&frame)
                .chars()
                .filter(|c| !c.is_control())
                .take(300)
                .collect();
            return Err(Failed::Refused(format!("{service} refuses the connection: {shown}")));
        }
        other => {
            return Err(Failed::Refused(format!(
                "{service} does not answer as SASL: its status is {other:#x}"
            )));
        }
    }
    match stream.read_u32().await? {
        SWITCH_TO_SIMPLE => Ok(None),
        len if len <= MAX_TOKEN => {
            let mut token = vec![0; len as usize];
            stream.read_exact(&mut token).await?;
            Ok(Some(token))
        }
        len => Err(Failed::Refused(format!(
            "{service} announces a token of {len} bytes; {MAX_TOKEN} are read"
        ))),
    }
}

async fn text<S: AsyncRead + Unpin>(stream: &mut S) -> Result<String, Failed> {
    let len = stream.read_u32().await?;
    if len > MAX_TEXT {
        return Err(Failed::Refused(format!("a refusal with a text of {len} bytes")));
    }
    let mut text = vec![0; len as usize];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// What a refusal may mean: the server says the same for most causes, and its log says more.
fn refusal(service: &str, class: &str, said: &str) -> String {
    let name = class.rsplit(['.', '$']).next().unwrap_or(class);
    format!(
        "the server refuses the proof: {said} ({name}). It is called {service}: is that its principal, has its keytab the newest key, and are the clocks within 5 min? Its log says which"
    )
}
