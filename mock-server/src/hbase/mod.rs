//! HBase's services: the methods that answer calls.

mod access;
mod admin;
mod call;
mod client;
mod load;
mod master;
mod methods;
mod peer;
mod registry;

pub(crate) use admin::STOP_SERVER;
pub(crate) use call::{Call, Reply};
pub(crate) use methods::{method_exists, run_method, similar_methods};
pub(crate) use peer::{ClientInfo, Service};
