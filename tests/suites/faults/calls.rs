//! How many calls each operation takes.

use std::time::Duration;

use futures_util::future::join_all;
use tallrow::{DeliveryGuarantee, ErrorKind, Get, Put, Scan};
use tallrow_mock::Fault;
use tokio::time::Instant;

use super::{called, config, site, site_with};

#[tokio::test(start_paused = true)]
async fn a_single_operation_is_not_sent_in_a_multi() {
    let site = site().await;
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    site.table.get("r").await.unwrap();
    assert_eq!(["Mutate", "Get", "Multi"].map(|m| site.mock.call_count(m)), [1, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn concurrent_operations_share_calls() {
    let site = site_with(config().calls_per_server(1), &[]).await;
    // Operations that arrive while the first call is outstanding wait and are sent as one call.
    let first_reply = Duration::from_millis(3);
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(first_reply));
    let started = Instant::now();
    let hundred = async |after_ms| {
        tokio::time::sleep(Duration::from_millis(after_ms)).await;
        let operation = async |i| match i % 2 {
            0 => site.table.put(Put::new(format!("r{after_ms}-{i}")).cell("f", "q", "v")).await,
            _ => site.table.get(Get::new(format!("r{after_ms}-{i}"))).await.map(drop),
        };
        join_all((0..100).map(operation)).await.into_iter().for_each(|done| done.unwrap());
    };
    let first = site.table.put(Put::new("r").cell("f", "q", "v"));
    let (first, (), ()) = tokio::join!(first, hundred(1), hundred(2));
    first.unwrap();
    assert_eq!(started.elapsed(), first_reply);
    let (mutate, multi) = (site.mock.call_count("Mutate"), site.mock.call_count("Multi"));
    assert_eq!((mutate, multi), (1, 1), "for one operation and 200 later ones");
}

/// A server is as slow for both; only one has no time to wait for it.
#[tokio::test(start_paused = true)]
async fn a_caller_with_little_time_does_not_end_the_calls_of_others() {
    let slow = Duration::from_secs(1);
    let site = site_with(config().attempt_timeout(2 * slow), &[]).await;
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(slow));
    site.mock.inject(Fault::on("Get").delay_in_queue(slow));
    let put = tokio::spawn({
        let table = site.table.clone();
        async move { table.put(Put::new("a").cell("f", "q", "v")).await }
    });
    called(&site.mock, "Mutate", 1).await;
    let hasty = site.table.clone().with_timeout(slow / 10);
    while !put.is_finished() {
        let error = hasty.get("b").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
    }
    put.await.unwrap().unwrap();
    assert_eq!(site.mock.call_count("Mutate"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_call_does_not_block_the_others() {
    let site = site_with(config().calls_per_server(1), &[]).await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_request());
    let stuck = tokio::spawn({
        let table = site.table.clone();
        async move {
            table
                .put(Put::new("a").cell("f", "q", "v").delivery(DeliveryGuarantee::AtLeastOnce))
                .await
        }
    });
    called(&site.mock, "Mutate", 1).await;
    let started = Instant::now();
    for i in 0..10 {
        site.table.get(format!("r{i}")).await.unwrap();
    }
    assert_eq!(started.elapsed(), Duration::from_millis(10), "then the first call is slow");
    assert!(!stuck.is_finished(), "ten replies arrived before that of the first call");
    stuck.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn operations_of_a_call_end_at_their_own_deadlines() {
    let site = site_with(config().calls_per_server(1), &[]).await;
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).times(100).drop_reply());
    }
    // Other calls on the same connection are answered meanwhile.
    let traffic = tokio::spawn({
        let table = site.table.clone();
        async move {
            loop {
                let table = table.clone();
                let put = async move { table.put(Put::new("z").cell("f", "q", "v")).await };
                tokio::spawn(put);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    });
    // The first one is sent alone, the others together when that call counts as slow.
    let timeouts = [500, 300, 400, 450, 350].map(Duration::from_millis);
    let gets = timeouts.into_iter().enumerate().map(|(at, timeout)| {
        let table = site.table.clone().with_timeout(timeout);
        tokio::spawn(async move {
            let started = Instant::now();
            let error = table.get(format!("row{at}")).await.unwrap_err();
            (error.kind(), started.elapsed())
        })
    });
    for (get, timeout) in gets.collect::<Vec<_>>().into_iter().zip(timeouts) {
        assert_eq!(get.await.unwrap(), (ErrorKind::Timeout, timeout));
    }
    assert!(site.mock.call_count("Multi") > 0);
    traffic.abort();
}

#[test]
fn an_operation_ends_in_time_in_another_runtime_than_its_connection() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (first, second) = (runtime(), runtime());
    let site = first.block_on(async {
        let site = site().await;
        site.table.get("row").await.unwrap();
        site
    });
    // The first runtime, which has the connection, does nothing from now on.
    let table = site.table.clone().with_timeout(Duration::from_millis(200));
    let started = Instant::now();
    let error = second.block_on(table.get("row")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_scan_calls_each_region_once_if_its_rows_fit() {
    let site = site_with(config(), &["g", "p"]).await;
    for row in ["a", "h", "q"] {
        site.table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let before = site.mock.call_count("Scan");
    let mut rows = site.table.scan(Scan::all()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    assert_eq!(site.mock.call_count("Scan") - before, 3);
}

#[tokio::test(start_paused = true)]
async fn a_region_is_looked_up_once() {
    let site = site_with(config(), &["g", "p"]).await;
    let fresh = site.connect(config()).await;
    let table = fresh.raw_table("t").unwrap();
    let before = site.mock.call_count("Scan");
    let rows = table.get_all((0..300).map(|i| format!("{}{i}", ["a", "h", "q"][i % 3]))).await;
    rows.into_iter().for_each(|r| drop(r.unwrap()));
    assert_eq!(
        site.mock.call_count("Scan") - before,
        3,
        "one lookup in hbase:meta for each of three regions"
    );
}
