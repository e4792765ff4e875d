//! What ZooKeeper records about a znode besides its content.

use bytes::{Buf, BufMut, Bytes, BytesMut};

/// The record of a znode: the transactions and times that created and changed it, and its counters.
///
/// ```
/// use tallrow_wire::zookeeper::Stat;
///
/// let stat = Stat { czxid: 7, mzxid: 7, pzxid: 7, data_length: 3, ..Default::default() };
/// assert_eq!((stat.version, stat.ephemeral_owner), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// The transaction that created the znode.
    pub czxid: i64,
    /// The last transaction that changed the content.
    pub mzxid: i64,
    /// When the znode was created, in ms since 1970.
    pub ctime: i64,
    /// When the content was last changed, in ms since 1970.
    pub mtime: i64,
    /// How often the content was changed.
    pub version: i32,
    /// How often a child was created or deleted.
    pub cversion: i32,
    /// How often the access control list was changed.
    pub aversion: i32,
    /// The session with which the znode ends; 0 if it does not end with a session.
    pub ephemeral_owner: i64,
    /// The length of the content.
    pub data_length: i32,
    /// The number of children.
    pub num_children: i32,
    /// The last transaction that created or deleted a child.
    pub pzxid: i64,
}

impl Stat {
    /// Appends the 68 bytes of the record.
    pub(super) fn encode(&self, out: &mut BytesMut) {
        out.put_i64(self.czxid);
        out.put_i64(self.mzxid);
        out.put_i64(self.ctime);
        out.put_i64(self.mtime);
        out.put_i32(self.version);
        out.put_i32(self.cversion);
        out.put_i32(self.aversion);
        out.put_i64(self.ephemeral_owner);
        out.put_i32(self.data_length);
        out.put_i32(self.num_children);
        out.put_i64(self.pzxid);
    }

    /// Reads a record; none if it exceeds the packet.
    pub(super) fn decode(bytes: &mut Bytes) -> Option<Self> {
        Some(Self {
            czxid: bytes.try_get_i64().ok()?,
            mzxid: bytes.try_get_i64().ok()?,
            ctime: bytes.try_get_i64().ok()?,
            mtime: bytes.try_get_i64().ok()?,
            version: bytes.try_get_i32().ok()?,
            cversion: bytes.try_get_i32().ok()?,
            aversion: bytes.try_get_i32().ok()?,
            ephemeral_owner: bytes.try_get_i64().ok()?,
            data_length: bytes.try_get_i32().ok()?,
            num_children: bytes.try_get_i32().ok()?,
            pzxid: bytes.try_get_i64().ok()?,
        })
    }
}
