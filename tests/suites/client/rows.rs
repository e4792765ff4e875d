//! One row: put, get, exists, delete.

use std::time::Duration;

use tallrow::op::{Check, RowMutations};
use tallrow::{Delete, ErrorKind, Get, Increment, Put, RawTable, Row, Scan, Timestamp};
use tallrow_tests::{Place, thorough};

pub(crate) async fn a_row_is_written_read_and_deleted(place: Place) {
    let table = place.table(&[]).await;
    assert_eq!(table.get("r").await.unwrap(), None);
    assert!(!table.exists("r").await.unwrap());

    table.put(Put::new("r").cell("f", "a", "1").cell("g", "b", "2")).await.unwrap();
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!(row.key(), b"r");
    assert_eq!(row.value("f", "a"), Some(&b"1"[..]));
    assert_eq!(row.value("g", "b"), Some(&b"2"[..]));
    assert_eq!(row.cells().len(), 2);
    let now = Timestamp::now().as_millis();
    let written = row.cells()[0].timestamp().as_millis();
    assert!(now.abs_diff(written) < 3_600_000, "the server's time is {written}, ours is {now}");
    assert!(table.exists("r").await.unwrap());

    table.put(Put::new("r").cell("f", "a", "3")).await.unwrap();
    assert_eq!(table.get("r").await.unwrap().unwrap().value("f", "a"), Some(&b"3"[..]));

    table.delete("r").await.unwrap();
    assert_eq!(table.get("r").await.unwrap(), None);
    table.delete("r").await.unwrap();
}

/// HBase's delete hides all that was written up to its millisecond, also later than the delete.
pub(crate) async fn what_is_written_after_a_delete_is_found(place: Place) {
    let table = place.table(&["a"]).await;
    let put = |value: usize| Put::new("r").cell("f", "a", value.to_string());
    let check = |value: usize| Check::new("r", "f", "a").if_equals(value.to_string());
    let rounds = if thorough() { 10_000 } else { 40 };
    for round in 0..rounds {
        table.put(put(round)).await.unwrap();
        let deleted = match round % 6 {
            0 => table.delete(Delete::new("r")).await,
            1 => table.delete(Delete::new("r").column("f", "a")).await,
            2 => match table.delete(Delete::new("r").newest_version("f", "a")).await {
                // Bigtable has none such, and no time that hides what is later.
                Err(error) if error.kind() == ErrorKind::Unsupported => continue,
                done => done,
            },
            3 => {
                let delete = check(round).then(Delete::new("r").column("f", "a"));
                table.check_and_mutate(delete).await.map(|done| assert!(done.is_applied()))
            }
            4 => {
                let step = RowMutations::new("r")
                    .add(Delete::new("r").family("f"))
                    .add(Put::new("r").cell("g", "b", "v"));
                table.mutate_row(step).await.map(drop)
            }
            _ => table.delete_all([Delete::new("r")]).await.into_result().map(drop),
        };
        deleted.unwrap();
        let new = round + rounds;
        match round / 6 % 4 {
            0 => table.put(put(new)).await.unwrap(),
            1 => {
                let absent = Check::new("r", "g", "none").if_not_exists().then(put(new));
                assert!(
                    table.check_and_mutate(absent).await.unwrap().is_applied(),
                    "round {round}"
                );
            }
            2 => drop(table.put_all([put(new)]).await.into_result().unwrap()),
            _ => drop(table.mutate_row(RowMutations::new("r").add(put(new))).await.unwrap()),
        }
        let row = table.get("r").await.unwrap();
        let found = row.as_ref().and_then(|row| row.value("f", "a"));
        assert_eq!(found, Some(new.to_string().as_bytes()), "round {round}");
    }
}

