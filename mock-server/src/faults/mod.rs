//! Faults as data: which calls or connections fail, when, and how. They follow from a seed, so a run can be repeated.

mod call;
mod connection;
mod effect;
mod fault;
mod injector;
mod schedule;
mod target;

pub use call::CallFaultBuilder;
pub use connection::ConnectionFaultBuilder;
pub(crate) use effect::{ConnectionEffect, Effect};
pub use fault::Fault;
pub(crate) use injector::FaultInjector;
pub(crate) use target::{CallTarget, region_of};
