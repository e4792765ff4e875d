//! `ClientService`: reads and writes of rows.

mod aggregate;
mod coprocessor;
mod get;
mod multi;
mod mutate;
mod scan;

use super::call::{Method, plain, with_cells};

/// The methods of the service.
pub(super) const METHODS: &[Method] = &[
    ("Get", |c, r| with_cells(c, r, &[1, 2], get::get)),
    ("Mutate", |c, r| with_cells(c, r, &[1, 2], mutate::mutate)),
    ("Multi", |c, r| with_cells(c, r, &[], multi::multi)),
    ("Scan", |c, r| with_cells(c, r, &[], scan::scan)),
    ("ExecService", |c, r| plain(c, r, &[1, 2], coprocessor::exec_service)),
];
