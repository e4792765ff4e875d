//! `MasterService`: tables, namespaces, regions, the status of the cluster.

pub(super) mod families;
pub(super) mod namespaces;
pub(super) mod procedure_calls;
pub(super) mod quotas;
pub(super) mod regions;
pub(super) mod replication;
pub(super) mod servers;
pub(super) mod snapshots;
pub(super) mod status;
pub(super) mod switches;
pub(super) mod tables;
