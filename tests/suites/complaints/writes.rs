//! 78 to 84: writes that are lost, repeated or refused for the wrong reason.

use std::time::Duration;

use tallrow::op::RowMutations;
use tallrow::{Config, Delete, ErrorKind, FamilyDescriptor, Get, Increment, Put};
use tallrow::{Scan, TableDescriptor, Timestamp};
use tallrow_mock::Fault;
use tokio::time::{Instant, sleep};

use super::{both, class, config, put, site, site_with, table_of_versions};

/// apache/hbase#5671 (HBASE-28352)
#[tokio::test(start_paused = true)]
async fn complaint_78_a_batch_waits_as_long_as_a_throttle_says() {
    let site = site().await;
    let throttled = class("quotas.RpcThrottlingException");
    let text = "number of write requests exceeded - wait 2sec, 500ms";
    site.inject(Fault::on("Multi").times(2).throw(&throttled, text));
    let (started, before) = (Instant::now(), site.mock.call_count("Multi"));
    site.fill(30, 10).await;
    let waited = started.elapsed().as_millis();
    // Timers have steps of 1 ms.
    assert!((5_000..=5_004).contains(&waited), "{waited} ms");
    assert_eq!(site.mock.call_count("Multi") - before, 3);
}

/// asynchbase#135
#[tokio::test(start_paused = true)]
async fn complaint_79_a_server_whose_queue_is_full_is_not_looked_up_again() {
    let site = site_with(config(), &["r10", "r20"]).await;
    site.fill(30, 10).await;
    let lookups = site.mock.meta_call_count();
    for method in ["Get", "Mutate", "Multi", "Scan"] {
        let full = Fault::on(method).table("t").times(4);
        site.inject(full.throw(&class("CallQueueTooBigException"), "Call queue is full on rs1"));
    }
    assert!(site.table.get("r05").await.unwrap().is_some());
    site.table.put(put("v")).await.unwrap();
    site.table.get_all(["r01", "r11", "r21"]).await.into_result().unwrap();
    assert_eq!(site.table.count(Scan::all()).await.unwrap(), 31);
    assert!(site.mock.unfired_faults().is_empty());
    assert_eq!(site.mock.meta_call_count(), lookups);
}

/// happybase#97
#[tokio::test(start_paused = true)]
async fn complaint_80_what_is_no_counter_is_named_and_stays() {
    for site in both(&[]).await {
        site.table
            .put(Put::new("r").cell("f", "status", "1").cell("f", "n", [0; 8]))
            .await
            .unwrap();
        let add = Increment::new("r").add("f", "n", 1).add("f", "status", 1);
        let error = site.table.increment(add.clone()).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::NotACounter, 1), "{error}");
        assert_eq!(error.row(), Some(&b"r"[..]));
        let other = Increment::new("s").add("f", "n", 2);
        let mut outcomes = site.table.batch([add, other]).await.into_iter();
        let kind = outcomes.next().unwrap().unwrap_err().kind();
        assert_eq!(kind, ErrorKind::NotACounter);
        outcomes.next().unwrap().unwrap();
        let row = site.table.get("r").await.unwrap().unwrap();
        assert_eq!(row.value("f", "status"), Some(&b"1"[..]));
        assert_eq!(row.counter("f", "n").unwrap(), Some(0), "all of a row or nothing");
        let row = site.table.get("s").await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(2));
    }
}

