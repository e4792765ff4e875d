//! The administration of Bigtable tables.

mod gc;
mod handle;
mod schema;
mod tables;
mod value_type;

pub use handle::BigtableAdmin;
pub(crate) use schema::supported_part;
pub(crate) use tables::{
    alter, create_table, delete_table, describe, list_tables, table_exists, truncate_table,
};
