//! Batches: how many calls they take, and what becomes of each operation when some of them fail.

use std::collections::BTreeMap;
use std::time::Duration;

use tallrow::op::{Check, RowMutations, RowOperation};
use tallrow::{
    Append, Client, Delete, DeliveryGuarantee, ErrorKind, Get, Increment, Put, RawTable, Row, Scan,
};
use tallrow_mock::{CallFaultBuilder, Fault, MockCluster};
use tallrow_tests::{Place, in_memory};
use tokio::time::Instant;

use super::{
    ATTEMPT_TIMEOUT, LOST, Site, called, calls, cancel, class, config, seed, since, site, site_with,
};

fn put(row: impl AsRef<[u8]>) -> Put {
    Put::new(row).cell("f", "q", "v")
}

fn row(i: usize) -> String {
    format!("{i:05}")
}

async fn written(table: &RawTable) -> usize {
    Place::keys(table, Scan::all()).await.len()
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_operations_on_a_hundred_regions_take_ten_calls() {
    let splits: Vec<String> = (1..100).map(|i| row(i * 100)).collect();
    let splits: Vec<&str> = splits.iter().map(String::as_str).collect();
    let site = site_with(config(), &splits).await;
    assert_eq!(site.mock.regions("t").len(), 100);
    // No neighbours, so that each region is met again and again.
    let rows = || (0..10_000).map(|i| row(i * 7_919 % 10_000));
    let before = calls(&site.mock);
    site.table.put_all(rows().map(put)).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 10, 0], "1,000 operations each, on two servers");
    let before = calls(&site.mock);
    let found = site.table.get_all(rows()).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 10, 0]);
    for (row, found) in rows().zip(found) {
        assert_eq!(found.unwrap().key(), row.as_bytes());
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_one_call_for_each_server() {
    let site = site_with(config(), &["00050"]).await;
    let before = calls(&site.mock);
    site.table.put_all((0..100).map(|i| put(row(i)))).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0]);
    let before = calls(&site.mock);
    site.table.put_all([put("00000")]).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 1, 0, 0], "one operation is sent as itself");
    assert!(site.table.put_all([]).await.is_empty());
    assert_eq!(since(&site.mock, before), [0, 1, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_batch_are_bounded_in_operations_and_bytes_and_go_side_by_side() {
    let site = site().await;
    let queued = Duration::from_millis(20);
    site.mock.inject(Fault::on("Multi").delay_in_queue(queued));
    let started = Instant::now();
    let before = calls(&site.mock);
    site.table.put_all((0..2_001).map(|i| put(row(i)))).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 1, 2, 0], "1,000 each, and the last one alone");
    assert_eq!(started.elapsed(), queued, "two at a time, and the single one is not held back");
    let before = calls(&site.mock);
    let large = (0..10).map(|i| Put::new(row(i)).cell("f", "q", vec![7; 512 << 10]));
    site.table.put_all(large).await.into_result().unwrap();
    assert_eq!(
        since(&site.mock, before),
        [0, 1, 3, 0],
        "three of 512 KiB fit in 2 MiB with their keys"
    );
}

/// A site with so many servers and one region on each.
async fn servers(count: usize) -> Site {
    seed().await;
    let mock = MockCluster::builder().servers(count).in_memory().start().await.unwrap();
    let config = config().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    let splits: Vec<String> = (1..count).map(|i| row(i * 100)).collect();
    let splits: Vec<&str> = splits.iter().map(String::as_str).collect();
    let site = Site::new(mock, client, &splits).await;
    for (i, region) in site.mock.regions("t").iter().enumerate() {
        if region.server != Some(i) {
            site.mock.move_region("t", &region.start_key, i).unwrap();
        }
    }
    site.client.prefetch_regions("t").await.unwrap();
    site.table.get_all((0..count).map(|i| row(i * 100))).await.into_result().unwrap();
    site
}

