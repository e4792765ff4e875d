//! Scans.

use std::ops::{Bound, RangeBounds};

use tallrow::filter::{CompareOperator, DependentColumn, SingleColumnValue};
use tallrow::regions::RegionLocation;
use tallrow::{Delete, ErrorKind, Filter, Put, RawTable, Scan, Timestamp};
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
    assert_eq!(Place::keys(&table, Scan::all().bytes_per_call(500)).await, keys(0..100));
}

pub(crate) async fn a_reversed_scan_returns_the_same_rows_backwards(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    assert_eq!(Place::keys(&table, Scan::all().reversed()).await, keys((0..100).rev()));
    let some = Scan::range("r15".."r85").reversed();
    assert_eq!(Place::keys(&table, some.clone()).await, keys((15..85).rev()));
    assert_eq!(Place::keys(&table, some.bytes_per_call(500)).await, keys((15..85).rev()));
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
        assert_eq!(Place::keys(&table, scan.bytes_per_call(300)).await, expected, "limit {limit}");
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
        let mut rows = table.scan(scan.bytes_per_call(10_000)).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push((row.key().to_vec(), row.cells().len()));
        }
        found.sort();
        assert_eq!(found, [(b"a".to_vec(), 60), (b"b".to_vec(), 60), (b"n".to_vec(), 60)]);
    }
}

/// A row `a` with six cells in `f` and four in `g`, and rows `b` and `c` with one of each; over two
/// regions.
async fn wide(place: &Place) -> RawTable {
    let table = place.table(&["b"]).await;
    let wide = (0..6).fold(Put::new("a"), |put, i| put.cell("f", format!("q{i}"), [7; 400]));
    let wide = (0..4).fold(wide, |put, i| put.cell("g", format!("q{i}"), [7; 400]));
    let others = ["b", "c"].map(|row| Put::new(row).cell("f", "q0", "v").cell("g", "q1", "v"));
    table.put(wide).await.unwrap();
    table.put_all(others).await.into_iter().for_each(|put| put.unwrap());
    table
}

/// The rows of a scan: key, columns, and `+` if more of the row may follow.
async fn rows(table: &RawTable, scan: Scan) -> Vec<String> {
    let mut rows = table.scan(scan).unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        let column = |cell: &tallrow::cell::Cell| {
            let name = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            format!(" {}{}", name(cell.family()), &name(cell.qualifier())[1..])
        };
        let columns: String = row.cells().iter().map(column).collect();
        let more = if row.is_partial() { " +" } else { "" };
        found.push(format!("{}{columns}{more}", row.key().escape_ascii()));
    }
    found
}

pub(crate) async fn cells_are_limited_for_each_family(place: Place) {
    let table = wide(&place).await;
    let first = Scan::all().cells_per_family(2);
    assert_eq!(rows(&table, first.clone()).await, ["a f0 f1 g0 g1", "b f0 g1", "c f0 g1"]);
    assert_eq!(rows(&table, first.clone().cell_offset(1)).await, ["a f1 f2 g1 g2"]);
    assert_eq!(rows(&table, Scan::all().cell_offset(5)).await, ["a f5"]);
    assert_eq!(rows(&table, first.family("g").reversed()).await, ["c g1", "b g1", "a g0 g1"]);
    assert!(table.scan(Scan::all().cells_per_family(0)).is_err());
}

pub(crate) async fn a_call_returns_as_many_rows_as_it_may(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    for scan in [Scan::all(), Scan::all().reversed()] {
        for rows in [1, 7, 100] {
            let mut found = Place::keys(&table, scan.clone().rows_per_call(rows)).await;
            found.sort();
            assert_eq!(found, keys(0..100), "{rows} rows per call");
            let limited = scan.clone().rows_per_call(rows).limit(30);
            assert_eq!(Place::keys(&table, limited).await.len(), 30, "the limit is of all calls");
        }
    }
    assert!(table.scan(Scan::all().rows_per_call(0)).is_err());
}

pub(crate) async fn a_row_is_returned_in_batches_of_cells(place: Place) {
    let table = wide(&place).await;
    let parts = |scan: Scan| rows(&table, scan);
    let ends = ["b f0 g1", "c f0 g1"];
    let expected = ["a f0 f1 f2 f3 +", "a f4 f5 g0 g1 +", "a g2 g3"];
    assert_eq!(parts(Scan::all().batch(4)).await, [&expected[..], &ends].concat());
    // A page that ends within a batch does not change it.
    for bytes in [100, 600, 1_300] {
        assert_eq!(
            parts(Scan::all().batch(4).bytes_per_call(bytes)).await,
            [&expected[..], &ends].concat()
        );
    }
    assert_eq!(parts(Scan::all().batch(4).rows_per_call(1)).await, [&expected[..], &ends].concat());
    let five = ["a f0 f1 f2 f3 f4 +", "a f5 g0 g1 g2 g3"];
    assert_eq!(parts(Scan::all().batch(5).limit(2)).await, [&five[..], &ends[..1]].concat());
    assert_eq!(parts(Scan::all().batch(5).limit(2).reversed()).await, [ends[1], ends[0]]);
    assert!(table.scan(Scan::all().batch(0)).is_err());
}

