//! The replies of a server.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use super::event::WatchEvent;
use super::jute::{get_buffer, get_string, get_strings, put_buffer, put_packet, put_strings};
use super::request::Operation;
use super::stat::Stat;
use crate::WireError;

/// The error code for a request whose parameters cannot be decoded.
pub const MARSHALLING_ERROR: i32 = -5;

/// The error code for a request of a type that the server does not know.
pub const UNIMPLEMENTED: i32 = -6;

/// The error code for a path that no znode can have.
pub const BAD_ARGUMENTS: i32 = -8;

/// The error code for a znode that does not exist.
pub const NO_NODE: i32 = -101;

/// The error code for a request that the client may not make.
pub const NO_AUTH: i32 = -102;

/// The permissions of everybody in the only access control list that is encoded: all of them.
const ALL_PERMISSIONS: i32 = 31;

/// A reply to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The xid of the request; negative for a ping or a watch.
    pub xid: i32,
    /// The last transaction of the server.
    pub zxid: i64,
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
    /// assert_eq!((reply.xid, reply.zxid, reply.code), (1, 9, NO_NODE));
    /// ```
    ///
    /// # Errors
    /// Fewer than 16 bytes.
    pub fn decode(mut bytes: Bytes) -> Result<Self, WireError> {
        let mut read = || {
            let (xid, zxid) = (bytes.try_get_i32().ok()?, bytes.try_get_i64().ok()?);
            Some((xid, zxid, bytes.try_get_i32().ok()?))
        };
        let (xid, zxid, code) =
            read().ok_or_else(|| WireError::new("zookeeper reply", "fewer than 16 bytes"))?;
        Ok(Self { xid, zxid, code, body: bytes })
    }

    /// Returns the content of the znode, in a reply to [`Operation::GetData`].
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
        get_buffer(&mut self.body.clone())
            .ok_or_else(|| WireError::new("zookeeper reply", "the content exceeds the packet"))
    }

    /// Returns the answer, in a reply without an error to this operation.
    ///
    /// See [`encode_reply`] for an example.
    ///
    /// # Errors
    /// An answer that exceeds the packet.
    pub fn answer(&self, to: &Operation) -> Result<Answer, WireError> {
        let mut body = self.body.clone();
        let mut read = || {
            Some(match to {
                Operation::Exists { .. } => Answer::Stat(Stat::decode(&mut body)?),
                Operation::GetData { .. } => {
                    Answer::Data(get_buffer(&mut body)?, Stat::decode(&mut body)?)
                }
                Operation::GetChildren { with_stat: false, .. } => {
                    Answer::Children(get_strings(&mut body)?, None)
                }
                Operation::GetChildren { with_stat: true, .. } => {
                    Answer::Children(get_strings(&mut body)?, Some(Stat::decode(&mut body)?))
                }
                Operation::GetAcl { .. } => {
                    for _ in 0..body.try_get_i32().ok()? {
                        body.try_get_i32().ok()?;
                        get_string(&mut body)?;
                        get_string(&mut body)?;
                    }
                    Answer::OpenAcl(Stat::decode(&mut body)?)
                }
                Operation::Sync { .. } => Answer::Path(get_string(&mut body)?),
                _ => Answer::Empty,
            })
        };
        read().ok_or_else(|| WireError::new("zookeeper reply", "the answer exceeds the packet"))
    }

    /// Returns the event, in a packet whose xid is [`EVENT_XID`](super::EVENT_XID).
    ///
    /// See [`WatchEvent::encode`] for an example.
    ///
    /// # Errors
    /// An event that exceeds the packet, or of an unknown type.
    pub fn event(&self) -> Result<WatchEvent, WireError> {
        WatchEvent::decode(self.body.clone())
    }
}

/// What a server answers, if there is no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing, as to a ping.
    Empty,
    /// The record of a znode.
    Stat(Stat),
    /// The content of a znode, and its record.
    Data(Bytes, Stat),
    /// The names of the children of a znode, and its record if it was asked for.
    Children(Vec<String>, Option<Stat>),
    /// An access control list that lets everybody do everything, and the record of its znode.
    OpenAcl(Stat),
    /// The path of a request.
    Path(String),
}

/// Appends a reply, with its length prefix: an answer, or an error code.
///
/// ```
/// use bytes::BytesMut;
/// use tallrow_wire::zookeeper::{Answer, NO_NODE, Operation, Reply, Stat, encode_reply};
///
/// let asked = Operation::GetData { path: "/hbase/hbaseid".into(), watch: false };
/// let answer = Answer::Data(b"id"[..].into(), Stat::default());
/// let mut out = BytesMut::new();
/// encode_reply(1, 9, Ok(&answer), &mut out);
/// let reply = Reply::decode(out.split_off(4).freeze()).unwrap();
/// assert_eq!((reply.xid, reply.code, reply.answer(&asked).unwrap()), (1, 0, answer));
/// let mut out = BytesMut::new();
/// encode_reply(2, 9, Err(NO_NODE), &mut out);
/// assert_eq!(out.len(), 4 + 16);
/// ```
pub fn encode_reply(xid: i32, zxid: i64, answer: Result<&Answer, i32>, out: &mut BytesMut) {
    put_packet(out, |out| {
        out.put_i32(xid);
        out.put_i64(zxid);
        out.put_i32(answer.err().unwrap_or(0));
        match answer {
            Ok(Answer::Empty) | Err(_) => {}
            Ok(Answer::Stat(stat)) => stat.encode(out),
            Ok(Answer::Data(content, stat)) => {
                put_buffer(out, content);
                stat.encode(out);
            }
            Ok(Answer::Children(names, stat)) => {
                put_strings(out, names);
                stat.iter().for_each(|stat| stat.encode(out));
            }
            Ok(Answer::OpenAcl(stat)) => {
                out.put_i32(1);
                out.put_i32(ALL_PERMISSIONS);
                put_buffer(out, b"world");
                put_buffer(out, b"anyone");
                stat.encode(out);
            }
            Ok(Answer::Path(path)) => put_buffer(out, path.as_bytes()),
        }
    });
}
