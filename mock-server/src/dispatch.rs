//! From a request frame to the handler of its method, and from there to what is written back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::frame::Request;
use tallrow_wire::proto::{
    Empty, MultiRequest, RegionSpecifier, RequestHeader, ScanRequest, SwitchRequest, TableName,
};
use tallrow_wire::region;

use crate::call::{Call, Outcome, Peer, Reply, Service};
use crate::cluster::Cluster;
use crate::fault::{self, Effect, FaultCall};
use crate::master::switches::Switch;
use crate::master::{self, families, namespaces, regions, status, switches, tables};
use crate::server::{Role, Server, server_text};
use crate::thrown::thrown;
use crate::{admin, client, registry};

/// What a connection does after a call.
#[derive(Debug)]
pub(crate) enum After {
    /// It writes what was appended, if anything, and goes on.
    GoOn,
    /// It writes what was appended and closes.
    Close,
    /// It goes on, and answers the call later.
    Later(Duration, Request),
}

/// Answers one request: appends a response frame to `out`, or does what a fault says.
pub(crate) fn answer(
    cluster: &Cluster,
    server: &Server,
    peer: &Peer,
    request: Request,
    out: &mut BytesMut,
) -> After {
    let method = request.header.method_name.clone().unwrap_or_default();
    cluster.count_call(&method);
    let effect = match cluster.faults.any() {
        true => {
            let tables = tables_of(server, peer, &method, &request.param);
            let call = FaultCall { method: &method, server: server.number(), tables: &tables };
            cluster.faults.strike(&call)
        }
        false => None,
    };
    let call_id = request.header.call_id.unwrap_or(0);
    let at = out.len();
    match effect {
        None => respond(cluster, server, peer, request, out),
        Some(Effect::Delay(delay)) => return After::Later(delay, request),
        Some(Effect::DropRequest) => {}
        Some(Effect::CloseBefore) => return After::Close,
        Some(Effect::Throw(exception)) => Reply { call_id, out }.fail(&exception),
        Some(Effect::NotServing) => {
            let region = region_of(server, peer, &method, &request.param);
            let encoded = region::encoded_name(&region).unwrap_or_default();
            let shown = crate::region::show(&region);
            let exception = server.not_serving(&encoded, &shown, cluster.clock.now());
            Reply { call_id, out }.fail(&exception);
        }
        Some(Effect::LoseReply) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
        }
        Some(Effect::CloseAfter) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
            return After::Close;
        }
        Some(Effect::CutFrame) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at + (out.len() - at) / 2);
            return After::Close;
        }
        Some(Effect::Garbage(bytes)) => {
            respond(cluster, server, peer, request, out);
            out.truncate(at);
            out.extend_from_slice(&bytes);
        }
    }
    After::GoOn
}

/// Answers one request, faults aside. A handler that panics is answered as an exception.
pub(crate) fn respond(
    cluster: &Cluster,
    server: &Server,
    peer: &Peer,
    request: Request,
    out: &mut BytesMut,
) {
    let RequestHeader { call_id, method_name, request_param, .. } = &request.header;
    let method = method_name.clone().unwrap_or_default();
    let at = out.len();
    let mut reply = Reply { call_id: call_id.unwrap_or(0), out };
    if *request_param != Some(true) {
        let text = format!("Invalid request header: {method}, should have param set in it");
        reply.fail(&thrown(exception::DO_NOT_RETRY, text));
        return;
    }
    let call =
        Call { cluster, server, peer, method: &method, param: request.param, cells: request.cells };
    let outcome = catch_unwind(AssertUnwindSafe(|| run(&call, &mut reply)));
    let exception = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(exception)) => exception,
        Err(panic) => {
            let what = panic.downcast_ref::<String>().map(String::as_str);
            let what = what.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            fault::of_a_bug(&method, what)
        }
    };
    reply.out.truncate(at);
    reply.fail(&exception);
}

fn run(call: &Call<'_>, reply: &mut Reply<'_>) -> Outcome<()> {
    match call.peer.service {
        Service::Client => run_client(call, reply),
        Service::Admin => run_admin(call, reply),
        Service::Master => run_master(call, reply),
        Service::Registry => run_registry(call, reply),
    }
}

fn run_client(call: &Call<'_>, reply: &mut Reply<'_>) -> Outcome<()> {
    match call.method {
        "Get" => with_cells(call, reply, &[1, 2], client::get),
        "Mutate" => with_cells(call, reply, &[1, 2], client::mutate),
        "Multi" => with_cells(call, reply, &[], client::multi),
        "Scan" => with_cells(call, reply, &[], client::scan),
        "ExecService" => plain(call, reply, &[1, 2], client::exec_service),
        _ => unknown_method(call),
    }
}