#[tokio::test(start_paused = true)]
async fn what_a_dead_server_had_is_sent_to_its_successors() {
    let site = servers(3).await;
    site.mock.kill_server(1).unwrap();
    let before = calls(&site.mock);
    let rows = || (0..300).map(row);
    site.table.put_all(rows().map(put)).await.into_result().unwrap();
    let [.., multi, _] = since(&site.mock, before);
    assert_eq!(multi, 3, "one call for each living server, and one for what the dead one had");
    let found = site.table.get_all(rows()).await.into_result().unwrap();
    assert!(rows().zip(found).all(|(row, found)| found.unwrap().key() == row.as_bytes()));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_silent_holds_back_only_its_own_operations() {
    let site = servers(3).await;
    site.mock.inject(Fault::on("Multi").server(1).drop_request());
    let started = Instant::now();
    let outcomes = site
        .table
        .clone()
        .with_timeout(ATTEMPT_TIMEOUT)
        .put_all((0..300).map(|i| put(row(i))))
        .await;
    assert_eq!(started.elapsed(), ATTEMPT_TIMEOUT);
    for (i, outcome) in outcomes.into_iter().enumerate() {
        match i / 100 {
            1 => {
                let error = outcome.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
                assert_eq!((error.row(), error.operation()), (Some(row(i).as_bytes()), "put"));
                assert_eq!((error.attempts(), error.elapsed()), (1, ATTEMPT_TIMEOUT));
            }
            _ => outcome.unwrap(),
        }
    }
    site.mock.clear_faults();
    assert_eq!(written(&site.table).await, 200);
}

#[tokio::test(start_paused = true)]
async fn operations_of_a_region_that_moved_follow_it_together() {
    let site = servers(3).await;
    site.mock.move_region("t", b"00100", 2).unwrap();
    let before = calls(&site.mock);
    site.table.put_all((0..300).map(|i| put(row(i)))).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 4, 0], "and one for what moved");
    assert_eq!(written(&site.table).await, 300);
}

#[tokio::test(start_paused = true)]
async fn operations_of_a_region_that_was_split_go_to_both_parts() {
    let site = servers(2).await;
    site.mock.split_region("t", b"00050").unwrap();
    let before = calls(&site.mock);
    site.table.put_all((0..200).map(|i| put(row(i)))).await.into_result().unwrap();
    assert!(since(&site.mock, before)[2] <= 4, "{:?}", since(&site.mock, before));
    assert_eq!(written(&site.table).await, 200);
}

