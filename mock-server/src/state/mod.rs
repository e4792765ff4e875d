//! The state of a cluster: servers, tables and regions, nonces, scanners, procedures,
//! permissions.

#[cfg(feature = "bigtable")]
mod backups;
mod catalog;
#[cfg(feature = "bigtable")]
mod changes;
mod clock;
mod cluster;
mod nonces;
mod permissions;
mod procedures;
#[cfg(feature = "bigtable")]
mod queries;
mod scanners;
mod server;
mod switches;

#[cfg(feature = "bigtable")]
pub(crate) use backups::{Backup, Backups, OperationWork, StoredOperation, TableUpdate};
pub(crate) use catalog::{
    Catalog, CatalogGuard, SYSTEM_NAMESPACE, Snapshot, Table, TableCopy, is_kept, namespace,
};
#[cfg(feature = "bigtable")]
pub(crate) use changes::{ChangeLogs, KeySpan, LoggedChange, Next};
pub(crate) use clock::Clock;
pub(crate) use cluster::Cluster;
pub(crate) use nonces::{Nonce, Nonces};
pub(crate) use permissions::{ALL_ACTIONS, Grant, Permissions, Scope};
pub(crate) use procedures::{Procedure, Procedures};
#[cfg(feature = "bigtable")]
pub(crate) use queries::Queries;
#[cfg(feature = "bigtable")]
pub use queries::{MockQuery, MockSqlType, MockSqlValue};
pub(crate) use scanners::{Scanner, Scanners};
pub(crate) use server::{Role, Server, server_text};
pub(crate) use switches::{Switch, Switches};
