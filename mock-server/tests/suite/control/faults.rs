//! Faults through the control port: each is the same as the one that Rust builds.

use std::time::Duration;

use serde_json::json;
use tallrow_mock::{Fault, MockCluster};
use tallrow_wire::proto::*;

use super::{get, post, request};
use crate::frames::{Fixture, put};

#[tokio::test]
async fn each_fault_on_calls_is_the_one_that_rust_builds() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let on = || Fault::on("Mutate");
    let ms = Duration::from_millis(7);
    let io = "java.io.IOException";
    let cases = [
        (json!({"on": "Mutate", "effect": "drop_request"}), on().drop_request()),
        (json!({"on": "Mutate", "effect": "drop_reply", "nth": 3}), on().nth(3).drop_reply()),
        (
            json!({"on": "Mutate", "effect": "close_before", "table": "ns:t", "server": 1}),
            on().table("ns:t").server(1).close_before(),
        ),
        (
            json!({"on": "Mutate", "effect": "close_after", "server": "master"}),
            on().master().close_after(),
        ),
        (
            json!({"on": "Mutate", "effect": "truncate_reply", "nth": 3, "times": 2}),
            on().nth(3).times(2).truncate_reply(),
        ),
        (
            json!({"on": "Mutate", "effect": "not_serving", "chance": 0.25}),
            on().chance(0.25).not_serving(),
        ),
        (json!({"on": "Mutate", "effect": "huge_frame", "times": 5}), on().times(5).huge_frame()),
        (json!({"on": "Mutate", "effect": "wrong_call_id"}), on().wrong_call_id()),
        (
            json!({"on": "Mutate", "effect": "garbage", "bytes": "\\x00\\x01?"}),
            on().garbage(&b"\0\x01?"[..]),
        ),
        (json!({"on": "Mutate", "effect": "trickle", "ms": 7}), on().trickle(ms)),
        (json!({"on": "Mutate", "effect": "delay_in_queue", "ms": 7}), on().delay_in_queue(ms)),
        (json!({"on": "Mutate", "effect": "pause_handler", "ms": 7}), on().pause_handler(ms)),
        (
            json!({"on": "Mutate", "effect": "limit_call_queue", "calls": 10, "each_ms": 7}),
            on().limit_call_queue(10, ms),
        ),
        (
            json!({"on": "Mutate", "effect": "throw", "class": io, "message": "m"}),
            on().throw(io, "m"),
        ),
        (
            json!({"on": "Mutate", "effect": "throw", "class": io, "do_not_retry": true}),
            on().throw_with_do_not_retry(io, "", true),
        ),
    ];
    for (n, (body, fault)) in cases.into_iter().enumerate() {
        let answer = post(&cluster, "/faults", body.clone()).await;
        assert_eq!(answer, json!({"injected": 1, "ids": [n + 1]}));
        assert_eq!(cluster.unfired_faults(), [fault], "{body}");
        let removed = request(&cluster, "DELETE", "/faults", b"").await;
        assert_eq!(removed.json(), json!({"removed": 1}));
    }
}

#[tokio::test]
async fn each_fault_on_connections_is_the_one_that_rust_builds() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let on = Fault::on_connect;
    for (body, fault) in [
        (json!({"on": "connect", "effect": "never_reply"}), on().never_reply()),
        (
            json!({"on": "connect", "effect": "close", "server": "zookeeper", "nth": 2}),
            on().zookeeper().nth(2).close(),
        ),
        (
            json!({"on": "connect", "effect": "trickle", "ms": 7, "server": 0}),
            on().server(0).trickle(Duration::from_millis(7)),
        ),
        (
            json!({"on": "connect", "effect": "garbage", "bytes": "HTTP"}),
            on().garbage(&b"HTTP"[..]),
        ),
        (json!({"on": "connect", "effect": "huge_frame"}), on().huge_frame()),
        (
            json!({"on": "connect", "effect": "unsolicited_reply", "server": "master"}),
            on().master().unsolicited_reply(),
        ),
    ] {
        post(&cluster, "/faults", body.clone()).await;
        assert_eq!(cluster.unfired_faults(), [fault], "{body}");
        cluster.clear_faults();
    }
}