#[tokio::test(start_paused = true)]
async fn increments_and_appends_whose_replies_are_lost_are_applied_once() {
    for effect in LOST.into_iter().chain([CallFaultBuilder::truncate_reply as super::Effect]) {
        let site = site().await;
        site.mock.inject(effect(Fault::on("Multi").nth(1)));
        let operations = (0..100).map(|i| -> RowOperation {
            match i % 4 {
                0 => Increment::new(row(i)).add("f", "n", 1).into(),
                1 => Append::new(row(i)).add("f", "q", "a").into(),
                2 => RowMutations::new(row(i))
                    .add(Put::new(row(i)).cell_at(
                        "f",
                        "p",
                        tallrow::Timestamp::from_millis(1),
                        "v",
                    ))
                    .add(Increment::new(row(i)).add("f", "n", 1))
                    .into(),
                _ => Get::new(row(i)).into(),
            }
        });
        let outcomes = site.table.batch(operations).await.into_result().unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        for (i, outcome) in outcomes.iter().enumerate() {
            assert!(outcome.applied && outcome.row.is_none(), "{i}: its value is not known");
        }
        let rows = site.table.get_all((0..100).map(row)).await.into_result().unwrap();
        for (i, found) in rows.into_iter().enumerate() {
            let counter = |row: Row| row.counter("f", "n").unwrap();
            match i % 4 {
                0 | 2 => assert_eq!(counter(found.unwrap()), Some(1), "{i}"),
                1 => assert_eq!(found.unwrap().value("f", "q"), Some(&b"a"[..]), "{i}"),
                _ => assert_eq!(found, None),
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_increment_of_a_batch_is_unknown_if_its_region_moved_from_a_live_server() {
    let site = servers(2).await;
    site.mock.inject(Fault::on("Multi").server(0).nth(1).drop_reply());
    let batch = tokio::spawn({
        let table = site.table.clone();
        async move {
            let increments = (0..200).map(|i| Increment::new(row(i)).add("f", "n", 1));
            table.batch(increments).await
        }
    });
    called(&site.mock, "Multi", 2).await;
    site.mock.move_region("t", b"00000", 1).unwrap();
    for (i, outcome) in batch.await.unwrap().into_iter().enumerate() {
        match outcome {
            Ok(outcome) => assert!(i >= 100 && outcome.row.is_some(), "{i}: {outcome:?}"),
            Err(error) => {
                assert!(i < 100, "{error:?}");
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
            }
        }
    }
    for found in site.table.get_all((0..200).map(row)).await.into_result().unwrap() {
        assert_eq!(found.unwrap().counter("f", "n").unwrap(), Some(1));
    }
}

/// Each kind of operation after a lost reply, as if it were alone.
#[tokio::test(start_paused = true)]
async fn each_operation_is_sent_again_or_not_by_its_own_rule() {
    let site = site().await;
    site.mock.inject(Fault::on("Multi").nth(1).close_after());
    let operations: Vec<RowOperation> = vec![
        put("a").into(),
        put("b").delivery(DeliveryGuarantee::AtLeastOnce).into(),
        Put::new("c").cell_at("f", "q", tallrow::Timestamp::from_millis(5), "v").into(),
        put("d").delivery(DeliveryGuarantee::Idempotent).into(),
        Get::new("e").into(),
        Delete::new("f").newest_version("f", "q").into(),
        Check::new("g", "f", "q").if_not_exists().then(put("g")).into(),
        Increment::new("h").add("f", "n", 1).into(),
        Check::new("i", "f", "q").if_not_exists().then(Increment::new("i").add("f", "n", 1)).into(),
        Check::new("j", "f", "n").if_not_exists().then(Increment::new("j").add("f", "n", 1)).into(),
    ];
    let outcomes = site.table.batch(operations).await;
    assert_eq!(site.mock.unfired_faults(), []);
    let unknown = outcomes.iter().map(|outcome| match outcome {
        Ok(_) => false,
        Err(error) => error.kind() == ErrorKind::OutcomeUnknown,
    });
    // The last one has ended its own condition.
    let expected = [true, false, false, false, false, true, true, false, false, true];
    assert_eq!(unknown.collect::<Vec<_>>(), expected, "{outcomes:?}");
    assert_eq!(
        Place::keys(&site.table, Scan::all()).await,
        ["a", "b", "c", "d", "g", "h", "i", "j"]
    );
}

#[tokio::test(start_paused = true)]
async fn operations_that_a_busy_server_refused_are_sent_again_with_their_nonces() {
    let site = site().await;
    site.mock.inject(Fault::on("Multi").times(3).throw(&class("RegionTooBusyException"), "busy"));
    let increments = (0..100).map(|i| Increment::new(row(i)).add("f", "n", 1));
    let outcomes = site.table.batch(increments).await.into_result().unwrap();
    for outcome in outcomes {
        assert_eq!(outcome.row.unwrap().counter("f", "n").unwrap(), Some(1));
    }
    assert_eq!(site.mock.call_count("Multi"), 4);
}

#[tokio::test(start_paused = true)]
async fn operations_that_differ_in_what_they_wait_for_do_not_wait_for_each_other() {
    let site = servers(2).await;
    let wait = "number of requests exceeded - wait 5sec";
    let throttled = class("quotas.RpcThrottlingException");
    site.mock.inject(Fault::on("Multi").server(0).nth(1).throw(&throttled, wait));
    site.mock.inject(
        Fault::on("Multi").server(1).nth(1).throw(&class("RegionTooBusyException"), "busy"),
    );
    let started = Instant::now();
    let (slow, fast): (Vec<_>, Vec<_>) =
        ((0..100).map(row).collect(), (100..200).map(row).collect());
    let batch = tokio::spawn({
        let table = site.table.clone();
        let rows = slow.iter().chain(&fast).map(put).collect::<Vec<_>>();
        async move { table.put_all(rows).await.into_result().map(drop) }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(site.mock.call_count("Multi"), 3, "the busy server was asked again");
    batch.await.unwrap().unwrap();
    assert_eq!(started.elapsed().as_secs(), 5);
    assert_eq!(written(&site.table).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_region_without_a_server_is_waited_for() {
    let site = servers(3).await;
    site.mock.inject(Fault::on("Multi").server(1).times(5).not_serving());
    site.table.put_all((0..300).map(|i| put(row(i)))).await.into_result().unwrap();
    assert_eq!(written(&site.table).await, 300);
}

#[tokio::test(start_paused = true)]
async fn a_batch_on_a_table_that_does_not_exist_fails_for_each_operation() {
    let site = site().await;
    let table = site.client.raw_table("nosuch").unwrap();
    let outcomes = table.batch([put("a"), put("b")]).await;
    for (row, outcome) in ["a", "b"].iter().zip(outcomes) {
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::TableNotFound, Some(row.as_bytes())));
        assert_eq!((error.operation(), error.table().unwrap().as_str()), ("put", "nosuch"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_batch_frees_its_bytes_and_does_not_affect_other_calls() {
    let site = site_with(config().in_flight_bytes(1 << 20), &[]).await;
    site.mock.inject(Fault::on("Multi").nth(1).drop_reply());
    let batch = tokio::spawn({
        let table = site.table.clone();
        async move { table.put_all((0..5_000).map(|i| put(row(i)))).await }
    });
    called(&site.mock, "Multi", 1).await;
    cancel(batch).await;
    let dropped = Instant::now();
    site.table.put_all((0..100).map(|i| put(row(i)))).await.into_result().unwrap();
    assert!(dropped.elapsed().is_zero(), "{:?}", dropped.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_batch_larger_than_the_limit_of_bytes_is_sent_in_parts() {
    let site = site_with(config().in_flight_bytes(64 << 10), &["00500"]).await;
    site.table.put_all((0..1_000).map(|i| put(row(i)))).await.into_result().unwrap();
    assert_eq!(written(&site.table).await, 1_000);
    assert!(site.mock.call_count("Multi") >= 9, "{}", site.mock.call_count("Multi"));
}

/// Whatever happens, there is one outcome for each operation, and it is true.
#[tokio::test(start_paused = true)]
async fn outcomes_are_true_although_one_call_in_three_fails() {
    let site = servers(3).await;
    for effect in LOST {
        site.mock.inject(effect(Fault::on("Multi").chance(0.08)));
        site.mock.inject(effect(Fault::on("Mutate").chance(0.08)));
    }
    site.mock.inject(Fault::on("Multi").chance(0.08).not_serving());
    let mut certain: BTreeMap<usize, bool> = BTreeMap::new();
    for round in 0..20 {
        let rows = (round * 100..(round + 1) * 100).collect::<Vec<usize>>();
        let spread = |i: usize| row(i % 300 * 100 + i);
        let outcomes = site.table.put_all(rows.iter().map(|i| put(spread(*i)))).await;
        assert_eq!(outcomes.len(), 100);
        for (i, outcome) in rows.into_iter().zip(outcomes) {
            match outcome {
                Ok(()) => drop(certain.insert(i, true)),
                Err(error) if error.kind() == ErrorKind::OutcomeUnknown => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }
    site.mock.clear_faults();
    let spread = |i: usize| row(i % 300 * 100 + i);
    let rows = site.table.get_all(certain.keys().map(|i| spread(*i))).await.into_result().unwrap();
    assert!(rows.iter().all(Option::is_some), "nothing that was acknowledged is missing");
    assert!(certain.len() > 500, "{}", certain.len());
}
