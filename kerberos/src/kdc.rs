//! Requests to the KDCs of a realm: a request is sent to one KDC, and to the next KDC if the first
//! does not reply.
//!
//! # Invariants
//!
//! - Whatever a KDC sends, a request ends within the time that the configuration sets, and no more
//!   of a reply is stored than has arrived. Tests:
//!   `kerberos/src/tests/transport.rs::silence_ends_and_is_named`,
//!   `kerberos/src/tests/transport.rs::an_answer_that_announces_too_much_is_refused`.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::config::{Config, KdcAddress, Transport};
use crate::message::{self, code, kind};
use crate::{Error, ErrorKind, Result};

/// The time after which a request is also sent to the next KDC, if no KDC has replied. The time is
/// short, because KDCs are usually in one network.
const STAGGER: Duration = Duration::from_millis(300);

/// The maximum length of a reply, in bytes. A ticket that contains the groups of a user in Active
/// Directory has about 64 KiB.
const MAX_ANSWER: usize = 1 << 20;

/// Sends a request to the KDCs of a realm, and returns the first valid reply: a Kerberos message or
/// a Kerberos error.
pub(crate) async fn ask(config: &Config, realm: &str, request: Vec<u8>) -> Result<Vec<u8>> {
    let kdcs = config.kdcs(realm)?;
    let datagram_first = request.len() <= config.udp_limit()?;
    let limit = config.timeout()?;
    let ends = Instant::now() + limit;
    let (first, second) = match datagram_first {
        true => (Transport::Udp, Transport::Tcp),
        false => (Transport::Tcp, Transport::Udp),
    };
    let by = |transport: Transport| {
        let fits = move |kdc: &&KdcAddress| kdc.only.is_none_or(|only| only == transport);
        kdcs.iter().filter(fits).map(move |kdc| (kdc.clone(), transport))
    };
    let mut waiting: std::collections::VecDeque<(KdcAddress, Transport)> =
        by(first).chain(by(second)).collect();
    let mut asked: JoinSet<(KdcAddress, Transport, Result<Vec<u8>>)> = JoinSet::new();
    let mut failures: Vec<String> = Vec::new();
    let mut unavailable = None;
    loop {
        let next_at = match waiting.pop_front() {
            Some((kdc, transport)) => {
                let request = request.clone();
                asked.spawn(async move {
                    let answer = ask_one(&kdc, transport, &request, ends).await;
                    (kdc, transport, answer)
                });
                ends.min(Instant::now() + STAGGER)
            }
            None if asked.is_empty() => break,
            None => ends,
        };
        // The next KDC is asked after the pause, or when an attempt has failed.
        let Ok(Some(done)) = timeout_at(next_at, asked.join_next()).await else {
            if Instant::now() >= ends {
                break;
            }
            continue;
        };
        let Ok((kdc, transport, answer)) = done else { continue };
        match answer {
            Ok(answer) => match code_of(&answer) {
                Some(code::TOO_BIG) if transport == Transport::Udp => {
                    waiting.retain(|(other, _)| *other != kdc);
                    waiting.push_front((kdc, Transport::Tcp));
                }
                Some(code::UNAVAILABLE) => unavailable = Some(answer),
                _ => return Ok(answer),
            },
            Err(error) => failures.push(format!("{} by {transport}: {error}", kdc.name())),
        }
    }
    if let Some(answer) = unavailable {
        return Ok(answer);
    }
    failures.sort();
    failures.dedup();
    let silent = asked.len();
    let names: Vec<String> = kdcs.iter().map(KdcAddress::name).collect();
    let mut text = format!("no KDC of the realm {realm} answers ({})", names.join(", "));
    if silent > 0 {
        text += &format!("; nothing came within {} ms", limit.as_millis());
    }
    if !failures.is_empty() {
        text += &format!("; {}", failures.join("; "));
    }
    text += "; check [realms] of krb5.conf and that the KDC runs; kdc_timeout in [libdefaults] waits longer";
    Err(Error::new(ErrorKind::Unreachable, text))
}

/// Returns the error code of a reply; `None` if the reply is not an error.
fn code_of(answer: &[u8]) -> Option<i32> {
    message::decode_krb_error(answer).ok().flatten().map(|error| error.code)
}

