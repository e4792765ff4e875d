//! HBase's services: the methods that answer calls.

mod admin;
mod call;
mod client;
mod load;
mod master;
mod methods;
mod peer;
mod registry;

pub(crate) use call::{Call, Reply};
pub(crate) use methods::{exists, run, similar};
pub(crate) use peer::{Peer, Service};
