//! What each call of an administrator of HBase has made is there after a restart. A call that is
//! new has to be sorted in here.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;

use prost::Message;
use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use super::Folder;
use crate::frames::{Fixture, Frames, create, server_of, specifier};

/// The calls that change something which is not kept, or nothing, and why.
const NOT_KEPT: [(&str, &str); 27] = [
    ("AbortProcedure", "procedures have ended when they are answered"),
    ("AssignRegion", "all regions of enabled tables are opened again"),
    ("Balance", "nothing moves"),
    ("ClearCompactionQueues", "nothing waits in them"),
    ("ClearDeadServers", "a process begins without servers that have died"),
    ("ClearRegionBlockCache", "there is no such cache"),
    ("ClearSlowLogsResponses", "there is no such log"),
    ("CompactionSwitch", "a server of HBase forgets it too"),
    ("DecommissionRegionServers", "it names a server by its start, which is another now"),
    ("ExecMasterService", "there are no such services"),
    ("ExecProcedure", "it is a flush or a snapshot"),
    ("ExecProcedureWithRet", "it is a flush or a snapshot"),
    ("FlushMasterStore", "the master has no store"),
    ("GetCachedFilesList", "there is no such cache"),
    ("MoveRegion", "regions are opened on the servers in turn"),
    ("Normalize", "nothing moves"),
    ("RecommissionRegionServer", "it names a server by its start, which is another now"),
    ("RollWALWriter", "there are no such files"),
    ("RunCatalogScan", "nothing is found"),
    ("RunCleanerChore", "nothing is cleaned"),
    ("UnassignRegion", "all regions of enabled tables are opened again"),
    ("UpdateConfiguration", "the settings are those of the start"),
    ("GetLogEntries", "there is no such log"),
    ("GetServerInfo", "it is about a process"),
    ("GetClusterStatus", "it is about a process"),
    ("GetRegionLoad", "it is about a process"),
    ("GetOnlineRegion", "it is about a process"),
];

/// The calls that describe what is described by others too, or what no call changes.
const DESCRIBE_AGAIN: [&str; 24] = [
    "GetLocks",
    "GetNamespaceDescriptor",
    "GetRegionInfo",
    "GetReplicationPeerConfig",
    "GetReplicationPeerModificationProcedures",
    "GetSchemaAlterStatus",
    "GetSpaceQuotaRegionSizes",
    "GetSpaceQuotaSnapshots",
    "GetStoreFile",
    "GetTableNames",
    "GetTableState",
    "HasUserPermissions",
    "IsMasterInMaintenanceMode",
    "IsMasterRunning",
    "IsProcedureDone",
    "IsReplicationPeerEnabled",
    "IsSnapshotDone",
    "ListDecommissionedRegionServers",
    "ListNamespaces",
    "ListTableDescriptorsByNamespace",
    "ListTableDescriptorsByState",
    "ListTableNamesByNamespace",
    "getLastMajorCompactionTimestampForRegion",
    "getSecurityCapabilities",
];

fn builder(folder: &Folder) -> MockClusterBuilder {
    folder.builder().authorization(["test"])
}

/// A cluster, with the calls that were made and described.
struct Walk {
    folder: Folder,
    f: Fixture,
    called: BTreeSet<&'static str>,
}

impl Walk {
    /// Makes a call, and compares the cluster with one that starts with a copy of its file.
    async fn call<R: Message>(&mut self, method: &'static str, request: R) {
        let answer = self.f.master.call::<Empty>(method, &request).await;
        answer.unwrap_or_else(|error| panic!("{method}: {error:?}"));
        self.compare(method).await;
    }

