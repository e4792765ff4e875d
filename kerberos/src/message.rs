//! The messages of Kerberos 5 (RFC 4120, section 5), as far as a client sends and reads them.

use std::time::Duration;

use der::asn1::{Any, Application, ApplicationRef, BitString, GeneralizedTime, OctetString};
use der::{
    Decode, DecodeValue, Encode, EncodeValue, FixedTag, Header, Length, Reader, Sequence,
    SliceReader, Tag, TagMode, TagNumber, Writer,
};

use crate::error::{escaped_excerpt, excerpt};
use crate::ticket::Seconds;
use crate::{Enctype, Error, Key, Principal, Result};

/// The version of the protocol.
pub(crate) const VERSION: u8 = 5;

/// The numbers of messages. A number is the tag of its message, and most messages also contain it
/// as a field.
pub(crate) mod kind {
    pub(crate) const AUTHENTICATOR: u8 = 2;
    pub(crate) const AS_REQ: u8 = 10;
    pub(crate) const AS_REP: u8 = 11;
    pub(crate) const TGS_REQ: u8 = 12;
    pub(crate) const TGS_REP: u8 = 13;
    pub(crate) const AP_REQ: u8 = 14;
    pub(crate) const AP_REP: u8 = 15;
    pub(crate) const ENC_AS_REP_PART: u8 = 25;
    pub(crate) const ENC_TGS_REP_PART: u8 = 26;
    pub(crate) const ENC_AP_REP_PART: u8 = 27;
    pub(crate) const KRB_ERROR: u8 = 30;
}

/// Codes of errors (RFC 4120, section 7.5.9).
pub(crate) mod code {
    pub(crate) const CLIENT_UNKNOWN: i32 = 6;
    pub(crate) const SERVER_UNKNOWN: i32 = 7;
    pub(crate) const ETYPE_NOSUPP: i32 = 14;
    pub(crate) const CLIENT_REVOKED: i32 = 18;
    pub(crate) const KEY_EXPIRED: i32 = 23;
    pub(crate) const PREAUTH_FAILED: i32 = 24;
    pub(crate) const PREAUTH_REQUIRED: i32 = 25;
    /// The KDC cannot serve the request now.
    pub(crate) const UNAVAILABLE: i32 = 29;
    pub(crate) const INTEGRITY: i32 = 31;
    pub(crate) const TICKET_EXPIRED: i32 = 32;
    pub(crate) const NOT_YET_VALID: i32 = 33;
    pub(crate) const SKEW: i32 = 37;
    pub(crate) const MODIFIED: i32 = 41;
    /// The reply is too long for a datagram.
    pub(crate) const TOO_BIG: i32 = 52;
    pub(crate) const WRONG_REALM: i32 = 68;
}

/// The kinds of data for pre-authentication.
pub(crate) mod padata {
    pub(crate) const TGS_REQ: i32 = 1;
    pub(crate) const ENC_TIMESTAMP: i32 = 2;
    pub(crate) const ETYPE_INFO2: i32 = 19;
    /// The kinds that are not ways of pre-authentication: salts and encryption types, and the
    /// support for FAST, cookies, signed requests and freshness.
    pub(crate) const NOT_PREAUTH: [i32; 8] = [3, 10, 11, ETYPE_INFO2, 133, 136, 149, 150];
}

/// Encodes the message with this number.
pub(crate) fn encode<T: EncodeValue + FixedTag>(number: u8, value: &T) -> Result<Vec<u8>> {
    let tag_number = TagNumber(number.into());
    encode_der(&ApplicationRef { tag_number, tag_mode: TagMode::Explicit, value })
}

/// Encodes a value that is not a numbered message.
pub(crate) fn encode_der<T: Encode>(value: &T) -> Result<Vec<u8>> {
    value
        .to_der()
        .map_err(|error| Error::malformed(format!("a message cannot be written: {error}")))
}

/// Decodes a message that has one of these numbers; errors name it as `what`.
pub(crate) fn decode<T>(numbers: &[u8], what: &str, bytes: &[u8]) -> Result<T>
where
    T: for<'d> Decode<'d, Error = der::Error>,
{
    let unread = |error: der::Error| Error::malformed(format!("{what} is malformed: {error}"));
    let mut reader = SliceReader::new(bytes).map_err(unread)?;
    let message = Application::<T>::decode(&mut reader).map_err(unread)?;
    reader.finish().map_err(unread)?;
    match numbers.iter().any(|number| message.tag_number == TagNumber((*number).into())) {
        true => Ok(message.value),
        false => Err(Error::malformed(format!(
            "{what} is another message than it must be: number {}",
            message.tag_number
        ))),
    }
}

