//! Tests of scans on the Bigtable backend: the order of rows, streams that break off, pages, and
//! the gets of a batch, which share one call.

use std::time::Duration;

use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::join;
use tokio::time::{Instant, sleep};

use super::{Fixture, piped, quick};
use crate::key::{RowBuf, RowRange};
use crate::reading::RequestStats;
use crate::request::filter::{Comparator, CompareOperator, Filter};
use crate::request::op::{Get, Put};
use crate::{Client, ErrorKind, RawTable, Scan};

async fn filled(seed: u64) -> Fixture {
    let builder = MockCluster::builder().seed(seed).torn_rows();
    let fixture = Fixture::of(builder, quick(), &["25", "50", "75"]).await;
    let puts = (0..100).map(|i| {
        let put = Put::new(format!("{i:02}")).cell("f", "p", "v".repeat(i));
        put.cell("f", "q", i.to_string())
    });
    fixture.table.put_all(puts).await.into_result().unwrap();
    fixture
}

async fn keys(table: &RawTable, scan: Scan) -> Vec<String> {
    let mut rows = table.scan(scan).unwrap();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        let key = String::from_utf8(row.key().to_vec()).unwrap();
        let number: usize = key.parse().unwrap();
        assert_eq!(row.value("f", "p").unwrap().len(), number, "{key}");
        assert_eq!(row.value("f", "q").unwrap(), number.to_string().as_bytes());
        keys.push(key);
    }
    keys
}

