//! `ClientService`: reads and writes of rows.

mod aggregate;
mod coprocessor;
mod get;
mod multi;
mod mutate;
mod scan;

pub(super) use coprocessor::exec_service;
pub(super) use get::get;
pub(super) use multi::multi;
pub(super) use mutate::mutate;
pub(super) use scan::scan;
