//! 18 to 33: what hangs, waits for too long, or gives up too early.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tallrow::writer::{FailedWrite, Writer};
use tallrow::{Client, Config, Connector, ErrorKind, Put, Scan};
use tallrow_mock::Fault;
use tallrow_tests::in_memory;
use tokio::io::DuplexStream;
use tokio::time::{Instant, sleep};

use super::{class, config, keys, put, site, site_with};

/// gohbase#41
#[tokio::test(start_paused = true)]
async fn complaint_18_connecting_ends_and_says_what_failed() {
    let refused = || std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
    let connector =
        Connector::new(move |_, _| std::future::ready(Err::<DuplexStream, _>(refused())));
    let timeout = Duration::from_millis(500);
    let config = Config::new().connector(connector).connect_timeout(timeout);
    let started = Instant::now();
    let error = Client::connect_with("hbase+rpc://rs1", config).await.unwrap_err();
    assert!(started.elapsed() <= timeout, "{:?}", started.elapsed());
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Unreachable, "connect"));
    assert!(error.to_string().contains("refused"), "{error}");
}

/// gohbase#219
#[tokio::test(start_paused = true)]
async fn complaint_19_a_server_that_cannot_be_reached_is_named() {
    let site = site().await;
    let server = site.mock.server_address(0).unwrap();
    let mock = site.mock.clone();
    let connector = Connector::new(move |host, port| {
        let refused = port == server.port();
        let stream = if refused {
            Err(std::io::ErrorKind::ConnectionRefused.into())
        } else {
            mock.dial(&host, port)
        };
        std::future::ready(stream)
    });
    let config = config().connector(connector).operation_timeout(Duration::from_secs(2));
    let client = Client::connect_with(&site.mock.url(), config).await.unwrap();
    let error = client.raw_table("t").unwrap().get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(error.to_string().contains(&server.to_string()), "{error}");
}

/// gohbase#94
#[tokio::test(start_paused = true)]
async fn complaint_20_a_region_that_never_opens_blocks_nobody_beyond_the_deadline() {
    let site = site().await;
    site.inject(Fault::on("Get").table("t").times(100_000).not_serving());
    site.inject(Fault::on("Multi").table("t").times(100_000).not_serving());
    let started = Instant::now();
    let (a, b) = tokio::join!(site.table.get("a"), site.table.get("b"));
    assert!(a.is_err() && b.is_err());
    assert!(started.elapsed() <= Duration::from_secs(20), "{:?}", started.elapsed());
}

/// asynchbase#1
#[tokio::test(start_paused = true)]
async fn complaint_21_the_client_survives_a_restart_of_all_servers() {
    let site = site_with(config(), &["r10", "r20"]).await;
    site.fill(30, 10).await;
    for server in site.mock.live_servers() {
        let _ = site.mock.start_server().unwrap();
        site.mock.kill_server(server).unwrap();
    }
    assert_eq!(keys(&site.table, Scan::all()).await.len(), 30);
    site.table.put(put("after")).await.unwrap();
}

/// asynchbase#11
#[tokio::test(start_paused = true)]
async fn complaint_22_no_default_is_infinite() {
    let site = site_with(Config::new(), &[]).await;
    site.inject(Fault::on("Get").times(100_000).drop_request());
    site.inject(Fault::on("Scan").table("t").times(100_000).drop_request());
    let started = Instant::now();
    site.table.get("r").await.unwrap_err();
    assert!(started.elapsed() <= Duration::from_secs(10), "{:?}", started.elapsed());
    let started = Instant::now();
    site.table.scan(Scan::all()).unwrap().next_row().await.unwrap_err();
    assert!(started.elapsed() <= Duration::from_secs(31), "{:?}", started.elapsed());
}