/// Decodes a value that is not a numbered message.
pub(crate) fn decode_der<T>(what: &str, bytes: &[u8]) -> Result<T>
where
    T: for<'d> Decode<'d, Error = der::Error>,
{
    T::from_der(bytes).map_err(|error| Error::malformed(format!("{what} is malformed: {error}")))
}

/// Returns the number of a message.
pub(crate) fn message_number(bytes: &[u8]) -> Option<u32> {
    match Tag::peek(&SliceReader::new(bytes).ok()?) {
        Ok(Tag::Application { number, .. }) => Some(number.0),
        _ => None,
    }
}

/// Returns the Kerberos error in a reply, if the reply is an error.
pub(crate) fn decode_krb_error(answer: &[u8]) -> Result<Option<KrbError>> {
    match message_number(answer) == Some(kind::KRB_ERROR.into()) {
        true => decode(&[kind::KRB_ERROR], "the KDC's error", answer).map(Some),
        false => Ok(None),
    }
}

/// `KerberosString`: written as UTF-8, as every implementation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text(Vec<u8>);

impl Text {
    pub(crate) fn to_utf8(&self) -> Result<String> {
        String::from_utf8(self.0.clone()).map_err(|_| {
            Error::malformed(format!("a name is not UTF-8: {}", escaped_excerpt(&self.0)))
        })
    }

    /// The beginning of the text, for an error.
    pub(crate) fn excerpt(&self) -> String {
        excerpt(&self.0)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl FixedTag for Text {
    const TAG: Tag = Tag::GeneralString;
}

impl<'d> DecodeValue<'d> for Text {
    type Error = der::Error;

    fn decode_value<R: Reader<'d>>(reader: &mut R, header: Header) -> der::Result<Self> {
        reader.read_vec(header.length()).map(Self)
    }
}

impl EncodeValue for Text {
    fn value_len(&self) -> der::Result<Length> {
        self.0.len().try_into()
    }

    fn encode_value(&self, writer: &mut impl Writer) -> der::Result<()> {
        writer.write(&self.0)
    }
}

/// `PrincipalName`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct Name {
    #[asn1(context_specific = "0")]
    pub(crate) kind: i32,
    #[asn1(context_specific = "1")]
    pub(crate) components: Vec<Text>,
}

/// NT-PRINCIPAL, NT-SRV-INST and NT-SRV-HST.
const OF_USER: i32 = 1;
const OF_TICKETS: i32 = 2;
const OF_HOST: i32 = 3;

impl Name {
    pub(crate) fn of(principal: &Principal) -> Self {
        let kind = match principal.components() {
            [service, _] if service == "krbtgt" => OF_TICKETS,
            [_, _] => OF_HOST,
            _ => OF_USER,
        };
        let components = principal.components().iter().map(|name| Text::from(&name[..])).collect();
        Self { kind, components }
    }

    pub(crate) fn principal(&self, realm: &Text) -> Result<Principal> {
        let names = self.components.iter().map(Text::to_utf8).collect::<Result<Vec<_>>>()?;
        Principal::new(names, Some(&realm.to_utf8()?))
    }
}

/// `EncryptedData`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct Encrypted {
    #[asn1(context_specific = "0")]
    pub(crate) enctype: i32,
    #[asn1(context_specific = "1", optional = "true")]
    pub(crate) version: Option<u32>,
    #[asn1(context_specific = "2")]
    pub(crate) cipher: OctetString,
}

impl Encrypted {
    pub(crate) fn encrypt(key: &Key, usage: u32, plain: &[u8]) -> Result<Self> {
        Ok(Self {
            enctype: key.enctype().number(),
            version: None,
            cipher: octets(&key.encrypt(usage, plain)?)?,
        })
    }

    /// Decrypts the data, if it has the encryption type of the key.
    pub(crate) fn decrypt(&self, key: &Key, usage: u32) -> Result<zeroize::Zeroizing<Vec<u8>>> {
        if self.enctype != key.enctype().number() {
            return Err(Error::malformed(format!(
                "it is encrypted by a key of encryption type {}, not of {}",
                self.enctype,
                key.enctype()
            )));
        }
        key.decrypt(usage, self.cipher.as_bytes())
    }
}

/// `EncryptionKey`
#[derive(Clone, PartialEq, Eq, Sequence)]
pub(crate) struct KeyBytes {
    #[asn1(context_specific = "0")]
    enctype: i32,
    #[asn1(context_specific = "1")]
    bytes: OctetString,
}

