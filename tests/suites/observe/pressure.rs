//! What holds operations back, as observers and metrics are told.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use tallrow::observe::{Backpressure, Observer, OperationInfo};
use tallrow::op::CallOptions;
use tallrow::{Config, ErrorKind, Get, Put, RetryBudget};
use tallrow_mock::Fault;

use crate::observe::{Site, class, config, site_with};

#[derive(Default)]
struct Told(Mutex<Vec<(&'static str, Backpressure)>>);

impl Observer for Told {
    fn held_back(&self, operation: &OperationInfo<'_>, by: Backpressure) {
        assert!(by.name().chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        self.0.lock().unwrap().push((operation.name(), by));
    }
}

async fn told(config: Config) -> (Site, Arc<Told>) {
    let told = Arc::new(Told::default());
    let site = site_with(config.observer(told.clone()), &[]).await;
    site.table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    assert_eq!(*told.0.lock().unwrap(), []);
    (site, told)
}

#[tokio::test(start_paused = true)]
async fn a_client_with_as_many_bytes_in_flight_as_it_may_have_says_so() {
    let (Site { client, table, mock }, told) = told(config().in_flight_bytes(1_200)).await;
    mock.inject(Fault::on("Get").times(1).pause_handler(Duration::from_millis(50)));
    let gets = join_all((0..3).map(|_| table.get("a"))).await;
    assert!(gets.into_iter().all(|got| got.is_ok()));
    assert_eq!(*told.0.lock().unwrap(), [("get", Backpressure::InFlightBytes)]);
    assert_eq!(client.metrics().pressure.in_flight_bytes, 1);
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_about_its_load_is_told() {
    let (Site { client, table, mock }, told) = told(config()).await;
    mock.inject(Fault::on("Get").times(2).throw(&class("CallQueueTooBigException"), "full"));
    mock.inject(Fault::on("Mutate").times(1).throw(&class("RegionTooBusyException"), "full"));
    table.get("a").await.unwrap();
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    let expected = [
        ("get", Backpressure::QueueFull),
        ("get", Backpressure::QueueFull),
        ("put", Backpressure::RegionBusy),
    ];
    assert_eq!(*told.0.lock().unwrap(), expected);
    let pressure = client.metrics().pressure;
    assert_eq!((pressure.queue_full, pressure.region_busy), (2, 1));
    let text = client.metrics().to_prometheus(&[]);
    assert!(text.contains("tallrow_held_back_total{by=\"queue_full\"} 2\n"), "{text}");
    assert!(client.metrics().to_string().contains("held back by queue full: 2"));
}

#[tokio::test(start_paused = true)]
async fn a_spent_budget_for_retries_is_told() {
    let (Site { client, table, mock }, told) =
        told(config().retry_budget(RetryBudget::new(0, 0))).await;
    mock.inject(Fault::on("Get").times(1).throw(&class("RegionTooBusyException"), "full"));
    let error = table.get("a").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RetryBudgetSpent);
    let expected = [("get", Backpressure::RegionBusy), ("get", Backpressure::RetryBudget)];
    assert_eq!(*told.0.lock().unwrap(), expected);
    assert_eq!(client.metrics().pressure.retry_budget, 1);
}

#[tokio::test(start_paused = true)]
async fn a_full_connection_is_told() {
    let (Site { client, table, mock }, told) = told(config().in_flight_bytes(64 << 20)).await;
    // Its task takes 1,024 operations, and as many wait for it.
    mock.inject(Fault::on("Get").times(1).pause_handler(Duration::from_millis(200)));
    let one = CallOptions::new().priority(3);
    let gets = (0..3_000).map(|_| table.get(Get::new("a").options(one.clone())));
    let gets = tokio::time::timeout(Duration::from_millis(100), join_all(gets)).await;
    drop(gets);
    let full = told
        .0
        .lock()
        .unwrap()
        .iter()
        .filter(|(_, by)| *by == Backpressure::ConnectionQueue)
        .count();
    assert!(full > 0);
    assert_eq!(client.metrics().pressure.connection, full as u64);
}