/// Reads a scan to its end, and returns what the service counted.
async fn stats(table: &RawTable, scan: Scan) -> Option<RequestStats> {
    let mut rows = table.scan(scan.server_metrics()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    rows.metrics().request_stats
}

#[tokio::test(start_paused = true)]
async fn the_service_tells_what_a_scan_has_read_if_it_is_asked() {
    let Fixture { table, cluster: _cluster } = filled(3).await;
    let counts = |stats: Option<RequestStats>| {
        let stats = stats.unwrap();
        let rows = (stats.rows_seen, stats.rows_returned);
        (stats.requests, rows, (stats.cells_seen, stats.cells_returned))
    };
    let ones = || Filter::row(CompareOperator::Equal, Comparator::regex("1$"));
    assert_eq!(counts(stats(&table, Scan::all()).await), (1, (100, 100), (200, 200)));
    let filtered = stats(&table, Scan::all().filter(ones())).await;
    assert_eq!(counts(filtered), (1, (100, 10), (200, 20)));
    // The statistics come after the last row that was asked for, and after any number of pages.
    let limited = stats(&table, Scan::range("10"..).limit(5)).await;
    assert_eq!(counts(limited), (1, (5, 5), (10, 10)));
    let pages = stats(&table, Scan::all().bytes_per_call(100).reversed()).await;
    assert_eq!(counts(pages), (1, (100, 100), (200, 200)));
    assert_eq!(stats(&table, Scan::range("b".."a")).await, None);

    let mut rows = table.scan(Scan::all().filter(ones()).server_metrics()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    let counts = rows.metrics().server_counts;
    assert_eq!((counts["ROWS_SCANNED"], counts["ROWS_FILTERED"]), (100, 90));
    let mut rows = table.scan(Scan::all()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    let metrics = rows.metrics();
    assert!(metrics.request_stats.is_none() && metrics.server_counts.is_empty(), "{metrics:?}");
}

fn numbers(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|i| format!("{i:02}")).collect()
}

fn backwards(range: std::ops::Range<usize>) -> Vec<String> {
    range.rev().map(|i| format!("{i:02}")).collect()
}

#[tokio::test(start_paused = true)]
async fn rows_of_any_shape_are_read_in_order() {
    for seed in 0..4 {
        let Fixture { table, cluster: _cluster } = filled(seed).await;
        assert_eq!(keys(&table, Scan::all()).await, numbers(0..100));
        assert_eq!(keys(&table, Scan::range("13".."77")).await, numbers(13..77));
        assert_eq!(keys(&table, Scan::prefix("4")).await, numbers(40..50));
        assert_eq!(keys(&table, Scan::range("13"..).limit(5)).await, numbers(13..18));
        assert_eq!(keys(&table, Scan::all().reversed()).await, backwards(0..100));
        let last = Scan::range("13".."77").reversed().limit(3);
        assert_eq!(keys(&table, last).await, backwards(74..77));
        assert_eq!(keys(&table, Scan::all().parallel(3)).await, numbers(0..100));
        assert_eq!(keys(&table, Scan::all().bytes_per_call(300)).await, numbers(0..100));
        assert_eq!(keys(&table, Scan::range("b".."b")).await, [""; 0]);
        assert_eq!(table.count(Scan::range("13".."77")).await.unwrap(), 64);
    }
}

#[tokio::test(start_paused = true)]
async fn a_scan_that_breaks_continues_after_its_last_row() {
    let Fixture { table, cluster } = filled(1).await;
    for reversed in [false, true] {
        let (scan, expected) = match reversed {
            false => (Scan::all(), numbers(0..100)),
            true => (Scan::all().reversed(), backwards(0..100)),
        };
        let faults = [
            Fault::on("ReadRows").times(3).fail_midway(StatusCode::Unavailable, "half"),
            Fault::on("ReadRows").times(3).reset_stream(),
            Fault::on("ReadRows").times(2).truncate_reply(),
            Fault::on("ReadRows").times(2).close_before(),
        ];
        for fault in faults {
            cluster.inject(fault);
            assert_eq!(keys(&table, scan.clone()).await, expected);
            let limited = keys(&table, scan.clone().limit(60)).await;
            assert_eq!(limited, expected[..60]);
            cluster.clear_faults();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_ends_a_stream_is_known_after_its_rows() {
    let mut some = 0;
    for seed in 0..4 {
        let Fixture { table, cluster } = filled(seed).await;
        let denied = Fault::on("ReadRows").nth(1).fail_midway(StatusCode::PermissionDenied, "half");
        cluster.inject(denied);
        let mut rows = table.scan(Scan::all()).unwrap();
        let mut found = 0;
        let error = loop {
            match rows.next_row().await {
                Ok(row) => found += usize::from(row.is_some()),
                Err(error) => break error,
            }
            assert!(found < 100, "the scan has gone on");
        };
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
        assert_eq!(cluster.call_count("ReadRows"), 1);
        some += usize::from(found > 0);
    }
    assert!(some > 0, "no half has a row");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_was_closed_reads_nothing_more() {
    let Fixture { cluster, .. } = filled(1).await;
    let config = piped(&cluster, quick());
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let table = client.raw_table("t").unwrap();
    cluster.inject(Fault::on("ReadRows").drop_reply());
    cluster.inject(Fault::on("SampleRowKeys").drop_reply());
    let begun = Instant::now();
    let (mut first, mut other) =
        (table.scan(Scan::all()).unwrap(), table.scan(Scan::all()).unwrap());
    let close = async {
        sleep(Duration::from_millis(100)).await;
        client.close(Duration::from_secs(1)).await
    };
    let (row, plan, closed) = join!(first.next_row(), table.explain(Scan::all()), close);
    closed.unwrap();
    let late = table.explain(Scan::all()).await.map(drop);
    for read in [row.map(drop), plan.map(drop), other.next_row().await.map(drop), late] {
        assert_eq!(read.unwrap_err().kind(), ErrorKind::Closed);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn rows_that_cannot_be_are_an_error() {
    let Fixture { table, cluster } = Fixture::start().await;
    for row in ["a", "b", "c", "d"] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let faults = [Fault::on("ReadRows").torn_row(), Fault::on("ReadRows").rows_out_of_order()];
    for fault in faults {
        cluster.inject(fault);
        let mut rows = table.scan(Scan::all()).unwrap();
        let error = loop {
            match rows.next_row().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the scan ends"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
        cluster.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn pages_are_read_one_by_one() {
    let Fixture { table, cluster: _cluster } = filled(2).await;
    let (mut scan, mut found) = (Scan::range("10".."90"), Vec::new());
    loop {
        let page = table.scan_page(scan, 7).await.unwrap();
        assert!(page.rows.len() <= 7);
        found.extend(page.rows.iter().map(|r| String::from_utf8(r.key().to_vec()).unwrap()));
        let Some(next) = page.next else { break };
        scan = Scan::range("10".."90").resume(&next);
    }
    assert_eq!(found, numbers(10..90));
}

#[tokio::test(start_paused = true)]
async fn a_table_has_the_parts_it_was_divided_into() {
    let Fixture { table, cluster: _cluster } = filled(3).await;
    let plan = table.explain(Scan::range("30".."60").parallel(4)).await.unwrap();
    assert_eq!(plan.region_count(), 2, "{plan}");
}

#[tokio::test(start_paused = true)]
async fn the_gets_of_a_batch_are_one_call_that_continues_after_its_last_row() {
    for seed in 0..8 {
        let Fixture { table, cluster } = filled(seed).await;
        let rows = ["40", "07", "nothing", "07", "93", "00"];
        let calls = async |faults: &[Fault]| {
            cluster.clear_faults();
            faults.iter().for_each(|fault| cluster.inject(fault.clone()));
            let before = cluster.call_count("ReadRows");
            let found = table.get_all(rows).await;
            let found: Vec<_> = found.into_iter().map(|row| row.unwrap()).collect();
            for (row, found) in rows.iter().zip(&found) {
                let q = found.as_ref().map(|found| found.value("f", "q").unwrap());
                let expected = row.parse::<u32>().ok().map(|n| n.to_string());
                assert_eq!(q, expected.as_ref().map(String::as_bytes), "{row}");
            }
            cluster.call_count("ReadRows") - before
        };
        assert_eq!(calls(&[]).await, 1);
        assert_eq!(calls(&[Fault::on("ReadRows").nth(1).truncate_reply()]).await, 2);
        cluster.clear_faults();

        let before = cluster.call_count("ReadRows");
        let gets = rows.map(|row| match row {
            "07" => Get::new(row).column("f", "p"),
            _ => Get::new(row),
        });
        let found = table.get_all(gets).await.into_result().unwrap();
        assert_eq!(found[1].as_ref().unwrap().value("f", "q"), None);
        assert_eq!(found[0].as_ref().unwrap().cells().len(), 2);
        assert_eq!(cluster.call_count("ReadRows") - before, 2);

        cluster.inject(Fault::on("ReadRows").fail(StatusCode::PermissionDenied, "no"));
        for (outcome, row) in table.get_all(rows).await.into_iter().zip(rows) {
            let error = outcome.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
            assert_eq!((error.operation(), error.row()), ("get", Some(row.as_bytes())));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn rows_that_a_filter_names_are_asked_for_as_rows() {
    let Fixture { table, cluster: _cluster } = filled(4).await;
    let row = |key: &str| RowRange::row(key.as_bytes());
    let some = [row("70"), row("07"), RowRange::prefix(b"3"), row("35")];
    let found: Vec<_> = [numbers(7..8), numbers(30..40), numbers(70..71)].concat();
    let scan = || Scan::all().filter(Filter::row_ranges(some.clone()));
    assert_eq!(keys(&table, scan()).await, found);
    let backwards: Vec<_> = found.iter().rev().cloned().collect();
    assert_eq!(keys(&table, scan().reversed()).await, backwards);
    assert_eq!(keys(&table, scan().limit(4)).await, found[..4]);
    assert_eq!(keys(&table, scan().bytes_per_call(100)).await, found);
    let rest = Scan::range("36"..).filter(Filter::row_ranges(some.clone()));
    assert_eq!(keys(&table, rest).await, found[7..]);
    let none = Scan::range("8"..).filter(Filter::row_ranges(some.clone()));
    assert_eq!(keys(&table, none).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_scan_of_more_ranges_than_a_request_takes_is_several_requests() {
    let Fixture { table, cluster } = Fixture::start().await;
    let key = |n: usize| format!("{n:0>2000}");
    let puts = (0..1_000).map(|n| Put::new(key(n)).cell("f", "q", "v"));
    table.put_all(puts).await.into_result().unwrap();
    // Rows and ranges that do not touch, whose keys have 3 MB: a request takes 512 KiB.
    let part = |n: usize| match n % 2 {
        0 => RowRange::row(key(n).as_bytes()),
        _ => RowRange::new(
            RowBuf::from_slice(key(n).as_bytes()),
            Some(RowBuf::from_slice(&[key(n).as_bytes(), b"5"].concat())),
        ),
    };
    let parts: Vec<_> = (0..1_000).map(part).collect();
    let read = async |scan: Scan| {
        let before = cluster.call_count("ReadRows");
        let mut rows = table.scan(scan).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push(String::from_utf8(row.key().to_vec()).unwrap().parse().unwrap());
        }
        (found, cluster.call_count("ReadRows") - before)
    };
    for reversed in [false, true] {
        let all: Vec<usize> = match reversed {
            false => (0..1_000).collect(),
            true => (0..1_000).rev().collect(),
        };
        let scan = || {
            let scan = Scan::all().filter(Filter::row_ranges(parts.clone()));
            if reversed { scan.reversed() } else { scan }
        };
        assert_eq!(read(scan()).await, (all.clone(), 7));
        assert_eq!(read(scan().limit(10)).await, (all[..10].to_vec(), 1));
        assert_eq!(read(scan().limit(700)).await, (all[..700].to_vec(), 5));
        assert_eq!(read(scan().bytes_per_call(100)).await, (all.clone(), 7));
        let faults = [
            Fault::on("ReadRows").times(5).fail_midway(StatusCode::Unavailable, "half"),
            Fault::on("ReadRows").times(5).reset_stream(),
            Fault::on("ReadRows").times(5).truncate_reply(),
        ];
        for fault in faults {
            cluster.inject(fault);
            assert_eq!(read(scan()).await, (all.clone(), 12));
            cluster.clear_faults();
        }
        assert_eq!(table.count(scan()).await.unwrap(), 1_000);
        let counts = stats(&table, scan()).await.unwrap();
        assert_eq!((counts.requests, counts.rows_returned), (7, 1_000));

        let (mut found, mut page) = (Vec::new(), Some(scan()));
        while let Some(scan_of_page) = page.take() {
            let read = table.scan_page(scan_of_page, 300).await.unwrap();
            found.extend(read.rows.iter().map(|row| row.key().to_vec()));
            page = read.next.map(|next| scan().resume(&next));
        }
        assert!(
            found.iter().eq(all.iter().map(|n| key(*n).into_bytes()).collect::<Vec<_>>().iter())
        );
    }
}
