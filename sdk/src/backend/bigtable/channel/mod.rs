//! Connections to the service: gRPC over several concurrent HTTP/2 connections.

mod answer;
mod connection;
mod dial;
mod extra;
mod frames;
mod load;
mod pool;

pub(super) use answer::{AnswerStream, SentCall};
pub(super) use connection::{Connection, ServerUris};
pub(super) use dial::Dialer;
pub(super) use pool::{Pool, Warmer};
