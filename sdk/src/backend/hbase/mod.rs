//! The HBase backend: regions, connections, retries, messages.

mod admin;
mod batch;
mod cluster;
mod endpoint;
mod expected_cells;
mod explanation;
mod hedges;
mod location;
mod lower;
mod mutate_rows;
mod nonce;
mod open_scanners;
mod operation_progress;
mod reaction;
mod recent_deletes;
mod region;
mod region_file;
mod regions;
mod registry;
mod replica_reads;
mod retry;
mod rpc;
mod scan;
mod state;
mod table_name;

pub use admin::{
    BalanceOutcome, ClusterStatus, CompactionState, Endpoint, EndpointAnswer, HBaseAdmin,
    NamespaceDescriptor, Permission, PermissionScope, Procedure, ProcedureProgress, ProcedureState,
    Quota, QuotaPeriod, QuotaTarget, Region, RegionMetrics, ReplicationPeerConfig,
    ReplicationPeerDescription, ServerMetrics, SlowCall, SlowLogKind, Snapshot, SnapshotDescriptor,
    SpaceQuota, SpaceQuotaSnapshot, SpaceViolationPolicy, TableRegionCounts, Throttle,
    ThrottleKind, UserPermissions, WhoAmI,
};
pub(crate) use admin::{
    alter, create_table, delete_table, describe, list_tables, prefetch_regions, table_exists,
    truncate_table,
};
pub(crate) use cluster::Cluster;
pub(crate) use mutate_rows::mutate_rows;
pub(crate) use region_file::{export_regions, import_regions};
pub(crate) use regions::{
    all_regions, forget_all_regions, forget_regions, forget_server, known_regions, locate,
    regions_in,
};
#[cfg(feature = "kerberos")]
pub(crate) use rpc::read_encryption_keys;
pub(crate) use scan::{PageSettings, Scanner};
