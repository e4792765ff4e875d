//! Calls and the connections they travel on. Nothing here depends on tables, looks up regions or retries.

mod call;
mod connection;
mod dial;
mod multi;
mod op;
mod servers;
mod ticket;

pub(crate) use call::{Call, CallError, Service};
pub(crate) use dial::{Dialed, dial};
pub(crate) use multi::region_specifier;
pub(crate) use op::{Op, OpReply, Request, cells_of};
pub(crate) use servers::Servers;
pub(crate) use ticket::Ticket;
