//! The methods that administer tables.

mod description;
mod families;
mod tables;
mod value_type;

pub(super) use families::modify_column_families;
pub(super) use tables::{
    check_consistency, create_table, delete_table, drop_row_range, generate_consistency_token,
    get_table, list_tables, update_table,
};