#[cfg(feature = "bigtable")]
#[tokio::test]
async fn each_fault_on_calls_of_bigtable_is_the_one_that_rust_builds() {
    use tallrow_mock::StatusCode;

    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let on = || Fault::on("ReadRows").bigtable();
    let code = StatusCode::Unavailable;
    let fields = |effect: &str, more: serde_json::Value| {
        let mut body = json!({"on": "ReadRows", "server": "bigtable", "effect": effect});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let failure = || json!({"code": "UNAVAILABLE", "message": "m"});
    let with = |name: &str, value: serde_json::Value| {
        let mut failure = failure();
        failure[name] = value;
        failure
    };
    let mut cookie = with("name", json!("x-goog-cbt-cookie-a"));
    cookie["value"] = json!("1");
    for (body, fault) in [
        (fields("fail", failure()), on().fail(code, "m")),
        (fields("fail_after", failure()), on().fail_after(code, "m")),
        (fields("fail_midway", failure()), on().fail_midway(code, "m")),
        (
            fields("fail_with_retry_info", with("ms", json!(2500))),
            on().fail_with_retry_info(code, "m", Duration::from_millis(2500)),
        ),
        (
            fields("fail_with_cookie", cookie),
            on().fail_with_cookie(code, "m", "x-goog-cbt-cookie-a", "1"),
        ),
        (fields("reset_stream", json!({})), on().reset_stream()),
        (fields("torn_row", json!({})), on().torn_row()),
        (fields("rows_out_of_order", json!({})), on().rows_out_of_order()),
        (fields("missing_entry", json!({})), on().missing_entry()),
        (
            json!({"on": "connect", "server": "bigtable", "effect": "close"}),
            Fault::on_connect().bigtable().close(),
        ),
    ] {
        post(&cluster, "/faults", body.clone()).await;
        assert_eq!(cluster.unfired_faults(), [fault], "{body}");
        cluster.clear_faults();
    }
}

#[tokio::test]
async fn a_fault_fires_for_the_named_call_and_is_counted() {
    let mut t = Fixture::new(&[]).await;
    let busy = "org.apache.hadoop.hbase.RegionTooBusyException";
    let faults = json!([
        {"on": "Mutate", "table": "t", "nth": 2, "effect": "throw", "class": busy, "message": "m"},
        {"on": "Get", "table": "other", "effect": "drop_reply"},
    ]);
    assert_eq!(
        post(&t.cluster, "/faults", faults.clone()).await,
        json!({"injected": 2, "ids": [1, 2]})
    );
    let mut failed = Vec::new();
    for _ in 0..3 {
        let request = t.request(put("r"));
        failed.push(t.client.call::<MutateResponse>("Mutate", &request).await.is_err());
    }
    assert_eq!(failed, [false, true, false]);
    assert_eq!(t.values("r").await, ["q=v"]);
    assert_eq!(
        get(&t.cluster, "/faults").await,
        json!([
            {"id": 1, "fault": faults[0], "matched": 3, "fired": 1},
            {"id": 2, "fault": faults[1], "matched": 0, "fired": 0},
        ])
    );
}

#[tokio::test]
async fn what_a_list_has_wrong_is_said_and_nothing_of_it_is_injected() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let faults = json!([
        {"on": "Get", "effect": "drop_reply"},
        {"on": "Get", "effect": "drop_reply", "nth": "third"},
    ]);
    let answer = request(&cluster, "POST", "/faults", faults.to_string().as_bytes()).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.error(),
        "[1].nth: found the text \"third\", expected a whole number, at least 1"
    );
    assert_eq!(cluster.unfired_faults(), []);
}

#[tokio::test]
async fn the_number_of_faults_is_limited() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let fault = json!({"on": "Get", "effect": "drop_reply"});
    let many = serde_json::Value::from(vec![fault.clone(); 10_000]);
    post(&cluster, "/faults", many).await;
    let answer = request(&cluster, "POST", "/faults", fault.to_string().as_bytes()).await;
    assert_eq!(answer.status, 409);
    assert!(answer.error().starts_with("there are 10000 faults and planned changes"), "{answer:?}");
}

#[tokio::test]
async fn one_fault_is_removed_and_the_others_keep_their_ids_and_counts() {
    let mut t = Fixture::new(&[]).await;
    let not_serving = json!({"on": "Mutate", "effect": "not_serving", "nth": 2});
    let lost = json!({"on": "Get", "effect": "drop_reply"});
    let planned = json!({"change": "start_server", "at": {"on": "Scan", "nth": 1}});
    let answer = post(&t.cluster, "/faults", json!([not_serving, lost])).await;
    assert_eq!(answer["ids"], json!([1, 2]));
    assert_eq!(post(&t.cluster, "/changes", planned).await["ids"], json!([3]));
    t.mutate(put("a")).await.unwrap();
    for id in [2, 3] {
        let removed = request(&t.cluster, "DELETE", &format!("/faults/{id}"), b"").await;
        assert_eq!(removed.json(), json!({"removed": 1}));
        let again = request(&t.cluster, "DELETE", &format!("/faults/{id}"), b"").await;
        assert_eq!(again.status, 404);
    }
    let left = json!([{"id": 1, "fault": not_serving, "matched": 1, "fired": 0}]);
    assert_eq!(get(&t.cluster, "/faults").await, left);
    // The reply is not lost, and the second write is refused.
    assert_eq!(t.values("a").await, ["q=v"]);
    t.mutate(put("a")).await.unwrap_err();
    // An id is not given twice.
    assert_eq!(post(&t.cluster, "/faults", lost).await["ids"], json!([4]));
}
