//! Tickets from a KDC: a first ticket (ticket-granting ticket) for a user, and the tickets for
//! services that are requested with it.
//!
//! # Invariants
//!
//! - A reply is used only if it was encrypted for this request: with the key of the user or of the
//!   ticket, with the nonce that was sent, for the client and the server that were requested, and
//!   with times that are valid. Tests:
//!   `kerberos/src/tests/refusals.rs::an_answer_to_another_request_is_refused`.

use std::time::Duration;

use der::asn1::Any;
use tokio::task::spawn_blocking;
use zeroize::Zeroizing;

use crate::config::Config;
use crate::crypto::{fill_random, usage};
use crate::error::excerpt;
use crate::message::{
    self, ApRequest, Authenticator, Checksum, EncKdcReplyPart, EncTimestamp, Encrypted,
    EnctypeInfo, KdcReply, KdcRequest, KdcRequestBody, KeyBytes, KrbError, Name, PaData, Text,
    VERSION, code, kind, padata,
};
use crate::ticket::{Seconds, Ticket, format_duration, now, now_in_seconds};
use crate::{Enctype, Error, ErrorKind, Key, Principal, Result, kdc};

/// Options of a request.
const FORWARDABLE: u32 = 0x4000_0000;
const RENEWABLE: u32 = 0x0080_0000;
const CANONICALIZE: u32 = 0x0001_0000;

/// The maximum number of realms on the way to the realm of the service.
const MAX_REALMS: usize = 10;

/// The secret with which a user authenticates.
pub(crate) enum Secret {
    Keys(Vec<Key>),
    Password(Zeroizing<String>),
}

impl Secret {
    /// Returns the key of this encryption type; `info` is what the KDC says about keys from
    /// passwords.
    async fn key(
        &self,
        enctype: Enctype,
        client: &Principal,
        info: &[EnctypeInfo],
    ) -> Result<Option<Key>> {
        match self {
            Self::Keys(keys) => Ok(keys.iter().find(|key| key.enctype() == enctype).cloned()),
            Self::Password(password) => {
                let said = info.iter().find(|info| info.enctype == enctype.number());
                let usual = client.salt();
                let salt = said.and_then(EnctypeInfo::salt).unwrap_or(usual.as_bytes());
                let parameters = said.and_then(|info| info.parameters.as_ref());
                let parameters = parameters.map(|parameters| parameters.as_bytes().to_vec());
                let (password, salt) = (password.clone(), salt.to_vec());
                blocking(move || {
                    let parameters = parameters.as_deref();
                    Key::from_password(enctype, password.as_bytes(), &salt, parameters).map(Some)
                })
                .await
            }
        }
    }

    /// Returns the encryption types of the keys; `None` for a password.
    fn enctypes(&self) -> Option<Vec<Enctype>> {
        match self {
            Self::Keys(keys) => Some(keys.iter().map(Key::enctype).collect()),
            Self::Password(_) => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Keys(_) => "the keytab's key",
            Self::Password(_) => "the password",
        }
    }
}

/// Runs work that reads a file or computes for long on a thread where it delays no task.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::NoCredentials, "a login while the runtime is shutting down"))
    })
}

/// Requests a first ticket, with which further tickets can be requested.
pub(crate) async fn request_tgt(
    config: &Config,
    client: &Principal,
    secret: &Secret,
) -> Result<Ticket> {
    let realm = client.realm().unwrap_or_default();
    let asked = first_of(config, client, secret).await;
    asked.map_err(|error| {
        error.with_context(format_args!("a ticket for {client} from the KDC of {realm}"))
    })
}

async fn first_of(config: &Config, client: &Principal, secret: &Secret) -> Result<Ticket> {
    let realm = client.realm().unwrap_or_default();
    let server = Principal::ticket_granting(realm, realm);
    let mut login = FirstRequest {
        request: Request::new(config, &server, true, now_in_seconds())?,
        config,
        client,
        secret,
        enctypes: config.enctypes(true)?,
        proof: None,
        info: Vec::new(),
    };
    if let Some(own) = secret.enctypes() {
        let permitted = login.enctypes.clone();
        login.enctypes.retain(|kind| own.contains(kind));
        if login.enctypes.is_empty() {
            let text = format!(
                "the keys of {client} are of kinds that krb5.conf does not permit: {own:?}, where {permitted:?} are"
            );
            return Err(Error::new(ErrorKind::Config, text));
        }
    }
    let body = login.request.body(Some(client), &login.enctypes)?;
    loop {
        let asks = KdcRequest {
            version: VERSION,
            kind: kind::AS_REQ,
            padata: login.proof.clone(),
            body: body.clone(),
        };
        let answer = kdc::ask(config, realm, message::encode(kind::AS_REQ, &asks)?).await?;
        if let Some(ticket) = login.read(&answer).await? {
            return Ok(ticket);
        }
    }
}

