//! Which region holds a row, and which server holds the region.

mod cache;
mod locate;
mod location;

pub(crate) use cache::Cache;
pub(crate) use locate::{LocateError, Locator, Lookup};
pub(crate) use location::{Location, address};