/// JanusGraph#1454: a server adds the time to live to the time of a cell, in 64 bits with a sign.
#[tokio::test(start_paused = true)]
async fn complaint_81_a_long_time_to_live_does_not_end_at_once() {
    let site = site().await;
    let millis = Duration::from_millis;
    let times = [
        millis(90 * 86_400_000),
        millis(1 << 31),
        millis(1 << 32),
        millis(1 << 62),
        millis(i64::MAX as u64 - 1),
        millis(i64::MAX as u64),
        millis(u64::MAX),
        Duration::MAX,
    ];
    for (n, ttl) in times.into_iter().enumerate() {
        let row = format!("r{n}");
        site.table.put(put("v").ttl(ttl)).await.unwrap();
        site.table.put(Put::new(&row).cell("f", "q", "v").ttl(ttl)).await.unwrap();
        let step = RowMutations::new(&row).add(Put::new(&row).cell("f", "s", "v").ttl(ttl));
        site.table.mutate_row(step).await.unwrap();
        site.table.increment(Increment::new(&row).add("f", "n", 1).ttl(ttl)).await.unwrap();
        sleep(Duration::from_secs(5)).await;
        let found = site.table.get(&row).await.unwrap();
        let cells = found.map_or(0, |row| row.cells().len());
        assert_eq!(cells, 3, "with a time to live of {ttl:?}");
    }
    // Where no number says when it ends, that is said.
    let pinned = Put::new("r").cell_at("f", "q", Timestamp::MAX, "v");
    let error = site.table.put(pinned.clone().ttl(millis(2))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    site.table.put(pinned).await.unwrap();
    // That of a family is in seconds, in 32 bits.
    let family = FamilyDescriptor::new("f").ttl(Duration::from_secs(1 << 31));
    let long = TableDescriptor::new("long").unwrap().family(family);
    site.client.admin().create_table(&long).await.unwrap();
    let long = site.client.raw_table("long").unwrap();
    long.put(Put::new("r").cell_at("f", "q", Timestamp::from_millis(5), "v")).await.unwrap();
    assert!(long.exists("r").await.unwrap());
}

/// asynchbase#58
#[tokio::test(start_paused = true)]
async fn complaint_82_a_delete_has_the_time_that_it_was_given() {
    let at = Timestamp::from_millis;
    let deletes = [
        Delete::new("a").until(at(7)),
        Delete::new("b").family_until("f", at(7)),
        Delete::new("c").column_until("f", "q", at(7)),
        Delete::new("d").version("f", "q", at(5)),
    ];
    for (n, site) in both(&[]).await.into_iter().enumerate() {
        let table = table_of_versions(&site).await;
        // Bigtable deletes whole rows and families only.
        for delete in deletes.iter().skip(2 * n) {
            for time in [5, 10] {
                table.put(Put::new(delete.row()).cell_at("f", "q", at(time), "v")).await.unwrap();
            }
            table.delete(delete.clone()).await.unwrap();
            let row = table.get(Get::new(delete.row()).versions(5)).await.unwrap().unwrap();
            let times: Vec<_> = row.cells().iter().map(|cell| cell.timestamp()).collect();
            assert_eq!(times, [at(10)], "{delete:?}");
        }
    }
}

/// apache/gora#96
#[tokio::test(start_paused = true)]
async fn complaint_83_no_older_value_appears_where_a_column_was_deleted() {
    let at = Timestamp::from_millis;
    for site in both(&[]).await {
        let table = table_of_versions(&site).await;
        for time in [1, 2, 3] {
            let put = Put::new("r").cell_at("f", "q", at(time), "v");
            table.put(put.cell_at("f", "p", at(time), "v")).await.unwrap();
        }
        table.delete(Delete::new("r").column("f", "q")).await.unwrap();
        let row = table.get(Get::new("r").versions(5)).await.unwrap().unwrap();
        assert_eq!((row.value("f", "q"), row.cells().len()), (None, 3));
    }
}

/// yugabyte-db#194: a time that is as long as can be is no error, and does not end at once.
#[tokio::test(start_paused = true)]
async fn complaint_84_the_longest_times_can_be_waited() {
    const FOREVER: Duration = Duration::MAX;
    let config = || {
        let config = Config::new().operation_timeout(FOREVER).attempt_timeout(FOREVER);
        let config = config.page_timeout(FOREVER).admin_timeout(FOREVER).connect_timeout(FOREVER);
        config.primary_get_timeout(FOREVER).primary_scan_timeout(FOREVER)
    };
    for site in both(&["m"]).await {
        let url = site.mock.bigtable_url().unwrap_or_else(|| site.mock.url());
        let config = config().connector(tallrow_tests::in_memory(&site.mock));
        let client = tallrow::Client::connect_with(&url, config).await.unwrap();
        for table in [client.raw_table("t").unwrap(), site.table.clone().with_timeout(FOREVER)] {
            table.put(put("v")).await.unwrap();
            table
                .put_all([put("v"), Put::new("a").cell("f", "q", "v")])
                .await
                .into_result()
                .unwrap();
            assert!(table.exists("r").await.unwrap());
            table.increment(Increment::new("r").add("f", "n", 1)).await.unwrap();
            table.get_all(["r", "a"]).await.into_result().unwrap();
            assert_eq!(table.count(Scan::all()).await.unwrap(), 2);
            let page = table.scan_page(Scan::all().end_page_after(FOREVER), 5).await.unwrap();
            assert_eq!(page.rows.len(), 2);
            let writer = table.writer().linger(FOREVER).start().unwrap();
            writer.write(put("w")).await.unwrap();
            assert!(writer.close(FOREVER).await.is_complete());
        }
        client.admin().list_tables().await.unwrap();
        client.close(FOREVER).await.unwrap();
    }
}
