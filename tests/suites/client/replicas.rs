//! Reads from secondary replicas, which see what was flushed, and say so.

use std::time::Duration;

use tallrow::op::{CallOptions, Consistency, RowOperation};
use tallrow::{FamilyDescriptor, Get, Put, RawTable, Scan, TableDescriptor};
use tallrow_tests::{Place, patient, until};

/// A table with two replicas of each region, in which row `a` and `x` have the value `1`.
async fn replicated(place: &Place) -> RawTable {
    let name = place.table_name().await;
    let table = TableDescriptor::new(name.as_str()).unwrap().family(FamilyDescriptor::new("f"));
    let table = place.create(&table.region_replication(2).splits(["m"])).await;
    table.put_all(["a", "x"].map(|row| put(row, "1"))).await.into_result().unwrap();
    let admin = place.client.admin().hbase().unwrap();
    admin.flush(table.name()).await.unwrap();
    for row in ["a", "x"] {
        follow(&table, row, "1").await;
    }
    table
}

fn put(row: &str, value: &str) -> Put {
    Put::new(row).cell("f", "q", value)
}

fn secondary() -> CallOptions {
    CallOptions::new().consistency(Consistency::Timeline).replica(1)
}

/// Waits until the secondary replica has this value of a row.
async fn follow(table: &RawTable, row: &str, value: &str) {
    let found = async || {
        let read = table.get_timeline(Get::new(row).options(secondary())).await.unwrap();
        assert!(read.is_stale, "a secondary replica has answered");
        read.value.and_then(|row| row.value("f", "q").map(<[u8]>::to_vec))
    };
    let what = format!("the secondary replica of row {row} has {value}");
    until(&what, async || found().await.as_deref() == Some(value.as_bytes())).await;
}

/// The values of a scan in order, and how many of them may be stale.
async fn scanned(table: &RawTable, scan: Scan) -> (Vec<String>, usize) {
    let mut rows = table.scan(scan).unwrap();
    let (mut values, mut stale) = (Vec::new(), 0);
    while let Some(row) = rows.next_row().await.unwrap() {
        values.push(String::from_utf8(row.value("f", "q").unwrap().to_vec()).unwrap());
        stale += usize::from(row.is_stale());
    }
    assert_eq!(rows.metrics().stale_rows as usize, stale);
    (values, stale)
}

pub(crate) async fn a_secondary_replica_says_that_it_may_be_stale(place: Place) {
    let table = replicated(&place).await;
    table.put(put("a", "2")).await.unwrap();
    let found = |row: Option<tallrow::Row>| row.unwrap().value("f", "q").unwrap().to_vec();

    // The primary replica has what was written last, the other one what was flushed.
    let read =
        table.get_timeline(Get::new("a").options(CallOptions::new().replica(0))).await.unwrap();
    assert_eq!((read.is_stale, found(read.value)), (false, b"2".to_vec()));
    let read = table.get_timeline(Get::new("a").options(secondary())).await.unwrap();
    assert_eq!((read.is_stale, found(read.value)), (true, b"1".to_vec()));
    let nothing = table.get_timeline(Get::new("b").options(secondary())).await.unwrap();
    assert!(nothing.is_stale && nothing.value.is_none());

    let strong = table.get("a").await.unwrap().unwrap();
    assert!(!strong.is_stale());
    let second = table.clone().with_options(secondary());
    assert!(second.exists("a").await.unwrap());
    let gets: [RowOperation; 3] = ["a", "b", "x"].map(|row| Get::new(row).into());
    let outcomes = second.batch(gets).await.into_result().unwrap();
    assert!(outcomes.iter().all(|outcome| outcome.is_stale));
    assert_eq!(outcomes.iter().filter(|outcome| outcome.row.is_some()).count(), 2);

    assert_eq!(scanned(&table, Scan::all()).await, (vec!["2".into(), "1".into()], 0));
    for reversed in [false, true] {
        let scan = Scan::all().options(secondary());
        let scan = if reversed { scan.reversed() } else { scan };
        assert_eq!(scanned(&table, scan).await, (vec!["1".into(), "1".into()], 2));
    }

    // A flush is what the other replica follows.
    place.client.admin().hbase().unwrap().flush(table.name()).await.unwrap();
    follow(&table, "a", "2").await;
}

pub(crate) async fn a_timeline_read_takes_the_answer_that_comes_first(place: Place) {
    let table = replicated(&place).await;
    // On a machine that is slow enough, the primary replica is late, and either answer is right.
    let check = |is_stale: bool, value: Option<&[u8]>| {
        assert!(value == Some(b"2") || is_stale && value == Some(b"1"), "{is_stale} {value:?}");
    };
    table.put_all(["a", "x"].map(|row| put(row, "2"))).await.into_result().unwrap();
    let hasty = patient()
        .consistency(Consistency::Timeline)
        .primary_get_timeout(Duration::from_nanos(1))
        .primary_scan_timeout(Duration::from_nanos(1));
    for config in [patient().consistency(Consistency::Timeline), hasty] {
        let client = place.client_of(config).await;
        let table = client.raw_table(table.name()).unwrap();
        for _ in 0..20 {
            let read = table.get_timeline("a").await.unwrap();
            check(read.is_stale, read.value.unwrap().value("f", "q"));
            let mut rows = table.scan(Scan::all()).unwrap();
            let mut count = 0;
            while let Some(row) = rows.next_row().await.unwrap() {
                check(row.is_stale(), row.value("f", "q"));
                count += 1;
            }
            assert_eq!(count, 2);
        }
        let rows = table.get_all(["a", "x", "a"]).await.into_result().unwrap();
        rows.iter().flatten().for_each(|row| check(row.is_stale(), row.value("f", "q")));
    }
}
