//! `MasterService`: tables, namespaces, regions, the status of the cluster.

mod access_control;
mod named_procedures;
mod namespaces;
mod peer_config;
mod procedure_calls;
mod quotas;
mod regions;
mod replication;
mod servers;
mod snapshots;
mod status;
mod switches;
mod tables;

use super::call::Method;

pub(super) use quotas::space_quota_snapshots;
pub(super) use switches::set_switch;

/// The methods of the service, grouped by subject.
pub(super) static METHODS: [&[Method]; 12] = [
    status::METHODS,
    procedure_calls::METHODS,
    tables::METHODS,
    named_procedures::METHODS,
    namespaces::METHODS,
    regions::METHODS,
    switches::METHODS,
    snapshots::METHODS,
    quotas::METHODS,
    servers::METHODS,
    replication::METHODS,
    access_control::METHODS,
];
