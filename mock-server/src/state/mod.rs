//! The state of a cluster: servers, tables and regions, nonces, scanners, procedures,
//! permissions. What of it is kept over restarts is in a [`Kept`], in the catalog or in a region.

mod administration;
#[cfg(feature = "bigtable")]
mod backups;
mod catalog;
#[cfg(feature = "bigtable")]
mod changes;
mod clock;
mod cluster;
mod identity;
mod kept;
mod meta_replicas;
mod nonces;
mod peers;
mod permissions;
mod procedures;
#[cfg(feature = "bigtable")]
mod queries;
mod quotas;
mod scanners;
mod server;
mod settings;
mod snapshots;
mod switches;

pub(crate) use administration::AdminGuard;
#[cfg(feature = "bigtable")]
pub(crate) use backups::{Backup, Backups, OperationWork, StoredOperation, TableUpdate};
pub(crate) use catalog::{
    Catalog, CatalogGuard, SYSTEM_NAMESPACE, Table, TableCopy, is_kept, namespace,
};
#[cfg(feature = "bigtable")]
pub(crate) use changes::{ChangeLogs, KeySpan, LoggedChange, Next, Reading};
pub(crate) use clock::Clock;
pub(crate) use cluster::Cluster;
pub use identity::ChangedPort;
pub(crate) use identity::Identity;
pub(crate) use kept::{Kept, KeptGuard};
pub(crate) use nonces::{Nonce, Nonces};
pub(crate) use peers::Peers;
pub(crate) use permissions::{ALL_ACTIONS, Grant, Grants, Permissions, Scope};
pub(crate) use procedures::{Procedure, Procedures};
#[cfg(feature = "bigtable")]
pub(crate) use queries::Queries;
#[cfg(feature = "bigtable")]
pub use queries::{MockQuery, MockSqlType, MockSqlValue};
pub(crate) use quotas::Quotas;
pub(crate) use scanners::{Scanner, Scanners};
pub(crate) use server::{Role, Server, server_text};
pub(crate) use settings::Settings;
pub(crate) use snapshots::{Snapshot, Snapshots};
pub(crate) use switches::{Switch, Switches};
