//! The methods that administer tables and their backups.

mod backup_description;
mod backups;
mod description;
mod families;
mod key_schema;
mod operations;
mod table_update;
mod tables;
mod value_type;

pub(super) use backups::{
    copy_backup, create_backup, delete_backup, get_backup, list_backups, restore_table,
    undelete_table, update_backup,
};
pub(super) use families::modify_column_families;
pub(super) use operations::{cancel_operation, get_operation};
pub(super) use tables::{
    check_consistency, create_table, delete_table, drop_row_range, generate_consistency_token,
    get_table, list_tables, update_table,
};
