//! Connections that fail before the first call.

use std::time::Duration;

use tallrow_mock::{Fault, MockCluster};
use tallrow_wire::frame::{self, Response};
use tallrow_wire::proto::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use crate::frames::{Frames, dial};

/// What the master writes after the registry preamble until it closes the connection or `wait` has
/// passed, and whether it closed the connection.
async fn written(cluster: &MockCluster, wait: Duration) -> (Vec<u8>, bool) {
    let mut stream = dial(cluster, cluster.rpc_address());
    // It may be closed already.
    let _ = stream.write_all(b"Regist").await;
    let mut bytes = Vec::new();
    let closed = tokio::time::timeout(wait, stream.read_to_end(&mut bytes)).await.is_ok();
    (bytes, closed)
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_fails_writes_the_given_bytes_and_nothing_else() {
    let cluster = MockCluster::start().await.unwrap();
    let hour = Duration::from_secs(3600);
    for (fault, bytes, closes) in [
        (Fault::on_connect().nth(1).never_reply(), &b""[..], false),
        (Fault::on_connect().nth(1).close(), b"", true),
        (Fault::on_connect().nth(1).garbage(&b"HTTP/1.1"[..]), b"HTTP/1.1", false),
        (Fault::on_connect().nth(1).huge_frame(), b"\x7F\xFF\xFF\xFF", false),
    ] {
        cluster.inject(fault.clone());
        assert_eq!(written(&cluster, hour).await, (bytes.to_vec(), closes), "{fault:?}");
        assert_eq!(cluster.unfired_faults(), []);
    }
    assert_eq!(written(&cluster, hour).await.0.len(), 4 + 46, "the next one is in order");
}

#[tokio::test(start_paused = true)]
async fn an_unsolicited_reply_is_written_before_the_first_call() {
    let cluster = MockCluster::start().await.unwrap();
    cluster.inject(Fault::on_connect().master().unsolicited_reply());
    let (bytes, closed) = written(&cluster, Duration::from_secs(60)).await;
    let answer = frame::split(&mut bytes[..].into(), frame::DEFAULT_MAX_LEN).unwrap().unwrap();
    assert!(Response::decode(answer).unwrap().header.call_id > Some(1 << 30) && !closed);
}

#[tokio::test(start_paused = true)]
async fn a_connection_trickles_from_its_first_byte_on() {
    let cluster = MockCluster::start().await.unwrap();
    cluster.inject(Fault::on_connect().nth(1).trickle(Duration::from_secs(1)));
    let started = Instant::now();
    let (bytes, closed) = written(&cluster, Duration::from_secs(3600)).await;
    assert_eq!((bytes.len(), closed, started.elapsed().as_secs()), (50, true, 50));
}

#[tokio::test(start_paused = true)]
async fn every_reply_on_a_connection_that_trickles_is_slow() {
    let cluster = MockCluster::start().await.unwrap();
    cluster.inject(Fault::on_connect().nth(1).trickle(Duration::from_secs(1)));
    let mut registry = Frames::open(&cluster, cluster.rpc_address(), "ClientMetaService").await;
    for _ in 0..2 {
        let started = Instant::now();
        let request = GetClusterIdRequest {};
        registry.call::<GetClusterIdResponse>("GetClusterId", &request).await.unwrap();
        assert!(started.elapsed() >= Duration::from_secs(40), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn a_fault_applies_to_its_server_only() {
    let cluster = MockCluster::start().await.unwrap();
    cluster.inject(Fault::on_connect().server(1).close());
    let (answer, _) = written(&cluster, Duration::from_secs(60)).await;
    assert_eq!(answer.len(), 4 + 46);
    let mut stream = dial(&cluster, cluster.server_address(1).unwrap());
    assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0);
}
