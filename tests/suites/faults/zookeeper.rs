//! Clusters that are found through ZooKeeper, while their servers die and move.

use std::time::Duration;

use tallrow::{Client, ErrorKind, Get, Put};
use tallrow_mock::Fault;
use tokio::time::sleep;

use super::{Site, config, seed};

/// A cluster whose client knows nothing but its ZooKeeper.
async fn site() -> Site {
    seed().await;
    let client = Client::connect_with("mock:?registry=zookeeper", config()).await.unwrap();
    let mock = client.mock_cluster().unwrap().clone();
    Site::new(mock, client, &[]).await
}

#[tokio::test(start_paused = true)]
async fn a_cluster_is_found_by_its_znodes_alone() {
    let site = site().await;
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    assert!(site.table.get(Get::new("r")).await.unwrap().is_some());
    let read = site.mock.call_count("getData");
    assert!(read >= 2, "the place of hbase:meta and that of the master, {read}");
    for method in ["GetMetaRegionLocations", "GetActiveMaster", "GetClusterId"] {
        assert_eq!(site.mock.call_count(method), 0, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_next_master_is_found_when_this_one_dies() {
    let site = site().await;
    site.mock.start_master().unwrap();
    assert_eq!(site.client.admin().list_tables().await.unwrap().len(), 1);
    site.mock.kill_master().unwrap();
    assert_eq!(site.client.admin().list_tables().await.unwrap().len(), 1);
    // Now there is none, until one is started.
    site.mock.kill_master().unwrap();
    let mock = site.mock.clone();
    tokio::spawn(async move {
        sleep(Duration::from_secs(2)).await;
        mock.start_master().unwrap();
    });
    assert_eq!(site.client.admin().list_tables().await.unwrap().len(), 1);
    site.mock.kill_master().unwrap();
    let error = site.client.admin().list_tables().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
    assert!(error.to_string().contains("no znode /hbase/master"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn meta_is_found_where_it_moved_to_and_where_it_was_opened_again() {
    let site = site().await;
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    for meta_to in [1, 0] {
        site.mock.move_region("hbase:meta", b"", meta_to).unwrap();
        site.client.clear_region_cache();
        assert!(site.table.get(Get::new("r")).await.unwrap().is_some());
    }
    site.mock.start_server().unwrap();
    for dead in [0, 1] {
        site.mock.kill_server(dead).unwrap();
        assert!(site.table.get(Get::new("r")).await.unwrap().is_some(), "without {dead}");
    }
}

#[tokio::test(start_paused = true)]
async fn connections_to_zookeeper_may_fail_for_a_while() {
    let site = site().await;
    for fault in [
        Fault::on_connect().zookeeper().times(2).close(),
        Fault::on_connect().zookeeper().times(2).trickle(Duration::from_millis(1)),
    ] {
        site.mock.inject(fault.clone());
        site.mock.start_master().unwrap();
        site.mock.kill_master().unwrap();
        let listed = site.client.admin().list_tables().await;
        assert_eq!(listed.unwrap_or_else(|e| panic!("{fault:?}: {e:?}")).len(), 1);
        assert_eq!(site.mock.unfired_faults(), []);
        site.mock.clear_faults();
    }
    let web = Fault::on_connect().zookeeper().garbage(&b"HTTP/1.1 400 Bad Request\r\n"[..]);
    for fault in [web, Fault::on_connect().zookeeper().huge_frame()] {
        site.mock.clear_faults();
        site.mock.inject(fault.clone());
        site.mock.start_master().unwrap();
        site.mock.kill_master().unwrap();
        let error = site.client.admin().list_tables().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{fault:?}: {error:?}");
    }
}
