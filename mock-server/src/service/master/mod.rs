//! `MasterService`: tables, namespaces, regions, the status of the cluster.

pub(super) mod families;
pub(super) mod namespaces;
pub(super) mod procedures;
pub(super) mod regions;
pub(super) mod status;
pub(super) mod switches;
pub(super) mod tables;
