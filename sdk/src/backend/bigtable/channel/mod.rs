//! Connections to the service: gRPC over HTTP/2, several side by side.

mod answer;
mod connection;
mod dial;
mod frames;
mod load;
mod pool;

pub(super) use answer::{Answer, Sent};
pub(super) use connection::{About, Connection};
pub(super) use dial::Dial;
pub(super) use pool::{Pool, Warmer};
