//! The procedures of the master, which change tables, regions and `hbase:meta`.

mod assignment;
mod copies;
mod families;
mod meta;
mod namespaces;
mod quotas;
mod restart;
mod servers;
mod snapshots;
mod split_merge;
mod tables;

pub(crate) use assignment::{
    announce_region, close_region, finish_reopening, move_region, move_region_unannounced,
    open_regions, start_reopening,
};
#[cfg(feature = "bigtable")]
pub(crate) use copies::{copy_table, restore_copy};
pub(crate) use families::{add_family, delete_family, modify_family};
pub(crate) use namespaces::{
    create_namespace, delete_namespace, modify_namespace, namespace_not_found,
};
pub(crate) use quotas::write_quota_cell;
pub(crate) use restart::reopen_tables;
pub(crate) use servers::{kill_server, make_system_tables, open_waiting_regions};
pub(crate) use snapshots::{check_restore, delete_snapshot, restore_snapshot, take_snapshot};
pub(crate) use split_merge::{merge_regions, split_grown_regions, split_region, truncate_region};
pub(crate) use tables::{
    change_file_tracker, check_file_tracker_change, create_filled_table, create_table,
    delete_table, disable_table, enable_table, has_too_long_region_name, modify_table,
    table_not_found, truncate_table,
};
#[cfg(feature = "bigtable")]
pub(crate) use tables::{create_table_without_schema_check, modify_table_without_schema_check};
