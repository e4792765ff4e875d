//! ZooKeeper's protocol over byte streams.

mod connection;
mod words;

pub(crate) use connection::serve;
