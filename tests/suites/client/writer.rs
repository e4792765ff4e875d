//! Writes that are collected and sent many at a time.

use tallrow::{Append, Counter, Delete, Increment, Put, RowKey, Scan, Table, Update};
use tallrow_tests::{Place, patience};

pub(crate) async fn a_writer_writes_all_it_was_given(place: Place) {
    let table = place.table(&["row2", "row5", "row7"]).await;
    let writer = table.writer().start().unwrap();
    let rows = if place.is_thorough() { 20_000_u32 } else { 5_000 };
    for i in 0..rows {
        let row = format!("row{:05}", i.wrapping_mul(7_919) % 100_000);
        writer.write(Put::new(row).cell("f", "q", "v")).await.unwrap();
        if i % 10 == 0 {
            let counter = format!("row{}", i % 70);
            writer.write(Increment::new(counter).add("f", "n", 1)).await.unwrap();
        }
    }
    writer.flush().await.into_result().unwrap();
    let counted = rows / 10;
    assert_eq!(writer.stats().acknowledged, u64::from(rows + counted));
    let puts = table.count(Scan::all().column("f", "q")).await.unwrap();
    assert_eq!(puts, u64::from(rows));
    let mut sum = 0;
    for counter in 0..7 {
        let row = table.get(format!("row{}", counter * 10)).await.unwrap().unwrap();
        sum += row.counter("f", "n").unwrap().unwrap();
    }
    assert_eq!(sum, i64::from(counted));
    for row in ["row10000", "row90000"] {
        writer.write(Delete::new(row)).await.unwrap();
    }
    assert!(writer.close(patience()).await.is_complete());
    assert!(!table.exists("row10000").await.unwrap());
}

pub(crate) async fn writes_of_a_row_are_made_in_their_order(place: Place) {
    let table = place.table(&["b", "d"]).await;
    let writer = table.writer().batch_operations(16).start().unwrap();
    for i in 0..100 {
        for row in ["a", "b", "c", "d", "e"] {
            writer.write(Append::new(row).add("f", "all", format!("{i},"))).await.unwrap();
            writer.write(Put::new(row).cell("f", "last", i.to_string())).await.unwrap();
        }
    }
    writer.flush().await.into_result().unwrap();
    let all: String = (0..100).map(|i| format!("{i},")).collect();
    for row in ["a", "b", "c", "d", "e"] {
        let found = table.get(row).await.unwrap().unwrap();
        assert_eq!(found.value("f", "all"), Some(all.as_bytes()), "{row}");
        assert_eq!(found.value("f", "last"), Some(&b"99"[..]), "{row}");
    }
}

#[derive(RowKey, Clone)]
struct VisitorKey {
    visitor: u64,
}

#[derive(Table)]
#[table(name = "visitors")]
#[family("v")]
struct Visitor {
    #[key]
    key: VisitorKey,
    #[cell("v:n")]
    name: String,
    #[cell("v:c")]
    visits: Counter,
}

pub(crate) async fn a_writer_of_typed_rows_does_what_the_table_does(place: Place) {
    let visitors = place.typed::<Visitor>().await;
    let writer = visitors.writer().start().unwrap();
    for visitor in 0..500 {
        let key = VisitorKey { visitor };
        let name = format!("Visitor {visitor}");
        writer.put(&Visitor { key: key.clone(), name, visits: Counter(0) }).await.unwrap();
        for _ in 0..3 {
            writer.update(&key, Update::new().add(Visitor::VISITS, 1)).await.unwrap();
        }
    }
    writer.delete(&VisitorKey { visitor: 7 }).await.unwrap();
    assert!(writer.close(patience()).await.is_complete());
    let mut rows = visitors.scan(VisitorKey::scan()).rows();
    let mut count = 0;
    while let Some(row) = rows.next_row().await.unwrap() {
        assert_eq!(row.visits, Counter(3), "visitor {}", row.key.visitor);
        count += 1;
    }
    assert_eq!(count, 499);
}

pub(crate) async fn a_closed_client_has_written_all(place: Place) {
    let table = place.table(&["m"]).await;
    let client = place.client_with("default", "").await;
    let writer = client.raw_table(table.name()).unwrap().writer().start().unwrap();
    for i in 0..1_000 {
        writer
            .write(Put::new(format!("{}{i}", ["a", "z"][i % 2])).cell("f", "q", "v"))
            .await
            .unwrap();
    }
    client.close(patience()).await.unwrap();
    assert_eq!(table.count(Scan::all()).await.unwrap(), 1_000);
    let error = writer.write(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), tallrow::ErrorKind::Closed);
}
