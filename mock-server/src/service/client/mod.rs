//! `ClientService`: reads and writes of rows.

mod aggregate;
mod apply;
mod coprocessor;
mod get;
mod multi;
mod multi_row_mutation;
mod mutate;
mod result;
mod scan;

pub(super) use coprocessor::exec_service;
pub(super) use get::get;
pub(super) use multi::multi;
pub(super) use mutate::mutate;
pub(super) use scan::scan;
