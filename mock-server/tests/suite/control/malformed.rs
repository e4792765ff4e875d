//! Malformed requests to the control port.

use tallrow_mock::MockCluster;

use super::{request, send};

/// Method, path, body, status, and a part of the error.
const MALFORMED: &[(&str, &str, &str, u16, &str)] = &[
    ("GET", "/nothing", "", 404, "no such path /nothing, expected one of /, /status, /faults"),
    ("GET", "/faults/1", "", 405, "/faults/1 is not for GET, expected DELETE"),
    ("DELETE", "/faults/1", "", 404, "there is no fault or planned change 1; GET /faults"),
    ("DELETE", "/faults/one", "", 404, "there is no fault or planned change one; GET /faults"),
    ("DELETE", "/faults/", "", 404, "no such path /faults/, expected one of /"),
    ("DELETE", "/faults/1/2", "", 404, "no such path /faults/1/2, expected one of /"),
    ("GET", "/STATUS", "", 404, "no such path /STATUS"),
    ("DELETE", "/status", "", 405, "/status is not for DELETE, expected GET"),
    ("PUT", "/faults", "{}", 405, "/faults is not for PUT, expected GET, POST, DELETE"),
    ("GET", "/scenario", "", 405, "/scenario is not for GET, expected POST"),
    ("POST", "/transcript", "", 405, "/transcript is not for POST, expected GET"),
    ("POST", "/faults", "", 400, "the body is not JSON: EOF while parsing a value at line 1"),
    ("POST", "/faults", "{\"on\": ", 400, "the body is not JSON: EOF while parsing"),
    ("POST", "/faults", "\u{ff}", 400, "the body is not JSON: expected value at line 1 column 1"),
    ("POST", "/faults", "{} {}", 400, "the body is not JSON: trailing characters"),
    ("POST", "/faults", "7", 400, "found the number 7, expected a fault, or an array of faults"),
    ("POST", "/faults", "[[]]", 400, "[0]: found an array, expected a fault"),
    ("POST", "/faults", "{}", 400, "on: missing, expected the name of a method, or \"connect\""),
    ("POST", "/faults", r#"{"on": 1}"#, 400, "on: found the number 1, expected the name of"),
    (
        "POST",
        "/faults",
        r#"{"on": "mutate", "effect": "throw"}"#,
        400,
        "on: found the text \"mutate\", expected the name of a method, or \"connect\"; similar \
         names: Mutate",
    ),
    ("POST", "/faults", r#"{"on": "Get"}"#, 400, "effect: missing, expected one of throw, not_"),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "lose"}"#,
        400,
        "effect: found the text \"lose\", expected one of throw, not_serving",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "fail", "code": "UNAVAILABLE"}"#,
        400,
        "effect: found the text \"fail\", expected one of throw, not_serving",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "throw"}"#,
        400,
        "class: missing, expected the name of a Java class",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "nht": 3}"#,
        400,
        "nht: unknown field, expected one of on, table, server, nth, times, chance, effect",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "nth": 1.5}"#,
        400,
        "nth: found the number 1.5, expected a whole number, at least 1",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "times": -1}"#,
        400,
        "times: found the number -1, expected a whole number, at least 1",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "chance": 2}"#,
        400,
        "chance: found the number 2, expected a number from 0 to 1",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "server": "one"}"#,
        400,
        "server: found the text \"one\", expected the number of a region server",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "drop_reply", "table": true}"#,
        400,
        "table: found true, expected a text",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "garbage", "bytes": "\\y"}"#,
        400,
        "bytes: found the text \"\\\\y\", expected a text, with bytes such as \\x00",
    ),
    (
        "POST",
        "/faults",
        r#"{"on": "Get", "effect": "trickle", "ms": 99999999999999}"#,
        400,
        "ms: found the number 99999999999999, expected a whole number from 0 to 31536000000",
    ),
    ("POST", "/changes", r#"{"change": "explode"}"#, 400, "change: found the text \"explode\""),
    (
        "POST",
        "/changes",
        r#"{"change": "kill_server", "server": "0"}"#,
        400,
        "server: found the text \"0\", expected a whole number from 0 to 4294967295",
    ),
    (
        "POST",
        "/changes",
        r#"{"change": "start_server", "at": 3}"#,
        400,
        "at: found the number 3, expected a selection of calls",
    ),
    (
        "POST",
        "/changes",
        r#"{"change": "start_server", "at": {"on": "Get", "nth": 0}}"#,
        400,
        "at.nth: found the number 0, expected a whole number, at least 1",
    ),
    (
        "POST",
        "/scenario",
        r#"{"fault": []}"#,
        400,
        "fault: unknown field, expected one of faults, changes",
    ),
    (
        "POST",
        "/scenario",
        r#"{"changes": [{"change": "start_server"}, {"change": "open_slowly", "table": "t"}]}"#,
        400,
        "changes[1].row: missing",
    ),
    ("POST", "/clock", r#"{"advance_ms": -5}"#, 400, "advance_ms: found the number -5, expected"),
    ("POST", "/clock", r#"{"ms": 5}"#, 400, "advance_ms: missing, expected a whole number"),
];

#[tokio::test]
async fn each_is_refused_with_what_is_wrong() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    for (method, path, body, status, error) in MALFORMED {
        let answer = request(&cluster, method, path, body.as_bytes()).await;
        assert_eq!(answer.status, *status, "{method} {path} {body}: {answer:?}");
        assert!(answer.error().starts_with(error), "{method} {path} {body}: {answer:?}");
        if *status == 405 {
            let (_, allowed) = error.split_once("expected ").unwrap();
            assert!(answer.head.contains(&format!("\r\nallow: {allowed}\r\n")), "{answer:?}");
        }
    }
    assert_eq!(cluster.unfired_faults(), []);
    assert_eq!(cluster.live_servers(), [0, 1]);
}

#[tokio::test]
async fn a_body_may_be_large_but_not_too_large_or_too_deep() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let largest = " ".repeat((1 << 20) - 2) + "[]";
    assert_eq!(request(&cluster, "POST", "/faults", largest.as_bytes()).await.status, 200);
    let larger = format!(" {largest}");
    let answer = request(&cluster, "POST", "/faults", larger.as_bytes()).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.error(), "the body is too large, expected at most 1048576 bytes");
    let deep = "[".repeat(100_000);
    let answer = request(&cluster, "POST", "/faults", deep.as_bytes()).await;
    assert_eq!(answer.status, 400);
    assert!(answer.error().contains("recursion limit exceeded"), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_http_or_never_arrives_is_given_up() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    assert_eq!(send(&cluster, b"\x00\x01HBas\r\n\r\n").await.status, 400);
    let header = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert_eq!(send(&cluster, header.as_bytes()).await.status, 431);
    let cut = b"POST /faults HTTP/1.1\r\nHost: mock\r\nContent-Length: 10\r\n\r\n{";
    let answer = send(&cluster, cut).await;
    assert_eq!((answer.status, &answer.error()[..]), (408, "the body did not arrive within 30 s"));
}
