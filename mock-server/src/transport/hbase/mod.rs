//! HBase's RPC over byte streams: connections, and the calls on them.

mod connection;
mod dispatch;

pub(crate) use connection::serve;
