//! Rows and tables that get other keys.

use tallrow::key_migration::{
    Difference, KeyMapping, KeyMigration, KeyMigrationState, MoveOutcome, Phase,
};
use tallrow::op::{Check, RowMutations};
use tallrow::{Append, Delete, ErrorKind, Increment, Put, RawTable, Result, Row, Scan, Timestamp};
use tallrow_tests::Place;
use tallrow_tests::read::{cells, cells_of};
use tokio::sync::watch;

const WRITERS: usize = 4;
const ROWS: usize = 300;

pub(crate) async fn a_row_moves_with_all_its_cells(place: Place) {
    let table = place.table(&["n"]).await;
    let at = Timestamp::from_millis;
    for time in [10, 20, 30] {
        table.put(Put::new("a").cell_at("f", "q", at(time), format!("v{time}"))).await.unwrap();
    }
    // Older versions of a family that keeps one must not come back when the newest is deleted.
    table.put(Put::new("a").cell_at("g", "one", at(10), "old")).await.unwrap();
    table
        .put(Put::new("a").cell("g", "one", "new").cell("g", "", "").cell("f", "e", ""))
        .await
        .unwrap();
    table.append(Append::new("a").add("f", "x", "appended")).await.unwrap();
    table.increment(Increment::new("a").add("f", "n", 5)).await.unwrap();
    let before = cells(&table, "a").await;
    assert_eq!(before.len(), 8);

    assert_eq!(table.move_row("a", "z").await.unwrap(), MoveOutcome::Moved);
    assert_eq!(cells(&table, "z").await, before);
    assert_eq!(cells(&table, "a").await, []);
    assert_eq!(table.move_row("a", "z").await.unwrap(), MoveOutcome::AlreadyMoved);
    assert_eq!(
        table
            .increment(Increment::new("z").add("f", "n", 1))
            .await
            .unwrap()
            .unwrap()
            .counter("f", "n")
            .unwrap(),
        Some(6)
    );
}

pub(crate) async fn a_row_moves_back(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    assert_eq!(table.move_row("a", "z").await.unwrap(), MoveOutcome::Moved);
    let (moved, key) = match place.has_delete_markers() {
        // What was deleted there hides what is as old.
        true => (MoveOutcome::CopyHidden, "z"),
        false => (MoveOutcome::Moved, "a"),
    };
    assert_eq!(table.move_row("z", "a").await.unwrap(), moved);
    assert_eq!(table.get(key).await.unwrap().unwrap().value("f", "q"), Some(&b"v"[..]));
    assert_eq!(table.count(Scan::all()).await.unwrap(), 1);
}

pub(crate) async fn a_row_is_not_moved_onto_another(place: Place) {
    let table = place.table(&[]).await;
    let put = |row, name| Put::new(row).cell("f", "name", name);
    table.put(put("a", "Ada")).await.unwrap();
    table.put(put("b", "Bob")).await.unwrap();
    let (a, b) = (cells(&table, "a").await, cells(&table, "b").await);
    assert_eq!(table.move_row("a", "b").await.unwrap(), MoveOutcome::TargetOccupied);
    assert_eq!((cells(&table, "a").await, cells(&table, "b").await), (a, b));
    assert_eq!(table.move_row("c", "d").await.unwrap(), MoveOutcome::NotFound);
    let error = table.move_row("a", "a").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "move row"));
}

pub(crate) async fn a_row_that_cannot_be_compared_is_not_copied(place: Place) {
    let table = place.table(&[]).await;
    let wide = (0..2_001).fold(Put::new("a"), |put, q| put.cell("f", q.to_string(), "v"));
    table.put(wide).await.unwrap();
    let error = table.move_row("a", "z").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "move row"));
    assert!(error.to_string().contains("the row has 2001 columns"), "{error}");
    assert!(!table.exists("z").await.unwrap());
}

pub(crate) async fn two_movers_move_a_row_once(place: Place) {
    let table = place.table(&["m"]).await;
    for i in 0..20 {
        let (old, new) = (format!("a{i}"), format!("z{i}"));
        table.put(Put::new(&old).cell("f", "q", "v").cell("g", "q", "w")).await.unwrap();
        let before = cells(&table, &old).await;
        let (one, two) = tokio::join!(table.move_row(&old, &new), table.move_row(&old, &new));
        for outcome in [one.unwrap(), two.unwrap()] {
            let moved = matches!(outcome, MoveOutcome::Moved | MoveOutcome::AlreadyMoved);
            assert!(moved, "{outcome:?}");
        }
        assert_eq!((cells(&table, &old).await, cells(&table, &new).await), (vec![], before));
    }
}

