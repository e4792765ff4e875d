//! The tokens of the GSS-API with Kerberos (RFC 4121): a client and a service authenticate each
//! other, and then sign or seal (encrypt) their messages.
//!
//! The channel must keep the order of tokens, as TCP does: a token that is missing, repeated or out
//! of order is an error.

use std::fmt;

use zeroize::Zeroizing;

use crate::crypto::{UsageKey, fill_random, usage};
use crate::exchange::{AuthenticatorParts, encode_ap_request};
use crate::message::{self, ApReply, Checksum, EncApReplyPart, KrbError, Text, VERSION, kind};
use crate::ticket::{Seconds, Ticket};
use crate::{Error, ErrorKind, Key, Result};

/// `1.2.840.113554.1.2.2` in DER, with its tag.
const MECHANISM: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02];

/// The kinds of the tokens that establish a context.
const REQUEST: [u8; 2] = [1, 0];
const REPLY: [u8; 2] = [2, 0];
const ERROR: [u8; 2] = [3, 0];

/// The service must authenticate too.
const MUTUAL_REQUIRED: u32 = 0x2000_0000;

/// Flags of a context: mutual, replay, sequence, confidential, integrity.
const CONTEXT_FLAGS: u32 = 2 | 4 | 8 | 16 | 32;

/// The type of the checksum that holds the flags of a context.
const OF_CONTEXT: i32 = 0x8003;

/// Flags of a token.
const BY_ACCEPTOR: u8 = 1;
const SEALED: u8 = 2;
const BY_ACCEPTORS_KEY: u8 = 4;

/// A client that has sent its ticket and waits for the service's reply.
///
/// ```no_run
/// # async fn run(mut exchange: impl FnMut(Vec<u8>) -> Vec<u8>) -> tallrow_kerberos::Result<()> {
/// use tallrow_kerberos::{Config, Login, gss::Initiator};
///
/// let login = Login::with_cache(Config::load()?, None)?;
/// let ticket = login.ticket(&"HTTP/web.example.org@EXAMPLE.ORG".parse()?).await?;
/// let (initiator, token) = Initiator::start(&ticket)?;
/// let answer = exchange(token);
/// let mut context = initiator.finish(&answer)?;
/// let sealed = context.wrap(b"text", true)?;
/// # Ok(())
/// # }
/// ```
pub struct Initiator {
    ticket: Key,
    subkey: Key,
    time: (Seconds, u32),
    sequence: u32,
    service: String,
}

impl Initiator {
    /// Returns an initiator and the first token, which contains the ticket.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn start(ticket: &Ticket) -> Result<(Self, Vec<u8>)> {
        let subkey = Key::random(ticket.key.enctype())?;
        let mut sequence = [0; 4];
        fill_random(&mut sequence)?;
        // The number is low, so that it does not soon overflow in implementations with signed
        // numbers.
        let sequence = u32::from_be_bytes(sequence) & 0x3FFF_FFFF;
        let mut binding = vec![16, 0, 0, 0];
        binding.resize(20, 0);
        binding.extend_from_slice(&CONTEXT_FLAGS.to_le_bytes());
        let shown = AuthenticatorParts {
            checksum: Checksum { kind: OF_CONTEXT, bytes: message::octets(&binding)? },
            subkey: Some(&subkey),
            sequence: Some(sequence),
        };
        let (request, time) =
            encode_ap_request(ticket, shown, usage::AP_REQ_AUTHENTICATOR, MUTUAL_REQUIRED)?;
        let keys = (ticket.key.clone(), subkey);
        let initiator = Self::new(keys, time, sequence, ticket.server.to_string());
        Ok((initiator, encode_token(REQUEST, &request)))
    }

    /// Returns an initiator with the keys, the time and the number that it has sent to this
    /// service.
    pub(crate) fn new(
        (ticket, subkey): (Key, Key),
        time: (Seconds, u32),
        sequence: u32,
        service: String,
    ) -> Self {
        Self { ticket, subkey, time, sequence, service }
    }

    /// Reads the service's reply, with which the service authenticates, and returns the established
    /// context.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] if the token is not a reply to the first token,
    /// [`ErrorKind::Refused`] if the service replies with a Kerberos error.
    pub fn finish(self, token: &[u8]) -> Result<Context> {
        let service = &self.service;
        let within = |error: Error| error.with_context(format_args!("the answer of {service}"));
        let (kind, inner) = decode_token(token).map_err(within)?;
        if kind == ERROR {
            let error: KrbError =
                message::decode(&[kind::KRB_ERROR], "the error", inner).map_err(within)?;
            return Err(refused(&error, service));
        }
        if kind != REPLY {
            let text = format!("a token of another kind: {kind:02x?}");
            return Err(within(Error::malformed(text)));
        }
        let reply: ApReply =
            message::decode(&[kind::AP_REP], "the token", inner).map_err(within)?;
        if (reply.version, reply.kind) != (VERSION, kind::AP_REP) {
            return Err(within(Error::malformed("another message than an AP-REP".into())));
        }
        let part = reply.encrypted.decrypt(&self.ticket, usage::AP_REP).map_err(within)?;
        self.establish(&part)
    }

    /// Reads the decrypted part of the service's reply.
    pub(crate) fn establish(self, part: &[u8]) -> Result<Context> {
        let service = &self.service;
        let within = |error: Error| error.with_context(format_args!("the answer of {service}"));
        let part: EncApReplyPart =
            message::decode(&[kind::ENC_AP_REP_PART], "the token", part).map_err(within)?;
        if (message::seconds(&part.time), part.micros) != self.time {
            let text = "it is the answer to another token: its time is not the one that was sent";
            return Err(within(Error::malformed(text.into())));
        }
        let acceptors = part.subkey.is_some();
        let key = match part.subkey {
            Some(key) => key.try_into_key().map_err(within)?,
            None => self.subkey,
        };
        // Some implementations write the number as a signed number. Without a number, the sequence
        // begins with 0.
        let theirs = part.sequence.unwrap_or_default() as u32;
        Ok(Context {
            outgoing: SendHalf {
                key: key.for_usage(usage::INITIATOR_SEAL),
                flags: if acceptors { BY_ACCEPTORS_KEY } else { 0 },
                sequence: self.sequence.into(),
            },
            incoming: ReceiveHalf {
                key: key.for_usage(usage::ACCEPTOR_SEAL),
                flags: BY_ACCEPTOR | if acceptors { BY_ACCEPTORS_KEY } else { 0 },
                checksum_len: key.enctype().checksum_len(),
                sequence: theirs.into(),
            },
        })
    }
}

