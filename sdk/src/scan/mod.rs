//! Reading many rows.

mod merge;
mod pages;
mod request;
mod rows;

pub use request::Scan;
pub use rows::RowStream;

pub(crate) use merge::Merge;
pub(crate) use pages::PageSource;
