//! Connections to the service: gRPC over HTTP/2, several side by side.

mod answer;
mod connection;
mod dial;
mod pool;

pub(super) use connection::{Connection, Lane};
pub(super) use dial::Dial;
pub(super) use pool::{Pool, Warmer};
