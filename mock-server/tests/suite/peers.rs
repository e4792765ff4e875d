//! Replication peers: their states and switches, and what the master refuses.

use tallrow_mock::MockCluster;
use tallrow_wire::exception::RemoteException;
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;

use crate::frames::{Fixture, Frames};

/// Nothing, or the class and the text of the refusal.
type Outcome = std::result::Result<(), (String, String)>;

fn refused(class: &str, text: &str) -> Outcome {
    Err((class.to_owned(), text.to_owned()))
}

/// A peer that is another cluster.
fn other() -> ReplicationPeer {
    let clusterkey = Some("zk1,zk2:2182:2181:/hbase".to_owned());
    ReplicationPeer { clusterkey, ..Default::default() }
}

/// The outcome of a change: the refusal of the call, or that of its procedure.
async fn call<R: prost::Message>(master: &mut Frames, method: &str, request: &R) -> Outcome {
    let refusal = |e: RemoteException| (e.simple_name().to_owned(), e.message);
    let (done, _) = master.call::<ProcIdResponse>(method, request).await.map_err(refusal)?;
    let request = GetProcedureResultRequest { proc_id: done.proc_id() };
    let method = "getProcedureResult";
    let ended = master.call::<GetProcedureResultResponse>(method, &request).await.unwrap().0;
    match ended.exception.as_ref().map(RemoteException::from_foreign) {
        None => Ok(()),
        Some(e) => Err((e.simple_name().to_owned(), format!("polled: {}", e.message))),
    }
}

async fn add(master: &mut Frames, id: &str, peer_config: ReplicationPeer) -> Outcome {
    let peer_state = ReplicationState { state: ReplicationStateKind::Enabled as i32 };
    let request = AddReplicationPeerRequest { peer_id: id.to_owned(), peer_config, peer_state };
    call(master, "AddReplicationPeer", &request).await
}

async fn update(master: &mut Frames, id: &str, peer_config: ReplicationPeer) -> Outcome {
    let request = UpdateReplicationPeerConfigRequest { peer_id: id.to_owned(), peer_config };
    call(master, "UpdateReplicationPeerConfig", &request).await
}

async fn switch(master: &mut Frames, on: bool) -> bool {
    let request = SwitchRequest { on };
    let method = "ReplicationPeerModificationSwitch";
    master.call::<SwitchResponse>(method, &request).await.unwrap().0.on
}

/// Like HBase: the configurations of replication peers that the master refuses.
#[tokio::test]
async fn a_peer_that_cannot_be_replicated_to_is_refused() {
    let cluster = MockCluster::builder().in_memory().zookeeper_port(0).start().await.unwrap();
    let mut master = Frames::open(&cluster, cluster.rpc_address(), "MasterService").await;
    let master = &mut master;
    let io = |text: &str| refused("DoNotRetryIOException", &format!("polled: {text}"));
    assert_eq!(add(master, "1-2", other()).await, io("Found invalid peer name: 1-2"));
    let key = |key: &str| ReplicationPeer { clusterkey: Some(key.to_owned()), ..other() };
    for wrong in ["", "zk", "zk:2181", "zk:2181:hbase", "zk:2181:/", "zk:port:/hbase"] {
        let text = format!("Invalid cluster key: {wrong}");
        assert_eq!(add(master, "1", key(wrong)).await, io(&text));
    }
    let own = cluster.zookeeper_address().unwrap();
    for own in [format!("{own}:1:/hbase"), format!("zk,localhost:{}:/hbase", own.port())] {
        let text = format!(
            "Invalid cluster key: {own}, should not replicate to itself for \
             HBaseInterClusterReplicationEndpoint"
        );
        assert_eq!(add(master, "1", key(&own)).await, io(&text));
    }
    // Another cluster may have the same servers of ZooKeeper.
    add(master, "1", key(&format!("{own}:1:/hbase2"))).await.unwrap();
    let endpoint = |class: &str| ReplicationPeer {
        replication_endpoint_impl: Some(class.to_owned()),
        ..Default::default()
    };
    assert_eq!(
        add(master, "2", endpoint("no")).await,
        io("Can not instantiate configured replication endpoint class=no")
    );
    add(master, "2", endpoint("com.example.Endpoint")).await.unwrap();
    assert_eq!(add(master, "2", other()).await, io("Replication peer 2 already exists"));
    let t = TableCf { table_name: Some(parse_table_name(b"n:t")), families: Vec::new() };
    let namespaces = vec!["n".into()];
    let all = ReplicationPeer { namespaces: namespaces.clone(), ..other() };
    assert_eq!(
        add(master, "3", all.clone()).await,
        io("Need clean namespaces or table-cfs config firstly when you want replicate all cluster")
    );
    let some = ReplicationPeer { replicate_all: Some(false), ..all };
    assert_eq!(
        add(master, "3", ReplicationPeer { table_cfs: vec![t.clone()], ..some.clone() }).await,
        io("Table-cfs n:t is conflict with namespaces n in peer config")
    );
    assert_eq!(
        add(master, "3", ReplicationPeer { exclude_table_cfs: vec![t], ..some.clone() }).await,
        io("Need clean exclude-namespaces or exclude-table-cfs config firstly when replicate_all \
             flag is false")
    );
    add(master, "3", some).await.unwrap();
}

