//! Typed batches: how many calls they take, and what becomes of each row when some of them fail.

use std::sync::Mutex;
use std::time::Duration;

use tallrow::op::{Check, RowOperation};
use tallrow::table::{Batch, ExtraMutations, RowChange, RowHook};
use tallrow::{
    Counter, Delete, DeliveryGuarantee, Error, ErrorKind, FamilyDescriptor, Put, RawTable, RowKey,
    Scan, Table, TableDescriptor, Timestamp, TypedTable, Update,
};
use tallrow_mock::Fault;
use tallrow_tests::Place;

use super::{LOST, Site, calls, config, since, site_with};

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Key {
    number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t")]
#[family("f")]
struct Item {
    #[key]
    key: Key,
    #[cell("f:n")]
    name: String,
    #[cell("f:s")]
    sold: Counter,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t")]
#[family("f")]
struct Versioned {
    #[key]
    key: Key,
    #[cell("f:n")]
    name: String,
    #[cell("f:v", row_version)]
    version: u64,
}

/// In a family that the table does not have.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t")]
#[family("g")]
struct Elsewhere {
    #[key]
    key: Key,
    #[cell("g:n")]
    name: String,
}

fn key(number: u32) -> Key {
    Key { number }
}

fn item(number: u32) -> Item {
    Item { key: key(number), name: format!("item {number}"), sold: Counter(0) }
}

fn items(numbers: std::ops::Range<u32>) -> Vec<Item> {
    numbers.map(item).collect()
}

/// A table with the rows from 50 on in another region than those before.
async fn halves() -> Site {
    site_with(config(), &["\0\0\0\x32"]).await
}

fn typed<T: Table>(site: &Site) -> TypedTable<T> {
    site.client.table::<T>()
}

#[tokio::test(start_paused = true)]
async fn a_typed_batch_is_one_call_for_each_server() {
    let site = halves().await;
    let table = typed::<Item>(&site);
    let rows = items(0..100);
    let keys: Vec<_> = (0..100).map(key).collect();

    let before = calls(&site.mock);
    table.put_all(&rows).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "put_all");

    let before = calls(&site.mock);
    let found = table.get_all(&keys).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "get_all");
    assert!(found.into_iter().zip(&rows).all(|(found, row)| found.as_ref() == Some(row)));

    let before = calls(&site.mock);
    let mut batch = Batch::new();
    for (at, (key, row)) in keys.iter().zip(&rows).enumerate() {
        batch = match at % 6 {
            0 => batch.put(row),
            1 => batch.update(key, Update::new().set(Item::NAME, "updated")),
            2 => batch.increment(key, Item::SOLD, 2),
            3 => batch.append(key, Item::NAME, "!"),
            4 => batch.get(key),
            _ => batch.check_and_update(
                key,
                Item::NAME.eq("another"),
                Update::new().set(Item::NAME, "never"),
            ),
        };
    }
    let results = table.batch(batch).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "batch");
    for (at, result) in results.into_iter().enumerate() {
        let (sold, name) = (result.get(Item::SOLD).unwrap(), result.get(Item::NAME).unwrap());
        assert_eq!(sold, (at % 6 == 2).then_some(Counter(2)), "{at}");
        assert_eq!(name, (at % 6 == 3).then(|| format!("item {at}!")), "{at}");
        assert_eq!(result.is_applied(), at % 6 != 5, "{at}");
        assert_eq!(result.into_row(), (at % 6 == 4).then(|| rows[at].clone()));
    }

    // The time of a cell that was appended to is later than that of the cell before it.
    tokio::time::sleep(Duration::from_millis(5)).await;
    let before = calls(&site.mock);
    table.delete_all(&keys).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "delete_all");
    assert_eq!(Place::keys(&site.table, Scan::all()).await, [""; 0]);

    let before = calls(&site.mock);
    assert!(table.put_all(&[]).await.is_empty() && table.get_all(&[]).await.is_empty());
    assert!(table.delete_all(&[]).await.is_empty() && table.batch(Batch::new()).await.is_empty());
    assert_eq!(since(&site.mock, before), [0; 4], "nothing to do");
}

