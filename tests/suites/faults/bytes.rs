//! The limit of bytes in flight: operations that wait for it, and when bytes are released.

use std::time::Duration;

use tallrow::{ErrorKind, Put};
use tallrow_mock::Fault;
use tokio::time::Instant;

use super::{SILENT, Site, config, site_with};

const BUDGET: usize = 1 << 20;

/// Attempts may last as long as their operations; the limit allows little more than one large put.
async fn narrow(operation_timeout: Duration) -> Site {
    let config = config()
        .in_flight_bytes(BUDGET)
        .operation_timeout(operation_timeout)
        .attempt_timeout(operation_timeout)
        .pause(Duration::from_millis(50));
    site_with(config, &["m"]).await
}

/// A put that needs nearly all of the limit.
fn large(row: &str) -> Put {
    Put::new(row).cell("f", "q", vec![7; BUDGET - 4_096])
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_on_a_living_connection_frees_its_bytes_at_the_deadline() {
    let deadline = Duration::from_millis(300);
    let site = narrow(deadline).await;
    // Other calls on the same connection are answered meanwhile.
    let traffic = tokio::spawn({
        let table = site.table.clone();
        async move {
            loop {
                table.exists("z").await.unwrap();
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    });
    for effect in SILENT {
        site.mock.inject(effect(Fault::on("Mutate").nth(1)));
        let started = Instant::now();
        let error = site.table.put(large("a")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        site.table.put(large("b")).await.unwrap();
        assert_eq!(started.elapsed(), deadline, "the second put waits only for the first");
    }
    traffic.abort();
}

#[tokio::test(start_paused = true)]
async fn a_dropped_future_frees_its_bytes() {
    let site = narrow(Duration::from_secs(20)).await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let put = site.table.put(large("a"));
    assert!(tokio::time::timeout(Duration::from_millis(50), put).await.is_err());
    let dropped = Instant::now();
    site.table.put(large("b")).await.unwrap();
    assert!(dropped.elapsed().is_zero(), "{:?}", dropped.elapsed());
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_was_never_sent_is_busy_and_not_unknown() {
    let deadline = Duration::from_millis(400);
    let site = narrow(deadline).await;
    site.mock.inject(Fault::on("Mutate").drop_request());
    site.mock.inject(Fault::on("Multi").drop_request());
    let puts = (0..8).map(|i| large(&format!("a{i}")));
    let errors: Vec<_> =
        site.table.put_all(puts).await.into_iter().map(|o| o.unwrap_err()).collect();
    let unknown = errors.iter().filter(|e| e.kind() == ErrorKind::OutcomeUnknown).count();
    assert_eq!(unknown, 1, "only one was within the limit: {errors:?}");
    assert!(errors.iter().all(|e| e.elapsed() == deadline), "{errors:?}");
    for error in errors.iter().filter(|e| e.kind() != ErrorKind::OutcomeUnknown) {
        assert_eq!(error.kind(), ErrorKind::Busy, "{error:?}");
        assert!(error.to_string().contains("was not sent"), "{error}");
        assert!(error.to_string().contains("in_flight_bytes"), "{error}");
    }
    site.mock.clear_faults();
    site.table.put(large("b")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn futures_of_operations_are_small() {
    let site = narrow(Duration::from_secs(1)).await;
    let table = &site.table;
    let put = table.put(Put::new("r").cell("f", "q", "v"));
    assert!(size_of_val(&put) <= 1_600, "{} bytes", size_of_val(&put));
    let get = table.get("r");
    assert!(size_of_val(&get) <= 1_600, "{} bytes", size_of_val(&get));
}
