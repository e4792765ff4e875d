//! Connections to the service: gRPC over several concurrent HTTP/2 connections.

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