/// A request for a first ticket, and what the KDC has said about it.
pub(crate) struct FirstRequest<'r> {
    pub(crate) request: Request<'r>,
    pub(crate) config: &'r Config,
    pub(crate) client: &'r Principal,
    pub(crate) secret: &'r Secret,
    pub(crate) enctypes: Vec<Enctype>,
    /// The pre-authentication data, which are sent after the KDC has asked for them.
    pub(crate) proof: Option<Vec<PaData>>,
    /// What the KDC says about keys from passwords.
    pub(crate) info: Vec<EnctypeInfo>,
}

impl FirstRequest<'_> {
    /// Reads an answer of the KDC. Returns `None` if the request is to be sent again with a proof,
    /// which happens once.
    pub(crate) async fn read(&mut self, answer: &[u8]) -> Result<Option<Ticket>> {
        let (client, secret) = (self.client, self.secret);
        if let Some(error) = message::decode_krb_error(answer)? {
            if error.code == code::PREAUTH_REQUIRED && self.proof.is_none() {
                self.info = enctype_info(error.data.as_ref().map(|data| data.as_bytes()))?;
                let key = chosen(&self.enctypes, &self.info, client, secret).await?;
                self.proof = Some(vec![timestamp(&key)?]);
                return Ok(None);
            }
            let server = self.request.server;
            return Err(refused(self.config, &error, client, server, secret.name()));
        }
        let reply: KdcReply = message::decode(&[kind::AS_REP], "the KDC's answer", answer)?;
        // Without pre-authentication, the reply itself names the salt.
        let named = reply.padata.iter().flatten().find(|data| data.kind == padata::ETYPE_INFO2);
        if let Some(named) = named {
            self.info = message::decode_der("the salt of a password", named.value.as_bytes())?;
        }
        let key = reply_key(&reply, &self.enctypes, client, secret, &self.info).await?;
        let wrong = |_| Error::new(ErrorKind::WrongKey, wrong_key(secret.name(), client));
        let part = reply.encrypted.decrypt(&key, usage::AS_REP).map_err(wrong)?;
        self.request.ticket(self.config, &reply, &part, client, &self.enctypes).map(Some)
    }
}

/// Returns the key with which the reply is encrypted.
async fn reply_key(
    reply: &KdcReply,
    enctypes: &[Enctype],
    client: &Principal,
    secret: &Secret,
    info: &[EnctypeInfo],
) -> Result<Key> {
    let enctype = Enctype::from_number(reply.encrypted.enctype).filter(|e| enctypes.contains(e));
    let enctype = enctype.ok_or_else(|| {
        Error::malformed(format!(
            "it is encrypted by a key of encryption type {}, which was not asked for",
            reply.encrypted.enctype
        ))
    })?;
    secret.key(enctype, client, info).await?.ok_or_else(|| {
        Error::new(
            ErrorKind::NoCredentials,
            format!("the keytab has no key of {client} of {enctype}"),
        )
    })
}

/// Requests a ticket for a service with a first ticket, through other realms if the service is in
/// another realm.
pub(crate) async fn request_service_ticket(
    config: &Config,
    first: &Ticket,
    server: &Principal,
) -> Result<Ticket> {
    let of = server.realm().unwrap_or_default().to_owned();
    let mut granting = first.clone();
    let mut realms: Vec<String> = Vec::new();
    loop {
        let at = granting.server.granted_realm().unwrap_or_default().to_owned();
        if realms.contains(&at) || realms.len() > MAX_REALMS {
            let text = format!(
                "a ticket for {server}: the realms {} lead to {at}, and not to {of}; [capaths] of krb5.conf names the way",
                realms.join(", ")
            );
            return Err(Error::new(ErrorKind::Refused, text));
        }
        realms.push(at.clone());
        // Another realm is reached by a ticket for its KDC, or for the KDC of a realm that is
        // nearer to it.
        let between = config.realms_between(&at, &of);
        let wanted = match at == of {
            true => server.clone(),
            false => Principal::ticket_granting(between.first().copied().unwrap_or(&of), &at),
        };
        let asked = by_ticket(config, &granting, &wanted, &at, server).await;
        let ticket = asked.map_err(|error| {
            error.with_context(format_args!("a ticket for {server} from the KDC of {at}"))
        })?;
        if ticket.server == *server {
            return Ok(ticket);
        }
        granting = ticket;
    }
}

