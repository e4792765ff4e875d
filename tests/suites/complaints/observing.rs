//! 63 to 66: errors and counts that say too little, and a look inside that waits.

use tallrow::{ErrorKind, Put, Scan};
use tallrow_mock::Fault;

use super::{class, put, site};

/// gohbase#240
#[tokio::test(start_paused = true)]
async fn complaint_63_an_error_says_how_often_it_was_tried_and_why_it_failed() {
    let site = site().await;
    let busy = class("CallQueueTooBigException");
    site.inject(Fault::on("Get").times(3).throw(&busy, "full"));
    site.inject(Fault::on("Get").nth(4).throw(&class("DoNotRetryIOException"), "enough"));
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!((error.attempts(), error.kind()), (4, ErrorKind::DoNotRetry), "{error:?}");
}

/// java-bigtable#2005
#[tokio::test(start_paused = true)]
async fn complaint_64_an_error_has_its_table_row_region_server_and_attempts() {
    let site = site().await;
    let error = site.table.put(Put::new("row7").cell("nosuch", "q", "v")).await.unwrap_err();
    let home = site.mock.regions("t")[0].server.unwrap();
    assert_eq!(error.table().unwrap().as_str(), "t");
    assert_eq!(error.row(), Some(&b"row7"[..]));
    assert!(error.region().unwrap().starts_with(b"t,,"));
    assert_eq!(error.server(), site.mock.server_address(home).map(|a| a.to_string()).as_deref());
    assert_eq!((error.attempts(), error.operation()), (1, "put"));
}

/// asynchbase#120
#[tokio::test(start_paused = true)]
async fn complaint_65_a_writer_counts_each_write_once() {
    let site = site().await;
    // Some batches are refused and sent again, and some writes can never be made.
    let busy = class("RegionTooBusyException");
    site.inject(Fault::on("Multi").chance(0.3).throw(&busy, "busy"));
    let writer = site.table.writer().batch_operations(20).start().unwrap();
    let tasks = (0..8).map(|task| {
        let writer = writer.clone();
        tokio::spawn(async move {
            for n in 0..100 {
                let family = if n % 10 == 0 { "none" } else { "f" };
                writer.write(Put::new(format!("{task}-{n}")).cell(family, "q", "v")).await.unwrap();
                let stats = writer.stats();
                let known = stats.acknowledged + stats.failed + stats.unsent;
                assert_eq!(stats.submitted, known + stats.waiting + stats.in_flight);
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let failed = writer.flush().await.failed.len() as u64;
    let stats = writer.stats();
    let there = site.table.count(Scan::all()).await.unwrap();
    assert_eq!((stats.submitted, stats.acknowledged, stats.failed), (800, 720, 80));
    assert_eq!((failed, there), (80, 720), "what was told, and what is there");
}

/// opentsdb#978
#[tokio::test(start_paused = true)]
async fn complaint_66_showing_a_client_waits_for_nothing() {
    let site = site().await;
    site.inject(Fault::on("Mutate").nth(1).drop_request());
    let table = site.table.clone();
    let stuck = tokio::spawn(async move { table.put(put("v")).await });
    tokio::task::yield_now().await;
    let before = tokio::time::Instant::now();
    let shown = format!("{:?} {:?} {:?}", site.client, site.table, site.client.admin());
    assert!(shown.contains("Client") && before.elapsed().is_zero(), "{shown}");
    stuck.abort();
}