struct Tables {
    old: RawTable,
    new: RawTable,
    state: RawTable,
}

async fn tables(place: &Place) -> Tables {
    let (old, new) = (place.table(&["100", "200"]).await, place.table(&["5"]).await);
    Tables { old, new, state: place.table(&[]).await }
}

/// The last character comes first.
fn new_key(old: &str) -> String {
    let (rest, last) = old.split_at(old.len() - 1);
    format!("{last}{rest}")
}

fn keys() -> KeyMapping {
    let text = |key: &[u8]| String::from_utf8(key.to_vec()).unwrap();
    KeyMapping::new(
        move |old| Ok(new_key(&text(old)).into_bytes()),
        move |new| {
            let (first, rest) = new.split_at(1);
            Ok([rest, first].concat())
        },
    )
}

impl Tables {
    async fn rekey(&self, place: &Place, keys: KeyMapping) -> Result<KeyMigration> {
        let state = KeyMigrationState::table(self.state.clone(), "rekey", "g");
        KeyMigration::builder(&place.client, self.old.clone(), self.new.clone(), keys, state)
            .lease(std::time::Duration::from_millis(500))
            .open()
            .await
    }

    /// Every row of the old table is in the new one with its cells, and nothing else is.
    async fn assert_equal(&self) {
        let mut rows = self.old.scan(Scan::all().versions(100)).unwrap();
        let mut count = 0;
        while let Some(row) = rows.next_row().await.unwrap() {
            let key = String::from_utf8(row.key().to_vec()).unwrap();
            assert_eq!(cells(&self.new, &new_key(&key)).await, cells_of(Some(&row)), "{key}");
            count += 1;
        }
        assert_eq!(self.new.count(Scan::all()).await.unwrap(), count);
    }
}

pub(crate) async fn every_kind_of_write_reaches_both_tables(place: Place) {
    let tables = tables(&place).await;
    let rekey = tables.rekey(&place, keys()).await.unwrap();
    let old = &tables.old;
    let at = Timestamp::from_millis;
    let put =
        || Put::new("r1").cell("f", "q", "v").cell("f", "t", "w").cell_at("g", "q", at(5), "x");
    let none = async || -> Result<()> { unreachable!("only the old table is written") };
    let no_row = async || -> Result<Option<Row>> { unreachable!("only the old table is written") };

    rekey.write("r1", old.put(put()), none()).await.unwrap();
    tables.assert_equal().await;
    rekey.write("r1", old.put(put()), none()).await.unwrap();
    let add = Increment::new("r1").add("f", "n", 3);
    let sum = rekey.write("r1", old.increment(add), no_row()).await.unwrap();
    assert_eq!(sum.unwrap().counter("f", "n").unwrap(), Some(3));
    rekey.write("r1", old.append(Append::new("r1").add("f", "x", "ab")), no_row()).await.unwrap();
    rekey.write("r1", old.append(Append::new("r1").add("f", "x", "cd")), no_row()).await.unwrap();
    tables.assert_equal().await;

    let several = RowMutations::new("r1")
        .add(Put::new("r1").cell("g", "both", "1"))
        .add(Delete::new("r1").column("f", "t"));
    rekey.write("r1", old.mutate_row(several), no_row()).await.unwrap();
    tables.assert_equal().await;
    let check = Check::new("r1", "f", "q").if_equals("v").then(Put::new("r1").cell("f", "q", "w"));
    let never = async { unreachable!("only the old table is written") };
    let applied = rekey.write("r1", old.check_and_mutate(check), never).await.unwrap();
    assert!(applied.is_applied());
    tables.assert_equal().await;
    for delete in [Delete::new("r1").version("g", "q", at(5)), Delete::new("r1").family("g")] {
        rekey.write("r1", old.delete(delete), none()).await.unwrap();
        tables.assert_equal().await;
    }
    let row = tables.new.get(new_key("r1")).await.unwrap().unwrap();
    assert_eq!(
        (row.value("f", "x"), row.counter("f", "n").unwrap()),
        (Some(&b"abcd"[..]), Some(3))
    );
    rekey.write("r1", old.delete("r1"), none()).await.unwrap();
    assert_eq!(tables.new.count(Scan::all()).await.unwrap(), 0);
    // A row may come back: the client does not write it in the millisecond of the delete.
    rekey.write("r1", old.put(Put::new("r1").cell("f", "q", "again")), none()).await.unwrap();
    tables.assert_equal().await;
    assert_eq!(tables.new.count(Scan::all()).await.unwrap(), 1);
}

