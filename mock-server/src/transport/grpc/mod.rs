//! gRPC over byte streams: HTTP/2 connections, and the calls on them.

mod answer;
mod body;
mod connection;
mod metadata;

pub(crate) use connection::serve;
