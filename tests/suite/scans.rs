//! Scans.

use tallrow::{Delete, Put, RawTable, Scan, Timestamp};
use tallrow_tests::Place;

async fn fill(table: &RawTable) {
    let puts = (0..100).map(|i| Put::new(format!("r{i:02}")).cell("f", "q", i.to_string()));
    table.put_all(puts).await.into_iter().for_each(|w| w.unwrap());
}

fn keys(range: impl Iterator<Item = u32>) -> Vec<String> {
    range.map(|i| format!("r{i:02}")).collect()
}

pub(crate) async fn a_scan_crosses_regions_in_order(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    assert_eq!(Place::keys(&table, Scan::all()).await, keys(0..100));
    assert_eq!(Place::keys(&table, Scan::range("r15".."r85")).await, keys(15..85));
    assert_eq!(Place::keys(&table, Scan::range("r20".."r40x")).await, keys(20..41));
    assert_eq!(Place::keys(&table, Scan::range("r79"..="r80")).await, keys(79..81));
    assert_eq!(Place::keys(&table, Scan::prefix("r7")).await, keys(70..80));
    assert_eq!(Place::keys(&table, Scan::range("r95"..)).await, keys(95..100));
    assert_eq!(Place::keys(&table, Scan::all().page_bytes(500)).await, keys(0..100));
}

pub(crate) async fn a_reversed_scan_returns_the_same_rows_backwards(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    assert_eq!(Place::keys(&table, Scan::all().reversed()).await, keys((0..100).rev()));
    let some = Scan::range("r15".."r85").reversed();
    assert_eq!(Place::keys(&table, some.clone()).await, keys((15..85).rev()));
    assert_eq!(Place::keys(&table, some.page_bytes(500)).await, keys((15..85).rev()));
    assert_eq!(
        Place::keys(&table, Scan::range("r20".."r80").reversed()).await,
        keys((20..80).rev())
    );
    assert_eq!(Place::keys(&table, Scan::range(..="r20").reversed()).await, keys((0..21).rev()));
    assert_eq!(
        Place::keys(&table, Scan::prefix("r9").reversed().limit(3)).await,
        ["r99", "r98", "r97"]
    );
}

pub(crate) async fn a_limit_counts_rows_across_regions(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    for limit in [0, 1, 19, 20, 21, 60, 100, 200] {
        let expected = keys(0..limit.min(100));
        let scan = Scan::all().limit(u64::from(limit));
        assert_eq!(Place::keys(&table, scan.clone()).await, expected);
        assert_eq!(Place::keys(&table, scan.page_bytes(300)).await, expected, "limit {limit}");
    }
}

pub(crate) async fn columns_versions_and_times_restrict_a_scan(place: Place) {
    let table = place.table(&["b"]).await;
    let at = Timestamp::from_millis;
    for t in [10, 20, 30] {
        table
            .put(Put::new("a").cell_at("f", "q", at(t), "v").cell_at("g", "q", at(t), "v"))
            .await
            .unwrap();
    }
    table.put(Put::new("b").cell_at("g", "q", at(15), "v")).await.unwrap();
    let cells = async |scan: Scan| {
        let mut rows = table.scan(scan).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            for c in row.cells() {
                let key = row.key().escape_ascii();
                found.push(format!(
                    "{key} {}:{} {}",
                    c.family().escape_ascii(),
                    c.qualifier().escape_ascii(),
                    c.timestamp().as_millis()
                ));
            }
        }
        found
    };
    assert_eq!(cells(Scan::all()).await, ["a f:q 30", "a g:q 30", "b g:q 15"]);
    assert_eq!(
        cells(Scan::all().family("f").versions(9)).await,
        ["a f:q 30", "a f:q 20", "a f:q 10"]
    );
    assert_eq!(cells(Scan::all().column("g", "q").time_range(at(12)..at(16))).await, ["b g:q 15"]);
    assert_eq!(cells(Scan::all().time_range(..at(12)).family("f").versions(2)).await, ["a f:q 10"]);
}

pub(crate) async fn rows_larger_than_a_page_are_returned_whole(place: Place) {
    let table = place.table(&["m"]).await;
    for row in ["a", "b", "n"] {
        let put =
            (0..60).fold(Put::new(row), |put, i| put.cell("f", format!("q{i:02}"), [7; 2_000]));
        table.put(put).await.unwrap();
    }
    for scan in [Scan::all(), Scan::all().reversed()] {
        let mut rows = table.scan(scan.page_bytes(10_000)).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push((row.key().to_vec(), row.cells().len()));
        }
        found.sort();
        assert_eq!(found, [(b"a".to_vec(), 60), (b"b".to_vec(), 60), (b"n".to_vec(), 60)]);
    }
}

pub(crate) async fn a_raw_scan_shows_delete_markers(place: Place) {
    let table = place.table(&[]).await;
    let at = Timestamp::from_millis;
    table
        .put(Put::new("r").cell_at("f", "q", at(10), "v").cell_at("f", "q", at(20), "v"))
        .await
        .unwrap();
    table.delete(Delete::new("r").column_until("f", "q", at(15))).await.unwrap();
    let mut rows = table.scan(Scan::all().raw().versions(9)).unwrap();
    let row = rows.next_row().await.unwrap().unwrap();
    let kinds: Vec<_> = row.cells().iter().map(|c| (c.timestamp().as_millis(), c.kind())).collect();
    use tallrow::cell::CellType::{DeleteColumn, Put as Value};
    assert_eq!(kinds, [(20, Value), (15, DeleteColumn), (10, Value)]);
}

pub(crate) async fn an_empty_range_has_no_rows(place: Place) {
    let table = place.table(&["m"]).await;
    fill(&table).await;
    for scan in
        [Scan::range("b".."a"), Scan::range("r50".."r50"), Scan::prefix("zz"), Scan::range("s"..)]
    {
        assert_eq!(Place::keys(&table, scan.clone()).await, [""; 0]);
        assert_eq!(Place::keys(&table, scan.reversed()).await, [""; 0]);
    }
}

pub(crate) async fn a_dropped_scan_does_not_affect_later_calls(place: Place) {
    let table = place.table(&["r50"]).await;
    fill(&table).await;
    for _ in 0..5 {
        let mut rows = table.scan(Scan::all().page_bytes(300)).unwrap();
        assert_eq!(rows.next_row().await.unwrap().unwrap().key(), b"r00");
        drop(rows);
    }
    // A region with an unclosed scanner can still be disabled; here it matters that later calls succeed.
    assert_eq!(Place::keys(&table, Scan::all()).await.len(), 100);
    place.drop_table(table.name().as_str()).await;
}