#[tokio::test(start_paused = true)]
async fn rows_with_a_version_are_compared_in_the_batch() {
    let site = halves().await;
    let table = typed::<Versioned>(&site);
    let row = |number| Versioned { key: key(number), name: "new".into(), version: 0 };
    let mut rows: Vec<_> = (0..100).map(row).collect();
    let before = calls(&site.mock);
    table.put_all(&rows).await.into_result().unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0]);

    rows.iter_mut().for_each(|row| (row.version, row.name) = (1, "changed".into()));
    rows[7].version = 3;
    rows[8].version = 0;
    let before = calls(&site.mock);
    let outcomes = table.put_all(&rows).await;
    assert_eq!((since(&site.mock, before), outcomes.failed_count()), ([0, 0, 2, 0], 2));
    for (at, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Ok(()) => assert!(at != 7 && at != 8),
            Err(error) => {
                assert_eq!((error.kind(), error.operation()), (ErrorKind::Conflict, "put"));
                assert_eq!(error.row(), Some(&[0, 0, 0, u8::try_from(at).unwrap()][..]));
            }
        }
    }
    let found = table.get_all(&[key(6), key(7), key(8)]).await.into_result().unwrap();
    let names: Vec<_> = found.into_iter().map(|row| row.unwrap().name).collect();
    assert_eq!(names, ["changed", "new", "new"]);
}

#[tokio::test(start_paused = true)]
async fn one_row_that_cannot_be_written_fails_alone() {
    let site = halves().await;
    let put = |i: u32, family| Put::new(i.to_be_bytes()).cell(family, "n", "v");
    let before = calls(&site.mock);
    let outcomes =
        site.table.put_all((0..1_000).map(|i| put(i, if i == 437 { "x" } else { "f" }))).await;
    assert_eq!(outcomes.failed_count(), 1);
    assert_eq!(since(&site.mock, before), [0, 0, 2, 0], "nothing is sent again");
    let error = outcomes[437].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily, "{error:?}");
    assert_eq!((error.row(), error.attempts()), (Some(&437u32.to_be_bytes()[..]), 1));
    assert_eq!(Place::keys(&site.table, Scan::all()).await.len(), 999);

    // Of a type, each row has its own error.
    let rows = [0, 60, 61].map(|number| Elsewhere { key: key(number), name: "v".into() });
    for (outcome, row) in typed::<Elsewhere>(&site).put_all(&rows).await.into_iter().zip(&rows) {
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::NoSuchFamily, "put"));
        assert_eq!(error.row(), Some(&row.key.number.to_be_bytes()[..]));
    }
}

/// What a lost reply means for each change, by what it is: as if it were alone.
#[tokio::test(start_paused = true)]
async fn a_typed_batch_whose_reply_is_lost_is_told_row_by_row() {
    for effect in LOST {
        let site = halves().await;
        let table = typed::<Item>(&site);
        table.put_all(&items(10..20)).await.into_result().unwrap();
        let (new, changed) = (item(1), key(10));
        let (sold, longer, read) = (key(11), key(12), key(13));
        let (gone, renamed) = (key(14), key(15));
        let before = calls(&site.mock);
        site.mock.inject(effect(Fault::on("Multi").nth(1)));
        let batch = Batch::new()
            .put(&new)
            .update(&changed, Update::new().set(Item::NAME, "changed"))
            .increment(&sold, Item::SOLD, 1)
            .append(&longer, Item::NAME, "!")
            .get(&read)
            .delete(&gone)
            .update(
                &renamed,
                Update::new()
                    .set(Item::NAME, "renamed")
                    .timestamp(Timestamp::from_millis(u64::MAX >> 2)),
            );
        let outcomes = table.batch(batch).await;
        assert_eq!(site.mock.unfired_faults(), []);
        let unknown = outcomes.iter().map(|outcome| match outcome {
            Ok(_) => false,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
                true
            }
        });
        let unknown: Vec<_> = unknown.collect();
        assert_eq!(unknown, [true, true, false, false, false, true, false], "{outcomes:?}");
        assert_eq!(outcomes[0].as_ref().unwrap_err().operation(), "put");
        assert_eq!(outcomes[1].as_ref().unwrap_err().operation(), "update");
        assert_eq!(outcomes[5].as_ref().unwrap_err().operation(), "delete");
        assert_eq!(outcomes[4].as_ref().unwrap().row(), Some(&item(13)));
        // The read and the write with a time are sent again in one call; the increment and the
        // append on their own.
        let [_, alone, multi, _] = since(&site.mock, before);
        assert!(matches!((alone, multi), (2, 2) | (0, 3)), "{alone} {multi}");
        let found = table.get_all(&[sold, longer, renamed]).await.into_result().unwrap();
        let found: Vec<_> = found.into_iter().map(Option::unwrap).collect();
        assert_eq!((found[0].sold, &found[1].name[..]), (Counter(1), "item 12!"));
        assert_eq!(found[2].name, "renamed");
    }
}

