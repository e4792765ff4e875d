//! The methods that administer tables.

mod consistency;
mod description;
mod drop_row_range;
mod families;
mod family;
mod tables;
mod update_table;

pub(super) use consistency::{check_consistency, generate_consistency_token};
pub(super) use drop_row_range::drop_row_range;
pub(super) use families::modify_column_families;
pub(super) use tables::{create_table, delete_table, get_table, list_tables};
pub(super) use update_table::update_table;