    async fn compare(&mut self, method: &'static str) {
        let copy = Folder::with(&self.folder.bytes());
        let other = builder(&copy).start().await.unwrap();
        let mut described = BTreeSet::new();
        let expected = describe(&self.f.cluster, &mut described).await;
        let found = describe(&other, &mut BTreeSet::new()).await;
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "after {method}");
        }
        self.called.insert(method);
        self.called.append(&mut described);
        other.shutdown().await;
    }

    async fn disabled(&mut self, table: &str) {
        let table_name = parse_table_name(table.as_bytes());
        self.call("DisableTable", DisableTableRequest { table_name, ..Default::default() }).await;
    }

    async fn create(&mut self, table: &str, splits: &[&'static str]) {
        create(&mut self.f.master, table, &[], splits).await.unwrap();
        self.compare("CreateTable").await;
    }

    async fn region(&mut self, row: &str) -> RegionInfo {
        let region = specifier(&self.f.cluster, "t", row.as_bytes());
        let request = GetRegionInfoRequest { region, ..Default::default() };
        let answer = self.f.admin.call::<GetRegionInfoResponse>("GetRegionInfo", &request).await;
        answer.unwrap().0.region_info
    }
}

/// What a cluster says of itself, as texts.
async fn describe(cluster: &MockCluster, called: &mut BTreeSet<&'static str>) -> Vec<String> {
    let mut master = Frames::open(cluster, cluster.rpc_address(), "MasterService").await;
    let mut said = vec![cluster.dump_tables()];
    async fn ask<A: Message + Default + Debug>(
        master: &mut Frames,
        method: &'static str,
        request: impl Message,
        said: &mut Vec<String>,
    ) -> &'static str {
        let (answer, _) = master.call::<A>(method, &request).await.unwrap();
        said.push(format!("{method}: {answer:?}"));
        method
    }
    macro_rules! ask {
        ($($method:literal, $request:expr, $answer:ty;)*) => {
            $(called.insert(ask::<$answer>(&mut master, $method, $request, &mut said).await);)*
        };
    }
    let in_t = || Some(parse_table_name(b"t"));
    ask! {
        "GetTableDescriptors", GetTableDescriptorsRequest::default(), GetTableDescriptorsResponse;
        "ListTableNamesByState", ListTablesByStateRequest { is_enabled: true }, ListTableNamesByStateResponse;
        "ListTableNamesByState", ListTablesByStateRequest { is_enabled: false }, ListTableNamesByStateResponse;
        "ListNamespaceDescriptors", Empty {}, ListNamespaceDescriptorsResponse;
        "GetCompletedSnapshots", Empty {}, GetCompletedSnapshotsResponse;
        "ListReplicationPeers", Empty {}, ListReplicationPeersResponse;
        "IsBalancerEnabled", Empty {}, SwitchResponse;
        "IsNormalizerEnabled", Empty {}, SwitchResponse;
        "IsCatalogJanitorEnabled", Empty {}, SwitchResponse;
        "IsCleanerChoreEnabled", Empty {}, SwitchResponse;
        "IsSnapshotCleanupEnabled", Empty {}, SwitchResponse;
        "IsReplicationPeerModificationEnabled", Empty {}, SwitchResponse;
        "IsRpcThrottleEnabled", Empty {}, SwitchResponse;
        "IsSplitOrMergeEnabled", IsSplitOrMergeEnabledRequest { switch_type: 0 }, SwitchResponse;
        "IsSplitOrMergeEnabled", IsSplitOrMergeEnabledRequest { switch_type: 1 }, SwitchResponse;
        "GetUserPermissions", GetUserPermissionsRequest::default(), GetUserPermissionsResponse;
        "GetUserPermissions", GetUserPermissionsRequest { table_name: in_t(), ..Default::default() },
            GetUserPermissionsResponse;
        "GetQuotaStates", Empty {}, GetQuotaStatesResponse;
        "GetProcedures", Empty {}, GetProceduresResponse;
        "getLastMajorCompactionTimestamp",
            MajorCompactionTimestampRequest { table_name: parse_table_name(b"t") },
            MajorCompactionTimestampResponse;
    }
    let (procedures, _) =
        master.call::<GetProceduresResponse>("GetProcedures", &Empty {}).await.unwrap();
    for proc_id in procedures.procedure.into_iter().map(|procedure| procedure.proc_id) {
        let request = GetProcedureResultRequest { proc_id };
        ask! { "getProcedureResult", request, GetProcedureResultResponse; }
    }
    said.push(quotas(cluster).await);
    said
}

