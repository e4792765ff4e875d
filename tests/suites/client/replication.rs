//! Replication peers, and the log of slow calls.

use tallrow::ErrorKind;
use tallrow::admin::{ReplicationPeerConfig, SlowLogKind};
use tallrow_tests::Place;

pub(crate) async fn peers_are_added_changed_listed_and_removed(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    let id = "tallrow_suite";
    if hbase.list_replication_peers().await.unwrap().iter().any(|p| p.id == id) {
        hbase.remove_replication_peer(id).await.unwrap();
    }
    let found = async || {
        let peers = hbase.list_replication_peers().await.unwrap();
        peers.into_iter().find(|p| p.id == id)
    };
    // With this endpoint no other cluster is needed.
    let endpoint = "org.apache.hadoop.hbase.replication.VerifyWALEntriesReplicationEndpoint";
    let peer = ReplicationPeerConfig::new("127.0.0.1:2:/tallrow_suite")
        .endpoint(endpoint)
        .table("no_such_table".parse().unwrap(), ["f", "g"])
        .namespace("no_such_namespace");
    hbase.add_replication_peer(id, &peer, false).await.unwrap();
    let added = found().await.unwrap();
    assert_eq!((added.enabled, &added.peer), (false, &peer));

    let error = hbase.add_replication_peer(id, &peer, false).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("already exists"), "{error}");
    let error = hbase.disable_replication_peer(id).await.unwrap_err();
    assert!(error.to_string().contains("already been disabled"), "{error}");

    let changed = peer.clone().bandwidth(1 << 20);
    hbase.update_replication_peer(id, &changed).await.unwrap();
    assert_eq!(found().await.unwrap().peer, changed);
    let elsewhere = ReplicationPeerConfig::new("127.0.0.1:3:/elsewhere").endpoint(endpoint);
    let error = hbase.update_replication_peer(id, &elsewhere).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(error.to_string().contains("cluster key"), "{error}");

    hbase.remove_replication_peer(id).await.unwrap();
    assert_eq!(found().await, None);
    let error = hbase.remove_replication_peer(id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    match hbase.version().await.unwrap().unwrap().starts_with("2.4") {
        true => assert!(error.to_string().contains("does not exist"), "{error:?}"),
        false => assert!(
            error.exception().unwrap().ends_with("ReplicationPeerNotFoundException"),
            "{error:?}"
        ),
    }
    let error = hbase.add_replication_peer("", &peer, false).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
}

pub(crate) async fn the_log_of_slow_calls_is_read(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    for server in hbase.region_servers().await.unwrap() {
        for kind in [SlowLogKind::Slow, SlowLogKind::Large] {
            let calls = hbase.slow_log(&server, kind, 5).await.unwrap();
            assert!(calls.len() <= 5 && calls.iter().all(|call| !call.method.is_empty()));
        }
        hbase.clear_slow_log(&server).await.unwrap();
        assert!(hbase.slow_log(&server, SlowLogKind::Large, 5).await.unwrap().is_empty());
    }
    let error = hbase.slow_log("nonsense", SlowLogKind::Slow, 5).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
}