/// Writes whose cells all have a time are as often applied as once.
#[tokio::test(start_paused = true)]
async fn rows_with_a_time_are_sent_again_together() {
    for effect in LOST {
        let site = halves().await;
        let table = typed::<Item>(&site).with_timestamp(Timestamp::from_millis(7));
        site.mock.inject(effect(Fault::on("Multi").nth(1)));
        let before = calls(&site.mock);
        table.put_all(&items(0..100)).await.into_result().unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        let [gets, mutates, multis, _] = since(&site.mock, before);
        assert_eq!([gets, mutates, multis], [0, 0, 3], "one more, for those of one server");
        assert_eq!(Place::keys(&site.table, Scan::all()).await.len(), 100);
    }
}

/// Writes that get their time from the client are sent in the batch too, and sent again in it.
#[tokio::test(start_paused = true)]
async fn rows_that_get_a_time_from_the_client_are_sent_together() {
    let delivery = DeliveryGuarantee::Idempotent;
    for effect in LOST {
        let site = halves().await;
        let table = typed::<Item>(&site).with_delivery(delivery);
        site.mock.inject(effect(Fault::on("Multi").nth(1)));
        let before = calls(&site.mock);
        let rows = items(0..100);
        table.put_all(&rows).await.into_result().unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        let [gets, mutates, multis, _] = since(&site.mock, before);
        assert_eq!([gets, mutates, multis], [0, 0, 3], "one more, for those of one server");

        // Later writes of the rows are later, whatever was sent again.
        let keys: Vec<_> = (0..100).map(key).collect();
        table.delete_all(&keys).await.into_result().unwrap();
        assert_eq!(Place::keys(&site.table, Scan::all()).await, [""; 0]);
        table.put_all(&rows[..50]).await.into_result().unwrap();
        let found = table.get_all(&keys).await.into_result().unwrap();
        assert_eq!(found.iter().flatten().cloned().collect::<Vec<_>>(), rows[..50]);
    }
}

