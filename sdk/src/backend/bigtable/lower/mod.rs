//! Operations as messages of the service, and how often they may be sent.

mod mutations;
mod operation;
mod read;
mod table;

pub(super) use mutations::MAX_MUTATIONS;
pub(crate) use operation::unsupported;
pub(super) use operation::{Call, Lowered, check_read_options, lower};
pub(super) use read::{ranges_of, row_key, scan_filter};
pub(super) use table::TableFacts;
