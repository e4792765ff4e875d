//! Scans that lose their scanner, a reply or their region still return every row.

use std::time::Duration;

use tallrow::{ErrorKind, Put, Scan, scan::ScanStep};
use tallrow_mock::{CallFaultBuilder, Fault};
use tallrow_tests::thorough;

use super::{Site, called, class, config, site_with};

async fn filled() -> Site {
    let site = site_with(config(), &["r30", "r60"]).await;
    let puts = (0..90).map(|i| Put::new(format!("r{i:02}")).cell("f", "q", [7; 300]));
    site.table.put_all(puts).await.into_iter().for_each(|w| w.unwrap());
    site
}

async fn keys(site: &Site, scan: Scan) -> Vec<String> {
    let mut rows = site.table.scan(scan).unwrap();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        keys.push(String::from_utf8(row.key().to_vec()).unwrap());
    }
    keys
}

async fn comes_whole(fault: impl Fn(CallFaultBuilder) -> Fault) {
    let site = filled().await;
    let expected: Vec<_> = (0..90).map(|i| format!("r{i:02}")).collect();
    for nth in [1, 2, 3, 5, 8] {
        for reversed in [false, true] {
            site.mock.inject(fault(Fault::on("Scan").table("t").nth(nth)));
            let scan = Scan::all().bytes_per_call(2_000);
            let mut found = keys(&site, if reversed { scan.reversed() } else { scan }).await;
            if reversed {
                found.reverse();
            }
            assert_eq!(found, expected, "fault at call {nth}");
            assert_eq!(site.mock.unfired_faults(), [], "fault at call {nth}");
            site.mock.clear_faults();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_scanner_is_opened_again() {
    for name in [
        "UnknownScannerException",
        "exceptions.ScannerResetException",
        "exceptions.OutOfOrderScannerNextException",
        "regionserver.LeaseException",
    ] {
        comes_whole(|point| point.throw(&class(name), "lost")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_scan_survives_a_region_that_is_briefly_not_served() {
    comes_whole(CallFaultBuilder::not_serving).await;
    comes_whole(|point| point.throw(&class("CallQueueTooBigException"), "full")).await;
}

#[tokio::test(start_paused = true)]
async fn a_scan_survives_a_broken_connection() {
    comes_whole(CallFaultBuilder::close_before).await;
    comes_whole(CallFaultBuilder::close_after).await;
    comes_whole(CallFaultBuilder::truncate_reply).await;
}

/// A table with one row of so many cells, which its server has to send in many pages.
async fn with_wide_row(cells: usize) -> Site {
    let site = site_with(config(), &[]).await;
    for at in 0..cells / 20_000 {
        let cells = (at * 20_000..(at + 1) * 20_000).map(|q| format!("{q:06}"));
        site.table.put(cells.fold(Put::new("r"), |put, q| put.cell("f", q, "v"))).await.unwrap();
    }
    site
}

#[tokio::test(start_paused = true)]
async fn the_work_for_a_row_in_many_pages_is_linear() {
    let wide = if thorough() { 400_000 } else { 40_000 };
    let site = with_wide_row(wide).await;
    let (calls, cells) = (site.mock.call_count("Scan"), site.mock.scanned_cell_count());
    let scan = Scan::all().bytes_per_call(wide / 2);
    let row = site.table.scan(scan).unwrap().next_row().await.unwrap().unwrap();
    assert_eq!(row.cells().len(), wide);
    let calls = site.mock.call_count("Scan") - calls;
    assert!(calls > 100, "{calls} pages");
    assert_eq!(site.mock.scanned_cell_count() - cells, wide as u64, "each cell is read once");
}

#[tokio::test(start_paused = true)]
async fn a_scanner_that_is_lost_within_a_row_continues_within_it() {
    let site = with_wide_row(20_000).await;
    for (name, parts) in [
        ("exceptions.ScannerResetException", false),
        ("exceptions.ScannerResetException", true),
        // Its lease is over, and with it what the scanner saw: a whole row is read again.
        ("UnknownScannerException", false),
        ("UnknownScannerException", true),
    ] {
        site.mock.inject(Fault::on("Scan").table("t").nth(3).times(2).throw(&class(name), "lost"));
        let scan = Scan::all().bytes_per_call(400_000);
        let mut rows = site.table.scan(if parts { scan.batch(1_000) } else { scan }).unwrap();
        let mut cells = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.cells().len(), if parts { 1_000 } else { 20_000 });
            cells.extend(row.cells().iter().map(|cell| cell.qualifier().to_vec()));
        }
        assert!(cells.len() == 20_000 && cells.is_sorted(), "{name}: {} cells", cells.len());
        assert_eq!(site.mock.unfired_faults(), []);
        site.mock.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn a_whole_row_is_of_one_time_though_its_scanner_was_lost() {
    let site = site_with(config(), &[]).await;
    let put = |value: &'static str| {
        (0..100).fold(Put::new("r"), |put, q| put.cell("f", format!("{q:02}"), value.repeat(100)))
    };
    for name in
        ["exceptions.ScannerResetException", "UnknownScannerException", "NotServingRegionException"]
    {
        site.table.put(put("a")).await.unwrap();
        let before = site.mock.call_count("Scan");
        let fault = Fault::on("Scan").table("t").nth(3);
        site.mock.inject(fault.clone().pause_handler(Duration::from_millis(100)));
        site.mock.inject(Fault::on("Scan").table("t").nth(4).throw(&class(name), "lost"));
        let table = site.table.clone();
        let scan = Scan::all().bytes_per_call(2_000);
        let reader = tokio::spawn(async move { table.scan(scan).unwrap().next_row().await });
        called(&site.mock, "Scan", before + 3).await;
        site.table.put(put("b")).await.unwrap();
        let row = reader.await.unwrap().unwrap().unwrap();
        let values: std::collections::HashSet<_> =
            row.cells().iter().map(|cell| cell.value()).collect();
        assert_eq!((row.cells().len(), values.len()), (100, 1), "{name}");
        site.mock.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_a_scan_closes_its_scanner_on_the_server() {
    let site = filled().await;
    for rows in [1, 10, 40] {
        let mut stream = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
        assert_eq!(
            site.mock.open_scanner_count(),
            0,
            "nothing is opened before the first row is requested"
        );
        for _ in 0..rows {
            stream.next_row().await.unwrap().unwrap();
        }
        assert_eq!(site.mock.open_scanner_count(), 1);
        drop(stream);
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(site.mock.open_scanner_count(), 0, "after {rows} rows");
    }
    assert_eq!(keys(&site, Scan::all().bytes_per_call(2_000)).await.len(), 90);
    assert_eq!(keys(&site, Scan::all().bytes_per_call(2_000).limit(5)).await.len(), 5);
    assert_eq!(site.mock.open_scanner_count(), 0, "a scan that ends leaves none");
    // The reader goes while the scanner is being opened.
    site.mock.inject(Fault::on("Scan").table("t").nth(1).pause_handler(Duration::from_millis(50)));
    let mut stream = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
    let early = tokio::time::timeout(Duration::from_millis(5), stream.next_row()).await;
    assert!(early.is_err());
    drop(stream);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(
        site.mock.open_scanner_count(),
        0,
        "a scanner that was opened for nobody is closed too"
    );
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_slow_reader_is_renewed() {
    let site = filled().await;
    let before = site.mock.call_count("Scan");
    let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
    let mut count = 0;
    while rows.next_row().await.unwrap().is_some() {
        count += 1;
        if count % 30 == 1 {
            // Five leases.
            tokio::time::sleep(Duration::from_secs(300)).await;
            assert!(site.mock.open_scanner_count() <= 1);
        }
    }
    assert_eq!(count, 90);
    // One renewal each 20 s, while the page after the next one waits; no scanner was opened twice.
    let pages = {
        let before = site.mock.call_count("Scan");
        assert_eq!(keys(&site, Scan::all().bytes_per_call(2_000)).await.len(), 90);
        site.mock.call_count("Scan") - before
    };
    let calls = site.mock.call_count("Scan") - before - pages;
    assert_eq!(calls - pages, 3 * 14, "{calls} calls, {pages} pages");
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_was_not_renewed_costs_one_more_scanner() {
    let site = filled().await;
    let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
    rows.next_row().await.unwrap().unwrap();
    // The pages ahead are there; nobody hears of the renewals after them.
    tokio::time::sleep(Duration::from_millis(1)).await;
    site.mock.inject(Fault::on("Scan").table("t").times(20).drop_request());
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(site.mock.open_scanner_count(), 0);
    site.mock.clear_faults();
    let mut count = 1;
    while rows.next_row().await.unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 90);
}

#[tokio::test(start_paused = true)]
async fn heartbeats_are_no_end_and_restart_the_time_of_a_page() {
    let site = filled().await;
    site.mock.end_scan_calls_after(7);
    assert_eq!(keys(&site, Scan::all()).await.len(), 90);
    assert_eq!(keys(&site, Scan::all().reversed()).await.len(), 90);
    // Each heartbeat takes nearly the time of a page.
    site.mock.inject(Fault::on("Scan").table("t").pause_handler(Duration::from_millis(2_400)));
    // No seeks: a row is read, and left out.
    let is = |row| tallrow::Filter::row(tallrow::filter::CompareOperator::Equal, row);
    let none = is("none").or(is("r89"));
    let before = site.mock.call_count("Scan");
    assert_eq!(keys(&site, Scan::all().filter(none)).await, ["r89"]);
    assert!(
        site.mock.call_count("Scan") - before >= 12,
        "{}",
        site.mock.call_count("Scan") - before
    );
}

#[tokio::test(start_paused = true)]
async fn a_cursor_says_how_far_a_server_is() {
    let site = filled().await;
    site.mock.end_scan_calls_after(10);
    // No seeks: a row is read, and left out.
    let is = |row| tallrow::Filter::row(tallrow::filter::CompareOperator::Equal, row);
    let scan = Scan::all().filter(is("none").or(is("r89")));
    let mut rows = site.table.scan(scan.clone().cursors()).unwrap();
    let mut steps = Vec::new();
    while let Some(step) = rows.next_step().await.unwrap() {
        let (kind, row) = match step {
            ScanStep::Row(row) => ("row", row.key().to_vec()),
            ScanStep::Cursor(row) => ("at", row.to_vec()),
            _ => unreachable!(),
        };
        steps.push(format!("{kind} {}", row.escape_ascii()));
    }
    // Regions from nothing, r30 and r60 on; the end of a region is none.
    assert_eq!(steps, ["at r09", "at r19", "at r39", "at r49", "at r69", "at r79", "row r89"]);
    let metrics = rows.metrics();
    assert_eq!((metrics.heartbeats, metrics.calls, metrics.regions, metrics.rows), (6, 9, 3, 1));
    assert_eq!(metrics.cursor.as_deref(), Some(&b"r79"[..]));
    // A reader of rows does not see them, nor does one that did not ask.
    assert_eq!(keys(&site, scan.clone().cursors()).await, ["r89"]);
    let mut rows = site.table.scan(scan).unwrap();
    assert!(matches!(rows.next_step().await.unwrap(), Some(ScanStep::Row(_))));
    // A row that is larger than a page is progress too.
    site.table
        .put((0..50).fold(Put::new("big"), |put, q| put.cell("f", q.to_string(), [7; 300])))
        .await
        .unwrap();
    let mut rows =
        site.table.scan(Scan::range("big"..="big").bytes_per_call(1_000).cursors()).unwrap();
    let Some(ScanStep::Cursor(row)) = rows.next_step().await.unwrap() else { panic!("no cursor") };
    assert_eq!(&row[..], b"big");
    let row = rows.next_row().await.unwrap().unwrap();
    assert_eq!((row.key(), row.cells().len()), (&b"big"[..], 50));
}

#[tokio::test(start_paused = true)]
async fn a_scan_starts_on_the_successor_of_a_dead_region() {
    for (reversed, width) in [(false, 1), (true, 1), (false, 3)] {
        let site = filled().await;
        // The client knows the regions as they were.
        let plan = site.table.explain(Scan::all()).await.unwrap();
        assert_eq!(plan.region_count(), 3);
        site.mock.split_region("t", b"r10").unwrap();
        site.mock.split_region("t", b"r45").unwrap();
        let other = site.mock.live_servers()[1];
        site.mock.move_region("t", b"r10", other).unwrap();
        let first = site.mock.regions("t")[0].server.unwrap();
        if site.mock.live_servers().len() > 2 {
            site.mock.kill_server(first).unwrap();
        }
        let scan = Scan::range("r05".."r85").parallel(width);
        let mut found = keys(&site, if reversed { scan.reversed() } else { scan }).await;
        if reversed {
            found.reverse();
        }
        assert_eq!(found, (5..85).map(|i| format!("r{i:02}")).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_scan_starts_where_its_server_has_died() {
    for reversed in [false, true] {
        let site = filled().await;
        let server = site.mock.regions("t")[1].server.unwrap();
        site.mock.kill_server(server).unwrap();
        let mut found =
            keys(&site, if reversed { Scan::all().reversed() } else { Scan::all() }).await;
        if reversed {
            found.reverse();
        }
        assert_eq!(found, (0..90).map(|i| format!("r{i:02}")).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_parallel_scan_that_loses_its_scanners_returns_every_row_once() {
    let site = filled().await;
    let expected: Vec<_> = (0..90).map(|i| format!("r{i:02}")).collect();
    for unordered in [false, true] {
        for effect in [CallFaultBuilder::not_serving, CallFaultBuilder::close_after] {
            site.mock.inject(effect(Fault::on("Scan").table("t").nth(5).times(3)));
            let scan = Scan::all().parallel(3).bytes_per_call(2_000);
            let mut found = keys(&site, if unordered { scan.unordered() } else { scan }).await;
            if unordered {
                found.sort();
            }
            assert_eq!(found, expected);
            assert_eq!(site.mock.unfired_faults(), []);
            site.mock.clear_faults();
        }
    }
    // The client never heard of a scanner whose opening was not answered: its lease ends.
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(site.mock.open_scanner_count(), 0);
    // Dropping it closes the scanners of all regions.
    let mut rows = site.table.scan(Scan::all().parallel(3).bytes_per_call(2_000)).unwrap();
    rows.next_row().await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(site.mock.open_scanner_count(), 3);
    drop(rows);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(site.mock.open_scanner_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_region_that_fails_is_an_error_of_the_parallel_scan() {
    for unordered in [false, true] {
        let site = filled().await;
        site.mock.inject(
            Fault::on("Scan").table("t").nth(4).throw(&class("DoNotRetryIOException"), "no"),
        );
        let scan = Scan::all().parallel(3).bytes_per_call(2_000);
        let mut rows = site.table.scan(if unordered { scan.unordered() } else { scan }).unwrap();
        let error = loop {
            match rows.next_row().await {
                Ok(row) => assert!(row.is_some(), "an end instead of the error"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
        assert_eq!(rows.next_row().await.unwrap(), None);
    }
}

/// A scan whose reader takes hours: the pages ahead of it are bounded, and every row comes once.
#[tokio::test(start_paused = true)]
async fn a_slow_reader_holds_back_its_scan() {
    let site = site_with(config(), &["r3", "r6"]).await;
    let puts = (0..9_000).map(|i| Put::new(format!("r{i:04}")).cell("f", "q", [7; 100]));
    site.table.put_all(puts).await.into_iter().for_each(|put| put.unwrap());
    for width in [1, 3] {
        let before = site.mock.scanned_cell_count();
        let mut rows = site.table.scan(Scan::all().bytes_per_call(20_000).parallel(width)).unwrap();
        let (mut taken, mut most_ahead) = (0_u64, 0);
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.key(), format!("r{taken:04}").as_bytes());
            taken += 1;
            if taken.is_multiple_of(1_000) {
                tokio::time::sleep(Duration::from_secs(3_600)).await;
                most_ahead = most_ahead.max(site.mock.scanned_cell_count() - before - taken);
            }
        }
        assert_eq!(taken, 9_000);
        let metrics = rows.metrics();
        // Of each region: the page that is read, one that is ready and one that waits for its
        // place; a page has about 110.
        assert!(most_ahead <= 3 * 150 * width as u64, "{most_ahead} rows ahead, {width} regions");
        assert!(metrics.reader_time >= Duration::from_secs(8 * 3_600), "{metrics:?}");
        assert_eq!(
            (metrics.retries, metrics.regions, site.mock.scanned_cell_count() - before),
            (0, 3, 9_000)
        );
        assert!(metrics.renewals >= 180 * 6, "{metrics:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejected_scan_ends_with_the_error() {
    let site = filled().await;
    site.mock.inject(
        Fault::on("Scan").table("t").nth(3).throw(&class("DoNotRetryIOException"), "enough"),
    );
    let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
    let mut count = 0;
    let error = loop {
        match rows.next_row().await {
            Ok(Some(_)) => count += 1,
            Ok(None) => panic!("an end instead of the error, after {count} rows"),
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), error.operation()), (ErrorKind::DoNotRetry, "scan"), "{error:?}");
    assert!(count > 0 && count < 90, "{count}");
    assert_eq!(rows.next_row().await.unwrap(), None, "after an error there are no more rows");
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_a_handle_bounds_its_scans() {
    let site = site_with(config(), &[]).await;
    site.mock.inject(Fault::on("Scan").table("t").drop_request());
    let timeout = Duration::from_millis(200);
    let hasty = site.table.clone().with_timeout(timeout);
    let mut rows = hasty.scan(Scan::all()).unwrap();
    let error = rows.next_row().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "scan"), "{error:?}");
    assert_eq!(error.elapsed(), timeout, "{error:?}");
    assert!(error.server().is_some() && error.region().is_some(), "{error:?}");
}

/// However many ranges there are, some are read at a time, and the others are not even taken from
/// their iterator.
#[tokio::test(start_paused = true)]
async fn the_first_rows_of_many_ranges_are_one_call_each_and_some_at_a_time() {
    let site = filled().await;
    let second = Duration::from_secs(1);
    site.mock.inject(Fault::on("Scan").table("t").times(u64::MAX).pause_handler(second));
    let taken = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let count = taken.clone();
    let scans = (0..90).rev().map(move |i| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Scan::range(format!("r{i:02}")..)
    });
    let timeout = Duration::from_secs(60);
    let table = site.connect(config().attempt_timeout(timeout)).await.raw_table("t").unwrap();
    table.scan(Scan::all().limit(1)).unwrap().next_row().await.unwrap();
    let (before, began) = (site.mock.call_count("Scan"), tokio::time::Instant::now());
    let mut rows = table.first_of_each(scans).concurrency(9);
    for i in (0..90).rev() {
        let row = rows.next_row().await.unwrap().unwrap().unwrap();
        assert_eq!(row.key(), format!("r{i:02}").as_bytes());
        let read = 90 - i;
        let taken = taken.load(std::sync::atomic::Ordering::Relaxed);
        assert!((read..read + 9).contains(&taken), "{taken} ranges taken for {read} rows");
    }
    assert_eq!(rows.next_row().await.unwrap(), None);
    assert_eq!(site.mock.call_count("Scan") - before, 90);
    assert_eq!(began.elapsed().as_secs(), 10);
}