fn run_admin(call: &Call<'_>, reply: &mut Reply<'_>) -> Outcome<()> {
    match call.method {
        "GetRegionInfo" => plain(call, reply, &[1], admin::region_info),
        "GetOnlineRegion" => plain(call, reply, &[], admin::online_regions),
        "FlushRegion" => plain(call, reply, &[1], admin::flush),
        "CompactRegion" => plain(call, reply, &[1], admin::compact),
        "GetRegionLoad" => plain(call, reply, &[], admin::region_load),
        "GetStoreFile" => plain(call, reply, &[1], switches::nothing),
        "CompactionSwitch" => set(call, reply, |s| &mut s.compaction),
        "GetServerInfo" => plain(call, reply, &[], admin::server_info),
        _ => unknown_method(call),
    }
}

fn run_registry(call: &Call<'_>, reply: &mut Reply<'_>) -> Outcome<()> {
    match call.method {
        "GetClusterId" => plain(call, reply, &[], registry::cluster_id),
        "GetActiveMaster" => plain(call, reply, &[], registry::active_master),
        "GetMasters" => plain(call, reply, &[], registry::masters),
        "GetMetaRegionLocations" => plain(call, reply, &[], registry::meta_locations),
        "GetBootstrapNodes" => plain(call, reply, &[], registry::bootstrap_nodes),
        _ => unknown_method(call),
    }
}

