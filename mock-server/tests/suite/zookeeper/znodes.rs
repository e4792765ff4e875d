//! What the znodes hold, and how requests are answered.

use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;
use tallrow_wire::zookeeper::*;

use super::{Session, cluster, exists, get_children, get_data};
use crate::frames::Frames;

fn name(server: &ServerName) -> String {
    let (port, start) = (server.port.unwrap(), server.start_code.unwrap());
    format!("{},{port},{start}", server.host_name)
}

/// Like HBase: the znodes below `/hbase`, with the content that HBase 2.6 writes.
#[tokio::test(start_paused = true)]
async fn the_znodes_are_those_of_hbase() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    let names = [
        "backup-masters",
        "draining",
        "flush-table-proc",
        "hbaseid",
        "master",
        "master-maintenance",
        "meta-region-server",
        "namespace",
        "online-snapshot",
        "rs",
        "running",
        "splitWAL",
        "table",
    ];
    assert_eq!(session.children("/hbase").await, names);
    assert_eq!(session.children("").await, ["hbase", "zookeeper"]);
    let id: ClusterId = session.message("/hbase/hbaseid").await;
    assert_eq!(id.cluster_id.len(), 36);
    let master: Master = session.message("/hbase/master").await;
    assert_eq!((master.master.port, master.rpc_version), (Some(16_000), Some(0)));
    assert!(session.data("/hbase/master").await.starts_with(b"\xff\0\0\0\x14master:16000"));
    let meta: MetaRegionServer = session.message("/hbase/meta-region-server").await;
    assert_eq!((meta.server.port, meta.state), (Some(16_020), Some(RegionStateKind::Open as i32)));
    assert_eq!(session.children("/hbase/rs").await.len(), 2);
    let path = format!("/hbase/rs/{}", name(&meta.server));
    let info: RegionServerInfo = session.message(&path).await;
    assert_eq!(info.version_info.unwrap().version, "2.6.4");
    let state: DeprecatedTableState = session.message("/hbase/table/hbase:namespace").await;
    assert_eq!(state.state, TableStateKind::Enabled as i32);
    let namespace: NamespaceDescriptor = session.message("/hbase/namespace/default").await;
    assert_eq!(namespace.name, "default");
    let owners = [session.stat("/hbase/master").await, session.stat(&path).await];
    assert!(owners.iter().all(|stat| stat.unwrap().ephemeral_owner > 0));
    assert_eq!(session.stat("/hbase/meta-region-server").await.unwrap().ephemeral_owner, 0);
    assert_eq!(session.data("/hbase").await, "");
}