pub(crate) async fn a_delete_of_the_newest_version_reaches_both_tables(place: Place) {
    let tables = tables(&place).await;
    let rekey = tables.rekey(&place, keys()).await.unwrap();
    for value in ["v", "w"] {
        let at = Timestamp::from_millis(value.as_bytes()[0].into());
        let put = Put::new("r1").cell_at("f", "q", at, value);
        rekey.write("r1", tables.old.put(put), async { unreachable!() }).await.unwrap();
    }
    let delete = Delete::new("r1").newest_version("f", "q");
    rekey.write("r1", tables.old.delete(delete), async { unreachable!() }).await.unwrap();
    tables.assert_equal().await;
    assert_eq!(cells(&tables.new, &new_key("r1")).await.len(), 1);
}

pub(crate) async fn keys_that_would_become_one_are_reported(place: Place) {
    let tables = tables(&place).await;
    let put = |row: &str| Put::new(row).cell("f", "q", row);
    tables.old.put_all(["Ada", "ada", "bob"].map(put)).await.into_result().unwrap();
    let keys = KeyMapping::new(|old| Ok(old.to_ascii_lowercase()), |new| Ok(new.to_vec()));
    let rekey = tables.rekey(&place, keys).await.unwrap();

    let found = rekey.check_keys().await.unwrap();
    assert_eq!((found.rows, found.different), (3, 1));
    assert!(matches!(&found.differences[..], [Difference::NoNewKey { old, .. }] if *old == "Ada"));
    // Where the table has several ranges, the one with "bob" is not begun before the conflict.
    let error = rekey.backfill().concurrency(1).run().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Conflict, "backfill"));
    let write = tables.old.put(put("Ada"));
    let error = rekey.write("Ada", write, async { Ok(()) }).await.unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::Conflict, Some(&b"Ada"[..])));
    assert_eq!(tables.new.count(Scan::all()).await.unwrap(), 0);

    // A key that is changed is copied.
    tables.old.delete("Ada").await.unwrap();
    assert_eq!(rekey.backfill().run().await.unwrap().rows, 2);
    assert_eq!(rekey.verify().run().await.unwrap().different, 0);
}

pub(crate) async fn differences_are_found_and_repaired(place: Place) {
    let tables = tables(&place).await;
    let put = |i: usize| Put::new(format!("{i:03}")).cell("f", "q", "v").cell("g", "q", "w");
    tables.old.put_all((0..ROWS).map(put)).await.into_result().unwrap();
    let rekey = tables.rekey(&place, keys()).await.unwrap();
    rekey.backfill().page_rows(50).concurrency(2).run().await.unwrap();
    assert_eq!(rekey.verify().run().await.unwrap().different, 0);
    assert_eq!(rekey.count_rows().await.unwrap(), (ROWS as u64, ROWS as u64));
    tables.assert_equal().await;

    tables.new.delete(Delete::new(new_key("250")).column("f", "q")).await.unwrap();
    tables.old.delete("007").await.unwrap();
    tables.old.put(Put::new("008").cell("f", "q", "other")).await.unwrap();
    tables.old.put(Put::new("300").cell("f", "q", "new")).await.unwrap();
    let found = rekey.verify().run().await.unwrap();
    let pair = |old: &str| (old.to_owned().into(), new_key(old).into());
    let ((old_8, new_8), (old_250, new_250)) = (pair("008"), pair("250"));
    let ((old_300, new_300), (old_7, new_7)) = (pair("300"), pair("007"));
    assert_eq!(
        found.differences,
        [
            Difference::Cells { old: old_8, new: new_8 },
            Difference::Cells { old: old_250, new: new_250 },
            Difference::Missing { old: old_300, new: new_300 },
            Difference::Extra { old: old_7, new: new_7 },
        ]
    );
    assert!(rekey.verify().sample_share(1.0).run().await.unwrap().different == 4);
    assert_eq!(rekey.switch_reads().await.unwrap_err().kind(), ErrorKind::InvalidArgument);

    let repaired = rekey.verify().repair().run().await.unwrap();
    if !place.has_delete_markers() {
        assert_eq!((repaired.repaired, repaired.different), (4, 0));
        return tables.assert_equal().await;
    }
    // All but the cell that was deleted in the new table: its marker hides it there.
    assert_eq!((repaired.repaired, repaired.different), (4, 1));
    assert!(matches!(&repaired.differences[..], [Difference::Cells { old, .. }] if *old == "250"));
    tables.old.put(Put::new("250").cell("f", "q", "newer")).await.unwrap();
    rekey.sync_row("250").await.unwrap();
    // Its older version is still hidden.
    let row = tables.new.get(new_key("250")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"newer"[..]));
}

