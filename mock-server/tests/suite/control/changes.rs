//! Changes through the control port, now and at a call, and scenarios.

use std::time::Duration;

use serde_json::{Value, json};
use tallrow_mock::{Change, Fault, MockCluster, Scenario};
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::{get as get_json, post, request};
use crate::frames::{Fixture, Frames, get, meta, put, server_of};

/// Two servers, and table `t` with a region before row `m` and one after it.
async fn fixture() -> Fixture {
    Fixture::with(MockCluster::builder().servers(2).in_memory(), &[], &["m"]).await
}

/// Makes a change now.
async fn change(t: &Fixture, change: Value) {
    let answer = post(&t.cluster, "/changes", change).await;
    assert_eq!(answer, json!({"applied": 1, "planned": 0, "ids": []}));
}

/// The servers of the regions of table `t`.
fn servers(t: &Fixture) -> Vec<Option<usize>> {
    t.cluster.regions("t").iter().map(|region| region.server).collect()
}

/// The server of the first region of table `t` according to `hbase:meta`, as its port.
async fn port_in_meta(t: &Fixture) -> String {
    let server = server_of(&t.cluster, "hbase:meta", b"");
    let mut client = Frames::open(&t.cluster, server, "ClientService").await;
    let column = Column { family: "info".into(), qualifier: vec!["server".into()] };
    let row = t.cluster.regions("t")[0].name.clone().into();
    let get = Get { row, column: vec![column], ..Default::default() };
    let request = GetRequest { region: meta(), get };
    let (_, cells) = client.call::<GetResponse>("Get", &request).await.unwrap();
    let address = String::from_utf8(cells[0].value().to_vec()).unwrap();
    address.rsplit(':').next().unwrap().to_owned()
}

fn port_of(t: &Fixture, server: usize) -> String {
    t.cluster.server_address(server).unwrap().port().to_string()
}

#[tokio::test]
async fn a_region_moves_splits_and_merges() {
    let t = fixture().await;
    let on = servers(&t)[0].unwrap();
    let to = 1 - on;
    change(&t, json!({"change": "move_region", "table": "t", "row": "a", "server": to})).await;
    assert_eq!(servers(&t)[0], Some(to));
    assert_eq!(port_in_meta(&t).await, port_of(&t, to));
    change(&t, json!({"change": "split_region", "table": "t", "row": "g\\x00"})).await;
    let starts = |t: &Fixture| -> Vec<Vec<u8>> {
        t.cluster.regions("t").into_iter().map(|region| region.start_key).collect()
    };
    assert_eq!(starts(&t), [&b""[..], b"g\0", b"m"]);
    change(&t, json!({"change": "merge_regions", "table": "t", "row": "h"})).await;
    assert_eq!(starts(&t), [&b""[..], b"g\0"]);
    let last = json!({"change": "merge_regions", "table": "t", "row": "z"});
    let answer = request(&t.cluster, "POST", "/changes", last.to_string().as_bytes()).await;
    assert_eq!(answer.status, 409);
    assert_eq!(
        answer.error(),
        "merge the region of row \"z\" of t with the next: it is the last region of its table; \
         before it, 0 were made, and 0 planned"
    );
}

#[tokio::test(start_paused = true)]
async fn a_region_opens_slowly() {
    let mut t = fixture().await;
    t.put("a", "q", 1, "v").await;
    let before = servers(&t);
    change(&t, json!({"change": "open_slowly", "table": "t", "row": "a", "ms": 500})).await;
    assert_eq!((servers(&t)[0], servers(&t)[1]), (None, before[1]));
    let error = t.get(get("a")).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
    tokio::time::sleep(Duration::from_millis(501)).await;
    assert_eq!(servers(&t), before);
    assert_eq!(t.values("a").await, ["q=v"]);
}

#[tokio::test(start_paused = true)]
async fn a_region_whose_server_dies_while_it_opens_slowly_opens_elsewhere() {
    let t = fixture().await;
    let on = servers(&t)[0].unwrap();
    let slowly = json!({"change": "open_slowly", "table": "t", "row": "a", "ms": 500});
    let dies = json!({"change": "kill_server", "server": on});
    let answer = post(&t.cluster, "/changes", json!([slowly, dies])).await;
    assert_eq!(answer, json!({"applied": 2, "planned": 0, "ids": []}));
    tokio::time::sleep(Duration::from_millis(501)).await;
    assert_eq!(servers(&t), [Some(1 - on); 2]);
}

