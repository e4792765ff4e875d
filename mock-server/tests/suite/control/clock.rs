//! The clock through the control port: time to live, leases and nonces follow it.

use serde_json::json;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use super::{get as get_json, post, request};
use crate::frames::{Fixture, increment};

/// A table whose cells live for 10 s, on a clock that stands still unless it is advanced.
async fn fixture() -> Fixture {
    let builder = tallrow_mock::MockCluster::builder().servers(1).in_memory();
    Fixture::with(builder.clock_start_ms(1_000_000), &[("TTL", "10")], &[]).await
}

async fn advance(t: &Fixture, ms: u64) {
    let before = t.cluster.clock_ms();
    let answer = post(&t.cluster, "/clock", json!({"advance_ms": ms})).await;
    assert_eq!(answer, json!({"ms": before + ms}));
}

#[tokio::test(start_paused = true)]
async fn cells_end_when_their_time_to_live_is_over() {
    let mut t = fixture().await;
    t.put("a", "q", 0, "v").await;
    advance(&t, 9_000).await;
    assert_eq!(t.values("a").await, ["q=v"]);
    advance(&t, 2_000).await;
    assert_eq!(t.values("a").await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_scanner_ends() {
    let mut t = fixture().await;
    for row in ["a", "b"] {
        t.put(row, "q", 0, "v").await;
    }
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    assert_eq!(t.cluster.open_scanner_count(), 1);
    advance(&t, 60_000).await;
    assert_eq!(t.cluster.open_scanner_count(), 0);
    let error = t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap_err();
    assert_eq!(error.class, exception::UNKNOWN_SCANNER);
}

#[tokio::test(start_paused = true)]
async fn a_nonce_is_forgotten() {
    let builder = tallrow_mock::MockCluster::builder().servers(1).in_memory();
    let mut t = Fixture::with(builder, &[], &[]).await;
    let mut counts = Vec::new();
    for minutes in [0, 29, 31] {
        advance(&t, minutes * 60_000).await;
        let request = t.request(increment("a", 1, 5));
        let (_, cells) = t.client.call::<MutateResponse>("Mutate", &request).await.unwrap();
        counts.push(cells[0].value().last().copied());
    }
    assert_eq!(counts, [Some(1), Some(1), Some(2)]);
}

#[tokio::test(start_paused = true)]
async fn the_clock_does_not_pass_the_year_9999() {
    let t = fixture().await;
    let all = json!({"advance_ms": u64::MAX}).to_string();
    let answer = request(&t.cluster, "POST", "/clock", all.as_bytes()).await;
    assert_eq!(answer.status, 409);
    assert_eq!(
        answer.error(),
        "advance the clock by 18446744073709551615 ms: the clock would pass the year 9999"
    );
    assert_eq!(get_json(&t.cluster, "/clock").await, json!({"ms": 1_000_000}));
}
