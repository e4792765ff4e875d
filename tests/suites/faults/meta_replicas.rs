//! Clients of clusters whose `hbase:meta` has secondary replicas, through both registries.

use tallrow::op::{CallOptions, Consistency};
use tallrow::{Client, ErrorKind, Get, Put, RawTable};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::in_memory;

use super::{Site, config, seed};

/// A cluster of three servers whose `hbase:meta` has three replicas, and a client of this registry.
async fn site(registry: &str) -> Site {
    seed().await;
    let builder = MockCluster::builder().in_memory().servers(3).zookeeper_port(0);
    let mock = builder.start().await.unwrap();
    let url = match registry {
        "rpc" => mock.url(),
        _ => mock.zookeeper_url().unwrap(),
    };
    let client = Client::connect_with(&url, config().connector(in_memory(&mock))).await.unwrap();
    let site = Site::new(mock, client, &["m"]).await;
    replicate(&site, 3).await;
    site.client.clear_region_cache();
    site
}

/// Sets the number of replicas of `hbase:meta`.
async fn replicate(site: &Site, replicas: u16) {
    let admin = site.client.admin();
    let live = admin.describe("hbase:meta").await.unwrap();
    let diff = admin.diff_table(&live.region_replication(replicas)).await.unwrap();
    admin.alter(&diff).await.unwrap();
}

fn server(mock: &MockCluster, replica: u16) -> usize {
    mock.replica_server("hbase:meta", b"", replica).unwrap()
}

/// Reads the state of table `t` from one replica of `hbase:meta`, and whether it may be stale.
async fn state(meta: &RawTable, options: CallOptions) -> (bool, bool) {
    let read = meta.get_timeline(Get::new("t").options(options)).await.unwrap();
    (read.value.is_some(), read.is_stale)
}

#[tokio::test(start_paused = true)]
async fn tables_are_found_while_the_replicas_of_meta_move_and_die() {
    for registry in ["rpc", "zookeeper"] {
        let site = site(registry).await;
        let check = async |row: &str, what: &str| {
            site.client.clear_region_cache();
            site.table.put(Put::new(row).cell("f", "q", what)).await.unwrap();
            let row = site.table.get(Get::new(row)).await.unwrap().unwrap();
            assert_eq!(row.value("f", "q"), Some(what.as_bytes()), "{registry}: {what}");
        };
        check("a", "with replicas").await;
        for replica in [0, 1, 0, 2, 0] {
            let to = (server(&site.mock, replica) + 1) % 3;
            site.mock.move_replica("hbase:meta", b"", replica, to).unwrap();
            check("x", &format!("after a move of replica {replica}")).await;
        }
        site.mock.kill_server(server(&site.mock, 0)).unwrap();
        check("a", "without the server of the primary replica").await;
        replicate(&site, 1).await;
        check("x", "with one replica").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_secondary_replica_of_meta_is_read_and_found_where_it_is() {
    for registry in ["rpc", "zookeeper"] {
        let site = site(registry).await;
        let meta = site.client.raw_table("hbase:meta").unwrap();
        let only = |id| CallOptions::new().consistency(Consistency::Timeline).replica(id);
        assert_eq!(state(&meta, only(0)).await, (true, false), "{registry}");
        for id in [1, 2] {
            assert_eq!(state(&meta, only(id)).await, (true, true), "{registry}");
        }
        // The client asks again where a replica is that has moved.
        let to = (server(&site.mock, 1) + 1) % 3;
        site.mock.move_replica("hbase:meta", b"", 1, to).unwrap();
        assert_eq!(state(&meta, only(1)).await, (true, true), "{registry}");
        let [region] =
            &site.client.admin().hbase().unwrap().regions("hbase:meta").await.unwrap()[..]
        else {
            panic!("hbase:meta has one region")
        };
        assert_eq!(region.encoded_name(), "1588230740");

        // The primary replica is silent.
        let silent = Fault::on("Get").table("hbase:meta").server(server(&site.mock, 0));
        site.mock.inject(silent.drop_request());
        let any = CallOptions::new().consistency(Consistency::Timeline);
        assert_eq!(state(&meta, any).await, (true, true), "{registry}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_replica_of_meta_that_there_is_not_is_an_error_of_this_read_alone() {
    for registry in ["rpc", "zookeeper"] {
        let site = site(registry).await;
        let meta = site.client.raw_table("hbase:meta").unwrap();
        let fourth = CallOptions::new().consistency(Consistency::Timeline).replica(3);
        let error = meta.get_timeline(Get::new("t").options(fourth)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
        assert!(error.to_string().contains("no server for replica 3"), "{error}");
        // The region of hbase:meta was looked up in the background, where no other read is harmed.
        assert!(meta.get(Get::new("t")).await.unwrap().is_some());
        site.client.clear_region_cache();
        site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    }
}
