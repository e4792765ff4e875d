//! Schema bundles of tables: where they are kept, and what their definitions have to be.

mod compatibility;
mod definitions;
mod stored;

pub(super) use compatibility::incompatibility;
pub(super) use definitions::Definitions;
pub(super) use stored::{delete, delete_all, etag, find, list, put};
