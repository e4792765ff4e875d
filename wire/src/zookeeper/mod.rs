//! The packets of ZooKeeper's protocol for reading HBase's znodes, in both directions, and the
//! prefix that HBase puts before a message in a znode.
//!
//! A packet is preceded by its length, an `int32`, which [`frame::split`](crate::frame::split)
//! removes. A connection begins with a [`ConnectRequest`] and a [`ConnectResponse`]. Then the
//! client sends [`Operation`]s, each with an xid, and the server sends a [`Reply`] to each, in the
//! same order. Between the replies, the server sends the [`WatchEvent`]s of the watches that the
//! client has set. Requests that change znodes have no parameters here: only HBase's servers send
//! them. Source: `zookeeper.jute`.

mod event;
mod jute;
mod reply;
mod request;
mod session;
mod stat;
mod znode;

pub use event::{EVENT_XID, EventKind, WatchEvent};
pub use jute::MAX_PACKET;
pub use reply::{
    Answer, BAD_ARGUMENTS, MARSHALLING_ERROR, NO_AUTH, NO_NODE, Reply, UNIMPLEMENTED, encode_reply,
};
pub use request::{Operation, PING_XID, RequestHeader, WatchList};
pub use session::{ConnectRequest, ConnectResponse};
pub use stat::Stat;
pub use znode::{encode_znode, strip_znode_prefix};
