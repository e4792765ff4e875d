//! A writer that collects writes, and a client that is closed.

use std::time::Duration;

use tallrow::writer::Writer;
use tallrow::{Append, ErrorKind, Increment, Put, Scan};
use tallrow_mock::Fault;
use tokio::time::Instant;

use super::{Site, called, calls, class, config, patient, site, site_with, total_since};

fn put(row: impl AsRef<[u8]>) -> Put {
    Put::new(row).cell("f", "q", "v")
}

fn row(i: usize) -> String {
    format!("r{i:04}")
}

async fn rows(site: &Site) -> usize {
    site.table.count(Scan::all()).await.unwrap() as usize
}

/// Nothing reaches the server, or is answered.
fn silence(site: &Site) {
    for method in ["Multi", "Mutate"] {
        site.mock.inject(Fault::on(method).drop_request());
    }
}

fn outstanding(writer: &Writer) -> u64 {
    let stats = writer.stats();
    stats.waiting + stats.in_flight
}

#[tokio::test(start_paused = true)]
async fn many_writes_are_few_calls() {
    let site = site_with(config(), &["r2500", "r5000", "r7500"]).await;
    let writer = site.table.writer().start().unwrap();
    let before = calls(&site.mock);
    for i in 0..10_000 {
        writer.write(put(row(i))).await.unwrap();
    }
    writer.flush().await.into_result().unwrap();
    let calls = total_since(&site.mock, before);
    assert!(calls <= 24, "{calls}");
    assert_eq!(writer.stats().acknowledged, 10_000);
    assert_eq!(rows(&site).await, 10_000);
}

