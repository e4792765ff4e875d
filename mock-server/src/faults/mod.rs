//! Faults and changes as data: which calls or connections fail, when, and how, and what changes in
//! the cluster. Random decisions are derived from a seed, so that a run can be repeated.

mod call;
mod change;
mod connection;
mod effect;
mod fault;
#[cfg(feature = "bigtable")]
mod grpc_call;
mod injector;
#[cfg(feature = "control")]
mod json;
mod target;

pub use call::CallFaultBuilder;
pub use change::Change;
pub use connection::ConnectionFaultBuilder;
pub(crate) use effect::{ConnectionEffect, Effect};
#[cfg(feature = "bigtable")]
pub(crate) use effect::{Failure, GrpcEffect};
pub use fault::Fault;
pub(crate) use injector::FaultInjector;
pub use injector::InjectedFault;
#[cfg(feature = "control")]
pub(crate) use json::TimedChange;
pub(crate) use target::{CallTarget, region_name_of};
