//! Tables through the control port.

use serde_json::json;
use tallrow_mock::MockCluster;

use super::request;

#[tokio::test]
async fn tables_are_loaded_and_dumped() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let one = "table \"n:t\"\nfamily \"f\"\nput \"r\" \"f:q\" 7 \"v\"\n";
    let text = format!("tallrow-mock tables 1\n\n{one}");
    let answer = request(&cluster, "POST", "/tables", text.as_bytes()).await;
    assert_eq!((answer.status, answer.json()), (200, json!({"loaded": ["n:t"]})));
    for path in ["/tables", "/tables/n:t", "/tables/n%3At", "/tables/%6e:t"] {
        let answer = request(&cluster, "GET", path, b"").await;
        assert_eq!((answer.status, answer.body), (200, text.clone()), "{path}");
        assert!(answer.head.contains("content-type: text/plain"), "{}", answer.head);
    }
    let answer = request(&cluster, "POST", "/tables", text.as_bytes()).await;
    let error = "load tables: line 3, column 1: the table n:t: it exists already";
    assert_eq!((answer.status, answer.error()), (400, error.to_owned()));
    let answer = request(&cluster, "POST", "/tables", b"\xff").await;
    assert_eq!(answer.status, 400);
    assert!(answer.error().starts_with("the body is not UTF-8: "), "{answer:?}");
    for (path, error) in [
        ("/tables/u", "dump the table u: there is no such table, or it is one of HBase itself"),
        ("/tables/%zz%", "dump the table %zz%: there is no such table"),
        ("/tables/hbase:meta", "dump the table hbase:meta: there is no such table"),
        ("/tables/", "no such path /tables/"),
        ("/tables/a/b", "no such path /tables/a/b"),
    ] {
        let answer = request(&cluster, "GET", path, b"").await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.error().starts_with(error), "{answer:?}");
    }
}

#[tokio::test]
async fn a_text_of_tables_may_be_larger_than_other_bodies() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    let mut text = "tallrow-mock tables 1\ntable \"t\"\nfamily \"f\"\n".to_owned();
    let value = "v".repeat(100_000);
    for row in 0..20 {
        text.push_str(&format!("put \"{row}\" \"f:q\" 7 \"{value}\"\n"));
    }
    assert!(text.len() > 1 << 20);
    assert_eq!(request(&cluster, "POST", "/tables", text.as_bytes()).await.status, 200);
    assert_eq!(cluster.regions("t")[0].cells, 20);
}