#[tokio::test(start_paused = true)]
async fn a_write_waits_for_others_as_long_as_it_was_told() {
    let site = site().await;
    let linger = Duration::from_secs(3);
    let writer = site.table.writer().linger(linger).start().unwrap();
    let (start, before) = (Instant::now(), calls(&site.mock));
    for i in 0..50 {
        writer.write(put(row(i))).await.unwrap();
    }
    tokio::time::sleep(linger - Duration::from_millis(1)).await;
    assert_eq!((total_since(&site.mock, before), writer.stats().waiting), (0, 50));
    while writer.stats().acknowledged < 50 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(total_since(&site.mock, before), 1);
    assert!(start.elapsed() <= linger + Duration::from_millis(2), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_full_buffer_makes_writes_wait() {
    let site = site_with(patient(), &[]).await;
    silence(&site);
    let writer = site.table.writer().max_operations(100).start().unwrap();
    let writing = tokio::spawn({
        let writer = writer.clone();
        async move {
            for i in 0..1_000 {
                writer.write(put(row(i))).await.unwrap();
            }
        }
    });
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!((writer.stats().submitted, outstanding(&writer)), (100, 100));
    site.mock.clear_faults();
    writing.await.unwrap();
    let closed = writer.close(Duration::from_secs(60)).await;
    // Those that were sent before may or may not be on the server: the client does not send them
    // twice.
    assert!(closed.unsent.is_empty());
    assert!(closed.failed.iter().all(|failed| failed.error.kind() == ErrorKind::OutcomeUnknown));
    assert_eq!(rows(&site).await + closed.failed.len(), 1_000);
}

#[tokio::test(start_paused = true)]
async fn the_bytes_of_the_buffer_are_bounded_too() {
    let site = site_with(patient(), &[]).await;
    silence(&site);
    let writer = site.table.writer().max_bytes(100_000).start().unwrap();
    let large = |i| Put::new(row(i)).cell("f", "q", vec![7; 40_000]);
    writer.write(large(1)).await.unwrap();
    writer.write(large(2)).await.unwrap();
    let third = tokio::time::timeout(Duration::from_secs(5), writer.write(large(3)));
    assert!(third.await.is_err());
    assert_eq!(writer.stats().submitted, 2, "a write that was dropped was not collected");
    // One that is larger than the whole buffer needs all of it.
    let huge = || Put::new(row(4)).cell("f", "q", vec![7; 200_000]);
    let error = writer.write(huge()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert_eq!(writer.flush().await.failed.len(), 2);
    site.mock.clear_faults();
    writer.write(huge()).await.unwrap();
    writer.flush().await.into_result().unwrap();
    assert!(site.table.exists(row(4)).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn writes_of_a_row_are_made_in_their_order() {
    let site = site_with(config(), &["r0005"]).await;
    // Some are refused for a while, and tried again.
    for method in ["Multi", "Mutate"] {
        let busy = Fault::on(method).chance(0.3);
        site.mock.inject(busy.throw(&class("RegionTooBusyException"), "busy"));
    }
    let writer = site.table.writer().batch_operations(7).start().unwrap();
    for i in 0..400 {
        let append = Append::new(row(i % 10)).add("f", "q", format!("{},", i / 10));
        writer.write(append).await.unwrap();
    }
    writer.flush().await.into_result().unwrap();
    let all: String = (0..40).map(|i| format!("{i},")).collect();
    for i in 0..10 {
        let found = site.table.get(row(i)).await.unwrap().unwrap();
        assert_eq!(found.value("f", "q"), Some(all.as_bytes()), "row {i}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_silent_does_not_hold_up_another() {
    let site = site_with(config(), &["r0500"]).await;
    let regions = site.mock.regions("t");
    assert_ne!(regions[0].server, regions[1].server);
    let silent = regions[0].server.unwrap();
    for method in ["Multi", "Mutate"] {
        site.mock.inject(Fault::on(method).server(silent).drop_request());
    }
    let writer = site.table.writer().batch_operations(10).start().unwrap();
    let start = Instant::now();
    for i in 0..1_000 {
        writer.write(put(row(i))).await.unwrap();
    }
    while writer.stats().acknowledged < 500 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    assert_eq!(writer.stats().acknowledged + outstanding(&writer), 1_000);
}

#[tokio::test(start_paused = true)]
async fn a_flush_waits_only_for_what_was_written_before_it() {
    let site = site().await;
    let writer = site.table.writer().start().unwrap();
    let endless = tokio::spawn({
        let writer = writer.clone();
        async move {
            for i in 0.. {
                writer.write(Increment::new("counter").add("f", "n", 1)).await.unwrap();
                writer.write(put(row(i % 1_000))).await.unwrap();
                tokio::time::sleep(Duration::from_micros(100)).await;
            }
        }
    });
    for _ in 0..20 {
        let submitted = writer.stats().submitted;
        writer.flush().await.into_result().unwrap();
        assert!(writer.stats().acknowledged >= submitted);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    endless.abort();
}

#[tokio::test(start_paused = true)]
async fn a_failed_write_is_given_back_and_the_others_are_written() {
    let site = site().await;
    let writer = site.table.writer().start().unwrap();
    for i in 0..100 {
        let family = if i % 10 == 3 { "none" } else { "f" };
        writer.write(Put::new(row(i)).cell(family, "q", "v")).await.unwrap();
    }
    let flushed = writer.flush().await;
    let failed: Vec<_> =
        flushed.failed.iter().map(|failed| failed.mutation.row().to_vec()).collect();
    let expected: Vec<_> = (0..10).map(|i| row(i * 10 + 3).into_bytes()).collect();
    assert_eq!(failed, expected);
    assert!(flushed.failed.iter().all(|failed| failed.error.kind() == ErrorKind::NoSuchFamily));
    assert_eq!(rows(&site).await, 90);
    assert!(writer.flush().await.failed.is_empty(), "each is given back once");
    let stats = writer.stats();
    assert_eq!((stats.submitted, stats.acknowledged, stats.failed), (100, 90, 10));
}

#[tokio::test(start_paused = true)]
async fn failures_that_nobody_takes_end_the_writing() {
    let site = site().await;
    let writer = site.table.writer().max_operations(10).start().unwrap();
    let mut written = 0;
    let error = loop {
        match writer.write(Put::new(row(written)).cell("none", "q", "v")).await {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!((6..=10).contains(&written), "{written}");
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
    let text = error.to_string();
    assert!(
        text.contains("earlier writes failed and fill the buffer; take them with flush"),
        "{text}"
    );
    assert_eq!(writer.flush().await.failed.len(), written);
    writer.write(put("r")).await.unwrap();
    writer.flush().await.into_result().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_failed_write_that_leaves_too_little_room_is_an_error() {
    let site = site().await;
    let writer = site.table.writer().max_bytes(10_000).start().unwrap();
    writer.write(Put::new("a").cell("none", "q", vec![7; 2_000])).await.unwrap();
    let large = || Put::new("b").cell("f", "q", vec![7; 9_000]);
    let error = writer.write(large()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
    assert_eq!(writer.flush().await.failed.len(), 1);
    writer.write(large()).await.unwrap();
    writer.flush().await.into_result().unwrap();
}

#[tokio::test(start_paused = true)]
async fn closing_returns_in_time_with_all_that_was_not_written() {
    let site = site().await;
    silence(&site);
    let writer = site.table.writer().batch_operations(10).start().unwrap();
    for i in 0..100 {
        writer.write(put(row(i))).await.unwrap();
    }
    let (start, limit) = (Instant::now(), Duration::from_millis(250));
    let closed = writer.close(limit).await;
    assert_eq!(start.elapsed(), limit);
    // Two batches were under way.
    assert_eq!((closed.failed.len(), closed.unsent.len()), (20, 80));
    assert!(closed.failed.iter().all(|failed| failed.error.kind() == ErrorKind::OutcomeUnknown));
    let mut all: Vec<_> = closed.failed.iter().map(|failed| &failed.mutation).collect();
    all.extend(&closed.unsent);
    let mut keys: Vec<_> = all.iter().map(|mutation| mutation.row().to_vec()).collect();
    keys.sort();
    assert_eq!(keys, (0..100).map(|i| row(i).into_bytes()).collect::<Vec<_>>());
    assert_eq!(writer.write(put("r")).await.unwrap_err().kind(), ErrorKind::Closed);
    assert!(writer.close(limit).await.is_complete(), "each is given back once");
    let stats = writer.stats();
    assert_eq!((stats.submitted, stats.failed, stats.unsent), (100, 20, 80));
    assert_eq!(outstanding(&writer), 0);
}

#[tokio::test(start_paused = true)]
async fn closing_wakes_a_write_that_waits_for_room() {
    let site = site().await;
    silence(&site);
    let writer = site.table.writer().max_operations(1).start().unwrap();
    writer.write(put("a")).await.unwrap();
    let waiting = tokio::spawn({
        let writer = writer.clone();
        async move { writer.write(put("b")).await }
    });
    tokio::time::sleep(Duration::from_millis(10)).await;
    let closed = writer.close(Duration::from_millis(100)).await;
    assert_eq!(waiting.await.unwrap().unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(closed.failed.len() + closed.unsent.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_is_dropped_sends_what_it_has() {
    let site = site().await;
    let writer = site.table.writer().linger(Duration::from_secs(600)).start().unwrap();
    for i in 0..100 {
        writer.write(put(row(i))).await.unwrap();
    }
    let before = Instant::now();
    drop(writer);
    while rows(&site).await < 100 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(before.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn counters_are_exact_although_replies_are_lost() {
    let site = site_with(config(), &["r0005"]).await;
    for method in ["Mutate", "Multi"] {
        site.mock.inject(Fault::on(method).chance(0.1).close_after());
        site.mock.inject(Fault::on(method).chance(0.1).drop_reply());
    }
    let writer = site.table.writer().batch_operations(20).start().unwrap();
    for i in 0..2_000 {
        writer.write(Increment::new(row(i % 10)).add("f", "n", 1)).await.unwrap();
    }
    writer.flush().await.into_result().unwrap();
    site.mock.clear_faults();
    for i in 0..10 {
        let found = site.table.get(row(i)).await.unwrap().unwrap();
        assert_eq!(found.counter("f", "n").unwrap(), Some(200));
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_closed_writes_what_its_writers_have() {
    let site = site().await;
    let client = site.connect(config()).await;
    let table = client.raw_table("t").unwrap();
    let writer = table.writer().linger(Duration::from_secs(600)).start().unwrap();
    for i in 0..100 {
        writer.write(put(row(i))).await.unwrap();
    }
    client.close(Duration::from_secs(10)).await.unwrap();
    assert_eq!(rows(&site).await, 100);
    assert_eq!(writer.write(put("r")).await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(table.get("r").await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(
        table.clone().batch([put("r")]).await[0].as_ref().unwrap_err().kind(),
        ErrorKind::Closed
    );
    let mut scan = table.scan(Scan::all()).unwrap();
    assert_eq!(scan.next_row().await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(client.admin().list_tables().await.unwrap_err().kind(), ErrorKind::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_closed_waits_for_what_is_under_way() {
    let site = site().await;
    let client = site.connect(config()).await;
    let table = client.raw_table("t").unwrap();
    site.mock.inject(Fault::on("Mutate").nth(1).pause_handler(Duration::from_millis(200)));
    let put = tokio::spawn(async move { table.put(put("r")).await });
    called(&site.mock, "Mutate", 1).await;
    client.close(Duration::from_secs(10)).await.unwrap();
    put.await.unwrap().unwrap();
    assert!(site.table.exists("r").await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn closing_a_client_ends_in_time_and_says_what_was_given_up() {
    let site = site().await;
    let patient = config().attempt_timeout(Duration::from_secs(60));
    let client = site.connect(patient.operation_timeout(Duration::from_secs(60))).await;
    let table = client.raw_table("t").unwrap();
    silence(&site);
    let before = site.mock.call_count("Mutate");
    let put = tokio::spawn(async move { table.put(put("r")).await });
    called(&site.mock, "Mutate", before + 1).await;
    let start = Instant::now();
    let error = client.close(Duration::from_secs(2)).await.unwrap_err();
    assert_eq!((error.kind(), start.elapsed()), (ErrorKind::Timeout, Duration::from_secs(2)));
    let text = error.to_string();
    assert!(text.contains("were not answered within 2.0 s, and were given up"), "{text}");
    let error = put.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}