/// The values of `hbase:quota`, which clients read from the table.
async fn quotas(cluster: &MockCluster) -> String {
    if !cluster.tables().contains(&"hbase:quota".to_owned()) {
        return String::new();
    }
    let server = server_of(cluster, "hbase:quota", b"");
    let mut client = Frames::open(cluster, server, "ClientService").await;
    let request = ScanRequest {
        region: Some(specifier(cluster, "hbase:quota", b"")),
        scan: Some(Scan::default()),
        number_of_rows: Some(1000),
        ..Default::default()
    };
    let (_, cells) = client.call::<ScanResponse>("Scan", &request).await.unwrap();
    let cells = cells.iter().map(|cell| (cell.row(), cell.qualifier(), cell.value()));
    format!("{:?}", cells.collect::<Vec<_>>())
}

/// The names of the calls of the master and of the servers.
fn all_calls() -> BTreeSet<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/hbase");
    let mut files: Vec<_> = fs::read_dir(format!("{folder}/master")).unwrap().collect();
    files.extend(fs::read_dir(folder).unwrap().filter(|file| {
        file.as_ref().is_ok_and(|file| file.file_name().to_str() == Some("admin.rs"))
    }));
    let mut names = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let calls = text.lines().filter_map(|line| line.strip_prefix("    (\"")?.split_once('"'));
        names.extend(calls.map(|(call, _)| call.to_owned()));
    }
    names
}

fn family(name: &'static str, versions: &'static str) -> ColumnFamilySchema {
    let versions = BytesBytesPair { first: "VERSIONS".into(), second: versions.into() };
    ColumnFamilySchema { name: name.into(), attributes: vec![versions], ..Default::default() }
}

fn snapshot(name: &str, table: &str) -> SnapshotDescription {
    SnapshotDescription { name: name.into(), table: Some(table.into()), ..Default::default() }
}

fn peer(key: &str, bandwidth: i64) -> ReplicationPeer {
    let (clusterkey, bandwidth) = (Some(key.into()), Some(bandwidth));
    ReplicationPeer { clusterkey, bandwidth, ..Default::default() }
}

fn permission(user: &'static str, actions: &[PermissionAction]) -> UserPermission {
    let action = actions.iter().map(|action| *action as i32).collect();
    let permission = Permission {
        r#type: PermissionType::Table as i32,
        table_permission: Some(TablePermission {
            table_name: Some(parse_table_name(b"t")),
            family: Some("f".into()),
            qualifier: None,
            action,
        }),
        ..Default::default()
    };
    UserPermission { user: user.into(), permission }
}

