//! Calls that are started late or take long: which of them are still applied.

use std::time::Duration;

use tallrow_mock::Fault;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, get, put};

/// Sends a put with this timeout in ms and a fault. Returns whether it was answered, which must be
/// so if and only if it was applied, and how many calls were dropped.
async fn outcome(fault: Fault, timeout: Option<u32>) -> (bool, u64) {
    let mut t = Fixture::new(&[]).await;
    t.cluster.inject(fault);
    let request = t.request(put("r"));
    let put = t.client.send_within(timeout, "Mutate", &request, b"").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let read = GetRequest { region: t.region(b""), get: get("r") };
    let get = t.client.send("Get", &read, b"").await;
    let first = t.client.receive().await.unwrap().header.call_id;
    let answered = first == Some(put);
    if answered {
        assert_eq!(t.client.receive().await.unwrap().header.call_id, Some(get));
    }
    assert_eq!(t.values("r").await.len(), usize::from(answered), "applied");
    (answered, t.cluster.dropped_call_count("Mutate"))
}

/// Like HBase: a call that has waited longer than its timeout is dropped.
#[tokio::test(start_paused = true)]
async fn a_call_that_waited_longer_than_its_timeout_is_dropped() {
    let delayed = |ms| Fault::on("Mutate").delay_in_queue(Duration::from_millis(ms));
    for (timeout, delay, runs) in [
        (None, 5_000, true),
        (Some(0), 5_000, true),
        (Some(1_000), 1_000, true),
        (Some(1_000), 1_001, false),
        // Shorter timeouts count as 20 ms.
        (Some(1), 20, true),
        (Some(1), 21, false),
    ] {
        let found = outcome(delayed(delay), timeout).await;
        assert_eq!(found, (runs, u64::from(!runs)), "{timeout:?} ms, started after {delay} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_started_is_finished() {
    let fault = Fault::on("Mutate").pause_handler(Duration::from_secs(30));
    assert_eq!(outcome(fault, Some(1)).await, (true, 0));
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_client_disconnected_is_not_started_and_one_that_was_started_is_finished() {
    let second = Duration::from_secs(1);
    for (fault, applied) in [
        (Fault::on("Mutate").delay_in_queue(second), false),
        (Fault::on("Mutate").pause_handler(second), true),
    ] {
        let mut t = Fixture::new(&[]).await;
        t.cluster.inject(fault);
        let request = t.request(put("r"));
        t.client.send("Mutate", &request, b"").await;
        while t.cluster.call_count("Mutate") == 0 {
            tokio::task::yield_now().await;
        }
        t.reconnect(b"").await;
        tokio::time::sleep(2 * second).await;
        assert_eq!(!t.values("r").await.is_empty(), applied);
        assert_eq!(t.cluster.dropped_call_count("Mutate"), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_call_is_overtaken_by_the_next_one() {
    let late = Duration::from_secs(3);
    for fault in [Fault::on("Mutate").delay_in_queue(late), Fault::on("Mutate").pause_handler(late)]
    {
        let mut t = Fixture::new(&[]).await;
        t.cluster.inject(fault);
        let request = t.request(put("r"));
        let slow = t.client.send("Mutate", &request, b"").await;
        let read = GetRequest { region: t.region(b""), get: get("r") };
        let quick = t.client.send("Get", &read, b"").await;
        assert_eq!(t.client.receive().await.unwrap().header.call_id, Some(quick));
        assert_eq!(t.client.receive().await.unwrap().header.call_id, Some(slow));
        assert_eq!(t.values("r").await, ["q=v"]);
    }
}
