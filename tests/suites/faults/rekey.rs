//! Rows and tables that get other keys while calls are lost, callers stop and others write.

use std::time::Duration;

use tallrow::key_migration::{KeyMapping, KeyMigration, KeyMigrationState, MoveOutcome};
use tallrow::{
    Client, Delete, ErrorKind, FamilyDescriptor, Increment, Put, RawTable, Result, Scan,
    TableDescriptor, Timestamp,
};
use tallrow_mock::Fault;
use tallrow_tests::Sample;
use tallrow_tests::read::{Cells, cells};
use tokio::task::JoinHandle;

use super::{
    ATTEMPT_TIMEOUT, LOST, SILENT, Site, calls, cancel, config, site, site_with, total_since,
};

/// The calls of a move: each of these methods is called so often.
const MOVE: [(&str, u64); 3] = [("Get", 4), ("Scan", 1), ("Mutate", 2)];
/// Those of a back-fill of four pages, the last of which are a scan and a put that find its end.
const BACKFILL: [(&str, u64); 3] = [("Scan", 9), ("Multi", 4), ("Mutate", 5)];
const ROWS: u64 = 40;
const LEASE: Duration = Duration::from_secs(2);

/// Fills the row `old`, and returns its cells.
async fn fill(table: &RawTable) -> Cells {
    let at = Timestamp::from_millis;
    table
        .put(Put::new("old").cell_at("f", "a", at(5), "1").cell_at("f", "b", at(6), ""))
        .await
        .unwrap();
    table.increment(Increment::new("old").add("f", "n", 7)).await.unwrap();
    cells(table, "old").await
}

