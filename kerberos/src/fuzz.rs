//! The readers of bytes from outside, for tests and fuzz targets that change such bytes at random.
//! Not part of the public API.
//!
//! Each function reads its bytes as the client does at its place in a login: alice@TEST wants a
//! ticket for host/server@TEST, all keys have the bytes [`KEY`], and what the client has chosen at
//! random is [`NUMBER`]. A function returns whether the bytes were accepted.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::crypto::usage;
use crate::exchange::{AnswerKeys, FirstRequest, Request, Secret};
use crate::gss::Initiator;
use crate::message::{
    self, EncApReplyPart, Encrypted, KdcReply, KeyBytes, Name, Text, VERSION, kind,
};
use crate::ticket::now_in_seconds;
use crate::{Config, Enctype, Error, Key, Keytab, Principal, Result, TicketCache, kdc, login};

/// The bytes of all keys.
pub const KEY: [u8; 32] = [7; 32];
/// The nonce of requests, the time of the client in seconds and in microseconds, and the number of
/// the first message in each direction.
pub const NUMBER: u32 = 1_000;

/// Reads a ticket cache, and looks for the tickets of a login in it.
pub fn ticket_cache(bytes: &[u8]) -> bool {
    let Ok(cache) = TicketCache::parse(bytes) else { return false };
    for ticket in cache.tickets().iter().take(10) {
        // The ticket itself may have any bytes in the cache.
        let _ = Initiator::start(ticket);
        let _ = (ticket.start_time(), ticket.end_time(), ticket.renewable_until());
        let _ = format!("{ticket:?}");
    }
    let _ = login::tickets_of(&cache);
    true
}

/// Reads a keytab, and looks for keys in it.
pub fn keytab(bytes: &[u8]) -> bool {
    let Ok(keytab) = Keytab::parse(bytes) else { return false };
    for principal in keytab.principals().take(10) {
        let _ = (keytab.keys(principal), principal.to_string());
    }
    let _ = client().and_then(|client| keytab.keys(&client));
    true
}

/// Reads the text of a `krb5.conf`, and then each of its settings. A text that includes files is
/// not read.
pub fn krb5_conf(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    if text.contains("include") {
        return false;
    }
    let Ok(config) = Config::parse(&text) else { return false };
    let realm = config.default_realm().unwrap_or("TEST").to_owned();
    let _ = (config.realm_of_host("rs1.example.org"), config.ignored_settings());
    let _ = (config.canonicalizes_host_names(), config.uses_reverse_dns());
    let _ = (config.is_forwardable(), config.udp_limit(), config.clock_skew());
    let _ = (config.lifetime(), config.renew_lifetime());
    let _ = (config.enctypes(true), config.enctypes(false), config.kdc_addresses(&realm));
    let _ = (config.realms_between(&realm, "OTHER"), config.default_cache());
    let _ = config.default_client_keytab();
    // The times of a request are computed from those of the file.
    let _ = server().map(|server| Request::new(&config, &server, true, now_in_seconds()).is_ok());
    let _ = config.timeout().map(|limit| tokio::time::Instant::now() + limit);
    true
}

/// Reads the answers of a KDC to requests for a first ticket and for the ticket of a service, with
/// or without their length before them, as on a connection.
pub fn kdc_answer(bytes: &[u8]) -> bool {
    let stream = tokio::io::join(bytes, tokio::io::sink());
    let framed = ready(kdc::ask_on(stream, b"")).and_then(Result::ok);
    let answer = framed.as_deref().unwrap_or(bytes);
    first_ticket(answer).is_ok() || service_ticket(answer).is_ok()
}

fn first_ticket(answer: &[u8]) -> Result<()> {
    let (config, client) = (config()?, client()?);
    let server = Principal::ticket_granting("TEST", "TEST");
    let mut login = FirstRequest {
        request: Request::new(&config, &server, true, now_in_seconds())?.with_nonce(NUMBER),
        config: &config,
        client: &client,
        secret: &Secret::Keys(vec![key()?]),
        enctypes: vec![Enctype::Aes256Sha1],
        proof: None,
        info: Vec::new(),
    };
    let waits = || Error::malformed("it waits".into());
    if ready(login.read(answer)).unwrap_or_else(|| Err(waits()))?.is_none() {
        // A proof is not asked for twice, whatever the KDC says.
        assert!(!matches!(ready(login.read(answer)), Some(Ok(None))));
    }
    Ok(())
}

