//! Increment and append.

use tallrow::{Append, ErrorKind, Increment, Put};
use tallrow_tests::Place;

pub(crate) async fn an_increment_adds_and_returns(place: Place) {
    let table = place.table(&[]).await;
    let row = table.increment(Increment::new("r").add("f", "a", 5)).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "a").unwrap(), Some(5));
    let increment = Increment::new("r").add("f", "a", -7).add("g", "b", 1);
    let row = table.increment(increment).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "a").unwrap(), Some(-2));
    assert_eq!(row.counter("g", "b").unwrap(), Some(1));
    let row = table.increment(Increment::new("r").add("f", "zero", 0)).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "zero").unwrap(), Some(0));
    assert_eq!(table.get("r").await.unwrap().unwrap().counter("f", "a").unwrap(), Some(-2));
}

pub(crate) async fn a_counter_wraps_around(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("r").cell("f", "a", i64::MAX.to_be_bytes())).await.unwrap();
    let row = table.increment(Increment::new("r").add("f", "a", 1)).await.unwrap().unwrap();
    assert_eq!(row.counter("f", "a").unwrap(), Some(i64::MIN));
}

pub(crate) async fn a_cell_that_is_not_a_counter_is_reported(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("r").cell("f", "a", "text")).await.unwrap();
    let error = table.increment(Increment::new("r").add("f", "a", 1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotACounter, "{error:?}");
    assert!(error.to_string().contains("8 bytes wide"), "{error}");
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "a").unwrap_err().kind(), ErrorKind::NotACounter);
    assert_eq!(row.value("f", "a"), Some(&b"text"[..]));
}

pub(crate) async fn an_append_appends_and_returns(place: Place) {
    let table = place.table(&[]).await;
    let append = Append::new("r").add("f", "a", "x").add("g", "b", "y");
    let row = table.append(append).await.unwrap().unwrap();
    assert_eq!((row.value("f", "a"), row.value("g", "b")), (Some(&b"x"[..]), Some(&b"y"[..])));
    let row = table.append(Append::new("r").add("f", "a", "z")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "a"), Some(&b"xz"[..]));
}

pub(crate) async fn concurrent_increments_are_all_counted(place: Place) {
    let table = place.table(&["r05"]).await;
    let mut tasks = Vec::new();
    for task in 0..32 {
        let table = table.clone();
        tasks.push(tokio::spawn(async move {
            for i in 0..20 {
                let row = format!("r{:02}", (task + i) % 10);
                table.increment(Increment::new(row).add("f", "a", 1)).await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for i in 0..10 {
        let row = table.get(format!("r{i:02}")).await.unwrap().unwrap();
        assert_eq!(row.counter("f", "a").unwrap(), Some(64));
    }
}
