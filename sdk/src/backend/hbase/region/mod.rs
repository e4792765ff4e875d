//! Finds the region that holds a row, and the server that holds this region.

mod cache;
mod history;
mod locate;
mod lookup_target;
mod lookups;
mod meta;

pub(crate) use locate::Locator;
pub(crate) use lookup_target::{LocateError, LookupTarget};