impl KeyBytes {
    pub(crate) fn of(key: &Key) -> Result<Self> {
        Ok(Self { enctype: key.enctype().number(), bytes: octets(key.bytes())? })
    }

    pub(crate) fn try_into_key(self) -> Result<Key> {
        let Some(enctype) = Enctype::from_number(self.enctype) else {
            return Err(Error::malformed(format!(
                "a key is of encryption type {}, which was not asked for",
                self.enctype
            )));
        };
        let bytes = zeroize::Zeroizing::new(self.bytes.into_bytes());
        Key::try_new(enctype, &bytes, "a key of an answer")
    }
}

/// `Checksum`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct Checksum {
    #[asn1(context_specific = "0")]
    pub(crate) kind: i32,
    #[asn1(context_specific = "1")]
    pub(crate) bytes: OctetString,
}

/// `PA-DATA`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct PaData {
    #[asn1(context_specific = "1")]
    pub(crate) kind: i32,
    #[asn1(context_specific = "2")]
    pub(crate) value: OctetString,
}

/// `KDC-REQ`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct KdcRequest {
    #[asn1(context_specific = "1")]
    pub(crate) version: u8,
    #[asn1(context_specific = "2")]
    pub(crate) kind: u8,
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) padata: Option<Vec<PaData>>,
    #[asn1(context_specific = "4")]
    pub(crate) body: KdcRequestBody,
}

/// `KDC-REQ-BODY`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct KdcRequestBody {
    #[asn1(context_specific = "0")]
    pub(crate) options: BitString,
    #[asn1(context_specific = "1", optional = "true")]
    pub(crate) client: Option<Name>,
    #[asn1(context_specific = "2")]
    pub(crate) realm: Text,
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) server: Option<Name>,
    #[asn1(context_specific = "5")]
    pub(crate) till: GeneralizedTime,
    #[asn1(context_specific = "6", optional = "true")]
    pub(crate) renewable_until: Option<GeneralizedTime>,
    #[asn1(context_specific = "7")]
    pub(crate) nonce: u32,
    #[asn1(context_specific = "8")]
    pub(crate) enctypes: Vec<i32>,
}

/// `KDC-REP`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct KdcReply {
    #[asn1(context_specific = "0")]
    pub(crate) version: u8,
    #[asn1(context_specific = "1")]
    pub(crate) kind: u8,
    #[asn1(context_specific = "2", optional = "true")]
    pub(crate) padata: Option<Vec<PaData>>,
    #[asn1(context_specific = "3")]
    pub(crate) realm: Text,
    #[asn1(context_specific = "4")]
    pub(crate) client: Name,
    #[asn1(context_specific = "5")]
    pub(crate) ticket: Any,
    #[asn1(context_specific = "6")]
    pub(crate) encrypted: Encrypted,
}

/// `EncKDCRepPart`
#[derive(Clone, PartialEq, Eq, Sequence)]
pub(crate) struct EncKdcReplyPart {
    #[asn1(context_specific = "0")]
    pub(crate) key: KeyBytes,
    #[asn1(context_specific = "1")]
    pub(crate) last_requests: Any,
    #[asn1(context_specific = "2")]
    pub(crate) nonce: i64,
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) key_expires: Option<GeneralizedTime>,
    #[asn1(context_specific = "4")]
    pub(crate) flags: BitString,
    #[asn1(context_specific = "5")]
    pub(crate) made: GeneralizedTime,
    #[asn1(context_specific = "6", optional = "true")]
    pub(crate) starts: Option<GeneralizedTime>,
    #[asn1(context_specific = "7")]
    pub(crate) ends: GeneralizedTime,
    #[asn1(context_specific = "8", optional = "true")]
    pub(crate) renewable_until: Option<GeneralizedTime>,
    #[asn1(context_specific = "9")]
    pub(crate) realm: Text,
    #[asn1(context_specific = "10")]
    pub(crate) server: Name,
    #[asn1(context_specific = "11", optional = "true")]
    pub(crate) addresses: Option<Any>,
    #[asn1(context_specific = "12", optional = "true")]
    pub(crate) padata: Option<Vec<PaData>>,
}

/// `AP-REQ`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct ApRequest {
    #[asn1(context_specific = "0")]
    pub(crate) version: u8,
    #[asn1(context_specific = "1")]
    pub(crate) kind: u8,
    #[asn1(context_specific = "2")]
    pub(crate) options: BitString,
    #[asn1(context_specific = "3")]
    pub(crate) ticket: Any,
    #[asn1(context_specific = "4")]
    pub(crate) authenticator: Encrypted,
}

