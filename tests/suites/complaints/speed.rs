//! 40 to 46: more calls than needed, and what is slow because of something else.

use std::time::Duration;

use tallrow::{Increment, Put, Scan};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::in_memory;
use tokio::time::Instant;

use super::{config, keys, put, site, site_with};

/// gohbase#84
#[tokio::test(start_paused = true)]
async fn complaint_40_operations_at_the_same_time_share_calls() {
    let site = site().await;
    let puts = (0..300).map(|n| {
        let table = site.table.clone();
        tokio::spawn(
            async move { table.put(Put::new(format!("row{n}")).cell("f", "q", "v")).await },
        )
    });
    for put in puts.collect::<Vec<_>>() {
        put.await.unwrap().unwrap();
    }
    assert!(site.calls() <= 30, "{} calls for 300 puts", site.calls());
}

/// asynchbase#68
#[tokio::test(start_paused = true)]
async fn complaint_42_regions_can_be_looked_up_beforehand() {
    let site = site_with(config(), &["r10", "r20"]).await;
    site.fill(30, 10).await;
    let config = config().connector(in_memory(&site.mock));
    let client = tallrow::Client::connect_with(&site.mock.url(), config).await.unwrap();
    client.prefetch_regions("t").await.unwrap();
    let before = site.calls();
    for row in ["r05", "r15", "r25"] {
        assert!(client.raw_table("t").unwrap().exists(row).await.unwrap());
    }
    assert_eq!(site.calls() - before, 3, "none of them of hbase:meta");
}

/// google-cloud-go#893
#[tokio::test(start_paused = true)]
async fn complaint_44_a_server_in_a_poor_state_holds_back_no_other() {
    let mock = MockCluster::builder().servers(2).in_memory().start().await.unwrap();
    let config = config().connector(in_memory(&mock));
    let client = tallrow::Client::connect_with(&mock.url(), config).await.unwrap();
    let family = tallrow::FamilyDescriptor::new("f");
    let descriptor = tallrow::TableDescriptor::new("t").unwrap().family(family);
    client.admin().create_table_with_splits(&descriptor, ["m"]).await.unwrap();
    mock.move_region("t", b"a", 0).unwrap();
    mock.move_region("t", b"z", 1).unwrap();
    let table = client.raw_table("t").unwrap();
    table
        .put_all(["a", "z"].map(|row| Put::new(row).cell("f", "q", "v")))
        .await
        .into_result()
        .unwrap();

    mock.inject(Fault::on("Get").server(0).times(100_000).drop_request());
    mock.inject(Fault::on("Multi").server(0).times(100_000).drop_request());
    let stuck: Vec<_> = (0..200)
        .map(|_| {
            let table = table.clone();
            tokio::spawn(async move { table.get("a").await })
        })
        .collect();
    tokio::task::yield_now().await;
    let started = Instant::now();
    for _ in 0..100 {
        assert!(table.get("z").await.unwrap().is_some());
    }
    assert!(started.elapsed() < Duration::from_millis(100), "{:?}", started.elapsed());
    stuck.iter().for_each(tokio::task::JoinHandle::abort);
}

/// asynchbase#131
#[tokio::test(start_paused = true)]
async fn complaint_45_many_counters_of_a_row_are_one_call() {
    let site = site().await;
    let add = (0..50).fold(Increment::new("r"), |add, n| add.add("f", format!("c{n}"), n));
    let before = site.calls();
    let row = site.table.increment(add).await.unwrap().unwrap();
    assert_eq!((row.counter("f", "c49").unwrap(), site.calls() - before), (Some(49), 1));
}

/// java-bigtable#1968
#[tokio::test(start_paused = true)]
async fn complaint_46_each_operation_has_its_number_of_calls() {
    let site = site_with(config(), &["r10", "r20"]).await;
    site.fill(30, 10).await;
    let mut before = site.calls();
    let mut calls = || {
        let calls = site.calls();
        calls - std::mem::replace(&mut before, calls)
    };
    site.table.put(put("v")).await.unwrap();
    assert_eq!(calls(), 1);
    site.table.get("r").await.unwrap();
    assert_eq!(calls(), 1);
    site.table
        .put_all((0..100).map(|n| Put::new(format!("r1{n}")).cell("f", "q", "v")))
        .await
        .into_result()
        .unwrap();
    assert!((1..=6).contains(&calls()));
    keys(&site.table, Scan::all()).await;
    assert_eq!(calls(), 3, "one for each region");
}
