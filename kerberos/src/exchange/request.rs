//! A request to a KDC, and the check that a reply is the reply to it.
//!
//! # Invariants
//!
//! - A reply is used only if it was encrypted for this request: with the key of the user or of the
//!   ticket, with the nonce that was sent, for the client and the server that were requested, and
//!   with times that are valid. Tests:
//!   `kerberos/src/tests/refusals.rs::an_answer_to_another_request_is_refused`.

use std::time::Duration;

use crate::config::Config;
use crate::crypto::{fill_random, usage};
use crate::error::excerpt;
use crate::message::{
    self, EncKdcReplyPart, KdcReply, KdcRequestBody, KrbError, Name, Text, VERSION, code, kind,
};
use crate::ticket::{Seconds, Ticket, format_duration, now_in_seconds};
use crate::{Enctype, Error, ErrorKind, Key, Principal, Result};

/// Options of a request.
const FORWARDABLE: u32 = 0x4000_0000;
const RENEWABLE: u32 = 0x0080_0000;
const CANONICALIZE: u32 = 0x0001_0000;

/// The last second that a message can name: the end of the year 9999.
const FAR: Seconds = 253_402_300_799;

/// The keys that can encrypt the answer to a request with a ticket: the key that the request named
/// or, with some KDCs, the key of the ticket.
pub(crate) struct AnswerKeys<'k> {
    pub(crate) subkey: &'k Key,
    pub(crate) session: &'k Key,
}

/// A request: the values that are compared with its reply.
pub(crate) struct Request<'r> {
    pub(super) server: &'r Principal,
    for_first_ticket: bool,
    /// The time of this machine before the request was sent.
    asked: Seconds,
    nonce: u32,
    options: u32,
    till: Seconds,
    renewable_until: Option<Seconds>,
}

impl<'r> Request<'r> {
    pub(crate) fn new(
        config: &Config,
        server: &'r Principal,
        for_first_ticket: bool,
        now: Seconds,
    ) -> Result<Self> {
        let mut nonce = [0; 4];
        fill_random(&mut nonce)?;
        let after = |time: std::time::Duration| {
            now.saturating_add(i64::try_from(time.as_secs()).unwrap_or(i64::MAX)).min(FAR)
        };
        let renewable_until = match for_first_ticket {
            true => config.renew_lifetime()?.map(after),
            false => None,
        };
        let mut options = CANONICALIZE * u32::from(!for_first_ticket);
        options |= FORWARDABLE * u32::from(for_first_ticket && config.is_forwardable());
        options |= RENEWABLE * u32::from(renewable_until.is_some());
        Ok(Self {
            server,
            for_first_ticket,
            asked: now,
            // Some implementations read the nonce as a signed number.
            nonce: u32::from_be_bytes(nonce) & 0x7FFF_FFFF,
            options,
            till: after(config.lifetime()?),
            renewable_until,
        })
    }

    pub(super) fn body(
        &self,
        client: Option<&Principal>,
        enctypes: &[Enctype],
    ) -> Result<KdcRequestBody> {
        Ok(KdcRequestBody {
            options: message::flags(self.options)?,
            client: client.map(Name::of),
            realm: Text::from(self.server.realm().unwrap_or_default()),
            server: Some(Name::of(self.server)),
            till: message::to_generalized_time(self.till)?,
            renewable_until: self.renewable_until.map(message::to_generalized_time).transpose()?,
            nonce: self.nonce,
            enctypes: enctypes.iter().map(|enctype| enctype.number()).collect(),
        })
    }

    /// Returns the request with this nonce.
    pub(crate) fn with_nonce(self, nonce: u32) -> Self {
        Self { nonce, ..self }
    }

    /// Reads the KDC's answer to a request with a ticket of `client`. `goal` is the service that
    /// the client wants to reach in the end.
    pub(crate) fn read(
        &self,
        config: &Config,
        answer: &[u8],
        keys: AnswerKeys<'_>,
        (client, goal): (&Principal, &Principal),
        enctypes: &[Enctype],
    ) -> Result<Ticket> {
        if let Some(error) = message::decode_krb_error(answer)? {
            return Err(refused(config, &error, client, goal, "the ticket"));
        }
        let reply: KdcReply = message::decode(&[kind::TGS_REP], "the KDC's answer", answer)?;
        let by = |key: &Key, usage: u32| reply.encrypted.decrypt(key, usage);
        let part = by(keys.subkey, usage::TGS_REP_SUBKEY)
            .or_else(|error| by(keys.session, usage::TGS_REP_SESSION).map_err(|_| error))?;
        self.ticket(config, &reply, &part, client, enctypes)
    }