/// asynchbase#195
#[tokio::test(start_paused = true)]
async fn complaint_23_a_connection_that_swallows_calls_is_replaced() {
    let site = site().await;
    site.table.put(put("v")).await.unwrap();
    site.inject(Fault::on("Get").nth(1).drop_request());
    let started = Instant::now();
    assert!(site.table.get("r").await.unwrap().is_some());
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

/// asynchbase#198
#[tokio::test(start_paused = true)]
async fn complaint_24_a_scanner_whose_lease_expired_is_opened_again_and_no_more() {
    let site = site().await;
    site.fill(40, 500).await;
    let scan = || Scan::all().bytes_per_call(2_000);
    let before = site.mock.call_count("Scan");
    assert_eq!(keys(&site.table, scan()).await.len(), 40);
    let whole = site.mock.call_count("Scan") - before;
    site.inject(
        Fault::on("Scan").table("t").nth(3).throw(&class("regionserver.LeaseException"), "expired"),
    );
    assert_eq!(keys(&site.table, scan()).await.len(), 40);
    let again = site.mock.call_count("Scan") - before - whole;
    assert!(again <= whole + 3, "{again} calls instead of {whole}");
}

/// apache/hbase#2322
#[tokio::test(start_paused = true)]
async fn complaint_25_each_waiter_for_a_lookup_keeps_its_own_deadline() {
    let site = site().await;
    let client = Client::connect_with(&site.mock.url(), config().connector(in_memory(&site.mock)))
        .await
        .unwrap();
    let table = client.raw_table("t").unwrap();
    site.inject(Fault::on("Scan").table("hbase:meta").times(3).drop_request());
    site.inject(Fault::on("Get").table("hbase:meta").times(3).drop_request());
    let hasty = table.clone().with_timeout(Duration::from_millis(300));
    let started = Instant::now();
    let hasty = async {
        let answer = hasty.get("r").await;
        (answer, started.elapsed())
    };
    let ((hasty, after), patient) = tokio::join!(hasty, table.get("r"));
    assert!(hasty.is_err() && after <= Duration::from_millis(300), "{after:?}");
    assert_eq!(patient.unwrap(), None);
}

/// apache/hbase#7107
#[tokio::test(start_paused = true)]
async fn complaint_26_a_callback_of_a_writer_may_use_the_writer() {
    let site = site().await;
    let writer = Arc::new(OnceLock::<Writer>::new());
    let (seen, failures) = tokio::sync::mpsc::unbounded_channel();
    let callback = {
        let (writer, table) = (writer.clone(), site.table.clone());
        move |failed: FailedWrite| {
            // It is called without a lock: what takes one of the writer's returns.
            let writer = writer.get().unwrap().clone();
            let waiting = writer.stats().waiting;
            let (table, seen) = (table.clone(), seen.clone());
            tokio::spawn(async move {
                writer.write(put("again")).await.unwrap();
                writer.flush().await.into_result().unwrap();
                let found = table.get("r").await.unwrap().unwrap();
                seen.send((failed.mutation.row().to_vec(), waiting, found)).unwrap();
            });
        }
    };
    let built = site.table.writer().max_operations(1).on_failure(callback).start().unwrap();
    writer.set(built.clone()).unwrap_or_else(|_| panic!("it is set once"));
    built.write(Put::new("bad").cell("none", "q", "v")).await.unwrap();
    let mut failures = failures;
    let (row, waiting, found) = failures.recv().await.unwrap();
    assert_eq!((&row[..], waiting, found.value("f", "q")), (&b"bad"[..], 0, Some(&b"again"[..])));
    assert!(built.close(Duration::from_secs(5)).await.is_complete());
}

/// jbh#4139
#[tokio::test(start_paused = true)]
async fn complaint_27_closing_a_writer_ends_in_time_and_gives_back_what_was_not_written() {
    let site = site().await;
    for method in ["Mutate", "Multi"] {
        site.inject(Fault::on(method).drop_request());
    }
    let writer = site.table.writer().batch_operations(10).start().unwrap();
    for n in 0..100 {
        writer.write(Put::new(format!("r{n:03}")).cell("f", "q", "v")).await.unwrap();
    }
    let started = Instant::now();
    let closed = writer.close(Duration::from_millis(200)).await;
    assert!(started.elapsed() <= Duration::from_millis(300), "{:?}", started.elapsed());
    let unknown = closed.failed.iter().map(|failed| (failed.mutation.row(), failed.error.kind()));
    let mut rows: Vec<_> = closed.unsent.iter().map(|unsent| unsent.row()).collect();
    for (row, kind) in unknown {
        assert_eq!(kind, ErrorKind::OutcomeUnknown);
        rows.push(row);
    }
    rows.sort_unstable();
    let all: Vec<_> = (0..100).map(|n| format!("r{n:03}").into_bytes()).collect();
    assert!(!closed.unsent.is_empty() && rows == all, "{rows:?}");
}

/// jbh#2156
#[tokio::test(start_paused = true)]
async fn complaint_28_the_time_of_a_slow_reader_is_not_that_of_the_scan() {
    let site = site_with(config().page_timeout(Duration::from_secs(2)), &[]).await;
    site.fill(20, 500).await;
    let mut rows = site.table.scan(Scan::all().bytes_per_call(1_000)).unwrap();
    let mut found = 0;
    while rows.next_row().await.unwrap().is_some() {
        found += 1;
        sleep(Duration::from_secs(10)).await;
    }
    assert_eq!(found, 20);
}

/// hortonworks-spark/shc#175
#[tokio::test(start_paused = true)]
async fn complaint_29_a_scan_that_was_idle_for_longer_than_its_lease_goes_on() {
    let site = site().await;
    site.fill(20, 500).await;
    let mut rows = site.table.scan(Scan::all().bytes_per_call(1_000)).unwrap();
    let before = site.mock.call_count("Scan");
    sleep(Duration::from_secs(600)).await;
    assert_eq!(site.mock.call_count("Scan"), before, "it is opened when it is read");
    let mut found = 0;
    while rows.next_row().await.unwrap().is_some() {
        found += 1;
        if found == 5 {
            sleep(Duration::from_secs(600)).await;
        }
    }
    assert_eq!(found, 20);
}

/// rskafka#65
#[tokio::test(start_paused = true)]
async fn complaint_30_retries_are_finite_and_told() {
    let site = site().await;
    site.inject(Fault::on("Get").times(100_000).throw(&class("RegionTooBusyException"), "busy"));
    let error = site.table.get("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    assert!(error.attempts() > 3 && error.elapsed() <= Duration::from_secs(20), "{error:?}");
    assert!(error.to_string().contains(&format!("{} attempts", error.attempts())), "{error}");
}

/// redis-rs#275
#[tokio::test(start_paused = true)]
async fn complaint_31_a_lost_connection_is_replaced() {
    let site = site().await;
    site.table.put(put("v")).await.unwrap();
    for _ in 0..5 {
        site.inject(Fault::on("Get").nth(1).close_before());
        assert!(site.table.get("r").await.unwrap().is_some());
    }
}

/// scylla-rust-driver#304
#[tokio::test(start_paused = true)]
async fn complaint_32_a_late_answer_is_given_to_nobody() {
    let site = site().await;
    let rows = ["a", "b"].map(|row| Put::new(row).cell("f", "q", row));
    site.table.put_all(rows).await.into_result().unwrap();
    site.inject(Fault::on("Get").nth(1).pause_handler(Duration::from_millis(200)));
    let hasty = site.table.clone().with_timeout(Duration::from_millis(100));
    hasty.get("a").await.unwrap_err();
    for _ in 0..20 {
        let found = site.table.get("b").await.unwrap().unwrap();
        assert_eq!(found.value("f", "q"), Some(&b"b"[..]));
        sleep(Duration::from_millis(20)).await;
    }
}

/// happybase#225
#[tokio::test(start_paused = true)]
async fn complaint_33_a_connection_that_was_closed_while_idle_is_not_noticed() {
    let site = site().await;
    let server = site.mock.start_server().unwrap();
    site.table.put(put("v")).await.unwrap();
    sleep(Duration::from_secs(300)).await;
    let home = site.mock.regions("t")[0].server.unwrap();
    assert_ne!(home, server);
    site.mock.kill_server(home).unwrap();
    sleep(Duration::from_secs(1)).await;
    // Nothing was sent on the old connection, so this is no unknown outcome.
    site.table.put(put("w")).await.unwrap();
}