/// `Authenticator`
#[derive(Clone, PartialEq, Eq, Sequence)]
pub(crate) struct Authenticator {
    #[asn1(context_specific = "0")]
    pub(crate) version: u8,
    #[asn1(context_specific = "1")]
    pub(crate) realm: Text,
    #[asn1(context_specific = "2")]
    pub(crate) client: Name,
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) checksum: Option<Checksum>,
    #[asn1(context_specific = "4")]
    pub(crate) micros: u32,
    #[asn1(context_specific = "5")]
    pub(crate) time: GeneralizedTime,
    #[asn1(context_specific = "6", optional = "true")]
    pub(crate) subkey: Option<KeyBytes>,
    #[asn1(context_specific = "7", optional = "true")]
    pub(crate) sequence: Option<u32>,
}

/// `AP-REP`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct ApReply {
    #[asn1(context_specific = "0")]
    pub(crate) version: u8,
    #[asn1(context_specific = "1")]
    pub(crate) kind: u8,
    #[asn1(context_specific = "2")]
    pub(crate) encrypted: Encrypted,
}

/// `EncAPRepPart`
#[derive(Clone, PartialEq, Eq, Sequence)]
pub(crate) struct EncApReplyPart {
    #[asn1(context_specific = "0")]
    pub(crate) time: GeneralizedTime,
    #[asn1(context_specific = "1")]
    pub(crate) micros: u32,
    #[asn1(context_specific = "2", optional = "true")]
    pub(crate) subkey: Option<KeyBytes>,
    // Some implementations write it as a signed number.
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) sequence: Option<i64>,
}

/// `KRB-ERROR`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct KrbError {
    #[asn1(context_specific = "0")]
    pub(crate) version: u8,
    #[asn1(context_specific = "1")]
    pub(crate) kind: u8,
    #[asn1(context_specific = "2", optional = "true")]
    pub(crate) client_time: Option<GeneralizedTime>,
    #[asn1(context_specific = "3", optional = "true")]
    pub(crate) client_micros: Option<u32>,
    #[asn1(context_specific = "4")]
    pub(crate) server_time: GeneralizedTime,
    #[asn1(context_specific = "5")]
    pub(crate) server_micros: u32,
    #[asn1(context_specific = "6")]
    pub(crate) code: i32,
    #[asn1(context_specific = "7", optional = "true")]
    pub(crate) client_realm: Option<Text>,
    #[asn1(context_specific = "8", optional = "true")]
    pub(crate) client: Option<Name>,
    #[asn1(context_specific = "9")]
    pub(crate) realm: Text,
    #[asn1(context_specific = "10")]
    pub(crate) server: Name,
    #[asn1(context_specific = "11", optional = "true")]
    pub(crate) text: Option<Text>,
    #[asn1(context_specific = "12", optional = "true")]
    pub(crate) data: Option<OctetString>,
}

/// `PA-ENC-TS-ENC`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct EncTimestamp {
    #[asn1(context_specific = "0")]
    pub(crate) time: GeneralizedTime,
    #[asn1(context_specific = "1", optional = "true")]
    pub(crate) micros: Option<u32>,
}

/// `ETYPE-INFO2-ENTRY`
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct EnctypeInfo {
    #[asn1(context_specific = "0")]
    pub(crate) enctype: i32,
    #[asn1(context_specific = "1", optional = "true")]
    pub(crate) salt: Option<Text>,
    #[asn1(context_specific = "2", optional = "true")]
    pub(crate) parameters: Option<OctetString>,
}

impl EnctypeInfo {
    /// The salt, as the bytes in the message.
    pub(crate) fn salt(&self) -> Option<&[u8]> {
        self.salt.as_ref().map(|Text(bytes)| &bytes[..])
    }
}

pub(crate) fn octets(bytes: &[u8]) -> Result<OctetString> {
    OctetString::new(bytes)
        .map_err(|error| Error::malformed(format!("a field is too long: {error}")))
}

/// Returns 32 flags, of which the first is the highest bit.
pub(crate) fn flags(bits: u32) -> Result<BitString> {
    BitString::new(0, bits.to_be_bytes())
        .map_err(|error| Error::malformed(format!("flags cannot be written: {error}")))
}

pub(crate) fn to_generalized_time(seconds: Seconds) -> Result<GeneralizedTime> {
    let since_1970 = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    GeneralizedTime::from_unix_duration(since_1970)
        .map_err(|error| Error::malformed(format!("the time {seconds} cannot be written: {error}")))
}

pub(crate) fn seconds(time: &GeneralizedTime) -> Seconds {
    i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX)
}
