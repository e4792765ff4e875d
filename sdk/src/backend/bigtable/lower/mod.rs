//! Converts operations to messages of the service, and decides whether these messages may be sent
//! again.

mod mutations;
mod operation;
mod read;
mod table;

pub(super) use mutations::MAX_MUTATIONS;
pub(crate) use operation::unsupported;
pub(super) use operation::{Call, LoweredOperation, check_read_options, lower};
pub(super) use read::{check_row_key, row_ranges_of_scan, scan_filter};
pub(super) use table::{RequestTarget, TableFacts, TargetFields};
