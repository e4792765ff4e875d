//! Faults and changes as JSON: what a scenario file holds, and what the control port takes and
//! shows. The names are those of the functions and variants in Rust.

mod change;
mod fault;
mod selection;

pub(crate) use change::TimedChange;