/// Requests a ticket from the KDC of one realm. The ticket may be for the KDC of another realm
/// instead.
async fn by_ticket(
    config: &Config,
    granting: &Ticket,
    wanted: &Principal,
    realm: &str,
    goal: &Principal,
) -> Result<Ticket> {
    let request = Request::new(config, wanted, false, now_in_seconds())?;
    let enctypes = config.enctypes(false)?;
    let body = request.body(None, &enctypes)?;
    let checksum =
        granting.key.for_usage(usage::TGS_REQ_CHECKSUM).checksum(&[&message::encode_der(&body)?]);
    let subkey = Key::random(granting.key.enctype())?;
    let checksum = Checksum {
        kind: granting.key.enctype().checksum_number(),
        bytes: message::octets(&checksum)?,
    };
    let shown = AuthenticatorParts { checksum, subkey: Some(&subkey), sequence: None };
    let (shown, _) = encode_ap_request(granting, shown, usage::TGS_REQ_AUTHENTICATOR, 0)?;
    let shown = PaData { kind: padata::TGS_REQ, value: message::octets(&shown)? };
    let asks =
        KdcRequest { version: VERSION, kind: kind::TGS_REQ, padata: Some(vec![shown]), body };
    let answer = kdc::ask(config, realm, message::encode(kind::TGS_REQ, &asks)?).await?;
    let keys = AnswerKeys { subkey: &subkey, session: &granting.key };
    request.read(config, &answer, keys, (&granting.client, goal), &enctypes)
}

/// The keys that can encrypt the answer to a request with a ticket: the key that the request named
/// or, with some KDCs, the key of the ticket.
pub(crate) struct AnswerKeys<'k> {
    pub(crate) subkey: &'k Key,
    pub(crate) session: &'k Key,
}

/// A request: the values that are compared with its reply.
pub(crate) struct Request<'r> {
    server: &'r Principal,
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

    fn body(&self, client: Option<&Principal>, enctypes: &[Enctype]) -> Result<KdcRequestBody> {
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

/// The last second that a message can name: the end of the year 9999.
const FAR: Seconds = 253_402_300_799;

/// Returns what the KDC says about the keys of a user that has not yet authenticated.
fn enctype_info(data: Option<&[u8]>) -> Result<Vec<EnctypeInfo>> {
    let Some(data) = data else { return Ok(Vec::new()) };
    let methods: Vec<PaData> = message::decode_der("the KDC's list of methods", data)?;
    let kinds: Vec<i32> = methods.iter().map(|method| method.kind).collect();
    // Apache Kerby names no way of pre-authentication, but accepts an encrypted time.
    let names_none = kinds.iter().all(|kind| padata::NOT_PREAUTH.contains(kind));
    if !names_none && !kinds.contains(&padata::ENC_TIMESTAMP) {
        let text = format!(
            "the KDC does not take an encrypted time, the only way of pre-authentication that is supported (2); it takes {:?}",
            few(&kinds)
        );
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    match methods.iter().find(|method| method.kind == padata::ETYPE_INFO2) {
        Some(info) => message::decode_der("the salt of a password", info.value.as_bytes()),
        None => Ok(Vec::new()),
    }
}

/// Returns the key with which a user authenticates. Its encryption type is the first type in the
/// KDC's list of which the user has a key.
async fn chosen(
    enctypes: &[Enctype],
    info: &[EnctypeInfo],
    client: &Principal,
    secret: &Secret,
) -> Result<Key> {
    let named = info.iter().filter_map(|info| Enctype::from_number(info.enctype));
    let named: Vec<Enctype> = match info.is_empty() {
        true => enctypes.to_vec(),
        false => named.filter(|enctype| enctypes.contains(enctype)).collect(),
    };
    for enctype in named {
        if let Some(key) = secret.key(enctype, client, info).await? {
            return Ok(key);
        }
    }
    let of_kdc: Vec<i32> = info.iter().map(|info| info.enctype).collect();
    let text = format!(
        "the KDC has keys of {client} of encryption types {:?}, and {} is of {enctypes:?}; make the keytab again, or permit more kinds in krb5.conf",
        few(&of_kdc),
        secret.name()
    );
    Err(Error::new(ErrorKind::WrongKey, text))
}

/// Returns the first numbers of a list, for an error.
fn few(numbers: &[i32]) -> &[i32] {
    numbers.get(..20).unwrap_or(numbers)
}

/// Returns the time, encrypted with the key of the user.
fn timestamp(key: &Key) -> Result<PaData> {
    let (seconds, micros) = unique_time();
    let time = EncTimestamp { time: message::to_generalized_time(seconds)?, micros: Some(micros) };
    let sealed = Encrypted::encrypt(key, usage::PA_ENC_TIMESTAMP, &message::encode_der(&time)?)?;
    Ok(PaData {
        kind: padata::ENC_TIMESTAMP,
        value: message::octets(&message::encode_der(&sealed)?)?,
    })
}

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
fn unique_time() -> (Seconds, u32) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = u64::try_from(now().as_micros()).unwrap_or(u64::MAX);
    let later = |last: u64| Some(now.max(last.saturating_add(1)));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later).unwrap_or(now);
    let micros = now.max(last.saturating_add(1));
    (i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX), (micros % 1_000_000) as u32)
}

fn wrong_key(proof: &str, client: &Principal) -> String {
    format!(
        "{proof} is not the one that the KDC has for {client}; a keytab no longer works once its principal has new keys"
    )
}

/// Returns the error with which a KDC replied, with what can be done about it.
fn refused(
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
