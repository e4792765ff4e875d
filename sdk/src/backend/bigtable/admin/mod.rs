//! The administration of Bigtable tables, their authorized views, schema bundles and backups.

mod authorized_view;
mod authorized_views;
mod backup;
mod backup_errors;
mod backups;
mod bundle_errors;
mod gc;
mod handle;
mod key_schema;
mod live_key_schema;
mod operation;
mod pages;
mod protection;
mod restores;
mod schema;
mod schema_bundle;
mod schema_bundles;
mod table_update;
mod tables;
mod value_type;

pub use authorized_view::AuthorizedViewDescriptor;
pub use backup::{Backup, BackupDescriptor, BackupName};
pub use handle::BigtableAdmin;
pub use operation::{LongRunningOperation, OperationProgress, OperationResult, OperationStatus};
pub(crate) use schema::supported_part;
pub use schema_bundle::SchemaBundle;
pub(crate) use tables::{
    alter, create_table, delete_table, describe, list_tables, table_exists, truncate_table,
};
