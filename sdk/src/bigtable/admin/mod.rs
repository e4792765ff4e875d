//! The administration of tables.

mod gc;
mod schema;
mod tables;

pub(crate) use schema::comparable;
pub(crate) use tables::{
    alter, create_table, delete_table, describe, list_tables, table_exists, truncate_table,
};
#[allow(unused_imports, reason = "for the handle of what only Bigtable has")]
pub(crate) use tables::{drop_rows, wait_for_replication};
