//! The start of a connection: six bytes, then the connection header.
//!
//! A client writes `HBas`, a version byte (0) and an authentication byte, then an `int32` length
//! and a [`ConnectionHeader`]. The server does not respond to a valid preamble and header. It
//! responds to an invalid preamble with a frame with the call id [`NO_CALL`]; after an invalid
//! header it closes the connection without a response.

use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

use crate::WireError;
use crate::proto::{ConnectionHeader, UserInformation, VersionInfo};

/// The call id of a frame that responds to a preamble, not to a call: to a rejected preamble, or to
/// [`Preamble::Registry`].
pub const NO_CALL: u32 = u32::MAX;

/// The length of a preamble.
pub const LEN: usize = 6;

/// The class name of the default cell block codec, `KeyValueCodec`.
pub const KEY_VALUE_CODEC: &str = "org.apache.hadoop.hbase.codec.KeyValueCodec";

/// The first six bytes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preamble {
    /// `HBas`, version 0, and an authentication byte: calls follow.
    Calls(Auth),
    /// `Regist` (HBase 2.6): the server responds with its cluster id and closes the connection.
    Registry,
    /// `Securi` (HBase 2.6): the server responds with its security principal, then waits for
    /// another preamble.
    Security,
}

/// The authentication byte of a preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    /// 80: no authentication.
    Simple,
    /// 81: SASL with GSSAPI.
    Kerberos,
    /// 82: SASL with DIGEST-MD5 and a delegation token.
    Digest,
}

impl Preamble {
    /// Returns the six bytes.
    ///
    /// ```
    /// use tallrow_wire::preamble::{Auth, Preamble};
    ///
    /// assert_eq!(&Preamble::Calls(Auth::Simple).encode(), b"HBas\x00\x50");
    /// assert_eq!(&Preamble::Registry.encode(), b"Regist");
    /// ```
    pub fn encode(self) -> [u8; LEN] {
        match self {
            Preamble::Calls(Auth::Simple) => *b"HBas\x00\x50",
            Preamble::Calls(Auth::Kerberos) => *b"HBas\x00\x51",
            Preamble::Calls(Auth::Digest) => *b"HBas\x00\x52",
            Preamble::Registry => *b"Regist",
            Preamble::Security => *b"Securi",
        }
    }
}

/// Decodes the first six bytes of a connection.
///
/// ```
/// use tallrow_wire::preamble::{self, Auth, Preamble};
///
/// assert_eq!(preamble::decode(b"HBas\x00\x50").unwrap(), Preamble::Calls(Auth::Simple));
/// assert!(preamble::decode(b"HBas\x01\x50").unwrap_err().to_string().contains("version 1"));
/// ```
///
/// # Errors
/// Unknown first bytes, a version other than 0, or an unknown authentication byte.
pub fn decode(bytes: &[u8]) -> Result<Preamble, WireError> {
    const WHAT: &str = "preamble";
    match bytes {
        b"Regist" => Ok(Preamble::Registry),
        b"Securi" => Ok(Preamble::Security),
        [b'H', b'B', b'a', b's', 0, auth] => match auth {
            80 => Ok(Preamble::Calls(Auth::Simple)),
            81 => Ok(Preamble::Calls(Auth::Kerberos)),
            82 => Ok(Preamble::Calls(Auth::Digest)),
            other => Err(WireError::new(WHAT, format!("unknown authentication byte {other}"))),
        },
        [b'H', b'B', b'a', b's', version, _] => {
            Err(WireError::new(WHAT, format!("expected version 0, found version {version}")))
        }
        other => Err(WireError::new(
            WHAT,
            format!("expected \"HBas\" and two more bytes, found \"{}\"", other.escape_ascii()),
        )),
    }
}

/// Makes the connection header of a client without authentication that reads and writes cell
/// blocks.
///
/// The header states version 2.6.0, because servers do not send cell blocks and some exceptions to
/// older clients.
///
/// ```
/// let header = tallrow_wire::preamble::header("ClientService", "alice");
/// assert_eq!(header.service_name.as_deref(), Some("ClientService"));
/// assert_eq!(header.user_info.unwrap().effective_user, "alice");
/// ```
pub fn header(service: &str, user: &str) -> ConnectionHeader {
    ConnectionHeader {
        user_info: Some(UserInformation { effective_user: user.to_owned(), real_user: None }),
        service_name: Some(service.to_owned()),
        cell_block_codec_class: Some(KEY_VALUE_CODEC.to_owned()),
        cell_block_compressor_class: None,
        version_info: Some(VersionInfo {
            version: "2.6.0".into(),
            url: "tallrow".into(),
            revision: env!("CARGO_PKG_VERSION").into(),
            user: "tallrow".into(),
            date: String::new(),
            src_checksum: String::new(),
            version_major: Some(2),
            version_minor: Some(6),
        }),
        rpc_crypto_cipher_transformation: None,
        attribute: Vec::new(),
    }
}

/// Encodes the first bytes of a connection for calls: preamble, length, header.
///
/// ```
/// use tallrow_wire::preamble::{self, Auth};
///
/// let bytes =
///     preamble::encode_with_header(Auth::Simple, &preamble::header("ClientService", "alice"));
/// assert_eq!(&bytes[..6], b"HBas\x00\x50");
/// let header = preamble::decode_header(bytes.slice(10..)).unwrap();
/// assert_eq!(header.service_name.as_deref(), Some("ClientService"));
/// ```
pub fn encode_with_header(auth: Auth, header: &ConnectionHeader) -> Bytes {
    [&Preamble::Calls(auth).encode()[..], &encode_header(header)].concat().into()
}

/// Encodes a connection header with its length prefix, for a connection on which the preamble has
/// been sent.
///
/// ```
/// use tallrow_wire::preamble;
///
/// let header = preamble::header("ClientService", "alice");
/// let bytes = preamble::encode_header(&header);
/// assert_eq!(preamble::decode_header(bytes.slice(4..)).unwrap(), header);
/// ```
pub fn encode_header(header: &ConnectionHeader) -> Bytes {
    let len = header.encoded_len();
    let mut out = BytesMut::with_capacity(4 + len);
    out.put_u32(len as u32);
    out.put_slice(&header.encode_to_vec());
    out.freeze()
}

/// Decodes a connection header, given without its length prefix.
///
/// ```
/// use tallrow_wire::preamble;
/// assert!(preamble::decode_header(bytes::Bytes::from_static(&[0xFF])).is_err());
/// ```
///
/// # Errors
/// Bytes that are not a `ConnectionHeader`.
pub fn decode_header(bytes: Bytes) -> Result<ConnectionHeader, WireError> {
    ConnectionHeader::decode(bytes).map_err(|e| WireError::new("connection header", e.to_string()))
}
