//! Admin operations, which the master or the server of each region executes.

mod access_control;
mod balancer;
mod endpoint;
mod handle;
mod master;
mod meta;
mod methods;
mod namespaces;
mod procedures;
mod quotas;
mod regions;
mod replication;
mod servers;
mod slow_log;
mod snapshots;
mod space_quotas;
mod status;
mod storage;
mod tables;
mod visibility_labels;

pub use access_control::{Permission, PermissionScope, UserPermissions, WhoAmI};
pub use balancer::BalanceOutcome;
pub use endpoint::{Endpoint, EndpointAnswer};
pub use handle::HBaseAdmin;
pub use master::ProcedureProgress;
pub use namespaces::NamespaceDescriptor;
pub use procedures::{Procedure, ProcedureState};
pub use quotas::{
    Quota, QuotaPeriod, QuotaTarget, SpaceQuota, SpaceQuotaSnapshot, SpaceViolationPolicy,
    Throttle, ThrottleKind,
};
pub use regions::Region;
pub use replication::{ReplicationPeerConfig, ReplicationPeerDescription};
pub use slow_log::{SlowCall, SlowLogKind};
pub use snapshots::{Snapshot, SnapshotDescriptor};
pub use status::{ClusterStatus, RegionMetrics, ServerMetrics, TableRegionCounts};
pub use storage::CompactionState;

pub(in crate::backend::hbase) use meta::look_up_and_cache_regions;
pub(crate) use meta::{prefetch_regions, table_exists};
pub(crate) use tables::{alter, create_table, delete_table, describe, list_tables, truncate_table};