/// Like HBase: the states of replication peers, and the switch of their changes.
#[tokio::test]
async fn a_peer_is_changed_while_changes_are_switched_on() {
    let mut f = Fixture::new(&[]).await;
    let master = &mut f.master;
    assert!(switch(master, false).await);
    let text = "Replication peer modification disabled";
    assert_eq!(add(master, "a", other()).await, refused("IOException", text));
    assert!(!switch(master, true).await);
    let setting =
        |name: &str, value: &str| NameStringPair { name: name.to_owned(), value: value.to_owned() };
    let settings = vec![setting("x", "1"), setting("y", "2")];
    add(master, "a", ReplicationPeer { configuration: settings, ..other() }).await.unwrap();
    add(master, "b", other()).await.unwrap();
    let bandwidth = Some(7);
    let configuration = vec![setting("y", "3")];
    update(master, "a", ReplicationPeer { bandwidth, configuration, ..other() }).await.unwrap();
    let list = ListReplicationPeersRequest { regex: Some("[ax]".to_owned()) };
    let method = "ListReplicationPeers";
    let listed = master.call::<ListReplicationPeersResponse>(method, &list).await.unwrap().0;
    let [peer] = &listed.peer_desc[..] else { panic!("{listed:?}") };
    assert_eq!((peer.id.as_str(), peer.config.bandwidth), ("a", Some(7)));
    // What the new configuration does not name is kept.
    assert_eq!(peer.config.configuration, [setting("y", "3"), setting("x", "1")]);
    let clusterkey = Some("zk:2181:/hbase".to_owned());
    assert_eq!(
        update(master, "a", ReplicationPeer { clusterkey, ..other() }).await,
        refused(
            "DoNotRetryIOException",
            "polled: Changing the cluster key on an existing peer is not allowed. Existing key \
             'zk1,zk2:2182:2181:/hbase' for peer a does not match new key 'zk:2181:/hbase'"
        )
    );
    let id = |id: &str| PeerIdRequest { peer_id: id.to_owned() };
    let method = "IsReplicationPeerEnabled";
    assert!(master.call::<SwitchResponse>(method, &id("a")).await.unwrap().0.on);
    call(master, "DisableReplicationPeer", &id("a")).await.unwrap();
    assert!(!master.call::<SwitchResponse>(method, &id("a")).await.unwrap().0.on);
    assert_eq!(
        call(master, method, &id("c")).await,
        refused("ReplicationException", "Replication Peer of c does not exist.")
    );
    assert_eq!(
        call(master, "RemoveReplicationPeer", &id("c")).await,
        refused("ReplicationPeerNotFoundException", "polled: c")
    );
}