/// One with a condition waits until the others of its row are answered, and is not waited for by
/// the batch.
#[tokio::test(start_paused = true)]
async fn a_condition_is_looked_at_after_the_writes_before_it() {
    let site = halves().await;
    let table = site.table.clone().with_delivery(DeliveryGuarantee::Idempotent);
    let row = |i: u32| i.to_be_bytes();
    let put = |i: u32, value: &str| Put::new(row(i)).cell("f", "n", value);
    let mut operations: Vec<RowOperation> = (0..100).map(|i| put(i, "first").into()).collect();
    let then = |i: u32| Check::new(row(i), "f", "n").if_equals("first").then(put(i, "second"));
    operations.extend([3, 70].map(|i| then(i).into()));
    site.mock.inject(Fault::on("Multi").nth(1).drop_reply());
    let outcomes = table.batch(operations).await;
    assert!(outcomes[..100].iter().all(|outcome| outcome.as_ref().unwrap().applied));
    assert!(outcomes[100..].iter().all(|outcome| outcome.as_ref().unwrap().applied));
    for i in [3, 70] {
        let found = table.get(row(i)).await.unwrap().unwrap();
        assert_eq!(found.value("f", "n"), Some(&b"second"[..]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_typed_batch_goes_on_where_a_dead_server_had_its_rows() {
    let site = halves().await;
    let table = typed::<Item>(&site);
    let rows = items(0..100);
    table.put_all(&rows).await.into_result().unwrap();
    let keys: Vec<_> = (0..100).map(key).collect();
    site.mock.inject(Fault::on("Multi").server(0).times(1).close_before());
    site.mock.kill_server(0).unwrap();
    let found = table.get_all(&keys).await.into_result().unwrap();
    assert!(found.into_iter().zip(&rows).all(|(found, row)| found.as_ref() == Some(row)));
    let outcomes = table.delete_all(&keys).await;
    assert_eq!(outcomes.failed_count(), 0, "{outcomes:?}");
}

/// Writes an entry before a row and a note after it, and rejects some rows.
struct Entries {
    entries: RawTable,
    asked: Mutex<Vec<u32>>,
}

impl RowHook<Item> for Entries {
    async fn before_write(&self, change: &RowChange<'_, Item>) -> tallrow::Result<ExtraMutations> {
        let number = match change {
            RowChange::Put(item) => item.key.number,
            RowChange::Update(key, _) | RowChange::Delete(key) => key.number,
            _ => return Err(Error::invalid_argument("another change")),
        };
        self.asked.lock().unwrap().push(number);
        let row = |what: &str| format!("{what}{number:03}");
        let family = if number == 3 { "nosuch" } else { "f" };
        let last = if number == 5 { "nosuch" } else { "f" };
        match number {
            2 => Err(Error::invalid_argument("not this one")),
            _ => Ok(ExtraMutations::new()
                .before(&self.entries, Put::new(row("a")).cell("f", "q", "first"))
                .before(&self.entries, Put::new(row("b")).cell(family, "q", "second"))
                .after(&self.entries, Delete::new(row("a")))
                .after(&self.entries, Put::new(row("c")).cell(last, "q", "last"))),
        }
    }

    fn after_read(&self, item: &mut Item) -> tallrow::Result<()> {
        item.name.push('*');
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn what_hooks_add_to_a_batch_is_sent_together_too() {
    let site = halves().await;
    let entries = TableDescriptor::new("entries").unwrap().family(FamilyDescriptor::new("f"));
    site.client.admin().create_table(&entries).await.unwrap();
    site.client.prefetch_regions("entries").await.unwrap();
    let entries = site.client.raw_table("entries").unwrap();
    let hook = Entries { entries: entries.clone(), asked: Mutex::default() };
    let table = typed::<Item>(&site).with_hook(hook);

    let before = calls(&site.mock);
    let outcomes = table.put_all(&items(0..100)).await;
    let [.., multi, _] = since(&site.mock, before);
    assert_eq!(multi, 6, "two before the rows, two for the rows, two after them");
    let failed: Vec<_> = (0..100).filter(|at| outcomes[*at].is_err()).collect();
    assert_eq!(failed, [2, 3, 5]);
    let error = outcomes[2].as_ref().unwrap_err();
    assert!(error.to_string().contains("not this one"), "{error}");
    let error = outcomes[3].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchFamily);
    assert!(error.to_string().contains("the row is not written"), "{error}");
    let error = outcomes[5].as_ref().unwrap_err();
    assert!(error.to_string().contains("the row is written"), "{error}");

    let keys: Vec<_> = (0..6).map(key).collect();
    let found = table.get_all(&keys).await.into_result().unwrap();
    let found: Vec<_> = found.into_iter().map(|item| item.map(|item| item.name)).collect();
    assert_eq!(found[..2], [Some("item 0*".to_owned()), Some("item 1*".to_owned())]);
    assert_eq!((&found[2], &found[3]), (&None, &None));
    assert!(found[4].is_some() && found[5].is_some());
    let kept = Place::keys(&entries, Scan::all()).await;
    let of = |number: &str| kept.iter().filter(|key| key.ends_with(number)).cloned().collect();
    let of: [Vec<String>; 4] = ["002", "003", "004", "005"].map(of);
    let expected: [&[&str]; 4] = [&[], &["a003"], &["b004", "c004"], &["b005"]];
    assert_eq!(
        of,
        expected.map(|keys| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
    );

    // Of one row, the writes around its changes keep their order, also in a batch with reads.
    let (first, second) = (key(10), key(11));
    let batch = Batch::new().get(&first).delete(&second);
    let results = table.batch(batch).await.into_result().unwrap();
    assert_eq!(results[0].row().unwrap().name, "item 10*");
    assert!(table.get(&second).await.unwrap().is_none());
}

/// A batch that is far larger than a call may be, and than what may be in flight.
#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_rows_are_sent_in_bounded_calls() {
    let site = site_with(config().in_flight_bytes(4 << 20), &["\0\0\x61\x28"]).await;
    let table = typed::<Item>(&site);
    let rows = items(0..100_000);
    let before = calls(&site.mock);
    table.put_all(&rows).await.into_result().unwrap();
    let [.., multi, _] = since(&site.mock, before);
    // Of at most 1,000 operations each; two servers have a part that is not a multiple.
    assert_eq!(multi, 101);
    let some: Vec<_> = (0..100_000).step_by(997).map(key).collect();
    let found = table.get_all(&some).await.into_result().unwrap();
    assert!(found.into_iter().zip(some).all(|(found, key)| found == Some(item(key.number))));
}
