//! Authenticators, with which a client proves that it knows the key of a ticket (AP-REQ), and their
//! times.

use der::asn1::Any;
use zeroize::Zeroizing;

use crate::message::{
    self, ApRequest, Authenticator, Checksum, Encrypted, KeyBytes, Name, Text, VERSION, kind,
};
use crate::ticket::{Seconds, Ticket, now};
use crate::{Key, Result};

/// The values that are sent with a ticket.
pub(crate) struct AuthenticatorParts<'k> {
    pub(crate) checksum: Checksum,
    pub(crate) subkey: Option<&'k Key>,
    pub(crate) sequence: Option<u32>,
}

/// Returns the encoded AP-REQ that presents a ticket to its service, and the time in its
/// authenticator.
pub(crate) fn encode_ap_request(
    ticket: &Ticket,
    shown: AuthenticatorParts<'_>,
    usage: u32,
    options: u32,
) -> Result<(Vec<u8>, (Seconds, u32))> {
    let (seconds, micros) = unique_time();
    let authenticator = Authenticator {
        version: VERSION,
        realm: Text::from(ticket.client.realm().unwrap_or_default()),
        client: Name::of(&ticket.client),
        checksum: Some(shown.checksum),
        micros,
        time: message::to_generalized_time(seconds)?,
        subkey: shown.subkey.map(KeyBytes::of).transpose()?,
        sequence: shown.sequence,
    };
    let authenticator = Zeroizing::new(message::encode(kind::AUTHENTICATOR, &authenticator)?);
    let request = ApRequest {
        version: VERSION,
        kind: kind::AP_REQ,
        options: message::flags(options)?,
        ticket: message::decode_der::<Any>("a ticket", &ticket.bytes)?,
        authenticator: Encrypted::encrypt(&ticket.key, usage, &authenticator)?,
    };
    Ok((message::encode(kind::AP_REQ, &request)?, (seconds, micros)))
}

/// Returns the time in seconds and microseconds. It is later than every time that this process has
/// sent before, because services refuse a repeated time as a replay.
pub(super) fn unique_time() -> (Seconds, u32) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = u64::try_from(now().as_micros()).unwrap_or(u64::MAX);
    let later = |last: u64| Some(now.max(last.saturating_add(1)));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later).unwrap_or(now);
    let micros = now.max(last.saturating_add(1));
    (i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX), (micros % 1_000_000) as u32)
}
