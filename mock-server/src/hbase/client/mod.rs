//! `ClientService`: reads and writes of rows.

mod aggregate;
mod coprocessor;
mod get;
mod multi;
mod mutate;
mod scan;

use super::call::{Method, answer_with_cells, answer_with_message};

/// The methods of the service.
pub(super) const METHODS: &[Method] = &[
    ("Get", |c, r| answer_with_cells(c, r, &[1, 2], get::get)),
    ("Mutate", |c, r| answer_with_cells(c, r, &[1, 2], mutate::mutate)),
    ("Multi", |c, r| answer_with_cells(c, r, &[], multi::multi)),
    ("Scan", |c, r| answer_with_cells(c, r, &[], scan::scan)),
    ("ExecRegionServerService", |c, r| {
        answer_with_message(c, r, &[2], coprocessor::exec_server_service)
    }),
    ("ExecService", |c, r| answer_with_message(c, r, &[1, 2], coprocessor::exec_service)),
];
