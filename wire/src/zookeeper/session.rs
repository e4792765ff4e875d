//! The first packet of each side of a connection, which opens a session or continues one.

use bytes::{Buf, BufMut, Bytes};

use super::jute::{get_bool, get_buffer, packet, put_buffer};
use crate::WireError;

/// The length of the password of a session.
const PASSWORD_LEN: usize = 16;

/// The first packet of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectRequest {
    /// The last transaction that the client has seen the effect of.
    pub last_zxid_seen: i64,
    /// The session timeout that the client asks for.
    pub session_timeout_ms: i32,
    /// The session that is to be continued; 0 for a new one.
    pub session_id: i64,
    /// The password of the session.
    pub password: Bytes,
    /// Whether a server without a quorum may answer; `None` for clients before 3.4, which do not
    /// say.
    pub read_only: Option<bool>,
}

impl ConnectRequest {
    /// Returns a request for a new session.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::ConnectRequest;
    ///
    /// let packet = ConnectRequest::for_new_session(6_000).encode();
    /// assert_eq!(packet.len(), 4 + 4 + 8 + 4 + 8 + 4 + 16 + 1);
    /// ```
    pub fn for_new_session(session_timeout_ms: i32) -> Self {
        Self {
            last_zxid_seen: 0,
            session_timeout_ms,
            session_id: 0,
            password: Bytes::from_static(&[0; PASSWORD_LEN]),
            read_only: Some(false),
        }
    }

    /// Encodes the request, with its length prefix.
    ///
    /// See [`ConnectRequest::for_new_session`] for an example.
    pub fn encode(&self) -> Bytes {
        packet(|out| {
            out.put_i32(0);
            out.put_i64(self.last_zxid_seen);
            out.put_i32(self.session_timeout_ms);
            out.put_i64(self.session_id);
            put_buffer(out, &self.password);
            if let Some(read_only) = self.read_only {
                out.put_u8(read_only.into());
            }
        })
    }

    /// Decodes a request, given without its length prefix.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::ConnectRequest;
    ///
    /// let request = ConnectRequest::for_new_session(6_000);
    /// assert_eq!(ConnectRequest::decode(request.encode().slice(4..)).unwrap(), request);
    /// ```
    ///
    /// # Errors
    /// A packet that is too short.
    pub fn decode(mut bytes: Bytes) -> Result<Self, WireError> {
        let mut read = || {
            bytes.try_get_i32().ok()?;
            Some(Self {
                last_zxid_seen: bytes.try_get_i64().ok()?,
                session_timeout_ms: bytes.try_get_i32().ok()?,
                session_id: bytes.try_get_i64().ok()?,
                password: get_buffer(&mut bytes)?,
                read_only: get_bool(&mut bytes),
            })
        };
        read().ok_or_else(|| WireError::new("zookeeper session", "a request that is too short"))
    }
}

/// The first packet of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectResponse {
    /// The timeout of the session.
    pub session_timeout_ms: i32,
    /// The id of the session.
    pub session_id: i64,
    /// The password with which another connection may continue the session.
    pub password: Bytes,
    /// Whether the server has no quorum; `None` if the client's request did not have this field.
    pub read_only: Option<bool>,
}

impl ConnectResponse {
    /// Returns the response to a request for a session that the server does not know, or whose
    /// password is wrong. [`ConnectResponse::decode`] returns an error for it.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::ConnectResponse;
    ///
    /// let refusal = ConnectResponse::refusal(Some(false)).encode();
    /// let error = ConnectResponse::decode(refusal.slice(4..)).unwrap_err();
    /// assert_eq!(error.to_string(), "read zookeeper session: the server refused it");
    /// ```
    pub fn refusal(read_only: Option<bool>) -> Self {
        let password = Bytes::from_static(&[0; PASSWORD_LEN]);
        Self { session_timeout_ms: 0, session_id: 0, password, read_only }
    }

    /// Encodes the response, with its length prefix.
    ///
    /// See [`ConnectResponse::refusal`] for an example.
    pub fn encode(&self) -> Bytes {
        packet(|out| {
            out.put_i32(0);
            out.put_i32(self.session_timeout_ms);
            out.put_i64(self.session_id);
            put_buffer(out, &self.password);
            if let Some(read_only) = self.read_only {
                out.put_u8(read_only.into());
            }
        })
    }

    /// Decodes a response, given without its length prefix.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::zookeeper::ConnectResponse;
    ///
    /// let answer = Bytes::from_static(b"\0\0\0\0\0\0\x17\x70\0\0\0\0\0\0\0\x01\0\0\0\0");
    /// let response = ConnectResponse::decode(answer).unwrap();
    /// assert_eq!((response.session_timeout_ms, response.session_id), (6_000, 1));
    /// assert!(ConnectResponse::decode(Bytes::from_static(b"HTTP/1.1")).is_err());
    /// ```
    ///
    /// # Errors
    /// A packet that is too short, or a session that the server refused.
    pub fn decode(mut bytes: Bytes) -> Result<Self, WireError> {
        const WHAT: &str = "zookeeper session";
        const SHOWN: usize = 32;
        let found = bytes.clone();
        let mut read = || {
            let version = bytes.try_get_i32().ok()?;
            let response = Self {
                session_timeout_ms: bytes.try_get_i32().ok()?,
                session_id: bytes.try_get_i64().ok()?,
                password: get_buffer(&mut bytes)?,
                read_only: get_bool(&mut bytes),
            };
            (version == 0).then_some(response)
        };
        match read() {
            Some(response) if response.session_timeout_ms > 0 => Ok(response),
            Some(_) => Err(WireError::new(WHAT, "the server refused it")),
            None => Err(WireError::new(
                WHAT,
                format!(
                    "expected protocol version 0, a timeout, an id and a password, found \"{}\"",
                    found.get(..found.len().min(SHOWN)).unwrap_or_default().escape_ascii()
                ),
            )),
        }
    }
}
