//! The services of a server, and the methods that answer calls.

mod admin;
mod call;
mod client;
mod load;
mod master;
mod methods;
mod peer;
mod registry;
mod reply;

pub(crate) use call::Call;
pub(crate) use methods::{exists, run, similar};
pub(crate) use peer::{Peer, Service};
pub(crate) use reply::Reply;
