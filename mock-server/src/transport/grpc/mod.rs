//! gRPC over byte streams: HTTP/2 connections, and the calls on them.

mod answer;
mod body;
mod call;
mod connection;
mod fault;
mod metadata;

pub(crate) use connection::serve;
