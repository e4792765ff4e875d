//! [`Client::metrics`](tallrow::Client::metrics): exact numbers.

use std::time::Duration;

use futures_util::future::join_all;
use tallrow::observe::Metrics;
use tallrow::{Increment, Put, Scan};
use tallrow_mock::Fault;

use crate::observe::{Site, class, config, site, site_with};

fn put(row: &str) -> Put {
    Put::new(row).cell("f", "q", "v")
}

/// The metrics of `put t`, `get t`, ...
fn done(metrics: &Metrics, operation: &str) -> u64 {
    metrics.operation(operation, "t").map_or(0, |found| found.done.count())
}

fn calls(metrics: &Metrics) -> u64 {
    metrics.servers.iter().map(|server| server.calls).sum()
}

#[tokio::test(start_paused = true)]
async fn each_operation_is_counted_once_by_its_name_and_table() {
    let Site { client, table, .. } = site().await;
    for row in ["a", "b", "c"] {
        table.put(put(row)).await.unwrap();
    }
    table.get("a").await.unwrap();
    assert!(!table.exists("z").await.unwrap());
    table.increment(Increment::new("a").add("f", "n", 1)).await.unwrap();
    table.delete("c").await.unwrap();
    let mut rows = table.scan(Scan::all()).unwrap();
    assert_eq!(rows.next_row().await.unwrap().unwrap().key(), b"a");
    assert!(rows.next_row().await.unwrap().is_some() && rows.next_row().await.unwrap().is_none());
    let metrics = client.metrics();
    for (operation, times) in
        [("put", 3), ("get", 1), ("exists", 1), ("increment", 1), ("delete", 1), ("scan", 1)]
    {
        assert_eq!(done(&metrics, operation), times, "{operation}: {metrics}");
    }
    assert_eq!(metrics.operation("create table", "t").unwrap().done.count(), 1);
    assert_eq!((metrics.in_flight(), metrics.retries.len()), (0, 0), "{metrics}");
}

#[tokio::test(start_paused = true)]
async fn calls_and_bytes_are_those_that_the_servers_got() {
    let Site { mock, client, table } = site().await;
    table.put(put("a")).await.unwrap();
    let (before, asked) = (client.metrics(), mock.call_count("Mutate"));
    for _ in 0..10 {
        table.put(put("a")).await.unwrap();
    }
    let after = client.metrics();
    assert_eq!(mock.call_count("Mutate") - asked, 10);
    assert_eq!(calls(&after) - calls(&before), 10);
    let at = |metrics: &Metrics| {
        let server = metrics.servers.iter().find(|s| s.operations_per_call.count() > 0).unwrap();
        (server.bytes_sent, server.bytes_received, server.operations_per_call.clone())
    };
    let ((sent, received, _), (sent_after, received_after, operations)) = (at(&before), at(&after));
    // A call is its header, the region's name and the cell.
    assert!((600..3_000).contains(&(sent_after - sent)), "{}", sent_after - sent);
    assert!((40..1_000).contains(&(received_after - received)), "{}", received_after - received);
    assert_eq!((operations.count(), operations.sum(), operations.max()), (11, 11, 1));
    let open = after.servers.iter().map(|server| server.connections).sum::<u64>();
    assert!(open > 0 && after.servers.iter().all(|s| s.connections_broken == 0), "{after}");
}