fn run_master(call: &Call<'_>, reply: &mut Reply<'_>) -> Outcome<()> {
    match call.method {
        "IsMasterRunning" => plain(call, reply, &[], status::is_running),
        "GetClusterStatus" => plain(call, reply, &[], status::cluster_status),
        "getSecurityCapabilities" => plain(call, reply, &[], status::security_capabilities),
        "getProcedureResult" => plain(call, reply, &[1], master::procedure_result),
        "CreateTable" => plain(call, reply, &[1], tables::create),
        "DeleteTable" => plain(call, reply, &[1], tables::delete),
        "EnableTable" => plain(call, reply, &[1], tables::enable),
        "DisableTable" => plain(call, reply, &[1], tables::disable),
        "truncateTable" => plain(call, reply, &[1], tables::truncate),
        "ModifyTable" => plain(call, reply, &[1, 2], tables::modify),
        "FlushTable" => plain(call, reply, &[1], tables::flush),
        "GetTableState" => plain(call, reply, &[1], tables::state),
        "GetTableNames" => plain(call, reply, &[], tables::names),
        "GetTableDescriptors" => plain(call, reply, &[], tables::descriptors),
        "GetSchemaAlterStatus" => plain(call, reply, &[1], tables::alter_status),
        "AddColumn" => plain(call, reply, &[1, 2], families::add),
        "ModifyColumn" => plain(call, reply, &[1, 2], families::modify),
        "DeleteColumn" => plain(call, reply, &[1, 2], families::delete),
        "CreateNamespace" => plain(call, reply, &[1], namespaces::create),
        "ModifyNamespace" => plain(call, reply, &[1], namespaces::modify),
        "DeleteNamespace" => plain(call, reply, &[1], namespaces::delete),
        "GetNamespaceDescriptor" => plain(call, reply, &[1], namespaces::descriptor),
        "ListNamespaces" => plain(call, reply, &[], namespaces::names),
        "ListNamespaceDescriptors" => plain(call, reply, &[], namespaces::descriptors),
        "ListTableNamesByNamespace" => plain(call, reply, &[1], namespaces::table_names),
        "ListTableDescriptorsByNamespace" => {
            plain(call, reply, &[1], namespaces::table_descriptors)
        }
        "MoveRegion" => plain(call, reply, &[1], regions::r#move),
        "SplitRegion" => plain(call, reply, &[1], regions::split),
        "MergeTableRegions" => plain(call, reply, &[], regions::merge),
        "AssignRegion" => plain(call, reply, &[1], regions::assign),
        "UnassignRegion" => plain(call, reply, &[1], regions::unassign),
        "ListTableNamesByState" => plain(call, reply, &[1], tables::names_by_state),
        "ListTableDescriptorsByState" => plain(call, reply, &[1], tables::descriptors_by_state),
        "ExecProcedure" | "ExecProcedureWithRet" => {
            plain(call, reply, &[1], master::exec_procedure)
        }
        "IsProcedureDone" => plain(call, reply, &[], master::is_procedure_done),
        "SetSplitOrMergeEnabled" => plain(call, reply, &[1], switches::set_split_or_merge),
        "IsSplitOrMergeEnabled" => plain(call, reply, &[1], switches::split_or_merge),
        "SetBalancerRunning" => set(call, reply, |s| &mut s.balancer),
        "SetNormalizerRunning" => set(call, reply, |s| &mut s.normalizer),
        "EnableCatalogJanitor" => set(call, reply, |s| &mut s.catalog_janitor),
        "SetCleanerChoreRunning" => set(call, reply, |s| &mut s.cleaner_chore),
        "SwitchSnapshotCleanup" => set(call, reply, |s| &mut s.snapshot_cleanup),
        "SwitchRpcThrottle" => set(call, reply, |s| &mut s.rpc_throttle),
        "SwitchExceedThrottleQuota" => set(call, reply, |s| &mut s.exceed_throttle_quota),
        "IsBalancerEnabled" => is_on(call, reply, |s| &mut s.balancer),
        "IsNormalizerEnabled" => is_on(call, reply, |s| &mut s.normalizer),
        "IsCatalogJanitorEnabled" => is_on(call, reply, |s| &mut s.catalog_janitor),
        "IsCleanerChoreEnabled" => is_on(call, reply, |s| &mut s.cleaner_chore),
        "IsSnapshotCleanupEnabled" => is_on(call, reply, |s| &mut s.snapshot_cleanup),
        "IsRpcThrottleEnabled" => is_on(call, reply, |s| &mut s.rpc_throttle),
        "Balance" => plain(call, reply, &[], switches::balance),
        "RunCatalogScan" => plain(call, reply, &[], switches::catalog_scan),
        "Normalize" | "RunCleanerChore" => plain(call, reply, &[], switches::ran),
        "IsMasterInMaintenanceMode" | "AbortProcedure" => plain(call, reply, &[], switches::no),
        "getLastMajorCompactionTimestamp" | "getLastMajorCompactionTimestampForRegion" => {
            plain(call, reply, &[1], switches::last_major_compaction)
        }
        "GetCompletedSnapshots"
        | "GetLocks"
        | "GetProcedures"
        | "GetQuotaStates"
        | "ListDecommissionedRegionServers"
        | "ListReplicationPeers" => plain(call, reply, &[], switches::nothing),
        _ => unknown_method(call),
    }
}

fn plain<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    handler: impl FnOnce(&Call<'_>, R) -> Result<M, RemoteException>,
) -> Outcome<()> {
    let message = handler(call, call.param(required)?)?;
    reply.send(&message, b"");
    Ok(())
}

fn set(call: &Call<'_>, reply: &mut Reply<'_>, switch: Switch) -> Outcome<()> {
    plain(call, reply, &[1], |call, r: SwitchRequest| switches::set(call, r.on, switch))
}

fn is_on(call: &Call<'_>, reply: &mut Reply<'_>, switch: Switch) -> Outcome<()> {
    plain(call, reply, &[], |call, _: Empty| switches::is_on(call, switch))
}

fn with_cells<R: Message + Default, M: Message>(
    call: &Call<'_>,
    reply: &mut Reply<'_>,
    required: &[u32],
    handler: impl FnOnce(&Call<'_>, R) -> Result<(M, BytesMut), RemoteException>,
) -> Outcome<()> {
    let (message, cells) = handler(call, call.param(required)?)?;
    reply.send(&message, &cells);
    Ok(())
}

fn unknown_method(call: &Call<'_>) -> Outcome<()> {
    let server = server_text(&call.server.name);
    let text = format!(
        "{server} is unable to read call parameter from client {}; java.lang.UnsupportedOperationException: {}",
        call.peer.address, call.method
    );
    Err(thrown(exception::DO_NOT_RETRY, text))
}

/// The tables a call is about.
fn tables_of(server: &Server, peer: &Peer, method: &str, param: &Bytes) -> Vec<Vec<u8>> {
    let of_region = |name: &[u8]| name.split(|b| *b == b',').next().unwrap_or_default().to_vec();
    match (peer.service, method) {
        (Service::Client, "Multi") => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.iter().map(|a| of_region(&a.region.value)).collect()
        }
        (Service::Client | Service::Admin, _) => {
            vec![of_region(&region_of(server, peer, method, param))]
        }
        (Service::Master, _) => match FirstTable::decode(param.clone()) {
            Ok(FirstTable { table: Some(name) }) => vec![region::table_text(&name)],
            _ => Vec::new(),
        },
        (Service::Registry, _) => Vec::new(),
    }
}

/// The name of the region a call is about; of a batch, the first one.
fn region_of(server: &Server, peer: &Peer, method: &str, param: &Bytes) -> Bytes {
    if !matches!(peer.service, Service::Client | Service::Admin) || server.role == Role::Master {
        return Bytes::new();
    }
    match method {
        "Scan" => {
            let request = ScanRequest::decode(param.clone()).unwrap_or_default();
            match (request.region, request.scanner_id) {
                (Some(region), _) => region.value,
                (None, Some(id)) => {
                    server.scanners().region_of(id).map(|r| r.name.clone()).unwrap_or_default()
                }
                (None, None) => Bytes::new(),
            }
        }
        "Multi" => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.first().map(|a| a.region.value.clone()).unwrap_or_default()
        }
        _ => FirstRegion::decode(param.clone()).unwrap_or_default().region.value,
    }
}

/// Most requests to a region server start with the region.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstRegion {
    #[prost(message, required, tag = "1")]
    region: RegionSpecifier,
}

/// Most requests about a table start with its name, or with its schema, which starts with its name.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstTable {
    #[prost(message, optional, tag = "1")]
    table: Option<TableName>,
}
