//! Scans that name the columns that they read: what filters and clients notice of the way in which
//! a real server seeks columns.

use tallrow_wire::proto::*;

use crate::cell_rules::flush;
use crate::filters::{compare, named};
use crate::frames::{Fixture, mutation, short, text};

/// A column `f:a`, as a scan names it.
fn column_a() -> Vec<Column> {
    vec![Column { family: "f".into(), qualifier: vec!["a".into()] }]
}

/// A filter that leaves the last column that a read names makes the read seek the end of the
/// column, so that a part of a row ends before the rest of the row, of which nothing is returned.
#[tokio::test]
async fn after_the_last_named_column_a_row_may_continue() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    for (qualifier, at) in [("a", 1), ("a", 2), ("b", 1)] {
        t.put("r", qualifier, at, "v").await;
    }
    let page = ColumnPaginationFilter { limit: 2, offset: Some(0), column_offset: None };
    for max_versions in [3, 1] {
        let scan = Scan {
            column: column_a(),
            filter: Some(named("ColumnPaginationFilter", &page)),
            batch_size: Some(1),
            max_versions: Some(max_versions),
            ..Default::default()
        };
        let (answer, cells) = t.scan(scan, 1).await.unwrap();
        assert_eq!(short(&cells), "a2");
        assert_eq!(answer.partial_flag_per_result, [true], "{max_versions}");
    }
}

/// A scan that names columns asks each file for the markers of the family in the row at which it
/// starts. A file that has none pretends to have the row (`StoreFileScanner.requestSeek`).
#[tokio::test]
async fn a_filter_sees_the_start_row_of_a_scan_of_named_columns_that_does_not_exist() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    t.put("b", "a", 1, "v").await;
    t.put("c", "a", 1, "v").await;
    // It ends a scan at the row `a`.
    let not_a = CellPartFilter { compare_filter: compare(CompareType::NotEqual, "a") };
    let not_a = WrappedFilter { filter: named("RowFilter", &not_a) };
    let not_a = named("WhileMatchFilter", &not_a);
    let from_a = || Scan {
        column: column_a(),
        filter: Some(not_a.clone()),
        start_row: Some("a".into()),
        ..Default::default()
    };
    let empty = Column { family: "f".into(), qualifier: vec!["".into(), "a".into()] };
    let times = TimeRange { from: Some(2), to: None };
    let unlike = [
        Scan { include_start_row: Some(false), ..from_a() },
        Scan { column: vec![empty], ..from_a() },
        Scan { column: Vec::new(), ..from_a() },
        Scan { column: Vec::new(), reversed: Some(true), start_row: None, ..from_a() },
    ];
    assert_eq!(rows_of(&mut t, from_a()).await, "b c");
    flush(&mut t).await;
    assert_eq!(rows_of(&mut t, from_a()).await, "");
    for scan in unlike {
        assert!(!rows_of(&mut t, scan.clone()).await.is_empty(), "{scan:?}");
    }
    // Its file has no cell of these times, so that it is not read.
    t.put("b", "a", 2, "v").await;
    let later = || Scan { time_range: Some(times), ..from_a() };
    assert_eq!(rows_of(&mut t, later()).await, "b");
}

/// Where the next family pretends to have a cell in the row at which a scan starts, a part of the
/// row that ends before it seems to go on.
#[tokio::test]
async fn the_start_row_of_a_scan_of_named_columns_seems_to_go_on() {
    let mut t = Fixture::new(&[]).await;
    let family = ColumnFamilySchema { name: "g".into(), ..Default::default() };
    let table_name = TableName { namespace: "default".into(), qualifier: "t".into() };
    let add = AddColumnRequest { table_name, column_families: family, ..Default::default() };
    t.master.call::<AddColumnResponse>("AddColumn", &add).await.unwrap();
    t.put("a", "a", 1, "v").await;
    t.put("b", "a", 1, "v").await;
    let mut put = mutation(MutationType::Put, "c", &[("a", 1, "v")]);
    put.column_value[0].family = "g".into();
    t.mutate(put).await.unwrap();
    let mut columns = column_a();
    columns.push(Column { family: "g".into(), qualifier: vec!["a".into()] });
    let start_row = Some("a".into());
    let scan = Scan { column: columns, batch_size: Some(1), start_row, ..Default::default() };
    let (answer, _) = t.scan(scan.clone(), 2).await.unwrap();
    assert_eq!(answer.partial_flag_per_result, [false, false]);
    flush(&mut t).await;
    let (answer, _) = t.scan(scan, 2).await.unwrap();
    assert_eq!(answer.partial_flag_per_result, [true, false]);
}

/// The rows that a scan returns, joined by spaces.
async fn rows_of(t: &mut Fixture, scan: Scan) -> String {
    let (_, cells) = t.scan(scan, 100).await.unwrap();
    let mut rows: Vec<String> = cells.iter().map(|cell| text(cell.row())).collect();
    rows.dedup();
    rows.join(" ")
}
