//! The requests of a client.

use bytes::{Buf, BufMut, Bytes};

use super::jute::{get_bool, get_string, get_strings, packet, put_buffer, put_strings};
use crate::WireError;

/// The xid of pings and of the replies to them.
pub const PING_XID: i32 = -2;

// The types of requests, as `ZooDefs.OpCode` numbers them.
const EXISTS: i32 = 3;
const GET_DATA: i32 = 4;
const GET_ACL: i32 = 6;
const GET_CHILDREN: i32 = 8;
const SYNC: i32 = 9;
const PING: i32 = 11;
const GET_CHILDREN_2: i32 = 12;
const AUTH: i32 = 100;
const SET_WATCHES: i32 = 101;
const SET_WATCHES_2: i32 = 105;
const CLOSE: i32 = -11;

/// The types of requests that change znodes: create, delete, setData, setACL, check, multi,
/// create2, reconfig, createContainer, deleteContainer and createTTL.
const CHANGES: [i32; 11] = [1, 2, 5, 7, 13, 14, 15, 16, 19, 20, 21];

/// The header of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHeader {
    /// The number that the reply will have.
    pub xid: i32,
    /// The type of the request.
    pub code: i32,
}

impl RequestHeader {
    /// Removes the header from a request, which is given without its length prefix.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::{Operation, RequestHeader};
    ///
    /// let mut request = Operation::Ping.encode(-2).slice(4..);
    /// let header = RequestHeader::decode(&mut request).unwrap();
    /// assert_eq!(header, RequestHeader { xid: -2, code: 11 });
    /// assert_eq!(Operation::decode(header.code, request).unwrap(), Operation::Ping);
    /// ```
    ///
    /// # Errors
    /// Fewer than 8 bytes.
    pub fn decode(request: &mut Bytes) -> Result<Self, WireError> {
        let mut read = || Some((request.try_get_i32().ok()?, request.try_get_i32().ok()?));
        let (xid, code) =
            read().ok_or_else(|| WireError::new("zookeeper request", "fewer than 8 bytes"))?;
        Ok(Self { xid, code })
    }
}

/// The watches that a client had before it lost its connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchList {
    /// The last transaction that the client has seen the effect of.
    pub last_zxid_seen: i64,
    /// The paths whose content is watched.
    pub data: Vec<String>,
    /// The paths that had no znode.
    pub missing: Vec<String>,
    /// The paths whose children are watched.
    pub children: Vec<String>,
}

impl WatchList {
    fn decode(body: &mut Bytes) -> Option<Self> {
        Some(Self {
            last_zxid_seen: body.try_get_i64().ok()?,
            data: get_strings(body)?,
            missing: get_strings(body)?,
            children: get_strings(body)?,
        })
    }
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `exists`: the record of a znode.
    Exists {
        /// The path of the znode.
        path: String,
        /// Whether to watch for the creation and deletion of the znode, and for changes of its
        /// content.
        watch: bool,
    },
    /// `getData`: the content of a znode, and its record.
    GetData {
        /// The path of the znode.
        path: String,
        /// Whether to watch for the deletion of the znode and for changes of its content.
        watch: bool,
    },
    /// `getChildren` and `getChildren2`: the names of the children of a znode.
    GetChildren {
        /// The path of the znode.
        path: String,
        /// Whether to watch for the deletion of the znode, and for children that are created or
        /// deleted.
        watch: bool,
        /// Whether the record of the znode is asked for too, as by `getChildren2`.
        with_stat: bool,
    },
    /// `getACL`: who may do what with a znode.
    GetAcl {
        /// The path of the znode.
        path: String,
    },
    /// `sync`: what the leader knows.
    Sync {
        /// The path of a znode.
        path: String,
    },
    /// `ping`: a sign of life.
    Ping,
    /// `auth`: who the client is.
    Auth,
    /// `setWatches`, and `setWatches2` without persistent watches: the watches of the connection
    /// before this one.
    SetWatches(WatchList),
    /// `closeSession`: the end of the session.
    Close,
    /// A request of this type, which would change znodes.
    Change(i32),
    /// A request of this type, which is none of the above.
    Unknown(i32),
}

