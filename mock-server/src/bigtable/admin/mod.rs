//! The methods that administer tables, their authorized views, schema bundles and backups.

mod authorized_views;
mod backup_description;
mod backups;
mod bundle_changes;
mod description;
mod families;
mod key_schema;
mod operations;
mod page;
mod schema_bundles;
mod table_update;
mod tables;
mod value_type;
mod view_changes;

pub(super) use authorized_views::{
    create_authorized_view, delete_authorized_view, get_authorized_view, list_authorized_views,
    update_authorized_view,
};
pub(super) use backups::{
    copy_backup, create_backup, delete_backup, get_backup, list_backups, restore_table,
    undelete_table, update_backup,
};
pub(super) use families::modify_column_families;
pub(super) use operations::{cancel_operation, get_operation};
pub(super) use schema_bundles::{
    create_schema_bundle, delete_schema_bundle, get_schema_bundle, list_schema_bundles,
    update_schema_bundle,
};
pub(super) use tables::{
    check_consistency, create_table, delete_table, drop_row_range, generate_consistency_token,
    get_table, list_tables, update_table,
};