impl fmt::Debug for Initiator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Initiator").field("service", &self.service).finish_non_exhaustive()
    }
}

/// An established context, in which a client and a service have authenticated each other. See
/// [`Initiator`] for an example.
#[derive(Debug)]
pub struct Context {
    outgoing: SendHalf,
    incoming: ReceiveHalf,
}

impl Context {
    /// Signs a message and, with `seal`, encrypts it so that nobody else can read it.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn wrap(&mut self, text: &[u8], seal: bool) -> Result<Vec<u8>> {
        self.outgoing.wrap(&[text], seal)
    }

    /// Reads the next token of the other side; returns the message, and whether it was sealed.
    ///
    /// # Errors
    /// If the token was changed, or is not the next one.
    pub fn unwrap(&mut self, token: Vec<u8>) -> Result<(Zeroizing<Vec<u8>>, bool)> {
        self.incoming.unwrap(token)
    }

    /// Splits the context into its two directions, so that messages can be sent and received
    /// concurrently.
    pub fn split(self) -> (SendHalf, ReceiveHalf) {
        (self.outgoing, self.incoming)
    }
}

/// The sending direction of a [`Context`], which wraps messages for the other side.
#[derive(Debug)]
pub struct SendHalf {
    /// The key for both kinds of wrapped messages: sealed, or only signed.
    key: UsageKey,
    flags: u8,
    sequence: u64,
}

impl SendHalf {
    /// Signs these parts as one message and, with `seal`, encrypts it so that nobody else can read
    /// it. Tokens are numbered, so they must be sent in the order in which they are made.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn wrap(&mut self, parts: &[&[u8]], seal: bool) -> Result<Vec<u8>> {
        let mut header = [0; HEADER];
        header[..2].copy_from_slice(&WRAP);
        header[2] = self.flags | if seal { SEALED } else { 0 };
        header[3] = 0xFF;
        header[8..].copy_from_slice(&self.sequence.to_be_bytes());
        self.sequence = self.sequence.wrapping_add(1);
        if seal {
            let sealed = self.key.encrypt(&[parts, &[&header[..]]].concat())?;
            return Ok([&header[..], &sealed].concat());
        }
        let checksum = self.key.checksum(&[parts, &[&header[..]]].concat());
        let [_, len] = u16::try_from(checksum.len()).unwrap_or_default().to_be_bytes();
        header[5] = len;
        let len = HEADER + parts.iter().map(|part| part.len()).sum::<usize>() + checksum.len();
        let mut token = Vec::with_capacity(len);
        token.extend_from_slice(&header);
        parts.iter().for_each(|part| token.extend_from_slice(part));
        token.extend_from_slice(&checksum);
        Ok(token)
    }
}

/// The receiving direction of a [`Context`], which unwraps the messages of the other side.
#[derive(Debug)]
pub struct ReceiveHalf {
    /// The key for both kinds of wrapped messages: sealed, or only signed.
    key: UsageKey,
    /// The flags of its tokens, without the flag for sealed tokens.
    flags: u8,
    checksum_len: usize,
    sequence: u64,
}

