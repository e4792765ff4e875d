//! Many operations at a time.

use tallrow::{
    Append, Batch, Counter, Delete, ErrorKind, Get, Increment, Put, RowKey, Scan, Table, Update,
    op::{Check, RowOperation},
};
use tallrow_tests::Place;

pub(crate) async fn outcomes_are_in_the_order_of_their_operations(place: Place) {
    let table = place.table(&["c", "e"]).await;
    table.put(Put::new("b").cell("f", "q", "B")).await.unwrap();
    table.put(Put::new("d").cell("f", "q", "D")).await.unwrap();
    let operations: Vec<RowOperation> = vec![
        Put::new("a").cell("f", "q", "A").into(),
        Get::new("b").into(),
        Increment::new("f").add("f", "n", 2).into(),
        Delete::new("d").into(),
        Append::new("g").add("f", "q", "G").into(),
        RowOperation::Exists(Get::new("b")),
        Check::new("h", "f", "q").if_not_exists().then(Put::new("h").cell("f", "q", "H")).into(),
        Check::new("i", "f", "q").if_equals("x").then(Put::new("i").cell("f", "q", "I")).into(),
        Get::new("z").into(),
    ];
    let outcomes: Vec<_> = table
        .batch(operations)
        .await
        .into_iter()
        .map(|o| o.unwrap_or_else(|e| panic!("{e:?}")))
        .collect();
    let value = |at: usize| outcomes[at].row.as_ref().and_then(|row| row.value("f", "q"));
    assert_eq!(value(1), Some(&b"B"[..]));
    assert_eq!(outcomes[2].row.as_ref().unwrap().counter("f", "n").unwrap(), Some(2));
    assert_eq!(value(4), Some(&b"G"[..]));
    assert!(outcomes[5].exists);
    assert!(outcomes[6].applied && !outcomes[7].applied);
    assert_eq!(outcomes[8].row, None);
    let keys = Place::keys(&table, tallrow::Scan::all()).await;
    assert_eq!(keys, ["a", "b", "f", "g", "h"]);
}

pub(crate) async fn many_rows_are_written_and_read_at_once(place: Place) {
    let table = place.table(&["row2", "row4", "row6"]).await;
    let key = |i: u32| format!("row{:05}", (i * 7919) % 100_000);
    let puts = (0..3_000).map(|i| Put::new(key(i)).cell("f", "q", i.to_string()));
    let written = table.put_all(puts).await;
    assert_eq!(written.len(), 3_000);
    written.into_iter().for_each(|w| w.unwrap());
    let rows = table.get_all((0..3_000).map(key)).await;
    for (i, row) in rows.into_iter().enumerate() {
        assert_eq!(row.unwrap().unwrap().value("f", "q"), Some(i.to_string().as_bytes()));
    }
}

pub(crate) async fn an_invalid_operation_does_not_affect_the_others(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("text").cell("f", "q", "abc")).await.unwrap();
    let mut operations: Vec<RowOperation> =
        (0..50).map(|i| Put::new(format!("r{i:02}")).cell("f", "q", "v").into()).collect();
    operations.insert(10, Put::new("bad1").cell("nosuch", "q", "v").into());
    operations.insert(20, Put::new("").cell("f", "q", "v").into());
    operations.insert(30, Put::new("bad2").cell("f", "q", vec![0; 11 << 20]).into());
    operations.insert(40, Increment::new("text").add("f", "q", 1).into());
    let outcomes = table.batch(operations).await;
    let kind = |at: usize| outcomes[at].as_ref().unwrap_err().kind();
    assert_eq!(kind(10), ErrorKind::NoSuchFamily);
    assert_eq!(kind(20), ErrorKind::InvalidArgument);
    assert_eq!(kind(30), ErrorKind::InvalidArgument);
    assert_eq!(kind(40), ErrorKind::NotACounter);
    assert_eq!(outcomes.iter().filter(|o| o.is_ok()).count(), 50);
    assert_eq!(Place::keys(&table, tallrow::Scan::prefix("r")).await.len(), 50);
}

