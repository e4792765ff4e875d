//! A cluster that opens no socket, in paused time.

use std::time::Duration;

use tallrow_mock::{Fault, MockCluster};
use tallrow_wire::proto::*;
use tokio::time::Instant;

use crate::frames::{Fixture, Frames, get, server_of};

/// Runs a test in paused time, without the driver that sockets need: opening one would panic.
fn without_sockets(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap().block_on(test);
}

fn in_memory() -> tallrow_mock::MockClusterBuilder {
    MockCluster::builder().in_memory()
}

#[test]
fn a_call_is_answered_without_a_socket_and_takes_paused_time_only() {
    without_sockets(async {
        let mut t = Fixture::with(in_memory(), &[], &[]).await;
        t.put("r", "q", 1, "v").await;
        t.cluster.inject(Fault::on("Get").pause_handler(Duration::from_secs(3600)));
        let started = Instant::now();
        let request = GetRequest { region: t.region(b"r"), get: get("r") };
        let server = server_of(&t.cluster, "t", b"r");
        let mut client = Frames::open(&t.cluster, server, "ClientService").await;
        let (_, cells) = client.call::<GetResponse>("Get", &request).await.unwrap();
        assert_eq!(cells[0].value(), b"v");
        assert_eq!(started.elapsed().as_secs(), 3600);
    });
}

#[test]
fn servers_have_the_ports_of_hbase_and_can_be_killed_and_started() {
    without_sockets(async {
        let cluster = in_memory().servers(2).start().await.unwrap();
        let port = |server| cluster.server_address(server).unwrap().port();
        assert_eq!((cluster.rpc_address().port(), port(0), port(1)), (16_000, 16_020, 16_021));
        cluster.kill_server(0).unwrap();
        let refused = cluster.dial("127.0.0.1", 16_020).unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
        assert_eq!(cluster.start_server().unwrap(), 2);
        assert_eq!(port(2), 16_022);
        assert!(cluster.dial("127.0.0.1", 16_022).is_ok());
        cluster.shutdown().await;
        assert!(cluster.dial("127.0.0.1", 16_000).is_err());
    });
}

#[test]
fn a_seed_and_a_clock_give_the_same_cluster_again() {
    let run = || {
        let mut answer = Vec::new();
        without_sockets(async {
            let builder = in_memory().seed(3).clock_start_ms(1_000);
            let mut t = Fixture::with(builder, &[], &[]).await;
            t.cluster.inject(Fault::on("Get").chance(0.5).throw("java.io.IOException", "no"));
            for row in ["a", "b", "c", "d", "e", "f"] {
                t.put(row, "q", 0, "v").await;
                tokio::time::sleep(Duration::from_millis(7)).await;
                let found = t.get(get(row)).await;
                answer.push(found.map(|(_, cells)| cells[0].timestamp()).map_err(|e| e.message));
            }
        });
        answer
    };
    let first = run();
    assert!(first.iter().any(|r| r.is_ok()) && first.iter().any(|r| r.is_err()), "{first:?}");
    assert_eq!(run(), first);
}
