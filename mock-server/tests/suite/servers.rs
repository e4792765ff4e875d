//! Regions that move, split and merge; servers that are killed and started.

use tallrow_mock::MockCluster;
use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use crate::frames::{Fixture, Frames, get, increment, mutation, specifier};

/// Table `t`, split at `g` and `p`, on three servers.
async fn three_servers() -> Fixture {
    Fixture::with(MockCluster::builder().servers(3), &[], &["g", "p"]).await
}

fn get_of(t: &Fixture, row: &str) -> GetRequest {
    GetRequest { region: t.region(row.as_bytes()), get: get(row) }
}

#[tokio::test]
async fn a_table_is_spread_over_the_servers_in_key_order() {
    let t = three_servers().await;
    let regions = t.cluster.regions("t");
    let keys: Vec<_> = regions.iter().map(|r| (&r.start_key[..], &r.end_key[..])).collect();
    assert_eq!(keys, [(&b""[..], &b"g"[..]), (b"g", b"p"), (b"p", b"")]);
    let mut servers: Vec<_> = regions.iter().filter_map(|r| r.server).collect();
    servers.sort_unstable();
    assert_eq!(servers, [0, 1, 2]);
}

/// Like HBase: a server tells where a region has moved.
#[tokio::test]
async fn the_old_server_reports_where_a_region_moved_and_the_new_one_has_it() {
    let mut t = three_servers().await;
    t.put("a", "q", 1, "v").await;
    let request = get_of(&t, "a");
    let from = t.cluster.regions("t")[0].server.unwrap();
    let to = (from + 1) % 3;
    t.cluster.move_region("t", b"a", to).unwrap();
    let error = t.client.call::<GetResponse>("Get", &request).await.unwrap_err();
    assert_eq!(error.class, exception::REGION_MOVED);
    let address = t.cluster.server_address(to).unwrap();
    assert_eq!(error.moved_to, Some(("127.0.0.1".to_owned(), address.port())));
    let text = format!("Region moved to: hostname=127.0.0.1 port={} startCode=", address.port());
    assert!(error.message.starts_with(&text) && error.message.contains(". As of locationSeqNum="));
    t.reconnect(b"a").await;
    assert_eq!(t.client.call::<GetResponse>("Get", &request).await.unwrap().1.len(), 1);
    t.cluster.move_region("t", b"a", from).unwrap();
    assert_eq!(t.cluster.regions("t")[0].server, Some(from));
}

#[tokio::test]
async fn a_split_leaves_every_row_in_its_half() {
    let mut t = Fixture::new(&[]).await;
    for row in ["a", "m", "z"] {
        t.put(row, "q", 1, row).await;
    }
    let old = t.region(b"a");
    t.cluster.split_region("t", b"m").unwrap();
    let regions = t.cluster.regions("t");
    assert_eq!((&regions[0].end_key[..], &regions[1].start_key[..]), (&b"m"[..], &b"m"[..]));
    let request = GetRequest { region: old, get: get("a") };
    let error = t.client.call::<GetResponse>("Get", &request).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
    for row in ["a", "m", "z"] {
        assert_eq!(t.values(row).await, [format!("q={row}")]);
    }
    let wrong = GetRequest { region: t.region(b"a"), get: get("z") };
    let error = t.client.call::<GetResponse>("Get", &wrong).await.unwrap_err();
    assert_eq!(error.class, exception::WRONG_REGION);
    assert!(error.message.ends_with("startKey='', getEndKey()='m', row='z'"), "{}", error.message);
    assert!(t.cluster.split_region("t", b"m").is_err());
}

#[tokio::test]
async fn a_row_of_another_region_is_rejected_as_by_a_real_server() {
    let mut t = Fixture::with(MockCluster::builder().servers(1), &[], &["m"]).await;
    let region = t.region(b"a");
    let text = "Requested row out of range for batchMutate on HRegion t,,";
    for (mutation, class, do_not_retry) in [
        (mutation(MutationType::Put, "z", &[("q", 1, "v")]), exception::FAILED_SANITY_CHECK, true),
        (increment("z", 1, 0), exception::WRONG_REGION, false),
    ] {
        let request = MutateRequest { region: region.clone(), mutation, ..Default::default() };
        let error = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
        assert_eq!((error.class.as_str(), error.do_not_retry), (class, do_not_retry));
        assert!(error.message.starts_with(text), "{}", error.message);
    }
}

#[tokio::test]
async fn merged_regions_hold_the_rows_of_both() {
    let mut t = Fixture::with(MockCluster::builder().servers(1), &[], &["g", "p"]).await;
    for row in ["a", "h", "z"] {
        t.put(row, "q", 1, row).await;
    }
    let encoded = |row: &[u8]| RegionSpecifier {
        r#type: RegionSpecifierType::EncodedRegionName as i32,
        value: region::encoded_name(&specifier(&t.cluster, "t", row).value).unwrap().into(),
    };
    let request = MergeTableRegionsRequest {
        region: vec![encoded(b"h"), encoded(b"a")],
        ..Default::default()
    };
    let merged = t.master.call::<MergeTableRegionsResponse>("MergeTableRegions", &request).await;
    assert!(merged.unwrap().0.proc_id.is_some());
    assert_eq!(t.cluster.regions("t").len(), 2);
    for row in ["a", "h", "z"] {
        assert_eq!(t.values(row).await, [format!("q={row}")]);
    }
}

