//! The first ticket of a user (ticket-granting ticket), which the user gets by a password or a
//! keytab.

use tokio::task::spawn_blocking;
use zeroize::Zeroizing;

use super::authenticator::unique_time;
use super::request::{Request, refused, wrong_key};
use crate::config::Config;
use crate::crypto::usage;
use crate::message::{
    self, EncTimestamp, Encrypted, EnctypeInfo, KdcReply, KdcRequest, PaData, VERSION, code, kind,
    padata,
};
use crate::ticket::{Ticket, now_in_seconds};
use crate::{Enctype, Error, ErrorKind, Key, Principal, Result, kdc};

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
