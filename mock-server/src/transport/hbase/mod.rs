//! HBase's RPC over byte streams: connections, and the calls on them.

mod connection;
mod dispatch;
mod outbox;

pub(crate) use connection::serve;