#[tokio::test(start_paused = true)]
async fn operations_that_share_calls_are_counted_in_them() {
    let Site { mock, client, table } = site().await;
    table.put(put("first")).await.unwrap();
    let before = mock.call_count("Mutate") + mock.call_count("Multi");
    let puts = (0..100).map(|i| table.put(put(&format!("r{i}"))));
    join_all(puts).await.into_iter().for_each(Result::unwrap);
    let asked = mock.call_count("Mutate") + mock.call_count("Multi") - before;
    let metrics = client.metrics();
    let server = metrics.servers.iter().find(|s| s.operations_per_call.count() > 0).unwrap();
    assert_eq!(server.operations_per_call.count(), asked + 1, "{metrics}");
    assert_eq!(server.operations_per_call.sum(), 101);
    assert!(asked < 50, "they share calls: {asked}");
    assert_eq!(done(&metrics, "put"), 101);
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_one_operation_whose_calls_have_all_of_its_rows() {
    let Site { mock, client, table } = site().await;
    table.put(put("first")).await.unwrap();
    let before = mock.call_count("Multi");
    mock.inject(Fault::on("Multi").times(2).throw(&class("RegionTooBusyException"), "full"));
    let rows = || (0..100).map(|i| format!("r{i}"));
    table.put_all(rows().map(|row| put(&row))).await.into_result().unwrap();
    let metrics = client.metrics();
    let server = metrics.servers.iter().find(|s| s.operations_per_call.count() > 0).unwrap();
    assert_eq!(mock.call_count("Multi") - before, 3);
    assert_eq!((server.operations_per_call.count(), server.operations_per_call.max()), (4, 100));
    assert_eq!(server.operations_per_call.sum(), 301);
    assert_eq!((done(&metrics, "batch"), done(&metrics, "put")), (1, 1), "{metrics}");
    assert_eq!(metrics.retries.get("RegionTooBusyException"), Some(&2), "one for each call");
    assert_eq!((metrics.in_flight(), metrics.regions.hits), (0, 300), "{metrics}");

    mock.inject(Fault::on("Multi").times(1_000).throw(&class("RegionTooBusyException"), "full"));
    let outcomes =
        table.with_timeout(Duration::from_millis(200)).put_all(rows().map(|row| put(&row))).await;
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!(error.history().len() as u32, error.attempts().min(16), "{error:#}");
        let attempt = &error.history()[0];
        assert_eq!((attempt.number, &*attempt.error_type), (1, "RegionTooBusyException"));
        assert!(attempt.server.is_some() && attempt.wait.is_some(), "{error:#}");
    }
    let batches = client.metrics().operation("batch", "t").unwrap().clone();
    assert_eq!((batches.done.count(), batches.failures(), batches.dropped), (1, 1, 0));
    assert_eq!(batches.in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn retries_are_counted_by_cause_and_their_pauses_are_in_the_time() {
    let Site { mock, client, table } = site().await;
    table.put(put("a")).await.unwrap();
    mock.inject(Fault::on("Get").times(3).throw(&class("RegionTooBusyException"), "full"));
    table.get("a").await.unwrap();
    mock.inject(Fault::on("Get").times(1).throw(&class("NotServingRegionException"), "gone"));
    table.get("a").await.unwrap();
    mock.inject(Fault::on("Get").times(1).drop_reply());
    table.get("a").await.unwrap();
    let metrics = client.metrics();
    let retries: Vec<_> = metrics.retries.iter().map(|(cause, n)| (cause.as_str(), *n)).collect();
    assert_eq!(
        retries,
        [("NotServingRegionException", 1), ("RegionTooBusyException", 3), ("Timeout", 1)]
    );
    let gets = metrics.operation("get", "t").unwrap();
    assert_eq!((gets.done.count(), gets.failures(), gets.in_flight), (3, 0, 0));
    assert!(gets.done.max_time() >= Duration::from_millis(300), "{gets:?}");
    assert_eq!(metrics.regions.forgotten, 2, "by the exception and by the timeout");
}

#[tokio::test(start_paused = true)]
async fn a_failed_operation_is_counted_by_its_kind() {
    let Site { client, table, .. } = site().await;
    table.put(Put::new("a").cell("nosuch", "q", "v")).await.unwrap_err();
    table.put(Put::new("").cell("f", "q", "v")).await.unwrap_err();
    let metrics = client.metrics();
    let puts = metrics.operation("put", "t").unwrap();
    let failed: Vec<_> = puts.failed.iter().collect();
    assert_eq!(failed, [(&"NoSuchFamily".to_owned(), &1)], "an invalid one was never started");
    assert_eq!((puts.done.count(), puts.in_flight), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn what_the_servers_demand_is_the_throttle_wait() {
    let Site { mock, client, table } = site().await;
    let text = "number of requests exceeded - wait 2sec, 500ms";
    mock.inject(Fault::on("Mutate").times(1).throw(&class("quotas.RpcThrottlingException"), text));
    table.put(put("a")).await.unwrap();
    let metrics = client.metrics();
    assert_eq!(metrics.throttle_waits.count(), 1);
    assert_eq!(metrics.throttle_waits.max_time(), Duration::from_millis(2_500));
    assert_eq!(metrics.retries.get("RpcThrottlingException"), Some(&1));
}

#[tokio::test(start_paused = true)]
async fn known_regions_are_hits_and_lookups_are_calls_to_meta() {
    let Site { client, table, .. } = site_with(config(), &["m"]).await;
    let before = client.metrics();
    table.put(put("a")).await.unwrap();
    table.put(put("b")).await.unwrap();
    table.put(put("x")).await.unwrap();
    table.put(put("y")).await.unwrap();
    let after = client.metrics();
    assert_eq!(after.regions.hits + after.regions.misses, 4, "{after}");
    assert!(after.regions.hits >= 2 && after.regions.misses >= 1, "{after}");
    let lookups = after.meta_lookups.count() - before.meta_lookups.count();
    assert!((1..=2).contains(&lookups), "{lookups}");
    assert_eq!(after.meta_lookups_failed, 0);
}

#[tokio::test(start_paused = true)]
async fn dropped_operations_are_no_longer_in_flight() {
    let Site { mock, client, table } = site().await;
    table.put(put("a")).await.unwrap();
    mock.inject(Fault::on("Get").times(5).drop_reply());
    mock.inject(Fault::on("Multi").times(5).drop_reply());
    let gets: Vec<_> = (0..5).map(|_| Box::pin(table.get("a"))).collect();
    let waiting = tokio::time::timeout(Duration::from_millis(50), join_all(gets));
    assert!(waiting.await.is_err());
    let metrics = client.metrics();
    let gets = metrics.operation("get", "t").unwrap();
    assert_eq!((gets.in_flight, gets.dropped, gets.done.count()), (0, 5, 0), "{metrics}");
    // Their calls are given up when their time is over.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let metrics = client.metrics();
    assert!(metrics.servers.iter().all(|server| server.calls_in_flight == 0), "{metrics}");
}

#[tokio::test(start_paused = true)]
async fn operations_that_wait_are_in_flight() {
    let Site { mock, client, table } = site().await;
    table.put(put("a")).await.unwrap();
    mock.inject(Fault::on("Get").times(1).drop_reply());
    let getting = tokio::spawn(async move { table.get("a").await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(client.metrics().operation("get", "t").unwrap().in_flight, 1);
    getting.await.unwrap().unwrap();
    assert_eq!(client.metrics().in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_is_counted_with_the_calls_that_it_carried() {
    let Site { mock, client, table } = site().await;
    table.put(put("a")).await.unwrap();
    mock.inject(Fault::on("Get").times(1).close_after());
    table.get("a").await.unwrap();
    let metrics = client.metrics();
    let broken: u64 = metrics.servers.iter().map(|server| server.connections_broken).sum();
    assert_eq!(broken, 1, "{metrics}");
    assert!(metrics.servers.iter().all(|server| server.calls_in_flight == 0), "{metrics}");
    assert_eq!(metrics.regions.servers_forgotten, 1);
    assert_eq!(metrics.retries.get("Unreachable"), Some(&1));
}

#[tokio::test(start_paused = true)]
async fn the_json_has_all_numbers() {
    let Site { client, table, .. } = site().await;
    table.put(put("a")).await.unwrap();
    let metrics = client.metrics();
    let json: serde_json::Value = serde_json::from_str(&metrics.to_json()).unwrap();
    let operations = json["operations"].as_array().unwrap();
    let puts = operations.iter().find(|o| o["operation"] == "put" && o["table"] == "t").unwrap();
    assert_eq!(puts["done"]["count"], 1);
    assert_eq!(json["servers"].as_array().unwrap().len(), metrics.servers.len());
    assert_eq!(json["regions"]["misses"], metrics.regions.misses);
    assert_eq!(json["meta_lookups"]["count"], metrics.meta_lookups.count());
}