/// Like HBase: each replica of `hbase:meta` has a znode, with the state in which it is.
#[tokio::test(start_paused = true)]
async fn each_replica_of_meta_has_a_znode() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    let mut master = Frames::open(&cluster, cluster.rpc_address(), "MasterService").await;
    let table_name = parse_table_name(b"hbase:meta");
    let described = GetTableDescriptorsRequest {
        table_names: vec![table_name.clone()],
        include_sys_tables: Some(true),
        ..Default::default()
    };
    let method = "GetTableDescriptors";
    let answer = master.call::<GetTableDescriptorsResponse>(method, &described).await;
    let schema = answer.unwrap().0.table_schema.remove(0);
    for (replicas, expected) in [("3", &["", "-1", "-2"][..]), ("2", &["", "-1"]), ("1", &[""])] {
        session.ask(&get_children("/hbase", true)).await.unwrap();
        let pair = BytesBytesPair { first: "REGION_REPLICATION".into(), second: replicas.into() };
        let mut table_schema = schema.clone();
        table_schema.attributes.push(pair);
        let table_name = table_name.clone();
        let alter = ModifyTableRequest { table_name, table_schema, ..Default::default() };
        master.call::<ProcIdResponse>("ModifyTable", &alter).await.unwrap();
        let changed = session.event().await;
        assert_eq!((changed.kind, &*changed.path), (EventKind::NodeChildrenChanged, "/hbase"));
        let names = session.children("/hbase").await;
        let suffixes: Vec<_> =
            names.iter().filter_map(|name| name.strip_prefix("meta-region-server")).collect();
        assert_eq!(suffixes, expected);
        for (id, suffix) in (0..).zip(expected) {
            let path = format!("/hbase/meta-region-server{suffix}");
            let found: MetaRegionServer = session.message(&path).await;
            let server = cluster.replica_server("hbase:meta", b"", id).unwrap();
            let port = cluster.server_address(server).unwrap().port();
            assert_eq!(found.server.port, Some(u32::from(port)));
            assert_eq!(found.state, Some(RegionStateKind::Open as i32));
        }
        if replicas == "2" {
            let value = "hbase:meta,,1_0001".into();
            let region = RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value };
            let request = AssignRegionRequest { region };
            master.call::<Empty>("UnassignRegion", &request).await.unwrap();
            let found: MetaRegionServer = session.message("/hbase/meta-region-server-1").await;
            assert_eq!(found.state, Some(RegionStateKind::Closing as i32));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn replication_peers_have_their_znodes_and_each_server_its_queues() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    assert_eq!(session.stat("/hbase/replication").await, Err(NO_NODE));
    session.ask(&get_children("/hbase", true)).await.unwrap();
    let mut master = Frames::open(&cluster, cluster.rpc_address(), "MasterService").await;
    let config =
        ReplicationPeer { clusterkey: Some("zk:2181:/hbase".into()), ..Default::default() };
    let state = ReplicationState { state: ReplicationStateKind::Disabled as i32 };
    let request = AddReplicationPeerRequest {
        peer_id: "p".into(),
        peer_config: config.clone(),
        peer_state: state.clone(),
    };
    master.call::<ProcIdResponse>("AddReplicationPeer", &request).await.unwrap();
    let changed = session.event().await;
    assert_eq!((changed.kind, &*changed.path), (EventKind::NodeChildrenChanged, "/hbase"));
    let found: ReplicationPeer = session.message("/hbase/replication/peers/p").await;
    assert_eq!(found, config);
    let found: ReplicationState = session.message("/hbase/replication/peers/p/peer-state").await;
    assert_eq!(found, state);
    for server in session.children("/hbase/replication/rs").await {
        let queues = format!("/hbase/replication/rs/{server}");
        assert_eq!(session.children(&queues).await, ["p"]);
    }
}

/// Unlike HBase: znodes can be read and watched, but not created, changed or deleted.
#[tokio::test(start_paused = true)]
async fn requests_are_answered_and_refused_as_by_zookeeper() {
    let cluster = cluster().await;
    let mut session = Session::open(&cluster).await;
    for path in ["/hbase/none", "/hbase/", "hbase", "/hbase//rs", "/../hbase"] {
        for asked in [exists(path, true), get_data(path, true), get_children(path, true)] {
            assert_eq!(session.ask(&asked).await, Err(NO_NODE), "{asked:?}");
        }
    }
    assert_eq!(session.ask(&exists("/a\0b", false)).await, Err(BAD_ARGUMENTS));
    let sync = Operation::Sync { path: "/none".into() };
    assert_eq!(session.ask(&sync).await, Ok(Answer::Path("/none".into())));
    let acl = Operation::GetAcl { path: "/hbase".into() };
    assert!(matches!(session.ask(&acl).await, Ok(Answer::OpenAcl(_))));
    for (operation, answer) in [
        (Operation::Auth, Ok(Answer::Empty)),
        (Operation::Ping, Ok(Answer::Empty)),
        // create, delete, setData and multi
        (Operation::Change(1), Err(NO_AUTH)),
        (Operation::Change(2), Err(NO_AUTH)),
        (Operation::Change(5), Err(NO_AUTH)),
        (Operation::Change(14), Err(NO_AUTH)),
    ] {
        assert_eq!(session.ask(&operation).await, answer, "{operation:?}");
    }
    assert_eq!((cluster.call_count("getData"), cluster.call_count("change")), (5, 4));
    // addWatch, as by a ZooKeeper that is older than it
    assert_eq!(session.ask(&Operation::Unknown(106)).await, Err(UNIMPLEMENTED));
    assert!(session.receive().await.is_none());
}