/// Unlike HBase: a killed server loses nothing, and its regions open elsewhere at once, not
/// after the session of ZooKeeper.
#[tokio::test]
async fn a_dead_server_closes_its_connections_and_loses_nothing() {
    let mut t = three_servers().await;
    t.put("a", "q", 1, "v").await;
    let dead = t.cluster.regions("t")[0].server.unwrap();
    let address = t.cluster.server_address(dead).unwrap();
    t.cluster.kill_server(dead).unwrap();
    assert!(t.cluster.dial("127.0.0.1", address.port()).is_err());
    assert!(t.client.receive().await.is_none());
    let request = get_of(&t, "a");
    assert!(t.cluster.regions("t").iter().all(|r| r.server.is_some_and(|s| s != dead)));
    t.reconnect(b"a").await;
    assert_eq!(t.client.call::<GetResponse>("Get", &request).await.unwrap().1.len(), 1);
}

#[tokio::test]
async fn regions_wait_when_no_server_is_left_and_open_on_the_next_one() {
    let mut t = Fixture::new(&[]).await;
    t.put("a", "q", 1, "v").await;
    t.cluster.kill_server(0).unwrap();
    assert_eq!(t.cluster.regions("t")[0].server, None);
    let mut registry = Frames::open(&t.cluster, t.cluster.rpc_address(), "ClientMetaService").await;
    let request = GetMetaRegionLocationsRequest {};
    let answer =
        registry.call::<GetMetaRegionLocationsResponse>("GetMetaRegionLocations", &request);
    assert_eq!(answer.await.unwrap().0.meta_locations.len(), 0);
    let number = t.cluster.start_server().unwrap();
    assert_eq!((number, t.cluster.live_servers()), (1, vec![1]));
    t.reconnect(b"a").await;
    assert_eq!(t.values("a").await, ["q=v"]);
}

/// Like HBase: the registry of the servers (`RpcConnectionRegistry`).
#[tokio::test]
async fn the_registry_names_the_servers_that_live() {
    let t = three_servers().await;
    t.cluster.kill_server(1).unwrap();
    let mut registry = Frames::open(&t.cluster, t.cluster.rpc_address(), "ClientMetaService").await;
    let (nodes, _) = registry
        .call::<GetBootstrapNodesResponse>("GetBootstrapNodes", &GetBootstrapNodesRequest {})
        .await
        .unwrap();
    let ports: Vec<_> = nodes.server_name.iter().filter_map(|s| s.port).collect();
    let live = [0, 2].map(|n| u32::from(t.cluster.server_address(n).unwrap().port()));
    assert_eq!(ports, live);
    let (masters, _) =
        registry.call::<GetMastersResponse>("GetMasters", &GetMastersRequest {}).await.unwrap();
    let port = u32::from(t.cluster.rpc_address().port());
    assert_eq!(masters.master_servers[0].server_name.port, Some(port));
}

#[tokio::test]
async fn errors_say_what_failed_and_why() {
    let t = three_servers().await;
    let error = t.cluster.move_region("nope", b"a", 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move the region of row \"a\" of nope to server 0: no such table"
    );
    assert!(t.cluster.move_region("t", b"a", 9).is_err());
    assert!(t.cluster.kill_server(9).is_err());
}

#[tokio::test]
async fn servers_stop_with_the_last_handle() {
    let t = three_servers().await;
    let address = t.cluster.rpc_address();
    let mut connection = Frames::open(&t.cluster, address, "ClientMetaService").await;
    let clone = t.cluster.clone();
    drop(t);
    connection.call::<GetClusterIdResponse>("GetClusterId", &GetClusterIdRequest {}).await.unwrap();
    drop(clone);
    assert!(connection.receive().await.is_none());
}

/// Like HBase: a backup master takes over.
#[tokio::test]
async fn a_backup_master_takes_over_when_the_active_one_is_killed() {
    let cluster = MockCluster::builder().servers(1).start().await.unwrap();
    let first = cluster.rpc_address();
    let backup = cluster.start_master().unwrap();
    let server = cluster.server_address(0).unwrap();
    let mut registry = Frames::open(&cluster, server, "ClientMetaService").await;
    let request = GetMastersRequest {};
    let (masters, _) = registry.call::<GetMastersResponse>("GetMasters", &request).await.unwrap();
    let ports: Vec<_> =
        masters.master_servers.iter().map(|m| (m.server_name.port, m.is_active)).collect();
    let port = |address: std::net::SocketAddr| Some(u32::from(address.port()));
    assert_eq!(ports, [(port(first), true), (port(backup), false)]);
    let mut master = Frames::open(&cluster, backup, "MasterService").await;
    let refused = master.call::<BalanceResponse>("Balance", &Empty {}).await.unwrap_err();
    assert_eq!(refused.class, exception::SERVER_NOT_RUNNING_YET);
    cluster.kill_master().unwrap();
    assert!(cluster.dial("127.0.0.1", first.port()).is_err());
    master.call::<BalanceResponse>("Balance", &Empty {}).await.unwrap();
    cluster.kill_master().unwrap();
    let request = GetActiveMasterRequest {};
    let (none, _) =
        registry.call::<GetActiveMasterResponse>("GetActiveMaster", &request).await.unwrap();
    assert_eq!(none.server_name, None);
}
