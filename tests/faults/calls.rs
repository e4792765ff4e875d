//! How many calls operations take.

use std::time::Duration;

use tallrow::{Config, DeliveryGuarantee, Get, Put, Scan, op::RowOperation};
use tallrow_mock::Fault;

use super::{config, site, site_with};

#[tokio::test]
async fn a_lone_operation_leaves_as_itself() {
    let site = site().await;
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    site.table.get("r").await.unwrap();
    assert_eq!(["Mutate", "Get", "Multi"].map(|m| site.mock.call_count(m)), [1, 1, 0]);
}

#[tokio::test]
async fn operations_under_way_together_share_calls() {
    let site = site_with(Config { calls_per_server: 1, ..config() }, &[]).await;
    // Whatever comes while the first call is answered waits, and leaves as one.
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(Duration::from_millis(30)));
    let operations = (0..200).map(|i| -> RowOperation {
        match i % 2 {
            0 => Put::new(format!("r{i}")).cell("f", "q", "v").into(),
            _ => Get::new(format!("r{i}")).into(),
        }
    });
    site.table.batch(operations).await.into_iter().for_each(|o| drop(o.unwrap()));
    let (mutate, multi) = (site.mock.call_count("Mutate"), site.mock.call_count("Multi"));
    assert!(mutate + multi <= 8, "{mutate} Mutate and {multi} Multi for 200 operations");
}

#[tokio::test]
async fn a_slow_call_does_not_stop_the_others() {
    let site = site_with(Config { calls_per_server: 1, ..config() }, &[]).await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_request());
    let stuck = tokio::spawn({
        let table = site.table.clone();
        async move {
            table
                .put(Put::new("a").cell("f", "q", "v").delivery(DeliveryGuarantee::AtLeastOnce))
                .await
        }
    });
    while site.mock.call_count("Mutate") == 0 {
        tokio::task::yield_now().await;
    }
    for i in 0..10 {
        site.table.get(format!("r{i}")).await.unwrap();
    }
    assert!(!stuck.is_finished(), "ten answers came while the first call had none");
    stuck.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_scan_asks_each_region_once_when_its_rows_fit() {
    let site = site_with(config(), &["g", "p"]).await;
    for row in ["a", "h", "q"] {
        site.table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let asked = site.mock.call_count("Scan");
    let mut rows = site.table.scan(Scan::all()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    assert_eq!(site.mock.call_count("Scan") - asked, 3);
}

#[tokio::test]
async fn a_region_is_looked_up_once() {
    let site = site_with(config(), &["g", "p"]).await;
    let fresh = tallrow::Client::connect_with(&site.mock.url(), config()).await.unwrap();
    let table = fresh.raw_table("t").unwrap();
    let asked = site.mock.call_count("Scan");
    let rows = table.get_all((0..300).map(|i| format!("{}{i}", ["a", "h", "q"][i % 3]))).await;
    rows.into_iter().for_each(|r| drop(r.unwrap()));
    assert_eq!(
        site.mock.call_count("Scan") - asked,
        3,
        "one question to hbase:meta for each of three regions"
    );
}