fn service_ticket(answer: &[u8]) -> Result<()> {
    let (config, client, server, key) = (config()?, client()?, server()?, key()?);
    let request = Request::new(&config, &server, false, now_in_seconds())?.with_nonce(NUMBER);
    let keys = AnswerKeys { subkey: &key, session: &key };
    request.read(&config, answer, keys, (&client, &server), &[Enctype::Aes256Sha1]).map(drop)
}

/// Reads the part of a KDC's answer that is encrypted, after it was decrypted.
pub fn kdc_reply_part(bytes: &[u8]) -> bool {
    let read = || {
        let (config, client, server) = (config()?, client()?, server()?);
        let reply = KdcReply {
            version: VERSION,
            kind: kind::TGS_REP,
            padata: None,
            realm: Text::from("TEST"),
            client: Name::of(&client),
            ticket: message::decode_der("a ticket", &[5, 0])?,
            encrypted: Encrypted { enctype: 18, version: None, cipher: message::octets(&[])? },
        };
        let request = Request::new(&config, &server, false, now_in_seconds())?.with_nonce(NUMBER);
        request.ticket(&config, &reply, bytes, &client, &[Enctype::Aes256Sha1])
    };
    read().and_then(|ticket| Initiator::start(&ticket)).is_ok()
}

/// Reads the token with which a service answers the first token of the client.
pub fn service_answer(bytes: &[u8]) -> bool {
    initiator().and_then(|initiator| initiator.finish(bytes)).is_ok()
}

/// Reads the part of a service's answer that is encrypted, after it was decrypted.
pub fn service_answer_part(bytes: &[u8]) -> bool {
    initiator().and_then(|initiator| initiator.establish(bytes)).is_ok()
}

/// Reads a wrapped message of a service, which begins after the first byte. If the first byte is 1,
/// the text after the header of the message is encrypted first, so that the message is read as if
/// the service had sent it.
pub fn wrapped_message(bytes: &[u8]) -> bool {
    /// The length of the header of a wrapped message.
    const HEADER: usize = 16;
    let (Some((mode, message)), Ok(key)) = (bytes.split_first(), key()) else { return false };
    let token = match message.split_at_checked(HEADER) {
        Some((header, text)) if *mode == 1 => {
            let encrypted = key.encrypt(usage::ACCEPTOR_SEAL, text);
            encrypted.map(|encrypted| [header, &encrypted].concat()).unwrap_or_default()
        }
        _ => message.to_vec(),
    };
    let context = || {
        let part = EncApReplyPart {
            time: message::to_generalized_time(NUMBER.into())?,
            micros: NUMBER,
            subkey: Some(KeyBytes::of(&key)?),
            sequence: Some(NUMBER.into()),
        };
        let part = message::encode(kind::ENC_AP_REP_PART, &part)?;
        initiator()?.establish(&part)
    };
    let Ok(mut context) = context() else { return false };
    let is_accepted = context.unwrap(token.clone()).is_ok();
    if is_accepted {
        assert!(context.unwrap(token).is_err(), "a repeated message was accepted");
    }
    is_accepted
}

/// Polls a future that has nothing to wait for, because all its bytes are there; `None` if it waits
/// nevertheless.
fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// A configuration for which the times in a message are never too old.
fn config() -> Result<Config> {
    Config::parse("[libdefaults]\n clockskew = 36500d")
}

fn client() -> Result<Principal> {
    Principal::new(["alice"], Some("TEST"))
}

fn server() -> Result<Principal> {
    Principal::new(["host", "server"], Some("TEST"))
}

fn key() -> Result<Key> {
    Key::try_new(Enctype::Aes256Sha1, &KEY, "the key")
}

fn initiator() -> Result<Initiator> {
    let time = (NUMBER.into(), NUMBER);
    Ok(Initiator::new((key()?, key()?), time, NUMBER, "host/server@TEST".into()))
}
