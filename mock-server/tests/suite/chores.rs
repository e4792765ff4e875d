//! What administrators ask of servers beside tables: named procedures, dead servers, queues, caches.

use std::time::Duration;

use tallrow_mock::MockCluster;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, bytes, create};

fn procedure(signature: &str, settings: &[(&str, &str)]) -> ProcedureDescription {
    let pair = |(name, value): &(&str, &str)| NameStringPair {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    ProcedureDescription {
        signature: signature.to_owned(),
        instance: Some("s".to_owned()),
        creation_time: None,
        configuration: settings.iter().map(pair).collect(),
    }
}

/// Like HBase: a snapshot is also a procedure with a name.
#[tokio::test]
async fn a_snapshot_is_taken_by_the_name_of_a_procedure() {
    let mut f = Fixture::new(&[]).await;
    let exec = |procedure| ExecProcedureRequest { procedure };
    let without = exec(procedure("online-snapshot", &[]));
    let refused = f.master.call::<Empty>("ExecProcedure", &without).await.unwrap_err();
    assert!(refused.message.starts_with("Snapshot table is not defined: "), "{refused:?}");
    let snapshot = procedure("online-snapshot", &[("table", "t")]);
    let done = IsProcedureDoneRequest { procedure: Some(snapshot.clone()) };
    let refused = f.master.call::<Empty>("IsProcedureDone", &done).await.unwrap_err();
    assert_eq!(refused.simple_name(), "UnknownSnapshotException");
    let request = exec(snapshot);
    f.master.call::<ExecProcedureResponse>("ExecProcedure", &request).await.unwrap();
    let answer = f.master.call::<IsProcedureDoneResponse>("IsProcedureDone", &done).await.unwrap();
    assert_eq!(answer.0.done, Some(true));
    let list = Empty {};
    let method = "GetCompletedSnapshots";
    let listed = f.master.call::<GetCompletedSnapshotsResponse>(method, &list).await.unwrap().0;
    let names: Vec<_> = listed.snapshots.iter().map(|s| (s.name.as_str(), s.table())).collect();
    assert_eq!(names, [("s", "t")]);
    let unknown = exec(procedure("no", &[]));
    for method in ["ExecProcedure", "ExecProcedureWithRet"] {
        let refused = f.master.call::<Empty>(method, &unknown).await.unwrap_err();
        assert_eq!(refused.message, "The procedure is not registered: no");
    }
}

/// Like HBase: a server that has died is listed until an administrator removes it.
#[tokio::test]
async fn a_dead_server_is_removed_from_the_list() {
    let mut f = Fixture::with(MockCluster::builder().servers(2), &[], &[]).await;
    let dead = async |f: &mut Fixture| {
        let options = vec![ClusterOption::DeadServers as i32];
        let request = GetClusterStatusRequest { options };
        let method = "GetClusterStatus";
        let answer = f.master.call::<GetClusterStatusResponse>(method, &request).await.unwrap();
        answer.0.cluster_status.dead_servers
    };
    f.cluster.kill_server(1).unwrap();
    let listed = dead(&mut f).await;
    let port = f.cluster.server_address(1).unwrap().port();
    assert_eq!(listed.iter().map(|s| s.port()).collect::<Vec<_>>(), [u32::from(port)]);
    let request = DeadServers { server_name: listed };
    let left = f.master.call::<DeadServers>("ClearDeadServers", &request).await.unwrap().0;
    assert_eq!(left.server_name, []);
    assert_eq!(dead(&mut f).await, []);
    let again = f.master.call::<DeadServers>("ClearDeadServers", &request).await.unwrap().0;
    assert_eq!(again, request);
}

/// Unlike HBase: there are no queues of compactions, no blocks in memory, and no logs to roll.
#[tokio::test]
async fn what_is_empty_is_cleared() {
    let mut f = Fixture::new(&[]).await;
    let queues = |name: &str| ClearCompactionQueuesRequest { queue_name: vec![name.to_owned()] };
    let method = "ClearCompactionQueues";
    f.admin.call::<Empty>(method, &queues("long")).await.unwrap();
    let refused = f.admin.call::<Empty>(method, &queues("wide")).await.unwrap_err();
    assert_eq!(refused.message, "Unknown queue name wide");
    let request = ClearRegionBlockCacheRequest { region: vec![f.region(b"a")] };
    let method = "ClearRegionBlockCache";
    let answer = f.admin.call::<ClearRegionBlockCacheResponse>(method, &request).await.unwrap();
    assert_eq!(answer.0.stats.evicted_blocks, Some(0));
    for method in ["RollWALWriter", "UpdateConfiguration", "GetCachedFilesList"] {
        f.admin.call::<Empty>(method, &Empty {}).await.unwrap();
    }
    f.master.call::<Empty>("FlushMasterStore", &Empty {}).await.unwrap();
}

/// Like HBase: checks of schemas that the servers have switched off are made if a table asks for
/// them.
#[tokio::test]
async fn a_schema_is_checked_as_the_servers_and_the_table_say() {
    let builder = MockCluster::builder().setting("hbase.table.sanity.checks", "false");
    let mut f = Fixture::with(builder.servers(1), &[("BLOCKSIZE", "1")], &[]).await;
    create(&mut f.master, "u", &[("TTL", "0")], &[]).await.unwrap();
    let pair = |key: &'static str, value: &'static str| BytesBytesPair {
        first: key.into(),
        second: value.into(),
    };
    let request = CreateTableRequest {
        table_schema: TableSchema {
            table_name: Some(tallrow_wire::region::parse_table_name(b"v")),
            attributes: vec![pair("hbase.table.sanity.checks", "true")],
            column_families: vec![ColumnFamilySchema {
                name: "f".into(),
                attributes: vec![pair("TTL", "0")],
                configuration: Vec::new(),
            }],
            configuration: Vec::new(),
        },
        ..Default::default()
    };
    let refused = f.master.call::<CreateTableResponse>("CreateTable", &request).await.unwrap_err();
    assert!(refused.message.starts_with("TTL for column family f must be positive."));
}

/// Like HBase: a region server that is asked to stop answers, and stops. Its regions are opened on
/// the others, and it is decommissioned no more.
#[tokio::test]
async fn a_server_is_stopped() {
    let mut f = Fixture::with(MockCluster::builder().servers(2), &[], &[]).await;
    f.put("a", "q", 1, "v").await;
    let number = f.cluster.regions("t")[0].server.unwrap();
    let method = "GetServerInfo";
    let info = f.admin.call::<GetServerInfoResponse>(method, &Empty {}).await.unwrap().0;
    let server_name = vec![info.server_info.server_name];
    let request = DecommissionRegionServersRequest { server_name, offload: false };
    f.master.call::<Empty>("DecommissionRegionServers", &request).await.unwrap();
    let request = StopServerRequest { reason: "the end".to_owned() };
    f.admin.call::<Empty>("StopServer", &request).await.unwrap();
    assert_eq!(f.admin.receive().await.map(|_| ()), None);
    assert_eq!(f.cluster.live_servers(), [1 - number]);
    let method = "ListDecommissionedRegionServers";
    let (listed, _) = (f.master)
        .call::<ListDecommissionedRegionServersResponse>(method, &Empty {})
        .await
        .unwrap();
    assert_eq!(listed.server_name, []);
    f.reconnect(b"a").await;
    assert_eq!(f.values("a").await, ["q=v"]);
}

async fn compaction_state(f: &mut Fixture) -> CompactionState {
    let request = GetRegionInfoRequest {
        region: f.region(b"a"),
        compaction_state: Some(true),
        ..Default::default()
    };
    let answer = f.admin.call::<GetRegionInfoResponse>("GetRegionInfo", &request).await.unwrap().0;
    answer.compaction_state()
}

/// Like HBase: a compaction of files is reported to run, and then to have ended.
#[tokio::test(start_paused = true)]
async fn a_compaction_is_reported_to_run() {
    let mut f = Fixture::new(&[]).await;
    let compact =
        CompactRegionRequest { region: f.region(b"a"), major: Some(true), ..Default::default() };
    f.admin.call::<CompactRegionResponse>("CompactRegion", &compact).await.unwrap();
    // There was no file.
    assert_eq!(compaction_state(&mut f).await, CompactionState::None);
    f.put("a", "q", 1, "v").await;
    let flush = FlushRegionRequest { region: f.region(b"a"), ..Default::default() };
    f.admin.call::<FlushRegionResponse>("FlushRegion", &flush).await.unwrap();
    f.admin.call::<CompactRegionResponse>("CompactRegion", &compact).await.unwrap();
    assert_eq!(compaction_state(&mut f).await, CompactionState::Major);
    f.cluster.advance_clock(Duration::from_millis(100)).unwrap();
    assert_eq!(compaction_state(&mut f).await, CompactionState::None);
}

/// Like HBase: a server that keeps a log of slow calls clears it; the balancer of the master has one.
#[tokio::test]
async fn the_logs_of_servers_are_read_and_cleared() {
    const PROTOS: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos";
    let setting = "hbase.regionserver.slowlog.buffer.enabled";
    let builder = MockCluster::builder().in_memory().setting(setting, "true");
    let mut f = Fixture::with(builder, &[], &[]).await;
    let method = "ClearSlowLogsResponses";
    let answer = f.admin.call::<ClearSlowLogResponses>(method, &Empty {}).await.unwrap().0;
    assert!(answer.is_cleaned);
    let request = |kind: &str| LogRequest {
        log_class_name: format!("{PROTOS}$Balancer{kind}Request"),
        log_message: bytes(""),
    };
    let answer = f.master.call::<LogEntry>("GetLogEntries", &request("Decisions")).await.unwrap().0;
    assert_eq!(answer.log_class_name, format!("{PROTOS}$BalancerDecisionsResponse"));
    let refused = f.master.call::<LogEntry>("GetLogEntries", &request("Others")).await.unwrap_err();
    assert_eq!(refused.message, "Invalid request params");
}