impl KdcAddress {
    fn name(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl std::fmt::Display for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
        })
    }
}

async fn ask_one(
    kdc: &KdcAddress,
    transport: Transport,
    request: &[u8],
    ends: Instant,
) -> Result<Vec<u8>> {
    let resolved = timeout_at(ends, tokio::net::lookup_host((&kdc.host[..], kdc.port))).await;
    let addresses: Vec<SocketAddr> = match resolved {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(error)) => return Err(Error::io("the name is not found", error)),
        Err(_) => return Err(Error::new(ErrorKind::Unreachable, "the name is not found in time")),
    };
    let mut last = Error::new(ErrorKind::Unreachable, "the name has no address");
    for address in addresses {
        let answer = match transport {
            Transport::Udp => timeout_at(ends, by_datagram(address, request)).await,
            Transport::Tcp => timeout_at(ends, by_stream(address, request)).await,
        };
        match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => last = error,
            Err(_) => last = Error::new(ErrorKind::Unreachable, "it does not answer"),
        }
    }
    Err(last)
}

async fn by_datagram(to: SocketAddr, request: &[u8]) -> Result<Vec<u8>> {
    let from: SocketAddr = match to {
        SocketAddr::V4(_) => ([0, 0, 0, 0], 0).into(),
        SocketAddr::V6(_) => ([0_u16; 8], 0).into(),
    };
    let failed = |error| Error::io("no datagram passes", error);
    let socket = UdpSocket::bind(from).await.map_err(failed)?;
    // A connected socket receives only datagrams from this address, and fails if this address
    // refuses datagrams.
    socket.connect(to).await.map_err(failed)?;
    let mut answer = vec![0; 1 << 16];
    // A datagram may be lost, so it is sent again, after pauses that become longer.
    let mut wait = Duration::from_millis(500);
    loop {
        socket.send(request).await.map_err(failed)?;
        let until = Instant::now() + wait;
        while let Ok(len) = timeout_at(until, socket.recv(&mut answer)).await {
            let len = len.map_err(failed)?;
            let got = answer.get(..len).unwrap_or_default();
            // Anybody can send a datagram in the name of the KDC, so a datagram that is not a reply
            // is ignored.
            if is_answer(got) {
                return Ok(got.to_vec());
            }
        }
        wait *= 2;
    }
}

async fn by_stream(to: SocketAddr, request: &[u8]) -> Result<Vec<u8>> {
    let stream = TcpStream::connect(to).await;
    ask_on(stream.map_err(|error| Error::io("no connection", error))?, request).await
}

/// Sends a request on a connection, and reads the reply.
pub(crate) async fn ask_on<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    request: &[u8],
) -> Result<Vec<u8>> {
    let failed = |error| Error::io("the request cannot be sent", error);
    let len = u32::try_from(request.len())
        .map_err(|_| Error::malformed("a request of 4 GiB or more".into()))?;
    stream.write_all(&[&len.to_be_bytes()[..], request].concat()).await.map_err(failed)?;
    let ended = |error| Error::io("the connection ended before the answer", error);
    let len = stream.read_u32().await.map_err(ended)?;
    let len = usize::try_from(len).ok().filter(|len| *len <= MAX_ANSWER).ok_or_else(|| {
        Error::malformed(format!("it announces an answer of {len} bytes; {MAX_ANSWER} are read"))
    })?;
    let mut answer = Vec::new();
    let wanted = u64::try_from(len).unwrap_or(u64::MAX);
    stream.take(wanted).read_to_end(&mut answer).await.map_err(ended)?;
    if answer.len() < len {
        return Err(Error::malformed(format!(
            "the connection ended after {} of {len} bytes",
            answer.len()
        )));
    }
    match is_answer(&answer) {
        true => Ok(answer),
        false => Err(Error::malformed(format!(
            "what it answers is no message of Kerberos ({len} bytes)"
        ))),
    }
}

/// Returns whether these bytes have the tag of a reply.
fn is_answer(bytes: &[u8]) -> bool {
    let answers = [kind::AS_REP, kind::TGS_REP, kind::KRB_ERROR].map(u32::from);
    message::message_number(bytes).is_some_and(|number| answers.contains(&number))
}
