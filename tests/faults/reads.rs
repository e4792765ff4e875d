//! Reads, and what each exception makes of them.

use std::time::Duration;

use tallrow::{Config, ErrorKind};
use tallrow_mock::Fault;

use super::{class, config, site, site_with};

#[tokio::test]
async fn a_read_is_tried_again_while_the_server_is_busy() {
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
            site.mock.calls("Get") >= 4,
            "{name}: beside the four, the table's state may be asked for"
        );
    }
}

#[tokio::test]
async fn a_throttled_read_waits_as_told_or_fails_when_that_is_too_long() {
    let site = site().await;
    let throttling = class("quotas.RpcThrottlingException");
    site.mock.inject(
        Fault::on("Get")
            .times(2)
            .throw(&throttling, "number of read requests exceeded - wait 20ms"),
    );
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(site.mock.calls("Get"), 3);
    site.mock.inject(
        Fault::on("Get")
            .nth(1)
            .throw(&throttling, "number of read requests exceeded - wait 1hr, 3sec"),
    );
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Busy, 1), "{error:?}");
    assert_eq!(site.mock.calls("Get"), 4);
}

#[tokio::test]
async fn a_refused_read_is_not_tried_again() {
    let kinds = [
        ("DoNotRetryIOException", ErrorKind::Refused),
        ("security.AccessDeniedException", ErrorKind::PermissionDenied),
        ("regionserver.NoSuchColumnFamilyException", ErrorKind::NoSuchFamily),
    ];
    for (name, kind) in kinds {
        let site = site().await;
        site.mock.inject(Fault::on("Get").throw(&class(name), "no"));
        let error = site.table.get("r").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), site.mock.calls("Get")), (kind, 1, 1));
        assert_eq!(error.exception(), Some(class(name).as_str()));
    }
}

#[tokio::test]
async fn a_read_without_an_answer_is_sent_again_over_another_connection() {
    let site = site().await;
    site.mock.inject(Fault::on("Get").nth(1).drop_request());
    assert_eq!(site.table.get("r").await.unwrap(), None);
    site.mock.inject(Fault::on("Get").nth(1).cut_frame());
    assert_eq!(site.table.get("r").await.unwrap(), None);
    site.mock.inject(Fault::on("Get").nth(1).close_before());
    assert_eq!(site.table.get("r").await.unwrap(), None);
    assert_eq!(site.mock.calls("Get"), 6);
}

#[tokio::test]
async fn a_read_without_any_answer_ends_at_its_deadline() {
    let config = Config { operation_timeout: Duration::from_millis(700), ..config() };
    let site = site_with(config, &[]).await;
    site.mock.inject(Fault::on("Get").drop_request());
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
    assert!(error.attempts() >= 2, "{error:?}");
    site.mock.clear_faults();
    assert_eq!(site.table.get("r").await.unwrap(), None);
}

#[tokio::test]
async fn garbage_for_an_answer_is_told() {
    let site = site().await;
    site.mock.inject(Fault::on("Get").nth(1).garbage(&b"HTTP/1.1 400 Bad Request"[..]));
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error:?}");
    assert!(format!("{error:?}").contains("HTTP"), "{error:?}");
    assert_eq!(site.table.get("r").await.unwrap(), None);
}