#[tokio::test(start_paused = true)]
async fn what_each_call_has_made_is_there_after_a_restart() {
    let folder = Folder::new();
    let f = Fixture::with(builder(&folder), &[], &["m"]).await;
    let mut walk = Walk { folder, f, called: BTreeSet::new() };
    let t = || parse_table_name(b"t");
    namespaces_and_tables(&mut walk).await;

    let (split_row, region_info) = (Some("c".into()), walk.region("a").await);
    let split = SplitTableRegionRequest { region_info, split_row, ..Default::default() };
    walk.call("SplitRegion", split).await;
    walk.f.put("a", "q", 1, "v").await;
    let region = ["a", "d"].map(|row| specifier(&walk.f.cluster, "t", row.as_bytes())).to_vec();
    walk.call("MergeTableRegions", MergeTableRegionsRequest { region, ..Default::default() }).await;
    let truncate =
        TruncateRegionRequest { region_info: walk.region("z").await, ..Default::default() };
    walk.call("TruncateRegion", truncate).await;
    walk.call("FlushTable", FlushTableRequest { table_name: t(), ..Default::default() }).await;
    for row in ["a", "z"] {
        let region = specifier(&walk.f.cluster, "t", row.as_bytes());
        let flush = FlushRegionRequest { region: region.clone(), ..Default::default() };
        walk.f.admin.call::<Empty>("FlushRegion", &flush).await.unwrap();
        walk.compare("FlushRegion").await;
        let compact = CompactRegionRequest { region, major: Some(true), family: None };
        walk.f.admin.call::<Empty>("CompactRegion", &compact).await.unwrap();
        walk.compare("CompactRegion").await;
    }

    for (id, peer_config) in [("1", peer("zk:2181:/a", 0)), ("2", peer("zk:2181:/b", 0))] {
        let (peer_id, peer_state) = (id.into(), ReplicationState::default());
        let add = AddReplicationPeerRequest { peer_id, peer_config, peer_state };
        walk.call("AddReplicationPeer", add).await;
    }
    let peer_id = || "1".to_owned();
    let update = UpdateReplicationPeerConfigRequest {
        peer_id: peer_id(),
        peer_config: peer("zk:2181:/a", 7),
    };
    walk.call("UpdateReplicationPeerConfig", update).await;
    walk.call("DisableReplicationPeer", PeerIdRequest { peer_id: peer_id() }).await;
    walk.call("EnableReplicationPeer", PeerIdRequest { peer_id: peer_id() }).await;
    walk.call("RemoveReplicationPeer", PeerIdRequest { peer_id: "2".into() }).await;

    for (method, on) in [
        ("SetBalancerRunning", false),
        ("SetNormalizerRunning", false),
        ("EnableCatalogJanitor", false),
        ("SetCleanerChoreRunning", false),
        ("SwitchSnapshotCleanup", false),
        ("SwitchRpcThrottle", false),
        ("SwitchExceedThrottleQuota", true),
    ] {
        walk.call(method, SwitchRequest { on }).await;
    }
    let switch =
        SetSplitOrMergeEnabledRequest { enabled: false, synchronous: None, switch_types: vec![1] };
    walk.call("SetSplitOrMergeEnabled", switch).await;

    let limit = |gigabytes: u64| SetQuotaRequest {
        table_name: Some(t()),
        space_limit: Some(SpaceLimitRequest {
            quota: Some(SpaceQuota { soft_limit: Some(gigabytes << 30), ..Default::default() }),
        }),
        ..Default::default()
    };
    walk.call("SetQuota", limit(1)).await;
    walk.call("SetQuota", limit(2)).await;
    walk.call("ReplicationPeerModificationSwitch", SwitchRequest { on: false }).await;
    let bypass = |user: &str, bypass| SetQuotaRequest {
        user_name: Some(user.into()),
        bypass_globals: Some(bypass),
        ..Default::default()
    };
    walk.call("SetQuota", bypass("ada", true)).await;
    walk.call("SetQuota", bypass("bob", true)).await;
    walk.call("SetQuota", bypass("ada", false)).await;

    let granted = [PermissionAction::Read, PermissionAction::Write];
    for user in ["ada", "bob"] {
        let user_permission = permission(user, &granted);
        let grant = GrantRequest { user_permission, merge_existing_permissions: None };
        walk.call("Grant", grant).await;
    }
    let user_permission = permission("ada", &granted[..1]);
    walk.call("Revoke", RevokeRequest { user_permission }).await;
    // Permissions wait for a start that checks them.
    let copy = Folder::with(&walk.folder.bytes());
    copy.start().await.unwrap().shutdown().await;
    let again = builder(&copy).start().await.unwrap();
    let (mut found, mut expected) = (BTreeSet::new(), BTreeSet::new());
    let found = describe(&again, &mut found).await;
    assert_eq!(found, describe(&walk.f.cluster, &mut expected).await);

    let mut sorted: BTreeSet<String> = walk.called.iter().map(|call| (*call).into()).collect();
    sorted.extend(NOT_KEPT.iter().map(|(call, _)| (*call).into()));
    sorted.extend(DESCRIBE_AGAIN.iter().map(|call| (*call).into()));
    assert_eq!(sorted, all_calls());
}

