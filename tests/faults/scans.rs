//! Scans that lose their scanner, a reply or their region still return every row.

use std::time::Duration;

use tallrow::{ErrorKind, Put, Scan};
use tallrow_mock::{CallFaultBuilder, Fault};

use super::{Site, class, config, site_with};

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
            let scan = Scan::all().page_bytes(2_000);
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

#[tokio::test(start_paused = true)]
async fn a_rejected_scan_ends_with_the_error() {
    let site = filled().await;
    site.mock.inject(
        Fault::on("Scan").table("t").nth(3).throw(&class("DoNotRetryIOException"), "enough"),
    );
    let mut rows = site.table.scan(Scan::all().page_bytes(2_000)).unwrap();
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
