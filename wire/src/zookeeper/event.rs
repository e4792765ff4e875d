//! The packet that tells a client that a watched znode has changed.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use super::jute::{get_string, put_buffer, put_packet};
use crate::WireError;

/// The xid of watch events, to which no request belongs.
pub const EVENT_XID: i32 = -1;

/// The state of the session in every event: the client is connected.
const SYNC_CONNECTED: i32 = 3;

/// What happened to a znode.
///
/// ```
/// use tallrow_wire::zookeeper::EventKind;
///
/// assert_eq!(EventKind::NodeDeleted as i32, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum EventKind {
    /// It was created.
    NodeCreated = 1,
    /// It was deleted.
    NodeDeleted = 2,
    /// Its content was changed.
    NodeDataChanged = 3,
    /// A child was created or deleted.
    NodeChildrenChanged = 4,
}

/// What happened to a znode that a client watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchEvent {
    /// What happened.
    pub kind: EventKind,
    /// The path of the znode.
    pub path: String,
}

impl WatchEvent {
    /// Appends the packet of the event, with its length prefix.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use tallrow_wire::zookeeper::{EVENT_XID, EventKind, Reply, WatchEvent};
    ///
    /// let event = WatchEvent { kind: EventKind::NodeDeleted, path: "/hbase/master".into() };
    /// let mut out = BytesMut::new();
    /// event.encode(&mut out);
    /// let reply = Reply::decode(out.split_off(4).freeze()).unwrap();
    /// assert_eq!((reply.xid, reply.event().unwrap()), (EVENT_XID, event));
    /// ```
    pub fn encode(&self, out: &mut BytesMut) {
        put_packet(out, |out| {
            out.put_i32(EVENT_XID);
            out.put_i64(-1);
            out.put_i32(0);
            out.put_i32(self.kind as i32);
            out.put_i32(SYNC_CONNECTED);
            put_buffer(out, self.path.as_bytes());
        });
    }

    /// Decodes what follows the header of an event.
    pub(super) fn decode(mut body: Bytes) -> Result<Self, WireError> {
        let mut read = || {
            let kind = match body.try_get_i32().ok()? {
                1 => EventKind::NodeCreated,
                2 => EventKind::NodeDeleted,
                3 => EventKind::NodeDataChanged,
                4 => EventKind::NodeChildrenChanged,
                _ => return None,
            };
            body.try_get_i32().ok()?;
            Some(Self { kind, path: get_string(&mut body)? })
        };
        read().ok_or_else(|| WireError::new("zookeeper event", "no type, state and path of a node"))
    }
}