#[tokio::test(start_paused = true)]
async fn a_region_goes_stale_in_meta_until_it_is_corrected() {
    let mut t = fixture().await;
    let on = servers(&t)[0].unwrap();
    let to = 1 - on;
    let stale = json!({
        "change": "stale_meta", "table": "t", "row": "a", "server": to, "ms": 500,
    });
    change(&t, stale).await;
    assert_eq!(servers(&t)[0], Some(to));
    assert_eq!(port_in_meta(&t).await, port_of(&t, on));
    // The old server does not know where the region is.
    let error = t.get(get("a")).await.unwrap_err();
    assert_eq!((error.class.as_str(), error.moved_to), (exception::NOT_SERVING_REGION, None));
    tokio::time::sleep(Duration::from_millis(501)).await;
    assert_eq!(port_in_meta(&t).await, port_of(&t, to));
    t.reconnect(b"a").await;
    t.put("a", "q", 1, "v").await;
    // Without a time, it stays stale.
    change(&t, json!({"change": "stale_meta", "table": "t", "row": "a", "server": on})).await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(port_in_meta(&t).await, port_of(&t, to));
    change(&t, json!({"change": "move_region", "table": "t", "row": "a", "server": on})).await;
    assert_eq!(port_in_meta(&t).await, port_of(&t, on));
    let of_meta = json!({"change": "stale_meta", "table": "hbase:meta", "row": "", "server": 0});
    let answer = request(&t.cluster, "POST", "/changes", of_meta.to_string().as_bytes()).await;
    assert_eq!(answer.status, 409, "{answer:?}");
}