/// Waits until the fault has fired.
async fn fired<T>(site: &Site, task: &JoinHandle<T>) {
    while !site.mock.unfired_faults().is_empty() {
        assert!(!task.is_finished(), "there was no such call");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_move_has_the_documented_calls() {
    let site = site().await;
    let row = fill(&site.table).await;
    let before = calls(&site.mock);
    assert_eq!(site.table.move_row("old", "new").await.unwrap(), MoveOutcome::Moved);
    assert_eq!(total_since(&site.mock, before), 7);
    assert_eq!(site.table.move_row("old", "new").await.unwrap(), MoveOutcome::AlreadyMoved);
    assert_eq!(total_since(&site.mock, before), 9);
    assert_eq!(cells(&site.table, "new").await, row);
    assert_eq!(cells(&site.table, "old").await, []);
}

#[tokio::test(start_paused = true)]
async fn a_move_survives_every_lost_call() {
    let mut sample = Sample::new();
    for (method, calls) in MOVE {
        for nth in 1..=calls {
            for effect in LOST {
                if !sample.takes() {
                    continue;
                }
                let site = site().await;
                let row = fill(&site.table).await;
                site.mock.inject(effect(Fault::on(method).nth(nth)));
                assert_eq!(site.table.move_row("old", "new").await.unwrap(), MoveOutcome::Moved);
                assert_eq!(site.mock.unfired_faults(), []);
                assert_eq!(cells(&site.table, "new").await, row, "{method} {nth}");
                assert_eq!(cells(&site.table, "old").await, []);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_move_that_stopped_at_any_call_is_completed_by_the_next() {
    let mut sample = Sample::new();
    for (method, calls) in MOVE {
        for nth in 1..=calls {
            for (done, effect) in [true, false].into_iter().zip(SILENT) {
                if !sample.takes() {
                    continue;
                }
                let site = site().await;
                let row = fill(&site.table).await;
                site.mock.inject(effect(Fault::on(method).nth(nth)));
                let table = site.table.clone();
                let stopped = tokio::spawn(async move { table.move_row("old", "new").await });
                fired(&site, &stopped).await;
                cancel(stopped).await;

                // The row is whole under one key at least.
                let (old, new) = (cells(&site.table, "old").await, cells(&site.table, "new").await);
                assert!(old == row || new == row, "{method} {nth}");
                let table = site.connect(config()).await.raw_table("t").unwrap();
                let outcome = table.move_row("old", "new").await.unwrap();
                let last = (method, nth, done) == ("Mutate", 2, true);
                let expected = if last { MoveOutcome::AlreadyMoved } else { MoveOutcome::Moved };
                assert_eq!(outcome, expected, "{method} {nth}");
                assert_eq!(cells(&site.table, "new").await, row, "{method} {nth}");
                assert_eq!(cells(&site.table, "old").await, []);
            }
        }
    }
}

/// A change of the row `old`.
async fn change(table: &RawTable, number: usize) {
    let put = |qualifier| Put::new("old").cell("f", qualifier, "changed");
    match number {
        0 => table.put(put("a")).await.unwrap(),
        1 => table.put(put("c")).await.unwrap(),
        2 => table.delete(Delete::new("old").column("f", "b")).await.unwrap(),
        _ => drop(table.increment(Increment::new("old").add("f", "n", 1)).await.unwrap()),
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_between_any_two_calls_of_a_move_is_moved_too() {
    let mut sample = Sample::new();
    for number in 0..4 {
        for (method, calls) in MOVE {
            for nth in 1..=calls {
                if !sample.takes() {
                    continue;
                }
                let site = site().await;
                fill(&site.table).await;
                site.mock.inject(Fault::on(method).nth(nth).delay_in_queue(ATTEMPT_TIMEOUT / 2));
                let table = site.table.clone();
                let moving = tokio::spawn(async move { table.move_row("old", "new").await });
                fired(&site, &moving).await;
                change(&site.connect(config()).await.raw_table("t").unwrap(), number).await;
                let changed = cells(&site.table, "old").await;
                let outcome = moving.await.unwrap().unwrap();
                assert_eq!(outcome, MoveOutcome::Moved, "change {number}, {method} {nth}");
                assert_eq!(cells(&site.table, "new").await, changed, "{number}, {method} {nth}");
                assert_eq!(cells(&site.table, "old").await, []);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_move_of_a_row_that_keeps_changing_ends() {
    let site = site().await;
    fill(&site.table).await;
    // There is a change between any two reads of the old row.
    let pause = Duration::from_millis(10);
    site.mock.inject(Fault::on("Get").times(1_000).delay_in_queue(pause));
    let table = site.connect(config()).await.raw_table("t").unwrap();
    let writing = tokio::spawn(async move {
        for time in 100.. {
            let put = Put::new("old").cell_at("f", "a", Timestamp::from_millis(time), "changed");
            table.put(put).await.unwrap();
            tokio::time::sleep(pause / 4).await;
        }
    });
    let outcome = site.table.move_row("old", "new").await.unwrap();
    assert_eq!(outcome, MoveOutcome::ChangedMeanwhile);
    cancel(writing).await;
    site.mock.clear_faults();

    let row = cells(&site.table, "old").await;
    assert_eq!(site.table.move_row("old", "new").await.unwrap(), MoveOutcome::Moved);
    assert_eq!(cells(&site.table, "new").await, row);
}

#[tokio::test(start_paused = true)]
async fn a_move_ends_at_its_deadline() {
    let operation_timeout = Duration::from_millis(500);
    let site = site_with(config().operation_timeout(operation_timeout), &[]).await;
    let row = fill(&site.table).await;
    // Each call is answered in time, all of them are not.
    let delay = ATTEMPT_TIMEOUT / 2;
    site.mock.inject(Fault::on("Get").times(1_000).delay_in_queue(delay));
    let begun = tokio::time::Instant::now();
    let error = site.table.move_row("old", "new").await.unwrap_err();
    assert_eq!((error.kind(), begun.elapsed()), (ErrorKind::Timeout, operation_timeout));
    site.mock.clear_faults();
    assert_eq!(cells(&site.table, "old").await, row);
}

#[tokio::test(start_paused = true)]
async fn a_row_that_changes_after_a_move_stopped_is_moved_as_it_is() {
    for number in 0..4 {
        let site = site().await;
        fill(&site.table).await;
        site.mock.inject(Fault::on("Mutate").nth(2).drop_request());
        let table = site.table.clone();
        let stopped = tokio::spawn(async move { table.move_row("old", "new").await });
        fired(&site, &stopped).await;
        cancel(stopped).await;
        change(&site.table, number).await;
        let changed = cells(&site.table, "old").await;
        assert_eq!(site.table.move_row("old", "new").await.unwrap(), MoveOutcome::Moved);
        assert_eq!(cells(&site.table, "new").await, changed, "{number}");
        assert_eq!(cells(&site.table, "old").await, []);
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_that_comes_under_the_new_key_is_kept() {
    for (method, nth) in [("Get", 2), ("Mutate", 1)] {
        let site = site().await;
        let row = fill(&site.table).await;
        site.mock.inject(Fault::on(method).nth(nth).delay_in_queue(ATTEMPT_TIMEOUT / 2));
        let table = site.table.clone();
        let moving = tokio::spawn(async move { table.move_row("old", "new").await });
        fired(&site, &moving).await;
        site.connect(config())
            .await
            .raw_table("t")
            .unwrap()
            .put(Put::new("new").cell("f", "a", "other"))
            .await
            .unwrap();
        let outcome = moving.await.unwrap().unwrap();
        assert!(
            matches!(outcome, MoveOutcome::TargetOccupied | MoveOutcome::ChangedMeanwhile),
            "{outcome:?}"
        );
        assert_eq!(cells(&site.table, "old").await, row);
        let found = site.table.get("new").await.unwrap().unwrap();
        assert_eq!(found.value("f", "a"), Some(&b"other"[..]));
    }
}

/// Both tables and the state, with `ROWS` rows in the old one.
async fn tables(site: &Site) -> (RawTable, RawTable) {
    for name in ["before", "after", "state"] {
        let table = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
        site.client.admin().create_table(&table).await.unwrap();
        site.client.prefetch_regions(name).await.unwrap();
    }
    let (old, new) =
        (site.client.raw_table("before").unwrap(), site.client.raw_table("after").unwrap());
    let row = |i| Put::new(format!("{i:03}")).cell("f", "a", "1").cell("f", "b", "2");
    old.put_all((0..ROWS).map(row)).await.into_result().unwrap();
    let add = |i| Increment::new(format!("{i:03}")).add("f", "n", 1);
    for i in 0..ROWS {
        old.increment(add(i)).await.unwrap();
    }
    (old, new)
}

fn new_key(old: &str) -> String {
    old.chars().rev().collect()
}

async fn rekey(client: &Client) -> KeyMigration {
    let reversed = |key: &[u8]| -> Result<Vec<u8>> { Ok(key.iter().rev().copied().collect()) };
    let keys = KeyMapping::new(reversed, reversed);
    let state = KeyMigrationState::table(client.raw_table("state").unwrap(), "s", "f");
    let [old, new] = ["before", "after"].map(|name| client.raw_table(name).unwrap());
    let rekey = KeyMigration::builder(client, old, new, keys, state).lease(LEASE);
    rekey.open().await.unwrap()
}

/// Every row of the old table is in the new one, and nothing else is.
async fn assert_equal(old: &RawTable, new: &RawTable) {
    let mut rows = old.scan(Scan::all()).unwrap();
    let mut count = 0;
    while let Some(row) = rows.next_row().await.unwrap() {
        let key = String::from_utf8(row.key().to_vec()).unwrap();
        assert_eq!(cells(new, &new_key(&key)).await, cells(old, &key).await, "{key}");
        count += 1;
    }
    assert_eq!(new.count(Scan::all()).await.unwrap(), count);
}

#[tokio::test(start_paused = true)]
async fn a_write_has_the_documented_calls() {
    let site = site().await;
    let (old, new) = tables(&site).await;
    let rekey = rekey(&site.client).await;
    rekey.sync_row("007").await.unwrap();
    let before = calls(&site.mock);
    let add = || Increment::new("007").add("f", "n", 1);
    rekey.write("007", old.increment(add()), new.increment(add())).await.unwrap();
    assert_eq!(total_since(&site.mock, before), 5);
    let nothing = Delete::new("007").column("f", "none");
    rekey.write("007", old.delete(nothing), async { Ok(()) }).await.unwrap();
    assert_eq!(total_since(&site.mock, before), 8);
    assert_eq!(cells(&new, "700").await, cells(&old, "007").await);
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_is_dropped_at_any_call_leaves_equal_tables() {
    for (method, nth) in [("Mutate", 1), ("Mutate", 2), ("Get", 1), ("Get", 2), ("Get", 3)] {
        let site = site().await;
        let (old, new) = tables(&site).await;
        let rekey = rekey(&site.client).await;
        rekey.backfill().run().await.unwrap();
        site.mock.inject(Fault::on(method).nth(nth).drop_reply());
        let dropped = tokio::spawn({
            let (rekey, old) = (rekey.clone(), old.clone());
            let add = Increment::new("007").add("f", "n", 1);
            async move { rekey.write("007", old.increment(add), async { Ok(None) }).await }
        });
        fired(&site, &dropped).await;
        cancel(dropped).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_equal(&old, &new).await;
        let row = new.get("700").await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(2), "{method} {nth}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_writer_whose_process_ends_leaves_what_verify_repairs() {
    for delete in [true, false] {
        let site = site().await;
        let (old, new) = tables(&site).await;
        let rekey = rekey(&site.client).await;
        rekey.backfill().run().await.unwrap();
        // What such a writer does.
        match delete {
            true => old.delete("007").await.unwrap(),
            false => drop(old.increment(Increment::new("007").add("f", "n", 1)).await.unwrap()),
        }
        let found = rekey.verify().run().await.unwrap();
        assert_eq!((found.different, found.repaired), (1, 0), "{found:?}");
        assert!(rekey.switch_reads().await.is_err());
        let found = rekey.verify().repair().run().await.unwrap();
        assert_eq!((found.different, found.repaired), (0, 1));
        assert_equal(&old, &new).await;
        rekey.switch_reads().await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_backfill_stopped_at_any_call_continues() {
    let mut sample = Sample::new();
    for (method, calls) in BACKFILL {
        for nth in 1..=calls {
            for effect in SILENT {
                if !sample.takes() {
                    continue;
                }
                let site = site().await;
                let (old, new) = tables(&site).await;
                let first = rekey(&site.client).await;
                site.mock.inject(effect(Fault::on(method).nth(nth)));
                let backfill = first.backfill().page_rows(10).run();
                let stopped = tokio::spawn(backfill);
                fired(&site, &stopped).await;
                cancel(stopped).await;

                let second = rekey(&site.connect(config()).await).await;
                let done = second.backfill().page_rows(10).run().await.unwrap();
                assert_eq!((done.rows, done.ranges_done), (ROWS, 1), "{method} {nth}");
                assert_equal(&old, &new).await;
                let found = second.verify().run().await.unwrap();
                assert_eq!((found.rows, found.different), (ROWS, 0), "{method} {nth}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_written_between_any_two_calls_of_the_backfill_wins() {
    let mut sample = Sample::new();
    for (method, calls) in BACKFILL {
        for nth in 1..=calls {
            if !sample.takes() {
                continue;
            }
            let site = site().await;
            let (old, new) = tables(&site).await;
            let copying = rekey(&site.client).await;
            site.mock.inject(Fault::on(method).nth(nth).delay_in_queue(ATTEMPT_TIMEOUT / 2));
            let backfill = tokio::spawn(copying.backfill().page_rows(10).run());
            fired(&site, &backfill).await;

            let client = site.connect(config()).await;
            let (writer, table) = (rekey(&client).await, client.raw_table("before").unwrap());
            for i in 0..ROWS {
                let row = format!("{i:03}");
                let none = async { Ok(()) };
                match i % 4 {
                    0 => writer.write(&row, table.delete(&row), none).await.unwrap(),
                    1 => {
                        let put = table.put(Put::new(&row).cell("f", "a", "changed"));
                        writer.write(&row, put, none).await.unwrap();
                    }
                    2 => {
                        let delete = table.delete(Delete::new(&row).column("f", "b"));
                        writer.write(&row, delete, none).await.unwrap();
                    }
                    _ => {
                        let add = table.increment(Increment::new(&row).add("f", "n", 1));
                        let none = async { Ok(None) };
                        writer.write(&row, add, none).await.unwrap();
                    }
                }
            }
            backfill.await.unwrap().unwrap();
            assert_equal(&old, &new).await;
            assert_eq!(new.count(Scan::all()).await.unwrap(), ROWS - ROWS / 4, "{method} {nth}");
            let row = new.get("300").await.unwrap().unwrap();
            assert_eq!(row.counter("f", "n").unwrap(), Some(2), "{method} {nth}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn counters_are_exact_while_writes_are_switched() {
    const WRITERS: i64 = 8;
    let site = site().await;
    let (_, new) = tables(&site).await;
    let operator = rekey(&site.client).await;
    operator.backfill().run().await.unwrap();
    let mut writers = Vec::new();
    for _ in 0..WRITERS {
        let client = site.connect(config()).await;
        let rekey = rekey(&client).await;
        let old = client.raw_table("before").unwrap();
        let new = client.raw_table("after").unwrap();
        writers.push(tokio::spawn(async move {
            for i in 0..200 {
                let row = format!("{:03}", i % 5);
                let on_old = old.increment(Increment::new(&row).add("f", "n", 1));
                let on_new = new.increment(Increment::new(new_key(&row)).add("f", "n", 1));
                rekey.write(&row, on_old, on_new).await.unwrap();
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }));
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    operator.verify().repair().run().await.unwrap();
    operator.switch_reads().await.unwrap();
    // Stopped, and called again.
    let stopped = tokio::spawn({
        let operator = operator.clone();
        async move { operator.switch_writes().await }
    });
    tokio::time::sleep(LEASE / 2).await;
    cancel(stopped).await;
    let again = rekey(&site.connect(config()).await).await;
    again.switch_writes().await.unwrap();
    again.switch_writes().await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    for i in 0..5 {
        let row = new.get(new_key(&format!("{i:03}"))).await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(1 + WRITERS * 40), "row {i}");
    }
    assert!(again.sync_row("000").await.is_err(), "the old table does not count any more");
    assert!(again.backfill().run().await.is_err());
    assert!(again.verify().repair().run().await.is_err());
}
