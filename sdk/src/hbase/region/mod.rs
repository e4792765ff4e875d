//! Which region holds a row, and which server holds the region.

mod cache;
mod history;
mod locate;
mod lookups;
mod meta;
mod wanted;

pub(crate) use locate::Locator;
pub(crate) use wanted::{LocateError, Lookup};
