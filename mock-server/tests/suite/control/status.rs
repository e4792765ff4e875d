//! The status as JSON and as a page, and the port over a socket.

use serde_json::json;
use tallrow_mock::{Change, Fault, MockCluster};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{get, request, send};
use crate::frames::Fixture;

/// A cluster that has done something of everything that the status shows.
async fn busy_cluster() -> Fixture {
    let builder = MockCluster::builder().servers(2).in_memory().zookeeper_port(0);
    let mut t = Fixture::with(builder.clock_start_ms(5_000), &[], &["m"]).await;
    drop(t.cluster.dial_control());
    t.put("a", "q", 1, "v").await;
    t.put("b", "q", 1, "v").await;
    t.values("a").await;
    t.cluster.inject(Fault::on("Get").nth(1).throw("<b>", "x"));
    t.cluster.inject(Fault::on("Scan").change(Change::KillServer { server: 9 }));
    t.scan(Default::default(), 1).await.unwrap();
    t
}

#[tokio::test(start_paused = true)]
async fn the_status_shows_what_a_test_did() {
    let t = busy_cluster().await;
    let status = get(&t.cluster, "/status").await;
    assert_eq!(status["clock_ms"], 5_000);
    assert_eq!(
        status["addresses"],
        json!({"hbase_rpc": "127.0.0.1:16000", "hbase_zk": "127.0.0.1:2181"})
    );
    assert_eq!(
        status["masters"],
        json!([{"address": "127.0.0.1:16000", "alive": true, "active": true}])
    );
    assert_eq!(status["servers"][1]["address"], "127.0.0.1:16021");
    assert_eq!(status["calls"]["Mutate"], json!({"arrived": 2, "dropped": 0}));
    assert_eq!(status["open_scanners"], 1);
    let tables = status["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["table"] == "t").unwrap();
    let first = &table["regions"][0];
    assert_eq!((&first["start_key"], &first["end_key"]), (&json!(""), &json!("m")));
    assert_eq!((&first["cells"], &table["regions"][1]["cells"]), (&json!(2), &json!(0)));
    let regions: u64 = status["servers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|server| {
            assert_eq!(server["alive"], true);
            server["regions"].as_u64().unwrap()
        })
        .sum();
    assert_eq!(regions, 4, "two of t, hbase:meta, hbase:namespace");
    assert_eq!(
        status["faults"],
        json!([{
            "id": 1,
            "fault": {"on": "Get", "nth": 1, "effect": "throw", "class": "<b>", "message": "x"},
            "matched": 0,
            "fired": 0,
        }])
    );
    assert_eq!(status["changes"]["planned"][0]["fired"], 1);
    assert_eq!(status["changes"]["failed"].as_array().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_browser_gets_a_page() {
    let t = busy_cluster().await;
    let by_accept = b"GET /status HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\
                      Accept: text/html,application/xml;q=0.9\r\n\r\n";
    for answer in [send(&t.cluster, by_accept).await, request(&t.cluster, "GET", "/", b"").await] {
        assert_eq!(answer.status, 200);
        assert!(answer.head.contains("content-type: text/html; charset=utf-8"), "{answer:?}");
        for part in [
            "<tr><td>t<td><td>m<td>",
            "<tr><td>Mutate<td class=\"n\">2<td class=\"n\">0</tr>",
            "<tr><td>0<td>127.0.0.1:16020<td class=\"n\">",
            "&lt;b&gt;",
            "kill region server 9: no such live region server",
            ": Get of t: answered",
        ] {
            assert!(answer.body.contains(part), "{part} is missing in\n{}", answer.body);
        }
        assert!(!answer.body.contains("<b>"), "{}", answer.body);
    }
}

#[tokio::test(start_paused = true)]
async fn the_transcript_is_text() {
    let t = busy_cluster().await;
    let answer = request(&t.cluster, "GET", "/transcript", b"").await;
    assert!(answer.head.contains("content-type: text/plain; charset=utf-8"), "{answer:?}");
    assert_eq!(answer.body, t.cluster.transcript());
    assert!(answer.body.contains("change: kill region server 9: failed\n"), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn head_is_answered_as_get_without_a_body() {
    let builder = MockCluster::builder().in_memory().clock_start_ms(5_000);
    let cluster = builder.start().await.unwrap();
    for path in ["/", "/status", "/faults", "/tables", "/tables/none"] {
        let head = request(&cluster, "HEAD", path, b"").await;
        let get = request(&cluster, "GET", path, b"").await;
        let of = |head: &str| -> Vec<String> {
            let lines = head.lines().filter(|line| !line.starts_with("date: "));
            lines.map(str::to_owned).collect()
        };
        assert_eq!((of(&head.head), &*head.body), (of(&get.head), ""), "{path}");
        assert_ne!(get.body, "", "{path}");
    }
}

#[tokio::test]
async fn the_port_serves_several_requests_of_a_connection_and_closes_when_it_is_dropped() {
    let cluster = MockCluster::builder().servers(1).start().await.unwrap();
    let control = cluster.serve_control(([127, 0, 0, 1], 0).into()).await.unwrap();
    let mut stream = tokio::net::TcpStream::connect(control.address()).await.unwrap();
    for _ in 0..2 {
        stream.write_all(b"GET /faults HTTP/1.1\r\nHost: mock\r\n\r\n").await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n[]\n") {
            assert!(stream.read_buf(&mut answer).await.unwrap() > 0);
        }
    }
    let address = control.address();
    drop(control);
    let mut rest = Vec::new();
    // The connection may be reset.
    let _ = stream.read_to_end(&mut rest).await;
    assert_eq!(rest, b"");
    // The listener is closed when its task is gone.
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}