pub(crate) async fn a_get_returns_the_columns_that_it_names(place: Place) {
    let table = place.table(&[]).await;
    let put = Put::new("r")
        .cell("f", "a", "1")
        .cell("f", "b", "2")
        .cell("g", "a", "3")
        .cell("g", "", "4");
    table.put(put).await.unwrap();
    let columns = async |get: Get| -> Vec<String> {
        let row = table.get(get).await.unwrap();
        let name = |c: &tallrow::cell::Cell| {
            format!("{}:{}", c.family().escape_ascii(), c.qualifier().escape_ascii())
        };
        row.map(|row| row.cells().iter().map(name).collect()).unwrap_or_default()
    };
    assert_eq!(columns(Get::new("r")).await, ["f:a", "f:b", "g:", "g:a"]);
    assert_eq!(columns(Get::new("r").family("g")).await, ["g:", "g:a"]);
    assert_eq!(columns(Get::new("r").column("f", "b").column("g", "a")).await, ["f:b", "g:a"]);
    assert_eq!(columns(Get::new("r").column("g", "")).await, ["g:"]);
    assert_eq!(columns(Get::new("r").column("f", "a").family("f")).await, ["f:a", "f:b"]);
    assert_eq!(columns(Get::new("r").column("f", "none")).await, [""; 0]);
    assert!(!table.exists(Get::new("r").column("f", "none")).await.unwrap());
    assert!(table.exists(Get::new("r").column("f", "a")).await.unwrap());
}

pub(crate) async fn versions_and_times_are_chosen(place: Place) {
    let table = place.table(&[]).await;
    for t in [10, 20, 30, 40, 50, 60] {
        let put = Put::new("r").cell_at("f", "q", Timestamp::from_millis(t), t.to_string());
        table.put(put.cell_at("g", "q", Timestamp::from_millis(t), "one")).await.unwrap();
    }
    let times = async |get: Get| seen(&table, get.column("f", "q")).await;
    let at = Timestamp::from_millis;
    assert_eq!(times(Get::new("r")).await, [60]);
    assert_eq!(times(Get::new("r").versions(3)).await, [60, 50, 40]);
    assert_eq!(
        times(Get::new("r").versions(100)).await,
        [60, 50, 40, 30, 20],
        "the family retains 5"
    );
    assert_eq!(times(Get::new("r").versions(100).time_range(at(30)..at(50))).await, [40, 30]);
    assert_eq!(times(Get::new("r").versions(100).time_range(at(30)..=at(50))).await, [50, 40, 30]);
    assert_eq!(times(Get::new("r").time_range(..at(50))).await, [40]);
    assert_eq!(times(Get::new("r").at(at(30))).await, [30]);
    assert_eq!(times(Get::new("r").at(at(31))).await, [0u64; 0]);
    assert_eq!(seen(&table, Get::new("r").versions(9).column("g", "q")).await, [60]);
}

pub(crate) async fn each_kind_of_delete_hides_the_cells_that_it_names(place: Place) {
    let table = place.table(&[]).await;
    let at = Timestamp::from_millis;
    let fill = async |row: &str| {
        for t in [10, 20, 30] {
            let put = Put::new(row).cell_at("f", "q", at(t), "v").cell_at("f", "p", at(t), "v");
            table.put(put.cell_at("g", "q", at(t), "v")).await.unwrap();
        }
    };
    let left = async |row: &str, family: &str, qualifier: &str| {
        seen(&table, Get::new(row).versions(9).column(family, qualifier)).await
    };
    let cases: [(&str, Delete, [&[u64]; 3]); 8] = [
        ("row", Delete::new("row"), [&[], &[], &[]]),
        ("until", Delete::new("until").until(at(20)), [&[30], &[30], &[30]]),
        ("fam", Delete::new("fam").family("f"), [&[], &[], &[30]]),
        ("famold", Delete::new("famold").family_until("f", at(20)), [&[30], &[30], &[30]]),
        (
            "famver",
            Delete::new("famver").family_version("f", at(20)),
            [&[30, 10], &[30, 10], &[30]],
        ),
        ("col", Delete::new("col").column("f", "q"), [&[], &[30, 20, 10], &[30]]),
        (
            "colold",
            Delete::new("colold").column_until("f", "q", at(20)),
            [&[30], &[30, 20, 10], &[30]],
        ),
        ("ver", Delete::new("ver").version("f", "q", at(20)), [&[30, 10], &[30, 20, 10], &[30]]),
    ];
    for (row, delete, expected) in cases {
        fill(row).await;
        table.delete(delete).await.unwrap();
        let found =
            [left(row, "f", "q").await, left(row, "f", "p").await, left(row, "g", "q").await];
        assert_eq!(found, expected, "{row}");
    }
    fill("new").await;
    table.delete(Delete::new("new").newest_version("f", "q")).await.unwrap();
    assert_eq!(left("new", "f", "q").await, [20, 10]);
}

