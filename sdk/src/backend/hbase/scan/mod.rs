//! Scans: pages of rows from one server after the other.

mod any;
mod collector;
mod open;
mod remaining;
mod replica_target;
mod reply;
mod request;
mod scanner;
mod sending;

pub(crate) use scanner::{PageSettings, Scanner};
