//! Options of single calls: time, and what the servers are told.

use std::time::Duration;

use tallrow::op::{CallOptions, Check, Durability, RowMutations};
use tallrow::{Append, Client, Delete, ErrorKind, Get, Increment, Put, RetryBudget, Scan};
use tallrow_mock::Fault;
use tallrow_tests::{Header, Recorded};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::{Site, class, config, site};

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The server answers other calls all the time, so that the connection is not given up while one
/// has no reply: that would end an attempt early.
fn answering(site: &Site) -> JoinHandle<()> {
    let table = site.table.clone();
    tokio::spawn(async move {
        loop {
            table.put(Put::new("other").cell("f", "q", "v")).await.unwrap();
            sleep(millis(20)).await;
        }
    })
}

#[tokio::test(start_paused = true)]
async fn an_operation_has_its_own_deadline_and_time_for_an_attempt() {
    let site = site().await;
    let _others = answering(&site);
    site.mock.inject(Fault::on("Get").times(100).drop_reply());
    let options = CallOptions::new().timeout(millis(1_000)).attempt_timeout(millis(100));
    for own in [true, false] {
        let before = site.mock.call_count("Get");
        let started = Instant::now();
        let error = match own {
            true => site.table.get(Get::new("r").options(options.clone())).await,
            false => site.table.clone().with_options(options.clone()).get("r").await,
        };
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Timeout);
        assert!(started.elapsed() <= millis(1_000), "{:?}", started.elapsed());
        let attempts = site.mock.call_count("Get") - before;
        assert!((8..=11).contains(&attempts), "{attempts} of 100 ms each");
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_of_a_batch_has_its_own_deadline_and_time_for_an_attempt() {
    let site = site().await;
    let _others = answering(&site);
    site.mock.inject(Fault::on("Get").times(100).drop_reply());
    let options = CallOptions::new().timeout(millis(1_000)).attempt_timeout(millis(100));
    let started = Instant::now();
    let gets = [Get::new("a"), Get::new("b"), Get::new("c").options(options)];
    let outcomes: Vec<_> = site.table.get_all(gets).await.into_iter().collect();
    assert!(started.elapsed() <= millis(1_000), "{:?}", started.elapsed());
    let error = outcomes[2].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!((8..=11).contains(&error.attempts()), "{error:?}");
    assert!(outcomes[..2].iter().all(Result::is_ok), "{outcomes:?}");
}

#[tokio::test(start_paused = true)]
async fn retries_of_a_batch_are_limited_as_those_of_its_operations() {
    let site = site().await;
    site.mock
        .inject(Fault::on("Multi").times(100).throw(&class("RegionTooBusyException"), "not now"));
    for (config, kind, calls) in [
        (config().max_retries(3), ErrorKind::Busy, 4),
        (config().retry_budget(RetryBudget::new(0, 0)), ErrorKind::RetryBudgetSpent, 1),
    ] {
        let table = site.connect(config).await.raw_table("t").unwrap();
        let before = site.mock.call_count("Multi");
        for outcome in table.get_all(["a", "b", "c"]).await {
            let error = outcome.unwrap_err();
            assert_eq!((error.kind(), error.attempts()), (kind, calls), "{error:?}");
        }
        assert_eq!(site.mock.call_count("Multi") - before, u64::from(calls));
    }
}

#[tokio::test(start_paused = true)]
async fn retries_wait_for_their_turn_in_the_budget() {
    let site = site().await;
    let busy = class("RegionTooBusyException");
    site.mock.inject(Fault::on("Multi").nth(1).throw(&busy, "not now"));
    let config = config().operation_timeout(Duration::from_secs(120));
    let config = config.retry_budget(RetryBudget::new(0, 10));
    let table = site.connect(config).await.raw_table("t").unwrap();
    let started = Instant::now();
    for outcome in table.get_all((0..1_000).map(|i| format!("r{i}"))).await {
        outcome.unwrap();
    }
    // 400 had no turn to wait for, and the other 600 had one in each tenth of a second.
    let elapsed = started.elapsed();
    assert!((Duration::from_secs(59)..Duration::from_secs(61)).contains(&elapsed), "{elapsed:?}");
    assert!(site.mock.unfired_faults().is_empty());
}

#[tokio::test(start_paused = true)]
async fn attempts_that_no_server_works_on_take_nothing_from_the_budget() {
    let site = site().await;
    let config = config().retry_budget(RetryBudget::new(0, 0));
    let table = site.connect(config).await.raw_table("t").unwrap();
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    let home = site.mock.regions("t")[0].server.unwrap();
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).times(100).drop_reply());
    }
    let rows: Vec<_> = (0..100).map(|i| format!("r{i}")).collect();
    let gets = rows.iter().map(|row| table.get(row.clone())).collect::<Vec<_>>();
    let gets = futures_util::future::join_all(gets);
    let dies = async {
        sleep(millis(10)).await;
        assert!(site.mock.call_count("Multi") > 0);
        site.mock.start_server().unwrap();
        site.mock.kill_server(home).unwrap();
        site.mock.clear_faults();
    };
    let (outcomes, ()) = tokio::join!(gets, dies);
    for outcome in outcomes {
        outcome.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_scan_has_its_own_deadline_and_time_for_an_attempt() {
    let site = site().await;
    site.mock.inject(Fault::on("Scan").times(100).drop_reply());
    let options = CallOptions::new().timeout(millis(1_000)).attempt_timeout(millis(100));
    let before = site.mock.call_count("Scan");
    let started = Instant::now();
    let mut rows = site.table.scan(Scan::all().options(options)).unwrap();
    assert_eq!(rows.next_row().await.unwrap_err().kind(), ErrorKind::Timeout);
    assert!(started.elapsed() <= millis(1_000), "{:?}", started.elapsed());
    assert!(site.mock.call_count("Scan") - before >= 3);
}

/// A client of a site, whose calls are recorded.
async fn recorded(site: &Site) -> (Client, Recorded) {
    let recorded = Recorded::default();
    let config = config().connector(recorded.connector(&site.mock));
    (Client::connect_with(&site.mock.url(), config).await.unwrap(), recorded)
}

fn contains(header: &Header, text: &str) -> bool {
    header.body.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test(start_paused = true)]
async fn the_header_of_a_call_has_the_priority() {
    let site = site().await;
    let (client, recorded) = recorded(&site).await;
    let table = client.raw_table("t").unwrap();
    let of = |priority| CallOptions::new().priority(priority);
    table.get(Get::new("r").options(of(7))).await.unwrap();
    table.get("r").await.unwrap();
    table.clone().with_options(of(5)).put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    table.increment(Increment::new("i").add("f", "n", 1).options(of(300))).await.unwrap();
    let meta = client.raw_table("hbase:meta").unwrap();
    meta.get(Get::new("r").options(of(7))).await.unwrap();
    table.count(Scan::all().options(of(8))).await.unwrap();
    let priorities = |method| -> Vec<u64> {
        let mut all: Vec<_> = recorded.calls(method).iter().map(|header| header.priority).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(priorities("Get"), [0, 7, 200]);
    assert_eq!(priorities("Mutate"), [5, 300]);
    // The others read hbase:meta.
    assert_eq!(priorities("Scan").into_iter().filter(|p| *p != 200).collect::<Vec<_>>(), [8]);
}

#[tokio::test(start_paused = true)]
async fn operations_of_different_priorities_do_not_share_calls() {
    let site = site().await;
    let (client, recorded) = recorded(&site).await;
    let table = client.raw_table("t").unwrap();
    let gets = (0..40).map(|n| {
        let priority = n / 20;
        Get::new(format!("row of {priority}")).options(CallOptions::new().priority(priority))
    });
    table.get_all(gets).await.into_result().unwrap();
    let (shared, single) = (recorded.calls("Multi"), recorded.calls("Get"));
    assert!(shared.len() >= 2 && shared.len() + single.len() < 20, "{shared:?}");
    for call in shared.iter().chain(&single) {
        for priority in 0..2 {
            let has = contains(call, &format!("row of {priority}"));
            assert_eq!(has, call.priority == priority, "{call:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn attributes_are_in_the_messages() {
    let site = site().await;
    let (client, recorded) = recorded(&site).await;
    let options = CallOptions::new()
        .operation_id("report 7")
        .attribute("my.attribute", "its value")
        .visibility("secret|eu")
        .authorizations(["label one"])
        .durability(Durability::SkipWal);
    let table = client.raw_table("t").unwrap().with_options(options);
    table.get("r").await.unwrap();
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    table.count(Scan::all()).await.unwrap();
    for method in ["Get", "Mutate", "Scan"] {
        let calls = recorded.calls(method);
        let call = calls.last().unwrap();
        for text in
            ["_operation.attributes.id", "report 7", "my.attribute", "its value", "VISIBILITY"]
        {
            assert!(contains(call, text), "{method}: {text}");
        }
        assert_eq!(contains(call, "secret|eu"), method == "Mutate");
        assert_eq!(contains(call, "label one"), method != "Mutate");
    }
    let durability = |header: &Header| header.body.windows(2).any(|bytes| bytes == [0x30, 1]);
    assert!(recorded.calls("Mutate").iter().all(durability));
}

#[tokio::test(start_paused = true)]
async fn no_write_is_sent_with_a_visibility_expression_that_a_server_cannot_read() {
    let site = site().await;
    let (client, recorded) = recorded(&site).await;
    let wrong = CallOptions::new().visibility("a &");
    let table = client.raw_table("t").unwrap().with_options(wrong.clone());
    table.get("r").await.unwrap();
    let put = || Put::new("r").cell("f", "q", "v");
    let checked = Check::new("r", "f", "q").if_not_exists().then(put());
    let several = RowMutations::new("r").add(put()).add(Delete::new("r").column("f", "p"));
    let refused = [
        table.put(put()).await,
        table.delete("r").await,
        table.increment(Increment::new("r").add("f", "n", 1)).await.map(drop),
        table.append(Append::new("r").add("f", "a", "x")).await.map(drop),
        table.mutate_row(several.clone()).await.map(drop),
        table.mutate_rows([several]).await,
        table.check_and_mutate(checked).await.map(drop),
        table.put_all([put()]).await.into_result().map(drop),
        table.delete_all(["r"]).await.into_result().map(drop),
        table.batch([put().options(wrong)]).await.into_result().map(drop),
        table.validate(put()),
    ];
    for (at, result) in refused.into_iter().enumerate() {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{at}: {error}");
        assert!(error.to_string().contains("\"a &\" has no label at byte 3"), "{at}: {error}");
    }
    assert!(!recorded.has_sent(b"a &"));
}

#[tokio::test(start_paused = true)]
async fn retries_are_limited_if_the_configuration_says_so() {
    let site = site().await;
    site.mock
        .inject(Fault::on("Get").times(100).throw(&class("RegionTooBusyException"), "not now"));
    for (max, calls) in [(0, 1), (3, 4)] {
        let table = site.connect(config().max_retries(max)).await.raw_table("t").unwrap();
        let before = site.mock.call_count("Get");
        let error = table.get("r").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Busy, calls), "{error:?}");
        assert!(error.to_string().contains("max_retries allows no further attempt"), "{error}");
        assert_eq!(site.mock.call_count("Get") - before, u64::from(calls));
    }
}

#[tokio::test(start_paused = true)]
async fn reads_and_writes_have_their_own_time_for_an_attempt() {
    let site = site().await;
    let config = config()
        .operation_timeout(millis(2_000))
        .read_attempt_timeout(millis(1_900))
        .write_attempt_timeout(millis(100));
    let table = site.connect(config).await.raw_table("t").unwrap();
    table.get("r").await.unwrap();
    site.mock.inject(Fault::on("Get").times(100).drop_reply());
    site.mock.inject(Fault::on("Mutate").times(100).drop_reply());
    assert!(table.get("r").await.unwrap_err().attempts() <= 2);
    let increment = Increment::new("i").add("f", "n", 1);
    assert!(table.increment(increment).await.unwrap_err().attempts() >= 5);
}

#[tokio::test(start_paused = true)]
async fn an_overloaded_server_has_its_own_pause() {
    let site = site().await;
    let config = config().pause(millis(1)).overloaded_pause(Duration::from_secs(2));
    let table = site.connect(config).await.raw_table("t").unwrap();
    table.get("r").await.unwrap();
    let waited = async |name: &str| {
        let mut waited = Duration::ZERO;
        for _ in 0..5 {
            site.mock.inject(Fault::on("Get").nth(1).throw(&class(name), "not now"));
            let started = Instant::now();
            table.get("r").await.unwrap();
            waited += started.elapsed();
        }
        waited
    };
    assert!(waited("CallQueueTooBigException").await > millis(200));
    assert!(waited("NotServingRegionException").await < millis(200));
}
