//! What `AccessController`, HBase's coprocessor, permits the user of a call to do. Nothing is
//! checked in a cluster without `Permissions`.

mod caller;
mod listed;
mod procedures;
mod requirements;
mod rows;

pub(super) use caller::Caller;
pub(super) use listed::{is_described, is_listed, is_namespace_listed, is_snapshot_listed};
pub(super) use procedures::{grant_table_to_caller, update_permissions_after_procedure};
pub(super) use requirements::check;
pub(super) use rows::{check_condition, check_exec, check_writes, readable_columns};