/// The calls about namespaces, tables, families and snapshots.
async fn namespaces_and_tables(walk: &mut Walk) {
    let t = || parse_table_name(b"t");
    let namespace = |value: &str| {
        let pair = NameStringPair { name: "k".into(), value: value.into() };
        NamespaceDescriptor { name: "n".into(), configuration: vec![pair] }
    };
    let namespace_descriptor = namespace("1");
    let new = CreateNamespaceRequest { namespace_descriptor, ..Default::default() };
    walk.call("CreateNamespace", new).await;
    let namespace_descriptor = namespace("2");
    let modify = ModifyNamespaceRequest { namespace_descriptor, ..Default::default() };
    walk.call("ModifyNamespace", modify).await;
    walk.create("n:x", &["k"]).await;
    walk.disabled("n:x").await;
    let table_name = parse_table_name(b"n:x");
    let truncate = TruncateTableRequest { table_name: table_name.clone(), ..Default::default() };
    walk.call("truncateTable", truncate).await;
    walk.disabled("n:x").await;
    let delete = DeleteTableRequest { table_name, ..Default::default() };
    walk.call("DeleteTable", delete).await;
    let delete = DeleteNamespaceRequest { namespace_name: "n".into(), ..Default::default() };
    walk.call("DeleteNamespace", delete).await;

    let of = |column_families| (t(), column_families);
    for name in ["g", "h"] {
        let (table_name, column_families) = of(family(name, "1"));
        let add = AddColumnRequest { table_name, column_families, ..Default::default() };
        walk.call("AddColumn", add).await;
    }
    let (table_name, column_families) = of(family("g", "5"));
    let modify = ModifyColumnRequest { table_name, column_families, ..Default::default() };
    walk.call("ModifyColumn", modify).await;
    let (table_name, column_name) = (t(), "h".into());
    let delete = DeleteColumnRequest { table_name, column_name, ..Default::default() };
    walk.call("DeleteColumn", delete).await;
    let comment = BytesBytesPair { first: "COMMENT".into(), second: "of a test".into() };
    let table_schema = TableSchema {
        table_name: Some(t()),
        attributes: vec![comment],
        column_families: vec![family("f", "3"), family("g", "5")],
        ..Default::default()
    };
    let modify = ModifyTableRequest { table_name: t(), table_schema, ..Default::default() };
    walk.call("ModifyTable", modify).await;
    let (dst_sft, family) = ("FILE".to_owned(), "f".into());
    let tracker = ModifyTableStoreFileTrackerRequest {
        table_name: t(),
        dst_sft: dst_sft.clone(),
        ..Default::default()
    };
    walk.call("ModifyTableStoreFileTracker", tracker).await;
    let tracker = ModifyColumnStoreFileTrackerRequest {
        table_name: t(),
        family,
        dst_sft,
        ..Default::default()
    };
    walk.call("ModifyColumnStoreFileTracker", tracker).await;
    walk.disabled("t").await;
    let enable = EnableTableRequest { table_name: t(), ..Default::default() };
    walk.call("EnableTable", enable).await;

    for name in ["s", "other"] {
        let new = SnapshotRequest { snapshot: snapshot(name, "t"), ..Default::default() };
        walk.call("Snapshot", new).await;
    }
    let delete = DeleteSnapshotRequest { snapshot: snapshot("other", "t") };
    walk.call("DeleteSnapshot", delete).await;
    let restore = RestoreSnapshotRequest { snapshot: snapshot("s", "u"), ..Default::default() };
    walk.call("RestoreSnapshot", restore).await;
}
