//! What each method of the master and of `AdminService` requires of its caller. Methods that are
//! not listed require nothing, or check by themselves, as reads and writes of rows and the methods
//! about permissions do.

use tallrow_wire::proto::PermissionAction::{Admin, Create};
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::caller::{Caller, full_name};
use super::procedures::TableRequest;
use crate::base::RemoteResult;
use crate::hbase::call::Call;
use crate::hbase::peer::Service;
use crate::state::Scope;

/// Requires that the user of a call may make it.
pub(in crate::hbase) fn check(call: &Call<'_>) -> RemoteResult<()> {
    let Some(caller) = Caller::of(call) else { return Ok(()) };
    match call.peer.service {
        Service::Master => check_master(call, &caller),
        Service::Admin => check_admin(call, &caller),
        Service::Client | Service::Registry => Ok(()),
    }
}

fn check_master(call: &Call<'_>, caller: &Caller<'_>) -> RemoteResult<()> {
    match call.method {
        "CreateTable" => {
            let schema = call.param::<CreateTableRequest>(&[])?.table_schema;
            check_create(caller, &schema)
        }
        "AddColumn"
        | "DeleteColumn"
        | "DeleteTable"
        | "DisableTable"
        | "EnableTable"
        | "FlushTable"
        | "ModifyColumn"
        | "ModifyColumnStoreFileTracker"
        | "ModifyTable"
        | "ModifyTableStoreFileTracker"
        | "truncateTable" => {
            let table = call.param::<TableRequest>(&[])?.table;
            caller.require(&Scope::table(&table), &[Admin, Create])
        }
        "ExecProcedure" => {
            let procedure = call.param::<ExecProcedureRequest>(&[])?.procedure;
            let named = match procedure.signature.as_str() {
                "online-snapshot" => {
                    let mut settings = procedure.configuration.into_iter();
                    settings.find(|pair| pair.name == "table").map(|pair| pair.value)
                }
                _ => procedure.instance,
            };
            let table = region::parse_table_name(named.unwrap_or_default().as_bytes());
            caller.require(&Scope::table(&table), &[Admin, Create])
        }
        "GetTableDescriptors" => {
            let asked = call.param::<GetTableDescriptorsRequest>(&[])?.table_names;
            let exist = asked.iter().filter(|table| call.cluster.schema_of(table).is_some());
            let mut scopes = exist.map(Scope::table);
            scopes.try_for_each(|scope| caller.require(&scope, &[Admin, Create]))
        }
        "AssignRegion" | "MergeTableRegions" | "MoveRegion" | "UnassignRegion" => {
            let specifier = call.param::<RegionsRequest>(&[])?.regions.into_iter().next();
            let region = specifier.and_then(|r| call.cluster.region_by_any_name(&r.value));
            // For a region that does not exist, the method has another exception.
            let Some(region) = region else { return Ok(()) };
            caller.require(&Scope::table(&region.info.table_name), &[Admin])
        }
        "SplitRegion" => {
            let table = call.param::<SplitTableRegionRequest>(&[])?.region_info.table_name;
            caller.require(&Scope::table(&table), &[Admin])
        }
        "Snapshot" | "DeleteSnapshot" | "RestoreSnapshot" => check_snapshot(call, caller),
        "GetNamespaceDescriptor" => {
            let name = call.param::<GetNamespaceDescriptorRequest>(&[])?.namespace_name;
            caller.require(&Scope::Namespace(name), &[Admin])
        }
        "SetQuota" => {
            let table = call.param::<SetQuotaRequest>(&[])?.table_name;
            let scope = table.map_or(Scope::Global, |table| Scope::table(&table));
            caller.require(&scope, &[Admin])
        }
        "AbortProcedure"
        | "AddReplicationPeer"
        | "Balance"
        | "CreateNamespace"
        | "DecommissionRegionServers"
        | "DeleteNamespace"
        | "DisableReplicationPeer"
        | "EnableCatalogJanitor"
        | "EnableReplicationPeer"
        | "ExecProcedureWithRet"
        | "GetLocks"
        | "GetProcedures"
        | "GetReplicationPeerConfig"
        | "IsRpcThrottleEnabled"
        | "ListDecommissionedRegionServers"
        | "ListReplicationPeers"
        | "ModifyNamespace"
        | "Normalize"
        | "RecommissionRegionServer"
        | "RemoveReplicationPeer"
        | "RunCatalogScan"
        | "RunCleanerChore"
        | "SetBalancerRunning"
        | "SetCleanerChoreRunning"
        | "SetNormalizerRunning"
        | "SetSplitOrMergeEnabled"
        | "SwitchExceedThrottleQuota"
        | "SwitchRpcThrottle"
        | "UpdateReplicationPeerConfig" => caller.require(&Scope::Global, &[Admin]),
        _ => Ok(()),
    }
}

fn check_admin(call: &Call<'_>, caller: &Caller<'_>) -> RemoteResult<()> {
    match call.method {
        "FlushRegion" => {
            let region = call.region(&call.param::<FlushRegionRequest>(&[])?.region)?;
            caller.require(&Scope::table(&region.info.table_name), &[Admin, Create])
        }
        "ClearSlowLogsResponses" | "CompactionSwitch" => caller.require(&Scope::Global, &[Admin]),
        _ => Ok(()),
    }
}

fn check_create(caller: &Caller<'_>, schema: &TableSchema) -> RemoteResult<()> {
    let table = schema.table_name.clone().unwrap_or_default();
    let namespace = String::from_utf8_lossy(&table.namespace).into_owned();
    if caller.may(&Scope::Namespace(namespace.clone()), Create) {
        return Ok(());
    }
    let families = schema.column_families.iter().map(|f| String::from_utf8_lossy(&f.name));
    let mut families: Vec<_> = families.collect();
    families.sort();
    let details = format!("table={},family={}", full_name(&table), families.join("|"));
    Err(caller.denied_in_namespace(&namespace, Some(details), Create))
}

/// A snapshot is taken by an administrator of its table. The user who took it may delete it, and
/// may restore it; if the table exists, only as an administrator of the table. Everything else
/// requires an administrator of the cluster.
fn check_snapshot(call: &Call<'_>, caller: &Caller<'_>) -> RemoteResult<()> {
    let asked = call.param::<SnapshotRequest>(&[])?.snapshot;
    let to = region::parse_table_name(asked.table().as_bytes());
    let found = call.cluster.snapshots.lock().get(&asked.name).cloned();
    let table_exists = call.cluster.schema_of(&to).is_some();
    if call.method == "Snapshot" {
        return match table_exists {
            true => caller.require(&Scope::table(&to), &[Admin]),
            false => Ok(()),
        };
    }
    // For a snapshot that does not exist, the method has another exception.
    let Some(snapshot) = found else { return Ok(()) };
    let own = snapshot.description.owner() == caller.user;
    match (call.method, table_exists) {
        ("DeleteSnapshot", _) if own => Ok(()),
        ("RestoreSnapshot", true) if own => caller.require(&Scope::table(&to), &[Admin]),
        ("RestoreSnapshot", false)
            if own && snapshot.copy.schema.table_name.as_ref() == Some(&to) =>
        {
            Ok(())
        }
        _ => caller.require(&Scope::Global, &[Admin]),
    }
}

/// A request whose first field is regions.
#[derive(Clone, PartialEq, prost::Message)]
struct RegionsRequest {
    #[prost(message, repeated, tag = "1")]
    regions: Vec<RegionSpecifier>,
}