impl ReceiveHalf {
    /// Reads the next token; returns the message, and whether it was sealed.
    ///
    /// # Errors
    /// If the token was changed, or is not the next one.
    pub fn unwrap(&mut self, token: Vec<u8>) -> Result<(Zeroizing<Vec<u8>>, bool)> {
        let malformed = |what: String| Err(Error::malformed(format!("a wrapped message {what}")));
        let Some((header, _)) = token.split_first_chunk::<HEADER>() else {
            return malformed(format!("has {} bytes, less than its header", token.len()));
        };
        let header = *header;
        let [a, b, flags, filler, extra_high, extra_low, rotated_high, rotated_low, ..] = header;
        if ([a, b], filler) != (WRAP, 0xFF) {
            return malformed(format!("does not begin as one: {:02x?}", &header[..4]));
        }
        let sealed = flags & SEALED != 0;
        if flags & !SEALED != self.flags {
            return malformed(format!(
                "has the flags {flags:#04x}, where those of the other side are {:#04x}",
                self.flags
            ));
        }
        let mut sequence = [0; 8];
        sequence.copy_from_slice(&header[8..]);
        let sequence = u64::from_be_bytes(sequence);
        if sequence != self.sequence {
            return malformed(format!(
                "has the number {sequence}, where {} is next",
                self.sequence
            ));
        }
        let extra = usize::from(u16::from_be_bytes([extra_high, extra_low]));
        let rotated = usize::from(u16::from_be_bytes([rotated_high, rotated_low]));
        let mut body = token;
        body.drain(..HEADER);
        if !body.is_empty() {
            let len = body.len();
            body.rotate_left(rotated % len);
        }
        // The signed header has no rotation and, in a message that is only signed, no length.
        let mut plain_header = header;
        plain_header[6..8].fill(0);
        let text = if sealed {
            let mut text = self.key.decrypt(body)?;
            let end = text.len().checked_sub(HEADER);
            let same =
                end.and_then(|end| text.get(end..)).is_some_and(|inner| inner == plain_header);
            let end = end.and_then(|end| end.checked_sub(extra)).filter(|_| same);
            let Some(end) = end else {
                return malformed("has another header inside than outside".into());
            };
            text.truncate(end);
            text
        } else {
            plain_header[4..6].fill(0);
            let end = body.len().checked_sub(extra).filter(|_| extra == self.checksum_len);
            let Some(end) = end else {
                return malformed(format!("has a checksum of {extra} bytes"));
            };
            let checksum = body.split_off(end);
            if !self.key.verify(&[&body, &plain_header], &checksum) {
                return malformed("was changed, or is of another key".into());
            }
            Zeroizing::new(body)
        };
        self.sequence = self.sequence.wrapping_add(1);
        Ok((text, sealed))
    }
}

/// The first bytes of a wrapped message, and the length of its header.
const WRAP: [u8; 2] = [5, 4];
const HEADER: usize = 16;

/// Returns a token with the mechanism before it (RFC 2743, section 3.1).
pub(crate) fn encode_token(kind: [u8; 2], inner: &[u8]) -> Vec<u8> {
    let len = MECHANISM.len() + kind.len() + inner.len();
    let mut token = vec![0x60];
    match len {
        0..128 => token.push(len as u8),
        _ => {
            let bytes = len.to_be_bytes();
            let first = bytes.iter().position(|byte| *byte != 0).unwrap_or_default();
            let digits = bytes.get(first..).unwrap_or_default();
            token.push(0x80 | digits.len() as u8);
            token.extend_from_slice(digits);
        }
    }
    token.extend_from_slice(&MECHANISM);
    token.extend_from_slice(&kind);
    token.extend_from_slice(inner);
    token
}

/// Returns the kind and the content of a token.
pub(crate) fn decode_token(token: &[u8]) -> Result<([u8; 2], &[u8])> {
    let no = || Error::malformed("it is no token of Kerberos".into());
    let rest = token.strip_prefix(&[0x60]).ok_or_else(no)?;
    let (&first, rest) = rest.split_first().ok_or_else(no)?;
    let (len, rest) = match first {
        0..=0x7F => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked((first & 0x7F).into()).ok_or_else(no)?;
            (digits.iter().fold(0, |len, digit| len << 8 | usize::from(*digit)), rest)
        }
        _ => return Err(no()),
    };
    if len != rest.len() {
        return Err(Error::malformed(format!(
            "a token of Kerberos announces {len} bytes and has {}",
            rest.len()
        )));
    }
    let rest = rest.strip_prefix(&MECHANISM).ok_or_else(no)?;
    let (kind, inner) = rest.split_first_chunk().ok_or_else(no)?;
    Ok((*kind, inner))
}

fn refused(error: &KrbError, service: &str) -> Error {
    let said = error.text.as_ref().map(Text::excerpt).unwrap_or_default();
    let text = format!("{service} refuses the ticket: error {} of Kerberos {said}", error.code);
    Error::new(ErrorKind::Refused, text.trim_end()).with_code(error.code)
}