pub(crate) async fn the_first_error_of_many_says_how_many_failed(place: Place) {
    let table = place.table(&["m"]).await;
    let put = |row: &str, family| Put::new(row).cell(family, "q", "v");
    let written = table.put_all([put("a", "f"), put("z", "f")]).await;
    assert_eq!((written.failed_count(), written.len()), (0, 2));
    assert_eq!(written.into_result().unwrap(), [(), ()]);

    let outcomes = table.put_all([put("b", "f"), put("c", "x"), put("y", "x")]).await;
    assert_eq!(outcomes.failed_count(), 2);
    assert_eq!(outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false]);
    let error = outcomes.into_result().unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::NoSuchFamily, Some(&b"c"[..])));
    let text = error.to_string();
    assert!(text.ends_with("; 2 of 3 operations failed, this is the first"), "{text}");
    let only = table.put_all([put("c", "x")]).await.into_result().unwrap_err().to_string();
    assert!(!only.contains("operations failed"), "{only}");

    table.delete_all(["a", "b", "z"]).await.into_result().unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, [""; 0]);
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct ItemKey {
    number: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "batch_items")]
#[family("f")]
struct Item {
    #[key]
    key: ItemKey,
    #[cell("f:n", validate = is_not_empty)]
    name: String,
    #[cell("f:s")]
    sold: Counter,
}

fn is_not_empty(name: &str) -> Result<(), &'static str> {
    if name.is_empty() { Err("a name is empty") } else { Ok(()) }
}

pub(crate) async fn a_typed_batch_has_an_outcome_for_each_change(place: Place) {
    let name = place.table(&[]).await.name().clone();
    let items = place.client.table_named::<Item>(name).unwrap();
    let key = |number| ItemKey { number };
    let item = |number, name: &str| Item { key: key(number), name: name.into(), sold: Counter(0) };
    let all: Vec<_> = (0..10).map(|number| item(number, "old")).collect();
    items.put_all(&all).await.into_result().unwrap();

    let (new, bad) = (item(20, "new"), item(21, ""));
    let keys = [0, 1, 2, 3, 4, 5, 60, 7, 8].map(key);
    let changes = Batch::new()
        .put(&new)
        .update(&keys[0], Update::new().add(Item::SOLD, 3))
        .put(&bad)
        .delete(&keys[1])
        .update(&keys[2], Update::new().set(Item::NAME, "renamed"))
        .increment(&keys[3], Item::SOLD, 4)
        .append(&keys[4], Item::NAME, "er")
        .get(&keys[5])
        .get(&keys[6])
        .check_and_update(&keys[7], Item::NAME.eq("old"), Update::new().set(Item::NAME, "newer"))
        .check_and_update(&keys[8], Item::NAME.eq("new"), Update::new().set(Item::NAME, "newer"));
    let results = items.batch(changes).await;
    assert_eq!(results.failed_count(), 1);
    let [put, sold, refused, deleted, renamed, more, longer, read, none, changed, kept] =
        &results[..]
    else {
        panic!("{results:?}")
    };
    assert_eq!(more.as_ref().unwrap().get(Item::SOLD).unwrap(), Some(Counter(4)));
    assert_eq!(longer.as_ref().unwrap().get(Item::NAME).unwrap().as_deref(), Some("older"));
    assert_eq!(read.as_ref().unwrap().row(), Some(&item(5, "old")));
    assert_eq!(none.as_ref().unwrap().row(), None);
    let applied = [put, sold, deleted, renamed, more, longer, read, none, changed, kept];
    let applied = applied.map(|result| result.as_ref().unwrap().is_applied());
    assert_eq!(applied.iter().position(|applied| !applied), Some(9), "{applied:?}");
    assert_eq!(put.as_ref().unwrap().get(Item::SOLD).unwrap(), None);
    assert_eq!(sold.as_ref().unwrap().get(Item::SOLD).unwrap(), Some(Counter(3)));
    let refused = refused.as_ref().unwrap_err();
    assert_eq!((refused.kind(), refused.operation()), (ErrorKind::InvalidArgument, "put"));
    assert!(deleted.is_ok() && renamed.is_ok());

    let read = [20, 0, 21, 1, 2, 7, 8].map(key);
    let found = items.get_all(&read).await;
    let found: Vec<_> =
        found.into_result().unwrap().into_iter().map(|i| i.map(|i| i.name)).collect();
    let names = [Some("new"), Some("old"), None, None, Some("renamed"), Some("newer"), Some("old")];
    assert_eq!(found, names.map(|name| name.map(str::to_owned)));
    assert!(items.batch(Batch::new()).await.is_empty());
    items.delete_all(&(0..30).map(key).collect::<Vec<_>>()).await.into_result().unwrap();
    assert_eq!(items.scan(ItemKey::scan()).rows().next_row().await.unwrap(), None);
}