/// Writes rows of its own and counters of all until told to stop.
async fn write(
    rekey: KeyMigration,
    tables: [RawTable; 2],
    writer: usize,
    stop: watch::Receiver<bool>,
) -> usize {
    let [old, new] = tables;
    let mut round = 0;
    while !*stop.borrow() {
        let row = format!("{:03}", (round * 7 * WRITERS + writer) % ROWS);
        let moved = new_key(&row);
        let value = format!("{writer} {round}");
        let put = |row: &str| Put::new(row).cell("f", "q", &value);
        rekey.write(&row, old.put(put(&row)), new.put(put(&moved))).await.unwrap();
        if round % 5 == 4 {
            let delete = |row: &str| Delete::new(row).family("g");
            rekey.write(&row, old.delete(delete(&row)), new.delete(delete(&moved))).await.unwrap();
        }
        let row = format!("c{}", round % 3);
        let moved = new_key(&row);
        let add = |row: &str| Increment::new(row).add("f", "n", 1);
        rekey.write(&row, old.increment(add(&row)), new.increment(add(&moved))).await.unwrap();
        round += 1;
    }
    round
}

pub(crate) async fn a_table_gets_other_keys_while_it_is_written(place: Place) {
    let tables = tables(&place).await;
    let put = |i: usize| Put::new(format!("{i:03}")).cell("f", "q", "v").cell("g", "q", "w");
    tables.old.put_all((0..ROWS).map(put)).await.into_result().unwrap();
    let rekey = tables.rekey(&place, keys()).await.unwrap();
    let (stop, stopped) = watch::channel(false);
    let mut writers = Vec::new();
    for writer in 0..WRITERS {
        let own = tables.rekey(&place, keys()).await.unwrap();
        let handles = [tables.old.clone(), tables.new.clone()];
        writers.push(tokio::spawn(write(own, handles, writer, stopped.clone())));
    }
    let hbase = place.client.admin().hbase().ok();
    for (table, key) in [(&tables.old, "150"), (&tables.new, "7")] {
        let Some(hbase) = &hbase else { continue };
        let regions = hbase.regions(table.name()).await.unwrap();
        let region = regions.iter().rfind(|region| region.start_key() <= key.as_bytes()).unwrap();
        hbase.split_region(region, key).await.unwrap();
    }
    let copied = rekey.backfill().page_rows(20).run().await.unwrap();
    assert_eq!((copied.ranges, copied.ranges_done), (copied.ranges, copied.ranges));
    assert!(copied.rows >= ROWS as u64, "{copied}");
    while rekey.verify().repair().run().await.unwrap().different > 0 {}
    rekey.switch_reads().await.unwrap();
    assert_eq!(rekey.phase().await.unwrap(), Phase::ReadNew);
    stop.send(true).unwrap();
    let mut rounds = 0;
    for writer in writers {
        rounds += writer.await.unwrap();
    }
    assert!(rounds > 0);
    tables.assert_equal().await;
    let mut sum = 0;
    for row in ["c0", "c1", "c2"] {
        let row = tables.new.get(new_key(row)).await.unwrap();
        sum += row.map_or(0, |row| row.counter("f", "n").unwrap().unwrap());
    }
    assert_eq!(sum, rounds as i64);
    println!(
        "{rounds} rounds of writers; {copied}; {} rows copied twice",
        copied.rows_copied_again
    );
}

pub(crate) async fn tables_that_do_not_fit_are_refused(place: Place) {
    let Tables { old, state, .. } = tables(&place).await;
    let open = async |new: RawTable, row: &str| {
        let state = KeyMigrationState::table(state.clone(), row, "g");
        KeyMigration::builder(&place.client, old.clone(), new, keys(), state).open().await
    };
    let kind = ErrorKind::InvalidArgument;
    assert_eq!(open(old.clone(), "1").await.unwrap_err().kind(), kind);
    let narrow = tallrow::TableDescriptor::new(&place.table_name().await).unwrap();
    let narrow = place.create(&narrow.family(tallrow::FamilyDescriptor::new("f"))).await;
    let error = open(narrow, "2").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (kind, "open key migration"));
    // The state of other tables.
    open(place.table(&[]).await, "3").await.unwrap();
    assert_eq!(open(place.table(&[]).await, "3").await.unwrap_err().kind(), kind);
}
