//! Writes whose reply is lost, late or an exception.

use std::time::Duration;

use tallrow::{
    Append, Delete, DeliveryGuarantee, ErrorKind, Increment, Put,
    op::{Check, RowMutations},
};
use tallrow_mock::{CallFaultBuilder, Fault};
use tokio::time::Instant;

use super::{ATTEMPT_TIMEOUT, Effect, Site, called, class, config, patient, site, site_with};

fn one() -> Increment {
    Increment::new("r").add("f", "n", 1)
}

#[tokio::test(start_paused = true)]
async fn an_increment_whose_reply_is_lost_is_counted_once() {
    let site = site().await;
    let effects: [Effect; 4] = [
        CallFaultBuilder::drop_reply,
        CallFaultBuilder::close_after,
        CallFaultBuilder::truncate_reply,
        CallFaultBuilder::drop_request,
    ];
    for (done, effect) in effects.into_iter().enumerate() {
        let before = site.mock.call_count("Mutate");
        site.mock.inject(effect(Fault::on("Mutate").nth(1)));
        assert_eq!(site.table.increment(one()).await.unwrap(), None, "its value is not known");
        assert_eq!(site.mock.call_count("Mutate") - before, 2);
        assert_eq!(counter(&site, "n").await, done as i64 + 1);
    }
}

async fn counter(site: &Site, qualifier: &str) -> i64 {
    let row = site.table.get("r").await.unwrap().unwrap();
    row.counter("f", qualifier).unwrap().unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_increment_that_the_server_first_rejected_returns_its_value() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").times(2).not_serving());
    let row = site.table.increment(one()).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(1));
    assert_eq!(site.mock.call_count("Mutate"), 3);
}

#[tokio::test(start_paused = true)]
async fn an_increment_that_failed_on_the_server_may_have_been_applied() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).throw("java.io.IOException", "log sync"));
    assert_eq!(site.table.increment(one()).await.unwrap(), None);
    assert_eq!(counter(&site, "n").await, 1);
}

#[tokio::test(start_paused = true)]
async fn the_value_of_another_increment_is_never_returned() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let increment = tokio::spawn({
        let table = site.table.clone();
        async move { table.increment(one()).await }
    });
    called(&site.mock, "Mutate", 1).await;
    let mut values = Vec::new();
    for _ in 0..3 {
        let row = site.table.increment(one()).await.unwrap().unwrap();
        values.push(row.counter("f", "n").unwrap().unwrap());
    }
    assert_eq!(values, [2, 3, 4]);
    assert_eq!(increment.await.unwrap().unwrap(), None);
    assert_eq!(counter(&site, "n").await, 4);
}

#[tokio::test(start_paused = true)]
async fn an_append_whose_reply_is_lost_is_applied_once() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let append = Append::new("r").add("f", "q", "ab");
    assert_eq!(site.table.append(append).await.unwrap(), None, "its value is not known");
    let row = site.table.get("r").await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"ab"[..]));
}

/// In real time, which two threads need.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counters_are_exact_although_one_reply_in_ten_is_lost() {
    let site = site_with(patient(), &["r5"]).await;
    for method in ["Mutate", "Multi"] {
        site.mock.inject(Fault::on(method).chance(0.05).close_after());
        site.mock.inject(Fault::on(method).chance(0.05).close_before());
        site.mock
            .inject(Fault::on(method).chance(0.05).throw(&class("RegionTooBusyException"), "busy"));
    }
    let mut tasks = Vec::new();
    for task in 0..16 {
        let table = site.table.clone();
        tasks.push(tokio::spawn(async move {
            for i in 0..50 {
                let row = format!("r{}", (task + i) % 10);
                table.increment(Increment::new(row).add("f", "n", 1)).await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    site.mock.clear_faults();
    for i in 0..10 {
        let row = site.table.get(format!("r{i}")).await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(80));
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_is_not_idempotent_is_reported_as_unknown() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).close_after());
    let check = Check::new("r", "f", "q").if_not_exists().then(Put::new("r").cell("f", "q", "v"));
    let error = site.table.check_and_mutate(check).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::OutcomeUnknown, 1), "{error:?}");
    assert!(error.server().is_some() && error.region().unwrap().starts_with(b"t,"), "{error:?}");
    assert_eq!(site.mock.call_count("Mutate"), 1);
    assert!(site.table.exists("r").await.unwrap(), "this time it was applied");

    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let delete = Delete::new("r").newest_version("f", "q");
    let error = site.table.delete(delete).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert_eq!(site.mock.call_count("Mutate"), 2);
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_the_server_did_not_apply_is_retried() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").times(2).not_serving());
    let check = Check::new("r", "f", "q").if_not_exists().then(Put::new("r").cell("f", "q", "v"));
    assert!(site.table.check_and_mutate(check).await.unwrap().is_applied());
    assert_eq!(site.mock.call_count("Mutate"), 3);
}