impl Operation {
    /// Encodes a request, with its length prefix. A request that would change znodes is encoded
    /// without parameters.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::Operation;
    ///
    /// let read = Operation::GetData { path: "/hbase/master".into(), watch: false };
    /// assert!(read.encode(1).ends_with(b"/hbase/master\0"));
    /// assert_eq!(Operation::Close.encode(2).len(), 12);
    /// ```
    pub fn encode(&self, xid: i32) -> Bytes {
        packet(|out| {
            out.put_i32(xid);
            out.put_i32(self.code());
            match self {
                Self::Exists { path, watch }
                | Self::GetData { path, watch }
                | Self::GetChildren { path, watch, .. } => {
                    put_buffer(out, path.as_bytes());
                    out.put_u8((*watch).into());
                }
                Self::GetAcl { path } | Self::Sync { path } => put_buffer(out, path.as_bytes()),
                // The type of the packet, a scheme and its credentials.
                Self::Auth => out.put_bytes(0, 12),
                Self::SetWatches(watches) => {
                    out.put_i64(watches.last_zxid_seen);
                    put_strings(out, &watches.data);
                    put_strings(out, &watches.missing);
                    put_strings(out, &watches.children);
                }
                Self::Ping | Self::Close | Self::Change(_) | Self::Unknown(_) => {}
            }
        })
    }

    /// Decodes the parameters of a request, which follow its header.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use tallrow_wire::zookeeper::Operation;
    ///
    /// let body = Bytes::from_static(b"\0\0\0\x06/hbase\x01");
    /// let read = Operation::Exists { path: "/hbase".into(), watch: true };
    /// assert_eq!(Operation::decode(3, body).unwrap(), read);
    /// assert_eq!(Operation::decode(1, Bytes::new()).unwrap(), Operation::Change(1));
    /// assert!(Operation::decode(3, Bytes::from_static(b"\0\0\0\x09/hbase")).is_err());
    /// ```
    ///
    /// # Errors
    /// Parameters that are too short. As in ZooKeeper, bytes after them are ignored.
    pub fn decode(code: i32, mut body: Bytes) -> Result<Self, WireError> {
        let body = &mut body;
        let mut read = || {
            Some(match code {
                EXISTS => Self::Exists { path: get_string(body)?, watch: get_bool(body)? },
                GET_DATA => Self::GetData { path: get_string(body)?, watch: get_bool(body)? },
                GET_CHILDREN | GET_CHILDREN_2 => Self::GetChildren {
                    path: get_string(body)?,
                    watch: get_bool(body)?,
                    with_stat: code == GET_CHILDREN_2,
                },
                GET_ACL => Self::GetAcl { path: get_string(body)? },
                SYNC => Self::Sync { path: get_string(body)? },
                SET_WATCHES => Self::SetWatches(WatchList::decode(body)?),
                SET_WATCHES_2 => {
                    let watches = WatchList::decode(body)?;
                    let persistent = [get_strings(body)?, get_strings(body)?];
                    match persistent.iter().all(Vec::is_empty) {
                        true => Self::SetWatches(watches),
                        false => Self::Unknown(code),
                    }
                }
                PING => Self::Ping,
                AUTH => Self::Auth,
                CLOSE => Self::Close,
                change if CHANGES.contains(&change) => Self::Change(change),
                unknown => Self::Unknown(unknown),
            })
        };
        read().ok_or_else(|| {
            let found = format!("parameters that are too short for a request of type {code}");
            WireError::new("zookeeper request", found)
        })
    }

    /// Returns the name of the operation in ZooKeeper's protocol.
    ///
    /// ```
    /// use tallrow_wire::zookeeper::Operation;
    ///
    /// let read = Operation::GetData { path: "/hbase/master".into(), watch: false };
    /// assert_eq!((read.name(), Operation::Change(1).name()), ("getData", "change"));
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exists { .. } => "exists",
            Self::GetData { .. } => "getData",
            Self::GetChildren { with_stat: false, .. } => "getChildren",
            Self::GetChildren { with_stat: true, .. } => "getChildren2",
            Self::GetAcl { .. } => "getACL",
            Self::Sync { .. } => "sync",
            Self::Ping => "ping",
            Self::Auth => "auth",
            Self::SetWatches(_) => "setWatches",
            Self::Close => "closeSession",
            Self::Change(_) => "change",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The type of the request.
    fn code(&self) -> i32 {
        match self {
            Self::Exists { .. } => EXISTS,
            Self::GetData { .. } => GET_DATA,
            Self::GetChildren { with_stat: false, .. } => GET_CHILDREN,
            Self::GetChildren { with_stat: true, .. } => GET_CHILDREN_2,
            Self::GetAcl { .. } => GET_ACL,
            Self::Sync { .. } => SYNC,
            Self::Ping => PING,
            Self::Auth => AUTH,
            Self::SetWatches(_) => SET_WATCHES,
            Self::Close => CLOSE,
            Self::Change(code) | Self::Unknown(code) => *code,
        }
    }
}