pub(crate) async fn any_bytes_are_a_row_key_a_qualifier_and_a_value(place: Place) {
    let table = place.table(&["m"]).await;
    let long = vec![0xFF; 32_767];
    let rows: [&[u8]; 7] =
        [b"\0", b"\0\0", b",", b"a,b,c", b"\xff\xff", "schlüssel".as_bytes(), &long];
    for row in rows {
        let value = vec![0xAB; 70_000];
        table.put(Put::new(row).cell("f", row, &value).cell("f", "", "")).await.unwrap();
        let found = table.get(row).await.unwrap().unwrap();
        assert_eq!(found.key(), row);
        assert_eq!(found.value("f", row), Some(&value[..]));
        assert_eq!(found.value("f", ""), Some(&b""[..]));
    }
    // The key that comes next after the longest one would be too long.
    let longest = |last: u8| [&[b'z'; 32_766][..], &[last]].concat();
    let (first, second) = (longest(1), longest(2));
    for row in [&first, &second] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let read = async |scan: Scan| {
        let rows = table.scan(scan.rows_per_call(1)).unwrap();
        let rows: Vec<_> = rows.try_collect().await.unwrap();
        rows.iter().map(|row: &Row| row.key().to_vec()).collect::<Vec<_>>()
    };
    let rest = [second.clone(), "\u{fe}".into(), long.clone()];
    table.put(Put::new(&rest[1]).cell("f", "q", "v")).await.unwrap();
    for found in [
        read(Scan::range(&first[..]..).after(&first)).await,
        read(Scan::range(&second[..]..)).await,
    ] {
        assert!(found.starts_with(&rest[..1]) && found.ends_with(&rest[2..]), "{}", found.len());
    }
    let both = [first.clone(), second.clone()];
    assert_eq!(read(Scan::range(&first[..]..=&second[..])).await, both);
    let reversed = [second.clone(), first.clone()];
    assert_eq!(read(Scan::range(&first[..]..=&second[..]).reversed()).await, reversed);
    assert_eq!(read(Scan::range(&first[..]..=&first[..])).await, both[..1]);
}

pub(crate) async fn a_cell_with_a_time_to_live_vanishes(place: Place) {
    let table = place.table(&[]).await;
    let day = Duration::from_secs(86_400);
    let old = Timestamp::from_millis(Timestamp::now().as_millis() - 2 * day.as_millis() as u64);
    table.put(Put::new("r").cell_at("f", "a", old, "v").ttl(day)).await.unwrap();
    table.put(Put::new("r").cell_at("f", "b", old, "v").ttl(3 * day)).await.unwrap();
    let row = table.get("r").await.unwrap().unwrap();
    assert_eq!((row.value("f", "a"), row.value("f", "b")), (None, Some(&b"v"[..])));
    // A server adds it to the time of the cell, in 64 bits with a sign.
    let most = [i64::MAX as u64 - 1, i64::MAX as u64, u64::MAX].map(Duration::from_millis);
    for long in most.into_iter().chain([Duration::MAX]) {
        table.put(Put::new("r").cell("f", "c", "v").ttl(long)).await.unwrap();
        table.increment(Increment::new("r").add("f", "n", 1).ttl(long)).await.unwrap();
        let row = table.get("r").await.unwrap().unwrap();
        assert!(row.cell("f", "c").is_some() && row.cell("f", "n").is_some(), "{long:?}");
        table.delete(Delete::new("r").column("f", "c").column("f", "n")).await.unwrap();
    }
}

async fn seen(table: &RawTable, get: Get) -> Vec<u64> {
    let row = table.get(get).await.unwrap();
    row.map(|row| row.cells().iter().map(|c| c.timestamp().as_millis()).collect())
        .unwrap_or_default()
}
