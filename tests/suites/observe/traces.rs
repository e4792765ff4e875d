//! The traces that calls belong to, as the servers are told.

use futures_util::future::join3;
use tallrow::observe::TraceContext;
use tallrow::op::RowOperation;
use tallrow::{Client, Get, Put, Scan};

use crate::observe::{Site, config, site, site_with};

tokio::task_local! {
    static TRACE: TraceContext;
}

fn trace(parent: u64, flags: &str) -> TraceContext {
    let text = format!("00-0af7651916cd43dd8448eb211c80319c-{parent:016x}-{flags}");
    TraceContext::new(text).unwrap()
}

async fn traced(calls_at_once: usize) -> Site {
    let config = config()
        .calls_per_server(calls_at_once)
        .trace_context(|| TRACE.try_with(Clone::clone).ok());
    site_with(config, &["m"]).await
}

fn put(row: &str) -> Put {
    Put::new(row).cell("f", "q", "v")
}

/// The parents that the calls of a method had.
fn parents(client: &Client, method: &str) -> Vec<String> {
    let headers = client.mock_cluster().unwrap().trace_headers(method);
    headers.iter().map(|headers| headers["traceparent"].clone()).collect()
}

#[tokio::test(start_paused = true)]
async fn every_call_of_an_operation_has_the_trace_of_its_caller() {
    let Site { client, table, mock } = traced(1).await;
    let with = trace(7, "01").with_tracestate("vendor=x");
    TRACE
        .scope(with, async {
            table.put(put("a")).await.unwrap();
            table.get("a").await.unwrap();
            let batch = ["b", "c", "x"].map(|row| RowOperation::from(put(row)));
            table.batch(batch).await.into_result().unwrap();
            assert_eq!(table.count(Scan::all()).await.unwrap(), 4);
            client.admin().list_tables().await.unwrap();
        })
        .await;
    for method in ["Mutate", "Get", "Multi", "Scan", "GetTableNames"] {
        let headers = mock.trace_headers(method);
        assert!(!headers.is_empty(), "{method}");
        for headers in headers {
            let traceparent = "00-0af7651916cd43dd8448eb211c80319c-0000000000000007-01";
            assert_eq!(headers["traceparent"], traceparent, "{method}");
            assert_eq!(headers["tracestate"], "vendor=x", "{method}");
        }
    }
    let before = mock.trace_headers("Get").len();
    table.get("a").await.unwrap();
    assert_eq!(mock.trace_headers("Get").len(), before, "no trace, no headers");
}

#[tokio::test(start_paused = true)]
async fn operations_that_share_a_call_belong_to_the_first_trace_that_is_recorded() {
    let Site { client, table, mock } = traced(1).await;
    let get = |parent, flags| TRACE.scope(trace(parent, flags), table.get(Get::new("a")));
    let (one, two, three) = join3(get(1, "00"), get(2, "01"), get(3, "01")).await;
    assert!([one, two, three].iter().all(Result::is_ok));
    assert_eq!(mock.call_count("Multi"), 1);
    assert_eq!(parents(&client, "Multi"), [trace(2, "01").traceparent()]);
}

#[tokio::test(start_paused = true)]
async fn without_a_source_no_call_has_a_trace() {
    let Site { client, table, .. } = site().await;
    TRACE.scope(trace(1, "01"), table.put(put("a"))).await.unwrap();
    assert_eq!(parents(&client, "Mutate"), [""; 0]);
}
