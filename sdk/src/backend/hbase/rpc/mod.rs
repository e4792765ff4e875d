//! Calls, and the connections that carry them. Nothing here depends on tables, looks up regions or
//! retries calls.

mod call;
mod command;
mod compressed;
mod connection;
mod dial;
mod driver;
mod first_seen;
mod multi;
mod op;
mod op_queue;
mod servers;
mod ticket;
mod window;

pub(crate) use call::{Call, CallError, HIGH_PRIORITY, Service};
pub(crate) use compressed::CellCompression;
#[cfg(feature = "kerberos")]
pub(crate) use dial::read_encryption_keys;
pub(crate) use dial::{DialedStream, dial};
pub(crate) use driver::{MULTI_BYTES, MULTI_OPS};
pub(crate) use first_seen::FirstSeenNumbers;
pub(crate) use multi::{Answers, region_specifier};
pub(crate) use op::{Op, OpReply, Request, Routed, cells_of};
pub(crate) use servers::Connections;
pub(crate) use ticket::{InFlight, Share};
