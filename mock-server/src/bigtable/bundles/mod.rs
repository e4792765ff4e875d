//! Schema bundles of tables: where they are kept, and what their definitions have to be.

mod compatibility;
mod definitions;

pub(super) use compatibility::incompatibility;
pub(super) use definitions::Definitions;

use super::table_parts::TableParts;

/// The schema bundles of a table: encoded `FileDescriptorSet`s.
pub(super) const BUNDLES: TableParts = TableParts("BIGTABLE_SCHEMA_BUNDLE/");
