//! Admin operations, of the master and of the server of each region.

mod handle;
mod master;
mod meta;
mod namespaces;
mod region;
mod storage;
mod tables;

pub use handle::HBaseAdmin;
pub use namespaces::NamespaceDescriptor;
pub use region::Region;
pub use storage::CompactionState;

pub(crate) use meta::{prefetch_regions, table_exists};
pub(crate) use tables::{alter, create_table, delete_table, describe, list_tables, truncate_table};
