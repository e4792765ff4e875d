//! Converts operations to messages of the service, and decides whether these messages may be sent
//! again.

mod mutations;
mod operation;
mod read;
mod table;

pub(super) use mutations::MAX_MUTATIONS;
pub(crate) use operation::unsupported;
pub(super) use operation::{Call, Lowered, check_read_options, lower};
pub(super) use read::{ranges_of, row_key, scan_filter};
pub(super) use table::TableFacts;
