//! Which region holds a row, and which server holds the region.

mod cache;
mod locate;

pub(crate) use locate::{LocateError, Locator, Lookup};