#[tokio::test(start_paused = true)]
async fn a_write_without_a_reply_by_its_deadline_is_unknown() {
    let operation_timeout = Duration::from_millis(700);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    site.mock.inject(Fault::on("Mutate").drop_request());
    for (delivery, attempts, deadline) in [
        (DeliveryGuarantee::AtMostOnce, 1, ATTEMPT_TIMEOUT),
        (DeliveryGuarantee::AtLeastOnce, 3, operation_timeout),
    ] {
        let put = Put::new("r").cell("f", "q", "v").delivery(delivery);
        let error = site.table.put(put).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
        assert!(error.to_string().contains("may or may not be on the server"), "{error}");
        assert_eq!((error.attempts(), error.elapsed()), (attempts, deadline), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_with_a_garbage_reply_is_unknown() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).garbage(&b"\0\0\0\x04\xff\xff\xff\xff"[..]));
    let error = site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_dropped_write_does_not_affect_other_calls() {
    let site = site().await;
    site.mock.inject(Fault::on("Mutate").nth(1).delay_in_queue(Duration::from_millis(50)));
    let put = site.table.put(Put::new("a").cell("f", "q", "v"));
    assert!(tokio::time::timeout(Duration::from_millis(10), put).await.is_err());
    let dropped = Instant::now();
    for i in 0..20 {
        site.table.put(Put::new(format!("b{i}")).cell("f", "q", "v")).await.unwrap();
    }
    assert!(site.table.exists("b19").await.unwrap());
    assert!(dropped.elapsed().is_zero(), "{:?}", dropped.elapsed());
}

#[tokio::test(start_paused = true)]
async fn bytes_in_flight_are_bounded() {
    let operation_timeout = Duration::from_millis(400);
    let config = config().in_flight_bytes(4_096).operation_timeout(operation_timeout);
    let site = site_with(config.clone(), &[]).await;
    site.mock.inject(Fault::on("Mutate").drop_request());
    site.mock.inject(Fault::on("Multi").drop_request());
    let puts = (0..40).map(|i| Put::new(format!("r{i}")).cell("f", "q", vec![7; 1_000]));
    let outcomes = site.table.put_all(puts).await;
    let errors: Vec<_> = outcomes.into_iter().map(|o| o.unwrap_err()).collect();
    // Two fit at a time. The next two are sent when the first two time out, the others never.
    for (i, error) in errors.iter().enumerate() {
        let (kind, after) = match i {
            0..2 => (ErrorKind::OutcomeUnknown, ATTEMPT_TIMEOUT),
            2..4 => (ErrorKind::OutcomeUnknown, operation_timeout),
            _ => (ErrorKind::Busy, operation_timeout),
        };
        assert_eq!((error.kind(), error.elapsed()), (kind, after), "{i}: {error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn row_mutations_whose_reply_is_lost_are_applied_once() {
    let site = site().await;
    let step = |value: &str| {
        RowMutations::new("r")
            .add(Put::new("r").cell("f", "q", value))
            .add(Increment::new("r").add("f", "n", 1).add("f", "m", 2))
            .delivery(DeliveryGuarantee::AtLeastOnce)
    };
    for (done, effect) in ["lost", "closed", "cut"].into_iter().enumerate() {
        let fault = Fault::on("Multi").nth(1);
        site.mock.inject(match effect {
            "lost" => fault.drop_reply(),
            "closed" => fault.close_after(),
            _ => fault.truncate_reply(),
        });
        let before = site.mock.call_count("Multi");
        assert_eq!(site.table.mutate_row(step(effect)).await.unwrap(), None);
        assert_eq!(site.mock.call_count("Multi") - before, 2);
        let done = done as i64 + 1;
        assert_eq!(counter(&site, "n").await, done, "{effect}");
        assert_eq!(counter(&site, "m").await, 2 * done, "{effect}");
        let row = site.table.get("r").await.unwrap().unwrap();
        assert_eq!(row.value("f", "q"), Some(effect.as_bytes()));
    }
}

#[tokio::test(start_paused = true)]
async fn row_mutations_with_a_delete_of_the_newest_version_are_unknown_if_lost() {
    let site = site().await;
    site.table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    let step = RowMutations::new("r")
        .add(Delete::new("r").newest_version("f", "q"))
        .add(Increment::new("r").add("f", "n", 1));
    site.mock.inject(Fault::on("Multi").nth(1).close_after());
    let error = site.table.mutate_row(step).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::OutcomeUnknown, 1), "{error:?}");
    assert_eq!(site.mock.call_count("Multi"), 1);
}

#[tokio::test(start_paused = true)]
async fn an_increment_without_a_reply_is_unknown_if_it_is_not_sent_again() {
    let package = "org.apache.hadoop.hbase";
    let meta_is_down = Fault::on("Scan")
        .table("hbase:meta")
        .throw(&format!("{package}.ipc.ServerNotRunningYetException"), "Server is not running yet");
    // A server looks at quotas before it looks at the nonce.
    let full = |method: &str| {
        let class = format!("{package}.quotas.SpaceLimitingException");
        Fault::on(method).throw_with_do_not_retry(
            &class,
            "t is in violation of a space quota",
            true,
        )
    };
    for (method, later) in [
        ("Mutate", vec![meta_is_down.clone()]),
        ("Multi", vec![meta_is_down]),
        ("Mutate", vec![full("Mutate")]),
        ("Multi", vec![full("Mutate"), full("Multi")]),
    ] {
        let site = site().await;
        site.mock.inject(Fault::on(method).nth(1).close_after());
        for fault in &later {
            site.mock.inject(fault.clone());
        }
        let error = match method {
            "Mutate" => site.table.increment(one()).await.unwrap_err(),
            _ => {
                let two = [one(), Increment::new("s").add("f", "n", 1)];
                site.table.batch(two).await.into_iter().next().unwrap().unwrap_err()
            }
        };
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{later:?}: {error:?}");
        site.mock.clear_faults();
        let row = site.table.get("r").await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(1), "{later:?}: {error:?}");
    }
}