pub(crate) async fn a_row_is_returned_in_the_parts_that_are_sent(place: Place) {
    let table = wide(&place).await;
    let parts = rows(&table, Scan::all().partial_rows().bytes_per_call(1_000)).await;
    assert!(parts.len() > 4, "{parts:?}");
    let of_a: Vec<_> = parts.iter().filter(|part| part.starts_with("a ")).collect();
    let cells: String = of_a.iter().map(|part| part[1..].replace(" +", "")).collect();
    assert_eq!(cells, " f0 f1 f2 f3 f4 f5 g0 g1 g2 g3");
    assert!(of_a[..of_a.len() - 1].iter().all(|part| part.ends_with('+')), "{parts:?}");
    assert_eq!(parts[parts.len() - 2..], ["b f0 g1", "c f0 g1"]);
    let whole = rows(&table, Scan::all().bytes_per_call(1_000)).await;
    assert_eq!(whole[0], "a f0 f1 f2 f3 f4 f5 g0 g1 g2 g3");
}

pub(crate) async fn regions_are_read_in_parallel(place: Place) {
    let table = place.table(&["r20", "r40x", "r60", "r80"]).await;
    fill(&table).await;
    for width in [1, 2, 3, 8] {
        let scan = |scan: Scan| Place::keys(&table, scan.parallel(width).bytes_per_call(700));
        assert_eq!(scan(Scan::all()).await, keys(0..100), "{width} at a time");
        assert_eq!(scan(Scan::all().reversed()).await, keys((0..100).rev()));
        assert_eq!(scan(Scan::range("r15".."r85").limit(50)).await, keys(15..65));
        assert_eq!(
            scan(Scan::range("r15".."r85").reversed().limit(50)).await,
            keys((35..85).rev())
        );
        assert_eq!(scan(Scan::all().after("r39")).await, keys(40..100));
        assert_eq!(scan(Scan::range("s"..)).await, [""; 0]);
        assert_eq!(scan(Scan::range("b".."a")).await, [""; 0]);
        let mut found = scan(Scan::all().unordered()).await;
        found.sort();
        assert_eq!(found, keys(0..100), "{width} at a time, unordered");
        assert_eq!(scan(Scan::all().unordered().limit(37)).await.len(), 37);
        assert_eq!(table.count(Scan::all().parallel(width)).await.unwrap(), 100);
    }
    assert!(table.scan(Scan::all().parallel(0)).is_err());
    let error = table.scan_page(Scan::all().unordered(), 3).await.unwrap_err();
    assert!(error.to_string().contains("a page of an unordered scan"), "{error}");
}

pub(crate) async fn a_scan_is_explained_before_it_is_read(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    let scan = Scan::range("r15".."r45").column("f", "q").bytes_per_call(1 << 20);
    let plan = table.explain(scan.clone()).await.unwrap();
    let starts: Vec<_> = plan.ranges[0].1.iter().map(RegionLocation::start_key).collect();
    assert_eq!(starts, [&b""[..], b"r20", b"r40x"]);
    assert_eq!((plan.region_count(), plan.min_calls, plan.bytes_per_call), (3, 3, 1 << 20));
    assert_eq!(plan.pushed_down, ["column f:q", "1 version"]);
    // What it says is what happens.
    let mut rows = table.scan(scan.clone()).unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    let metrics = rows.metrics();
    assert_eq!((metrics.calls, metrics.regions, metrics.rows), (3, 3, 30));
    let limited = table.explain(scan.limit(2).parallel(2)).await.unwrap();
    assert_eq!(limited.min_calls, 1);
    assert_eq!(limited.pushed_down[2..], ["limit of 2 rows"]);
    assert_eq!(limited.on_client, ["2 regions at the same time", "limit of all ranges together"]);
    let error = table.explain(Scan::all().versions(0)).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (tallrow::ErrorKind::InvalidArgument, "explain"));
    let missing = place.client.raw_table("no_such_table").unwrap();
    let error = missing.explain(Scan::all()).await.unwrap_err();
    assert_eq!(error.kind(), tallrow::ErrorKind::TableNotFound, "{error:?}");
}

