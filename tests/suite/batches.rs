//! Many operations at a time.

use tallrow::{
    Append, Delete, ErrorKind, Get, Increment, Put,
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
        Check::new("h", "f", "q").is_absent().then(Put::new("h").cell("f", "q", "H")).into(),
        Check::new("i", "f", "q").equals("x").then(Put::new("i").cell("f", "q", "I")).into(),
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
