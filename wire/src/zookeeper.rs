//! The few packets of ZooKeeper's protocol that are needed to read HBase's znodes, and the prefix
//! that HBase puts before a message in a znode.
//!
//! The packets are encoded by hand: a session that only reads needs five of them. Every packet is
//! preceded by its length, an `int32`, which [`frame::split`](crate::frame::split) removes. Source:
//! `zookeeper.jute`.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::WireError;

/// The error code for a znode that does not exist.
pub const NO_NODE: i32 = -101;

const GET_DATA: i32 = 4;
const CLOSE: i32 = -11;

/// Encodes a `ConnectRequest` for a new session, with its length prefix.
///
/// ```
/// let packet = tallrow_wire::zookeeper::encode_connect(6_000);
/// assert_eq!(packet.len(), 4 + 4 + 8 + 4 + 8 + 4 + 16 + 1);
/// ```
pub fn encode_connect(session_timeout_ms: i32) -> Bytes {
    packet(|out| {
        out.put_i32(0);
        out.put_i64(0);
        out.put_i32(session_timeout_ms);
        out.put_i64(0);
        out.put_i32(16);
        out.put_bytes(0, 16);
        out.put_u8(0);
    })
}

/// Decodes a `ConnectResponse`, given without its length prefix, and returns the timeout of the
/// session in ms.
///
/// ```
/// use bytes::Bytes;
/// use tallrow_wire::zookeeper;
///
/// let answer = Bytes::from_static(b"\0\0\0\0\0\0\x17\x70\0\0\0\0\0\0\0\x01\0\0\0\0");
/// assert_eq!(zookeeper::decode_connect_response(answer).unwrap(), 6_000);
/// assert!(zookeeper::decode_connect_response(Bytes::from_static(b"HTTP/1.1")).is_err());
/// ```
///
/// # Errors
/// A packet that is too short, or a session that the server refused.
pub fn decode_connect_response(mut bytes: Bytes) -> Result<u32, WireError> {
    const WHAT: &str = "zookeeper session";
    const SHOWN: usize = 32;
    let found = bytes.clone();
    let mut read =
        || Some((bytes.try_get_i32().ok()?, bytes.try_get_i32().ok()?, bytes.try_get_i64().ok()?));
    match read() {
        Some((0, timeout, _)) if timeout > 0 => Ok(timeout.unsigned_abs()),
        Some((0, _, _)) => Err(WireError::new(WHAT, "the server refused it")),
        _ => Err(WireError::new(
            WHAT,
            format!(
                "expected protocol version 0, a timeout and an id, found \"{}\"",
                found.get(..found.len().min(SHOWN)).unwrap_or_default().escape_ascii()
            ),
        )),
    }
}

/// Encodes a `GetDataRequest` for the content of a znode, without a watch, with its length prefix.
///
/// ```
/// assert!(
///     tallrow_wire::zookeeper::encode_get_data(1, "/hbase/master").ends_with(b"/hbase/master\0")
/// );
/// ```
pub fn encode_get_data(xid: i32, path: &str) -> Bytes {
    packet(|out| {
        out.put_i32(xid);
        out.put_i32(GET_DATA);
        out.put_i32(path.len() as i32);
        out.put_slice(path.as_bytes());
        out.put_u8(0);
    })
}

/// Encodes a request that closes the session, with its length prefix.
///
/// ```
/// assert_eq!(tallrow_wire::zookeeper::encode_close(2).len(), 12);
/// ```
pub fn encode_close(xid: i32) -> Bytes {
    packet(|out| {
        out.put_i32(xid);
        out.put_i32(CLOSE);
    })
}

/// A reply to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The xid of the request; negative for a ping or a watch.
    pub xid: i32,
    /// 0, or an error code such as [`NO_NODE`].
    pub code: i32,
    body: Bytes,
}

impl Reply {
    /// Decodes the header of a reply, given without its length prefix.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::zookeeper::{NO_NODE, Reply};
    ///
    /// let reply =
    ///     Reply::decode(Bytes::from_static(b"\0\0\0\x01\0\0\0\0\0\0\0\x09\xff\xff\xff\x9b"))
    ///         .unwrap();
    /// assert_eq!((reply.xid, reply.code), (1, NO_NODE));
    /// ```
    ///
    /// # Errors
    /// Fewer than 16 bytes.
    pub fn decode(mut bytes: Bytes) -> Result<Self, WireError> {
        let mut read = || {
            let xid = bytes.try_get_i32().ok()?;
            bytes.try_get_i64().ok()?;
            Some((xid, bytes.try_get_i32().ok()?))
        };
        let (xid, code) =
            read().ok_or_else(|| WireError::new("zookeeper reply", "fewer than 16 bytes"))?;
        Ok(Self { xid, code, body: bytes })
    }

    /// Returns the content of the znode, in a reply to a `GetDataRequest`.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::zookeeper::Reply;
    ///
    /// let reply =
    ///     Reply::decode(Bytes::from_static(b"\0\0\0\x01\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\x02hi"))
    ///         .unwrap();
    /// assert_eq!(&reply.data().unwrap()[..], b"hi");
    /// ```
    ///
    /// # Errors
    /// A length that exceeds the packet.
    pub fn data(&self) -> Result<Bytes, WireError> {
        let mut body = self.body.clone();
        match body.try_get_i32().ok().map(usize::try_from) {
            Some(Ok(len)) if len <= body.len() => Ok(body.split_to(len)),
            // A znode without content has length -1.
            Some(Err(_)) => Ok(Bytes::new()),
            _ => Err(WireError::new("zookeeper reply", "the content exceeds the packet")),
        }
    }
}

/// Removes the prefix that HBase puts before a message in a znode: `0xFF`, an `int32` length, an id
/// of that many bytes, and `PBUF`. Content without this prefix is returned as it is.
///
/// ```
/// use bytes::Bytes;
/// use tallrow_wire::zookeeper::strip_znode_prefix;
///
/// assert_eq!(
///     &strip_znode_prefix(Bytes::from_static(b"\xff\0\0\0\x02idPBUFmsg")).unwrap()[..],
///     b"msg"
/// );
/// assert!(strip_znode_prefix(Bytes::from_static(b"\xff\0\0\0\x09id")).is_err());
/// ```
///
/// # Errors
/// Content that ends within the prefix.
pub fn strip_znode_prefix(mut content: Bytes) -> Result<Bytes, WireError> {
    let found = content.clone();
    let cut = || {
        WireError::new(
            "znode",
            format!("expected an id and a message, found \"{}\"", found.escape_ascii()),
        )
    };
    if content.first() == Some(&0xFF) {
        content.advance(1);
        let len =
            content.try_get_i32().ok().and_then(|n| usize::try_from(n).ok()).ok_or_else(cut)?;
        if len > content.len() {
            return Err(cut());
        }
        content.advance(len);
    }
    if content.starts_with(b"PBUF") {
        content.advance(4);
    }
    Ok(content)
}

fn packet(fill: impl FnOnce(&mut BytesMut)) -> Bytes {
    let mut out = BytesMut::with_capacity(64);
    out.put_u32(0);
    fill(&mut out);
    let len = (out.len() - 4) as u32;
    if let Some(head) = out.first_chunk_mut::<4>() {
        *head = len.to_be_bytes();
    }
    out.freeze()
}
