//! What errors and slow operations tell: each attempt, and row keys only as configured.

use std::error::Error as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::op::RowMutations;
use tallrow::{Config, Error, ErrorKind, Put, RowKeyDisplay};
use tallrow_mock::Fault;

use crate::observe::{Site, class, config, site, site_with};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[tokio::test(start_paused = true)]
async fn an_error_has_each_attempt_with_its_server_cause_and_times() {
    let Site { mock, table, .. } = site().await;
    table.get("a").await.unwrap();
    mock.inject(Fault::on("Get").nth(1).throw(&class("RegionTooBusyException"), "full"));
    mock.inject(Fault::on("Get").nth(2).throw(&class("NotServingRegionException"), "gone"));
    mock.inject(Fault::on("Get").table("t").times(1_000).drop_reply());
    let error = table.with_timeout(ms(1_500)).get("a").await.unwrap_err();

    let history = error.history();
    assert_eq!(history.len() as u32, error.attempts());
    let causes: Vec<_> = history.iter().map(|attempt| attempt.error_type.as_str()).collect();
    assert_eq!(causes[..3], ["RegionTooBusyException", "NotServingRegionException", "Timeout"]);
    assert_eq!(history[2].elapsed, ms(300), "the time of an attempt");
    for attempt in &history[..3] {
        assert_eq!(attempt.region.as_ref().map(String::len), Some(32), "{error:#}");
    }
    for (i, attempt) in history.iter().enumerate() {
        assert_eq!(attempt.number as usize, i + 1);
        assert!(attempt.server.as_ref().is_some_and(|server| server.contains(':')), "{error:#}");
        let next = history.get(i + 1);
        assert_eq!(attempt.wait.is_some(), next.is_some(), "{error:#}");
        if let (Some(wait), Some(next)) = (attempt.wait, next) {
            let late = next.began.abs_diff(attempt.began + attempt.elapsed + wait);
            assert!(late <= ms(2), "{error:#}");
        }
    }
    let last = history.last().unwrap();
    assert!(error.elapsed().abs_diff(last.began + last.elapsed) <= ms(2), "{error:#}");
    assert!(!error.to_string().contains('\n'), "{error}");
    assert_eq!(format!("{error:#}").lines().count(), 1 + history.len());
    assert_eq!(format!("{error:?}").lines().count(), 1 + history.len());
}

#[tokio::test(start_paused = true)]
async fn a_long_history_is_bounded() {
    let Site { mock, table, .. } = site().await;
    mock.inject(Fault::on("Get").times(1_000).throw(&class("RegionTooBusyException"), "full"));
    let error = table.with_timeout(ms(20_000)).get("a").await.unwrap_err();
    assert!(error.attempts() > 17, "{error}");
    assert_eq!(error.history().len(), 16);
    assert_eq!(error.history()[15].number, error.attempts());
    let left_out = format!("({} attempts are left out)", error.attempts() - 16);
    assert!(format!("{error:#}").contains(&left_out), "{error:#}");
}

#[tokio::test(start_paused = true)]
async fn what_was_never_sent_has_no_history() {
    let Site { table, .. } = site().await;
    let error = table.put(Put::new("").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!((error.attempts(), error.history().len()), (0, 0));
    let error = table.put(Put::new("a").cell("nosuch", "q", "v")).await.unwrap_err();
    assert_eq!(error.history().len(), 1);
    assert!(!format!("{error:?}").contains('\n'), "the only attempt is in the text already");
}

#[tokio::test(start_paused = true)]
async fn operations_above_the_threshold_are_told_and_others_are_not() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    let config = config().slow_operations(ms(250), move |operation| {
        let causes: Vec<_> = operation.attempts().iter().map(|a| a.error_type.clone()).collect();
        let error = operation.error().map(Error::kind);
        tell.lock().unwrap().push((operation.operation(), operation.row(), causes, error));
    });
    let Site { mock, table, .. } = site_with(config, &[]).await;
    told.lock().unwrap().clear();
    table.get("quick").await.unwrap();
    mock.inject(Fault::on("Get").times(1).delay_in_queue(ms(200)));
    table.get("not slow yet").await.unwrap();
    mock.inject(Fault::on("Get").times(1).drop_reply());
    table.get("slow").await.unwrap();
    mock.inject(Fault::on("Mutate").times(1).drop_reply());
    table.put(Put::new("lost").cell("f", "q", "v")).await.unwrap_err();
    let slow = |row: &str| Some(format!("{row:?}"));
    assert_eq!(
        *told.lock().unwrap(),
        [
            ("get", slow("slow"), vec!["Timeout".to_owned(), String::new()], None),
            ("put", slow("lost"), vec!["OutcomeUnknown".into()], Some(ErrorKind::OutcomeUnknown)),
        ]
    );
}

/// All that an error says in text.
fn texts(error: &Error) -> String {
    let mut all = format!("{error}\n{error:#}\n{error:?}\n{error:#?}");
    let mut source = error.source();
    while let Some(cause) = source {
        all += &format!("\n{cause}\n{cause:?}");
        source = cause.source();
    }
    all
}

/// Errors of many kinds about the row `secret`.
async fn errors(config: Config) -> Vec<Error> {
    let config = config.max_cell_bytes(1_000);
    let Site { mock, table, .. } = site_with(config, &["secret", "tsecret"]).await;
    let put = || Put::new("secret").cell("f", "q", "v");
    let mut errors = Vec::new();
    errors.push(table.put(put().cell("f", "big", [0; 2_000])).await.unwrap_err());
    errors.push(table.put(Put::new("secret").cell("nosuch", "q", "v")).await.unwrap_err());
    let other = RowMutations::new("row").add(put());
    errors.push(table.mutate_row(other).await.unwrap_err());
    let hash = "0123456789abcdef0123456789abcdef";
    let texts = [
        "no secret, startKey='secret', row='secret'",
        &format!("t,secret,1732222222222.{hash}. is closing"),
    ];
    for text in texts {
        for class_name in ["DoNotRetryIOException", "NotServingRegionException", "Odd"] {
            let table = table.clone().with_timeout(ms(400));
            mock.inject(Fault::on("Mutate").times(1_000).throw(&class(class_name), text));
            errors.push(table.put(put()).await.unwrap_err());
            mock.clear_faults();
        }
    }
    mock.inject(Fault::on("Mutate").times(1).close_after());
    errors.push(table.put(put()).await.unwrap_err());
    errors
}

#[tokio::test(start_paused = true)]
async fn row_keys_are_in_errors_as_configured_and_in_no_other_way() {
    for error in errors(config()).await {
        assert!(texts(&error).contains("\"secret\""), "{error}");
    }
    for error in errors(config().row_keys(RowKeyDisplay::Hashed)).await {
        let texts = texts(&error);
        assert!(!texts.contains("secret"), "{texts}");
        // The first 12 digits of the MD5 of `secret`.
        let shown = texts.contains("#5ebe2294ecd0") || error.row() == Some(b"row");
        assert!(shown, "{texts}");
    }
    for error in errors(config().row_keys(RowKeyDisplay::Hidden)).await {
        let texts = texts(&error);
        assert!(!texts.contains("secret") && !texts.contains('#'), "{texts}");
        assert!(error.row() == Some(b"row") || error.row() == Some(b"secret"));
    }
}