    /// Returns the ticket in a reply, if it is the reply to this request. `part` is the decrypted
    /// part of the reply.
    pub(crate) fn ticket(
        &self,
        config: &Config,
        reply: &KdcReply,
        part: &[u8],
        client: &Principal,
        enctypes: &[Enctype],
    ) -> Result<Ticket> {
        let (number, kinds): (u8, &[u8]) = match self.for_first_ticket {
            // Some KDCs use the number of the second part for both parts.
            true => (kind::AS_REP, &[kind::ENC_AS_REP_PART, kind::ENC_TGS_REP_PART]),
            false => (kind::TGS_REP, &[kind::ENC_TGS_REP_PART]),
        };
        let not = |what: &str, expected: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
            let found = excerpt(found.to_string().as_bytes());
            Err(Error::malformed(format!(
                "the KDC's answer is not to this request: its {what} is {found}, not {expected}"
            )))
        };
        if (reply.version, reply.kind) != (VERSION, number) {
            return not("number", &number, &reply.kind);
        }
        let of = reply.client.principal(&reply.realm)?;
        if of != *client {
            return not("client", client, &of);
        }
        let part: EncKdcReplyPart = message::decode(kinds, "the KDC's answer", part)?;
        if part.nonce != i64::from(self.nonce) {
            return not("nonce", &self.nonce, &part.nonce);
        }
        let server = part.server.principal(&part.realm)?;
        let is_referral = !self.for_first_ticket && server.granted_realm().is_some();
        if server != *self.server && !is_referral {
            return not("server", self.server, &server);
        }
        let key = part.key.try_into_key()?;
        if !enctypes.contains(&key.enctype()) {
            return not("encryption type", &"one that was asked for", &key.enctype());
        }
        let now = now_in_seconds();
        let skew = i64::try_from(config.clock_skew()?.as_secs()).unwrap_or(i64::MAX);
        let made = message::seconds(&part.made);
        let starts = part.starts.as_ref().map_or(made, message::seconds);
        let ends = message::seconds(&part.ends);
        if self.for_first_ticket && made.abs_diff(now) > skew.unsigned_abs() {
            let text = format!(
                "the clocks of this machine and of the KDC are {} apart",
                format_duration(now.abs_diff(made))
            );
            return Err(Error::new(ErrorKind::ClockSkew, text));
        }
        if ends.saturating_add(skew) < now || starts.saturating_sub(skew) > now {
            let text = match starts > now {
                true => format!("it begins in {}", format_duration(now.abs_diff(starts))),
                false => format!("it ended {} ago", format_duration(now.abs_diff(ends))),
            };
            let text = format!("the ticket of the KDC's answer is not valid now: {text}");
            return Err(Error::new(ErrorKind::Expired, text));
        }
        // The first ticket is made at the time of the login. All others have that time too, but
        // begin at the time at which they are made.
        let told = match self.for_first_ticket {
            true => Some(made),
            false => part.starts.as_ref().map(message::seconds),
        };
        // The KDC took its time between the request and now.
        let apart = |kdc: Seconds| kdc.abs_diff(self.asked).max(kdc.abs_diff(now));
        Ok(Ticket {
            client: of,
            server,
            key,
            bytes: message::encode_der(&reply.ticket)?,
            starts,
            ends,
            renewable_until: part.renewable_until.as_ref().map(message::seconds),
            observed_clock_difference: told.map(apart).map(Duration::from_secs),
        })
    }
}

pub(super) fn wrong_key(proof: &str, client: &Principal) -> String {
    format!(
        "{proof} is not the one that the KDC has for {client}; a keytab no longer works once its principal has new keys"
    )
}

/// Returns the error with which a KDC replied, with what can be done about it.
pub(super) fn refused(
    config: &Config,
    error: &KrbError,
    client: &Principal,
    server: &Principal,
    proof: &str,
) -> Error {
    let said = error.text.as_ref().map(Text::excerpt).filter(|text| !text.is_empty());
    let said = said.map(|text| format!(" ({text})")).unwrap_or_default();
    let kdc = message::seconds(&error.server_time);
    let skew = config.clock_skew().unwrap_or_default();
    // Kerby refuses a proof of another time like one with a wrong key; its own time tells.
    let code = match error.code {
        code::PREAUTH_FAILED if now_in_seconds().abs_diff(kdc) > skew.as_secs() => code::SKEW,
        code => code,
    };
    let (kind, text) = match code {
        code::CLIENT_UNKNOWN => (
            ErrorKind::UnknownPrincipal,
            format!("the KDC does not know {client}; check its name and realm"),
        ),
        code::SERVER_UNKNOWN => (
            ErrorKind::UnknownService,
            format!("the KDC does not know the service {server}; check the principal that is configured for it, and the name of the host in it"),
        ),
        code::ETYPE_NOSUPP => (
            ErrorKind::Refused,
            "the KDC has no key of the encryption types that are permitted; see permitted_enctypes in krb5.conf".into(),
        ),
        code::CLIENT_REVOKED => (ErrorKind::Refused, format!("{client} is locked or has expired")),
        code::KEY_EXPIRED => {
            (ErrorKind::Refused, format!("the password of {client} has expired; kpasswd changes it"))
        }
        code::PREAUTH_FAILED | code::INTEGRITY => (
            ErrorKind::WrongKey,
            wrong_key(proof, client),
        ),
        code::PREAUTH_REQUIRED => {
            (ErrorKind::Refused, format!("the KDC asks for more proof than {proof}"))
        }
        code::TICKET_EXPIRED => {
            (ErrorKind::Expired, format!("the ticket of {client} has ended; kinit makes a new one"))
        }
        code::NOT_YET_VALID => {
            (ErrorKind::ClockSkew, format!("the ticket of {client} does not hold yet; compare the clocks"))
        }
        code::SKEW => (
            ErrorKind::ClockSkew,
            format!(
                "the clock of this machine is {} {} that of the KDC; set it",
                format_duration(now_in_seconds().abs_diff(kdc)),
                if now_in_seconds() < kdc { "behind" } else { "ahead of" }
            ),
        ),
        code::MODIFIED => {
            (ErrorKind::Refused, "the KDC found the request changed on its way".into())
        }
        code::WRONG_REALM => {
            let realm = error.client_realm.as_ref().map(Text::excerpt).unwrap_or_default();
            (ErrorKind::UnknownPrincipal, format!("{client} is of another realm: {realm}"))
        }
        _ => (ErrorKind::Refused, "the KDC refuses".into()),
    };
    Error::new(kind, format!("{text}: error {}{said}", error.code)).with_code(error.code)
}