pub(crate) async fn a_scan_is_measured_by_the_client_and_the_servers(place: Place) {
    let table = place.table(&["r20", "r40x", "r80"]).await;
    fill(&table).await;
    let metrics = async |scan: Scan| {
        let mut rows = table.scan(scan).unwrap();
        let (mut count, mut bytes) = (0, 0);
        while let Some(row) = rows.next_row().await.unwrap() {
            count += 1;
            bytes += row.cells().iter().map(|cell| cell.size() as u64).sum::<u64>();
        }
        let metrics = rows.metrics();
        assert_eq!((metrics.rows, metrics.bytes, metrics.retries), (count, bytes, 0));
        metrics
    };
    let all = metrics(Scan::all()).await;
    assert_eq!((all.calls, all.regions, all.cells), (4, 4, 100));
    assert!(all.server_counts.is_empty() && !all.server_time.is_zero(), "{all:?}");
    assert_eq!(metrics(Scan::all().rows_per_call(10).limit(20)).await.calls, 2);
    let odd = Filter::value(CompareOperator::Greater, "5");
    let some = metrics(Scan::all().filter(odd).server_metrics()).await;
    assert_eq!(
        (some.rows, some.server_counts["ROWS_SCANNED"], some.server_counts["ROWS_FILTERED"]),
        (54, 100, 46)
    );
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

pub(crate) async fn a_range_has_the_rows_between_its_bounds_in_both_orders(place: Place) {
    let table = place.table(&["r50"]).await;
    let rows = ["r", "r\0", "r1", "r5", "r50", "r50\0", "r9"];
    for row in rows {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let keys = ["r", "r\0", "r3", "r50", "r9"];
    let starts = keys.map(Bound::Included).into_iter().chain(keys.map(Bound::Excluded));
    let ends = || keys.map(Bound::Included).into_iter().chain(keys.map(Bound::Excluded));
    for start in starts.chain([Bound::Unbounded]) {
        for end in ends().chain([Bound::Unbounded]) {
            let range = (start, end);
            let mut expected: Vec<&str> =
                rows.into_iter().filter(|row| RangeBounds::<&str>::contains(&range, row)).collect();
            let scan = || Scan::range::<&str>(range);
            assert_eq!(Place::keys(&table, scan()).await, expected, "{range:?}");
            let last = expected.last().copied();
            expected.reverse();
            assert_eq!(Place::keys(&table, scan().reversed()).await, expected, "{range:?}");
            let found = Place::keys(&table, scan().reversed().limit(1)).await;
            assert_eq!(found, Vec::from_iter(last), "{range:?}");
        }
    }
}

pub(crate) async fn a_dropped_scan_does_not_affect_later_calls(place: Place) {
    let table = place.table(&["r50"]).await;
    fill(&table).await;
    for _ in 0..5 {
        let mut rows = table.scan(Scan::all().bytes_per_call(300)).unwrap();
        assert_eq!(rows.next_row().await.unwrap().unwrap().key(), b"r00");
        drop(rows);
    }
    // A region with an unclosed scanner can still be disabled; here it matters that later calls
    // succeed.
    assert_eq!(Place::keys(&table, Scan::all()).await.len(), 100);
    place.drop_table(table.name().as_str()).await;
}

pub(crate) async fn a_filter_of_whole_rows_is_refused_for_parts(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("r").cell("f", "q", "v").cell("f", "r", "v")).await.unwrap();
    let of_column = || Filter::from(SingleColumnValue::new("f", "q", CompareOperator::Equal, "v"));
    let of_cells = || Filter::value(CompareOperator::Equal, "v");
    let whole = [
        of_column(),
        DependentColumn::new("f", "q").into(),
        Filter::page(1),
        Filter::random_row(1.0),
        of_cells().skip(),
        of_cells().while_match(),
        Filter::all([of_cells(), of_column()]),
        Filter::any([of_cells(), Filter::all([of_cells(), Filter::page(1)])]),
        of_cells().and(of_cells().skip()),
    ];
    for filter in whole {
        let error = table.scan(Scan::all().batch(1).filter(filter.clone())).err().unwrap();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{filter:?}");
        assert!(error.to_string().contains("whole rows"), "{error}");
        assert!(table.scan(Scan::all().filter(filter.clone())).is_ok());
        assert!(table.scan(Scan::all().partial_rows().filter(filter)).is_ok());
    }
    // What keeps cells, and what ends a scan by its keys, needs no whole rows.
    let parts = [of_cells(), Filter::prefix("r"), Filter::inclusive_stop("r"), Filter::key_only()];
    for filter in parts {
        let mut rows = table.scan(Scan::all().batch(1).filter(filter)).unwrap();
        let mut found = 0;
        while rows.next_row().await.unwrap().is_some() {
            found += 1;
        }
        assert_eq!(found, 2);
    }
}
