//! The methods of each service, by their names on the wire.

use bytes::BytesMut;
use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{Empty, SwitchRequest};

use super::call::{Call, Reply};
use super::master::{
    families, namespaces, procedure_calls, quotas, regions, replication, servers, snapshots,
    status, switches, tables,
};
use super::peer::Service;
use super::{admin, client, registry};
use crate::base::{RemoteResult, remote_exception};
use crate::state::{Switch, server_text};

/// A method and its handler.
type Method = (&'static str, fn(&Call<'_>, &mut Reply<'_>) -> RemoteResult<()>);

const CLIENT: &[Method] = &[
    ("Get", |c, r| with_cells(c, r, &[1, 2], client::get)),
    ("Mutate", |c, r| with_cells(c, r, &[1, 2], client::mutate)),
    ("Multi", |c, r| with_cells(c, r, &[], client::multi)),
    ("Scan", |c, r| with_cells(c, r, &[], client::scan)),
    ("ExecService", |c, r| plain(c, r, &[1, 2], client::exec_service)),
];

const ADMIN: &[Method] = &[
    ("GetRegionInfo", |c, r| plain(c, r, &[1], admin::region_info)),
    ("GetOnlineRegion", |c, r| plain(c, r, &[], admin::online_regions)),
    ("FlushRegion", |c, r| plain(c, r, &[1], admin::flush)),
    ("CompactRegion", |c, r| plain(c, r, &[1], admin::compact)),
    ("GetRegionLoad", |c, r| plain(c, r, &[], admin::region_load)),
    ("GetStoreFile", |c, r| plain(c, r, &[1], switches::nothing)),
    ("CompactionSwitch", |c, r| set(c, r, |s| &mut s.compaction)),
    ("GetServerInfo", |c, r| plain(c, r, &[], admin::server_info)),
    ("GetLogEntries", |c, r| plain(c, r, &[1, 2], admin::log_entries)),
    ("GetSpaceQuotaSnapshots", |c, r| plain(c, r, &[], quotas::of_server)),
    ("ClearSlowLogsResponses", |c, r| plain(c, r, &[], admin::clear_slow_log)),
];

const REGISTRY: &[Method] = &[
    ("GetClusterId", |c, r| plain(c, r, &[], registry::cluster_id)),
    ("GetActiveMaster", |c, r| plain(c, r, &[], registry::active_master)),
    ("GetMasters", |c, r| plain(c, r, &[], registry::masters)),
    ("GetMetaRegionLocations", |c, r| plain(c, r, &[], registry::meta_locations)),
    ("GetBootstrapNodes", |c, r| plain(c, r, &[], registry::bootstrap_nodes)),
];

const MASTER: &[Method] = &[
    ("IsMasterRunning", |c, r| plain(c, r, &[], status::is_running)),
    ("GetClusterStatus", |c, r| plain(c, r, &[], status::cluster_status)),
    ("getSecurityCapabilities", |c, r| plain(c, r, &[], status::security_capabilities)),
    ("getProcedureResult", |c, r| plain(c, r, &[1], procedure_calls::procedure_result)),
    ("CreateTable", |c, r| plain(c, r, &[1], tables::create)),
    ("DeleteTable", |c, r| plain(c, r, &[1], tables::delete)),
    ("EnableTable", |c, r| plain(c, r, &[1], tables::enable)),
    ("DisableTable", |c, r| plain(c, r, &[1], tables::disable)),
    ("truncateTable", |c, r| plain(c, r, &[1], tables::truncate)),
    ("ModifyTable", |c, r| plain(c, r, &[1, 2], tables::modify)),
    ("FlushTable", |c, r| plain(c, r, &[1], tables::flush)),
    ("GetTableState", |c, r| plain(c, r, &[1], tables::state)),
    ("GetTableNames", |c, r| plain(c, r, &[], tables::names)),
    ("GetTableDescriptors", |c, r| plain(c, r, &[], tables::descriptors)),
    ("GetSchemaAlterStatus", |c, r| plain(c, r, &[1], tables::alter_status)),
    ("AddColumn", |c, r| plain(c, r, &[1, 2], families::add)),
    ("ModifyColumn", |c, r| plain(c, r, &[1, 2], families::modify)),
    ("DeleteColumn", |c, r| plain(c, r, &[1, 2], families::delete)),
    ("CreateNamespace", |c, r| plain(c, r, &[1], namespaces::create)),
    ("ModifyNamespace", |c, r| plain(c, r, &[1], namespaces::modify)),
    ("DeleteNamespace", |c, r| plain(c, r, &[1], namespaces::delete)),
    ("GetNamespaceDescriptor", |c, r| plain(c, r, &[1], namespaces::descriptor)),
    ("ListNamespaces", |c, r| plain(c, r, &[], namespaces::names)),
    ("ListNamespaceDescriptors", |c, r| plain(c, r, &[], namespaces::descriptors)),
    ("ListTableNamesByNamespace", |c, r| plain(c, r, &[1], namespaces::table_names)),
    ("ListTableDescriptorsByNamespace", |c, r| plain(c, r, &[1], namespaces::table_descriptors)),
    ("MoveRegion", |c, r| plain(c, r, &[1], regions::r#move)),
    ("SplitRegion", |c, r| plain(c, r, &[1], regions::split)),
    ("MergeTableRegions", |c, r| plain(c, r, &[], regions::merge)),
    ("AssignRegion", |c, r| plain(c, r, &[1], regions::assign)),
    ("UnassignRegion", |c, r| plain(c, r, &[1], regions::unassign)),
    ("ListTableNamesByState", |c, r| plain(c, r, &[1], tables::names_by_state)),
    ("ListTableDescriptorsByState", |c, r| plain(c, r, &[1], tables::descriptors_by_state)),
    ("ExecProcedure", |c, r| plain(c, r, &[1], tables::exec_procedure)),
    ("ExecProcedureWithRet", |c, r| plain(c, r, &[1], tables::exec_procedure)),
    ("IsProcedureDone", |c, r| plain(c, r, &[], tables::is_procedure_done)),
    ("SetSplitOrMergeEnabled", |c, r| plain(c, r, &[1], switches::set_split_or_merge)),
    ("IsSplitOrMergeEnabled", |c, r| plain(c, r, &[1], switches::split_or_merge)),
    ("SetBalancerRunning", |c, r| set(c, r, |s| &mut s.balancer)),
    ("SetNormalizerRunning", |c, r| set(c, r, |s| &mut s.normalizer)),
    ("EnableCatalogJanitor", |c, r| set(c, r, |s| &mut s.catalog_janitor)),
    ("SetCleanerChoreRunning", |c, r| set(c, r, |s| &mut s.cleaner_chore)),
    ("SwitchSnapshotCleanup", |c, r| set(c, r, |s| &mut s.snapshot_cleanup)),
    ("SwitchRpcThrottle", |c, r| set(c, r, |s| &mut s.rpc_throttle)),
    ("SwitchExceedThrottleQuota", |c, r| set(c, r, |s| &mut s.exceed_throttle_quota)),
    ("IsBalancerEnabled", |c, r| is_on(c, r, |s| &mut s.balancer)),
    ("IsNormalizerEnabled", |c, r| is_on(c, r, |s| &mut s.normalizer)),
    ("IsCatalogJanitorEnabled", |c, r| is_on(c, r, |s| &mut s.catalog_janitor)),
    ("IsCleanerChoreEnabled", |c, r| is_on(c, r, |s| &mut s.cleaner_chore)),
    ("IsSnapshotCleanupEnabled", |c, r| is_on(c, r, |s| &mut s.snapshot_cleanup)),
    ("IsRpcThrottleEnabled", |c, r| is_on(c, r, |s| &mut s.rpc_throttle)),
    ("Balance", |c, r| plain(c, r, &[], switches::balance)),
    ("RunCatalogScan", |c, r| plain(c, r, &[], switches::catalog_scan)),
    ("Normalize", |c, r| plain(c, r, &[], switches::ran)),
    ("RunCleanerChore", |c, r| plain(c, r, &[], switches::ran)),
    ("IsMasterInMaintenanceMode", |c, r| plain(c, r, &[], switches::no)),
    ("AbortProcedure", |c, r| plain(c, r, &[], switches::no)),
    ("getLastMajorCompactionTimestamp", |c, r| plain(c, r, &[1], switches::last_major_compaction)),
    ("getLastMajorCompactionTimestampForRegion", |c, r| {
        plain(c, r, &[1], switches::last_major_compaction)
    }),
    ("Snapshot", |c, r| plain(c, r, &[1], snapshots::take)),
    ("IsSnapshotDone", |c, r| plain(c, r, &[], snapshots::is_done)),
    ("GetCompletedSnapshots", |c, r| plain(c, r, &[], snapshots::completed)),
    ("DeleteSnapshot", |c, r| plain(c, r, &[1], snapshots::delete)),
    ("RestoreSnapshot", |c, r| plain(c, r, &[1], snapshots::restore)),
    ("TruncateRegion", |c, r| plain(c, r, &[1], regions::truncate)),
    ("GetLocks", |c, r| plain(c, r, &[], switches::nothing)),
    ("GetProcedures", |c, r| plain(c, r, &[], procedure_calls::list)),
    ("SetQuota", |c, r| plain(c, r, &[], quotas::set)),
    ("GetQuotaStates", |c, r| plain(c, r, &[], quotas::states)),
    ("GetSpaceQuotaRegionSizes", |c, r| plain(c, r, &[], quotas::sizes)),
    ("ListDecommissionedRegionServers", |c, r| plain(c, r, &[], servers::decommissioned)),
    ("DecommissionRegionServers", |c, r| plain(c, r, &[2], servers::decommission)),
    ("RecommissionRegionServer", |c, r| plain(c, r, &[1], servers::recommission)),
    ("ListReplicationPeers", |c, r| plain(c, r, &[], replication::list)),
    ("AddReplicationPeer", |c, r| plain(c, r, &[1, 2, 3], replication::add)),
    ("UpdateReplicationPeerConfig", |c, r| plain(c, r, &[1, 2], replication::update)),
    ("GetReplicationPeerConfig", |c, r| plain(c, r, &[1], replication::config)),
    ("EnableReplicationPeer", |c, r| plain(c, r, &[1], replication::enable)),
    ("DisableReplicationPeer", |c, r| plain(c, r, &[1], replication::disable)),
    ("RemoveReplicationPeer", |c, r| plain(c, r, &[1], replication::remove)),
];

/// The number of similar names that are listed for a method that does not exist.
const SIMILAR_NAMES: usize = 4;

fn of(service: Service) -> &'static [Method] {
    match service {
        Service::Client => CLIENT,
        Service::Admin => ADMIN,
        Service::Master => MASTER,
        Service::Registry => REGISTRY,
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    [CLIENT, ADMIN, MASTER, REGISTRY].into_iter().flatten().map(|(name, _)| *name)
}

/// Calls the method of a call.
pub(crate) fn run(call: &Call<'_>, reply: &mut Reply<'_>) -> RemoteResult<()> {
    match of(call.peer.service).iter().find(|(name, _)| *name == call.method) {
        Some((_, handler)) => handler(call, reply),
        None => Err(unknown_method(call)),
    }
}

/// Whether a service has a method of this name.
pub(crate) fn exists(method: &str) -> bool {
    names().any(|name| name == method)
}

/// The names, of these services and others, that are most similar to this one, best first; only one if it differs in case
/// alone.
pub(crate) fn similar(method: &str, others: &[&'static str]) -> Vec<&'static str> {
    let wanted = method.to_lowercase();
    let all = names().chain(others.iter().copied());
    let mut similar: Vec<_> =
        all.map(|n| (strsim::levenshtein(&n.to_lowercase(), &wanted), n)).collect();
    similar.sort_unstable();
    similar.dedup();
    let exact = similar.first().is_some_and(|(distance, _)| *distance == 0);
    similar.truncate(if exact { 1 } else { SIMILAR_NAMES });
    similar.into_iter().map(|(_, name)| name).collect()
}

fn plain<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    handler: impl FnOnce(&Call<'_>, R) -> RemoteResult<M>,
) -> RemoteResult<()> {
    let message = handler(call, call.param(required)?)?;
    reply.send(&message, b"");
    Ok(())
}

fn set(call: &Call<'_>, reply: &mut Reply<'_>, switch: Switch) -> RemoteResult<()> {
    plain(call, reply, &[1], |call, r: SwitchRequest| switches::set(call, r.on, switch))
}

fn is_on(call: &Call<'_>, reply: &mut Reply<'_>, switch: Switch) -> RemoteResult<()> {
    plain(call, reply, &[], |call, _: Empty| switches::is_on(call, switch))
}

fn with_cells<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    handler: impl FnOnce(&Call<'_>, R) -> RemoteResult<(M, BytesMut)>,
) -> RemoteResult<()> {
    let (message, cells) = handler(call, call.param(required)?)?;
    reply.send(&message, &cells);
    Ok(())
}

fn unknown_method(call: &Call<'_>) -> RemoteException {
    let server = server_text(&call.server.name);
    let text = format!(
        "{server} is unable to read call parameter from client {}; java.lang.UnsupportedOperationException: {}",
        call.peer.address, call.method
    );
    remote_exception(exception::DO_NOT_RETRY, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_listed_best_first() {
        assert_eq!(similar("GETPROCEDURERESULT", &[]), ["getProcedureResult"]);
        assert_eq!(similar("Mutat", &[])[0], "Mutate");
        assert_eq!(similar("GetMetaLocations", &[])[0], "GetMetaRegionLocations");
        assert_eq!(similar("ScanNext", &[])[0], "Scan");
        assert_eq!(similar("ReadRow", &["ReadRows"])[0], "ReadRows");
        assert!(names().all(exists) && !exists("get"));
    }
}
