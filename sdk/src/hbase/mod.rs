//! The HBase backend: regions, connections, retries, messages.

mod admin;
mod cluster;
mod explanation;
mod location;
mod lower;
mod reaction;
mod region;
mod registry;
mod retry;
mod rpc;
mod scanner;
mod table_name;

pub use admin::{CompactionState, HBaseAdmin, NamespaceDescriptor, Region};
pub(crate) use admin::{
    alter, create_table, delete_table, describe, list_tables, prefetch_regions, table_exists,
    truncate_table,
};
pub(crate) use cluster::Cluster;
pub(crate) use scanner::Scanner;
