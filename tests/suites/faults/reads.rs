//! Reads, and the effect of each exception on them.

use std::time::Duration;

use tallrow::{Config, ErrorKind, Put};
use tallrow_mock::Fault;
use tokio::time::Instant;

use super::{ATTEMPT_TIMEOUT, class, config, site, site_with};

#[tokio::test(start_paused = true)]
async fn a_read_is_retried_while_the_server_is_busy() {
    for name in [
        "CallQueueTooBigException",
        "RegionTooBusyException",
        "RetryImmediatelyException",
        "exceptions.RegionOpeningException",
        "ipc.ServerNotRunningYetException",
        "regionserver.RegionServerStoppedException",
    ] {
        let site = site().await;
        site.mock.inject(Fault::on("Get").times(3).throw(&class(name), "not now"));
        assert_eq!(site.table.get("r").await.unwrap(), None, "{name}");
        assert!(
            site.mock.call_count("Get") >= 4,
            "{name}: besides the four, the table's state may be read"
        );
    }
}

/// The server has closed the scanner of a lookup, because of an error while it read for it.
#[tokio::test(start_paused = true)]
async fn a_lookup_whose_scanner_was_closed_is_made_again() {
    for name in [
        "UnknownScannerException",
        "exceptions.ScannerResetException",
        "exceptions.OutOfOrderScannerNextException",
        "regionserver.LeaseException",
    ] {
        let site = site().await;
        site.client.clear_region_cache();
        let closed = Fault::on("Scan").table("hbase:meta").times(2);
        site.mock.inject(closed.throw_with_do_not_retry(&class(name), "closed", true));
        let scans = site.mock.call_count("Scan");
        site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
        assert_eq!(site.mock.call_count("Scan") - scans, 3, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_throttled_read_waits_as_requested_or_fails_if_that_is_too_long() {
    let site = site().await;
    let throttling = class("quotas.RpcThrottlingException");
    site.mock.inject(
        Fault::on("Get")
            .times(2)
            .throw(&throttling, "number of read requests exceeded - wait 20ms"),
    );
    let started = Instant::now();
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(started.elapsed(), Duration::from_millis(2 * 20));
    assert_eq!(site.mock.call_count("Get"), 3);
    site.mock.inject(
        Fault::on("Get")
            .nth(1)
            .throw(&throttling, "number of read requests exceeded - wait 1hr, 3sec"),
    );
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Busy, 1), "{error:?}");
    assert!(error.elapsed().is_zero(), "{error:?}");
    assert_eq!(site.mock.call_count("Get"), 4);
}

#[tokio::test(start_paused = true)]
async fn a_rejected_read_is_not_retried() {
    let kinds = [
        ("DoNotRetryIOException", ErrorKind::DoNotRetry),
        ("security.AccessDeniedException", ErrorKind::PermissionDenied),
        ("regionserver.NoSuchColumnFamilyException", ErrorKind::NoSuchFamily),
    ];
    for (name, kind) in kinds {
        let site = site().await;
        site.mock.inject(Fault::on("Get").throw(&class(name), "no"));
        let error = site.table.get("r").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), site.mock.call_count("Get")), (kind, 1, 1));
        assert_eq!(error.exception(), Some(class(name).as_str()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_without_a_reply_is_retried_on_another_connection() {
    let site = site().await;
    site.mock.inject(Fault::on("Get").nth(1).drop_request());
    let started = Instant::now();
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(started.elapsed(), ATTEMPT_TIMEOUT);
    site.mock.inject(Fault::on("Get").nth(1).truncate_reply());
    assert_eq!(site.table.get("r").await.unwrap(), None);
    site.mock.inject(Fault::on("Get").nth(1).close_before());
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(site.mock.call_count("Get"), 6);
}

#[tokio::test(start_paused = true)]
async fn a_read_without_any_reply_ends_at_its_deadline() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    site.mock.inject(Fault::on("Get").drop_request());
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
    assert_eq!((error.attempts(), error.elapsed()), (3, operation_timeout), "{error:?}");
    site.mock.clear_faults();
    assert_eq!(site.table.get("r").await.unwrap(), None);
}

/// As a region server that was killed and starts again: it accepts connections, and its regions are
/// open elsewhere.
#[tokio::test(start_paused = true)]
async fn a_read_leaves_a_server_that_has_answered_nothing_yet() {
    let site = site_with(Config::default(), &[]).await;
    let meta = site.mock.regions("hbase:meta")[0].server.unwrap();
    let servers = [(meta + 1) % 2, meta];
    for operation in ["get", "put"] {
        site.mock.move_region("t", b"", servers[0]).unwrap();
        let client = site.connect(Config::default()).await;
        client.region_locator("t").unwrap().locate("r").await.unwrap();
        site.mock.inject(Fault::on_connect().server(servers[0]).never_reply());
        let table = client.raw_table("t").unwrap();
        let started = Instant::now();
        let done = tokio::spawn(async move {
            match operation {
                "get" => table.get("r").await.map(drop),
                _ => table.put(Put::new("r").cell("f", "q", "v")).await,
            }
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        site.mock.move_region("t", b"", servers[1]).unwrap();
        let (outcome, took) = (done.await.unwrap(), started.elapsed());
        match operation {
            "get" => assert!(took < Duration::from_millis(750) && outcome.is_ok(), "{took:?}"),
            // It may have been done there.
            _ => assert_eq!(
                (outcome.unwrap_err().kind(), took),
                (ErrorKind::OutcomeUnknown, Duration::from_secs(5))
            ),
        }
        site.mock.clear_faults();
    }
}

/// The server is asked once more than it need be, and then left in peace.
#[tokio::test(start_paused = true)]
async fn a_read_whose_answer_is_slow_is_sent_again_once() {
    let site = site_with(Config::default(), &[]).await;
    let meta = site.mock.regions("hbase:meta")[0].server.unwrap();
    site.mock.move_region("t", b"", (meta + 1) % 2).unwrap();
    let before = site.mock.call_count("Get");
    site.mock.inject(Fault::on("Get").delay_in_queue(Duration::from_secs(3)));
    let started = Instant::now();
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    assert_eq!(site.mock.call_count("Get") - before, 2);
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(site.mock.call_count("Get") - before, 3, "the server has answered");
}

#[tokio::test(start_paused = true)]
async fn a_garbage_reply_is_reported() {
    let site = site().await;
    site.mock.inject(Fault::on("Get").nth(1).garbage(&b"HTTP/1.1 400 Bad Request"[..]));
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error:?}");
    assert!(format!("{error:?}").contains("HTTP"), "{error:?}");
    assert_eq!(site.table.get("r").await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_is_not_called_busy() {
    let timeout = Duration::from_millis(300);
    let config = config().operation_timeout(timeout);
    for name in ["java.lang.NullPointerException", "java.io.IOException", "com.example.Odd"] {
        let site = site_with(config.clone(), &[]).await;
        site.mock.inject(Fault::on("Get").throw(name, "oops"));
        let error = site.table.get("r").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ServerError, "{error:?}");
        assert_eq!(error.exception(), Some(name));
        assert!(error.attempts() > 1, "it may be temporary: {error:?}");
        assert!(error.elapsed() <= timeout, "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn waiters_for_a_region_learn_its_server() {
    let timeout = Duration::from_millis(300);
    let site = site_with(config().operation_timeout(timeout), &[]).await;
    let home = site.mock.regions("hbase:meta")[0].server.unwrap();
    let address = site.mock.server_address(home).unwrap().to_string();
    let client = site.connect(Config::default()).await;
    let table = client.raw_table("t").unwrap().with_timeout(timeout);
    site.mock.inject(Fault::on("Scan").table("hbase:meta").drop_request());
    // One of them looks the region up, the others wait for the result.
    for outcome in table.get_all(["a", "b", "c"]).await {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
        assert_eq!(error.elapsed(), timeout, "{error:?}");
        assert_eq!(error.server(), Some(&*address), "{error:?}");
        assert!(error.to_string().contains("hbase:meta"), "{error}");
    }
}