#[tokio::test]
async fn servers_and_masters_die_and_start() {
    let t = fixture().await;
    change(&t, json!({"change": "kill_server", "server": 0})).await;
    assert_eq!(t.cluster.live_servers(), [1]);
    change(&t, json!({"change": "start_server"})).await;
    assert_eq!(t.cluster.live_servers(), [1, 2]);
    let first = t.cluster.rpc_address();
    change(&t, json!({"change": "start_master"})).await;
    change(&t, json!({"change": "kill_master"})).await;
    assert_ne!(t.cluster.rpc_address(), first);
    change(&t, json!({"change": "kill_master"})).await;
    let again = request(&t.cluster, "POST", "/changes", br#"{"change": "kill_master"}"#).await;
    assert_eq!(again.status, 409);
    assert!(again.error().starts_with("kill the active master: no master is alive"), "{again:?}");
}

#[tokio::test]
async fn a_change_at_a_call_happens_before_that_call() {
    let mut t = fixture().await;
    let on = servers(&t)[0].unwrap();
    let planned = json!({
        "change": "kill_server", "server": on,
        "at": {"on": "Mutate", "table": "t", "server": on, "nth": 2},
    });
    let answer = post(&t.cluster, "/changes", planned.clone()).await;
    assert_eq!(answer, json!({"applied": 0, "planned": 1, "ids": [1]}));
    assert_eq!(
        get_json(&t.cluster, "/changes").await,
        json!({"planned": [{"id": 1, "change": planned, "matched": 0, "fired": 0}], "failed": []})
    );
    t.put("a", "q", 1, "v").await;
    let request = t.request(put("b"));
    t.client.send("Mutate", &request, b"").await;
    assert_eq!(t.client.rest().await, b"", "the server died, and its connections closed");
    assert_eq!(t.cluster.live_servers(), [1 - on]);
    t.reconnect(b"a").await;
    assert_eq!(t.values("a").await, ["q=v"]);
    assert_eq!(t.values("b").await, [""; 0], "the second put was not applied");
    assert_eq!(get_json(&t.cluster, "/changes").await["planned"][0]["fired"], 1);
}

#[tokio::test]
async fn a_region_goes_away_under_a_scan() {
    let mut t = fixture().await;
    for row in ["a", "b", "c"] {
        t.put(row, "q", 1, "v").await;
    }
    let split = json!({
        "change": "split_region", "table": "t", "row": "b", "at": {"on": "Scan", "nth": 2},
    });
    post(&t.cluster, "/changes", split).await;
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    let error = t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
    assert_eq!(t.cluster.regions("t").len(), 3);
}

#[tokio::test]
async fn a_planned_change_that_is_not_possible_is_reported_and_the_call_is_served() {
    let mut t = fixture().await;
    let planned = json!({"change": "kill_server", "server": 9, "at": {"on": "Get", "nth": 1}});
    post(&t.cluster, "/changes", planned).await;
    assert_eq!(t.values("a").await, [""; 0]);
    let text = "kill region server 9: no such live region server; there are [0, 1]";
    assert_eq!(get_json(&t.cluster, "/changes").await["failed"], json!([text]));
    assert_eq!(t.cluster.failed_changes()[0].to_string(), text);
}

#[tokio::test]
async fn settings_change() {
    let mut t = fixture().await;
    for row in ["a", "b", "c"] {
        t.put(row, "q", 1, "v").await;
    }
    change(&t, json!({"change": "set_region_replica_replication", "enabled": true})).await;
    change(&t, json!({"change": "split_large_regions", "max_filesize": 1 << 30})).await;
    change(&t, json!({"change": "split_large_regions"})).await;
    change(&t, json!({"change": "end_scan_calls_after", "rows": 2})).await;
    let request = ScanRequest {
        region: Some(t.region(b"")),
        scan: Some(Scan::default()),
        number_of_rows: Some(10),
        client_handles_partials: Some(true),
        client_handles_heartbeats: Some(true),
        ..Default::default()
    };
    let (answer, cells) = t.client.call::<ScanResponse>("Scan", &request).await.unwrap();
    assert_eq!((cells.len(), answer.heartbeat_message), (2, Some(true)));
    #[cfg(feature = "bigtable")]
    {
        change(&t, json!({"change": "require_token", "token": "ya29"})).await;
        change(&t, json!({"change": "require_token"})).await;
    }
}

#[tokio::test]
async fn a_scenario_is_the_same_in_rust_in_a_file_and_through_the_port() {
    let text = r#"{
      "faults": {"on": "Get", "nth": 2, "effect": "drop_reply"},
      "changes": [
        {"change": "advance_clock", "ms": 60000},
        {"change": "move_region", "table": "t", "row": "a", "server": 0, "replica": 1,
         "at": {"on": "Mutate", "server": "master"}}
      ]
    }"#;
    let in_rust = Scenario::default()
        .fault(Fault::on("Get").nth(2).drop_reply())
        .fault(Fault::on("Mutate").master().change(Change::MoveRegion {
            table: "t".into(),
            row: b"a".to_vec(),
            replica: 1,
            server: 0,
        }))
        .change(Change::AdvanceClock { time: Duration::from_secs(60) });
    assert_eq!(Scenario::from_json(text).unwrap(), in_rust);
    assert_eq!(Scenario::from_json(&in_rust.to_json()).unwrap(), in_rust);
    let start = || MockCluster::builder().in_memory().clock_start_ms(1_000).start();
    let (by_port, by_rust) = (start().await.unwrap(), start().await.unwrap());
    let answer = request(&by_port, "POST", "/scenario", text.as_bytes()).await;
    assert_eq!(answer.json(), json!({"injected": 2, "applied": 1}));
    by_rust.play(&in_rust).unwrap();
    assert_eq!(by_port.unfired_faults(), by_rust.unfired_faults());
    assert!(by_port.clock_ms() >= 61_000 && by_rust.clock_ms() >= 61_000);
}

#[tokio::test]
async fn a_scenario_stops_at_a_change_that_is_not_possible() {
    let t = fixture().await;
    let scenario = json!({"changes": [
        {"change": "kill_server", "server": 7},
        {"change": "start_server"},
    ]});
    let answer = request(&t.cluster, "POST", "/scenario", scenario.to_string().as_bytes()).await;
    assert_eq!(answer.status, 409);
    assert_eq!(t.cluster.live_servers(), [0, 1]);
}
