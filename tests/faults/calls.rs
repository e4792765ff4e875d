//! How many calls each operation takes.

use std::time::Duration;

use tallrow::{DeliveryGuarantee, Get, Put, Scan, op::RowOperation};
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
        let operations = (0..100).map(|i| -> RowOperation {
            match i % 2 {
                0 => Put::new(format!("r{after_ms}-{i}")).cell("f", "q", "v").into(),
                _ => Get::new(format!("r{after_ms}-{i}")).into(),
            }
        });
        site.table.batch(operations).await.into_iter().for_each(|o| drop(o.unwrap()));
    };
    let first = site.table.put(Put::new("r").cell("f", "q", "v"));
    let (first, (), ()) = tokio::join!(first, hundred(1), hundred(2));
    first.unwrap();
    assert_eq!(started.elapsed(), first_reply);
    let (mutate, multi) = (site.mock.call_count("Mutate"), site.mock.call_count("Multi"));
    assert_eq!((mutate, multi), (1, 1), "for one operation and 200 later ones");
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
