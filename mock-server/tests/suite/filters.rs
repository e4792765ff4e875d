//! Filters, compared with the results of a real server on the same table.

use prost::Message;
use tallrow_wire::proto::*;

use crate::conditions::binary;
use crate::frames::{Answer, Fixture, bytes, text};

/// A filter of HBase by its class.
pub(crate) fn named(name: &str, message: &impl Message) -> Filter {
    Filter {
        name: format!("org.apache.hadoop.hbase.filter.{name}"),
        serialized_filter: Some(message.encode_to_vec().into()),
    }
}

/// A comparison with the bytes of a text.
pub(crate) fn compare(op: CompareType, value: &str) -> CompareFilter {
    CompareFilter { compare_op: op as i32, comparator: Some(binary(value)) }
}

fn value(op: CompareType, value: &str) -> Filter {
    named("ValueFilter", &CellPartFilter { compare_filter: compare(op, value) })
}

fn single(value: &str, if_missing: bool, latest: bool) -> Filter {
    named(
        "SingleColumnValueFilter",
        &SingleColumnValueFilter {
            column_family: Some("f".into()),
            column_qualifier: Some("q".into()),
            compare_op: CompareType::Equal as i32,
            comparator: binary(value),
            filter_if_missing: Some(if_missing),
            latest_version_only: Some(latest),
        },
    )
}

fn dependent(drop: bool, comparison: Option<&str>) -> Filter {
    let comparator = comparison.map(binary);
    let compare_op = comparison.map_or(CompareType::NoOp, |_| CompareType::Equal) as i32;
    named(
        "DependentColumnFilter",
        &DependentColumnFilter {
            compare_filter: CompareFilter { compare_op, comparator },
            column_family: Some("f".into()),
            column_qualifier: Some("q".into()),
            drop_dependent_column: Some(drop),
        },
    )
}

fn list(operator: FilterListOperator, filters: Vec<Filter>) -> Filter {
    named("FilterList", &FilterList { operator: operator as i32, filters })
}

fn prefix(prefix: &str) -> Filter {
    named("PrefixFilter", &PrefixFilter { prefix: Some(bytes(prefix)) })
}

fn page(page_size: i64) -> Filter {
    named("PageFilter", &PageFilter { page_size })
}

/// Rows a1, a2, a3, b1, b2 with columns p, q, qq; a3 lacks q, and a2 has a newer q, `NEW`.
async fn oracle() -> Fixture {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    for (n, row) in ["a1", "a2", "a3", "b1", "b2"].into_iter().enumerate() {
        t.put(row, "p", 1, &format!("P{}", n + 1)).await;
        if row != "a3" {
            t.put(row, "q", 1, &format!("Q{}", n + 1)).await;
        }
        t.put(row, "qq", 1, "x").await;
    }
    t.put("a2", "q", 5, "NEW").await;
    t
}

async fn filtered(t: &mut Fixture, filter: Filter) -> Answer<ScanResponse> {
    t.scan(Scan { filter: Some(filter), ..Default::default() }, 100).await
}

/// The rows with their qualifiers: `a1:p,q,qq`; a qualifier not at timestamp 1 with its timestamp.
async fn shown(t: &mut Fixture, filter: Filter) -> String {
    let (_, cells) = filtered(t, filter).await.unwrap();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for cell in &cells {
        let column = match cell.timestamp() {
            1 => text(cell.qualifier()),
            at => format!("{}@{at}", text(cell.qualifier())),
        };
        match rows.last_mut() {
            Some((row, columns)) if row.as_bytes() == cell.row() => columns.push(column),
            _ => rows.push((text(cell.row()), vec![column])),
        }
    }
    let row = |(row, columns): &(String, Vec<String>)| format!("{row}:{}", columns.join(","));
    rows.iter().map(row).collect::<Vec<_>>().join(" ")
}

/// Like HBase: what each filter and comparator returns.
#[tokio::test]
async fn filters_return_what_a_real_server_returns() {
    use CompareType::{Greater, NotEqual};
    use FilterListOperator::{MustPassAll, MustPassOne};
    let mut t = oracle().await;
    let range = ColumnRangeFilter {
        min_column: Some("p".into()),
        min_column_inclusive: Some(true),
        max_column: Some("q".into()),
        max_column_inclusive: Some(false),
    };
    let second = ColumnPaginationFilter { limit: 1, offset: Some(1), column_offset: None };
    let first_and_key = vec![
        named("FirstKeyOnlyFilter", &Empty {}),
        named("KeyOnlyFilter", &KeyOnlyFilter { len_as_val: false }),
    ];
    let of = |filter| WrappedFilter { filter };
    let at_1 = TimestampsFilter { timestamps: vec![1], can_hint: None };
    let up_to_q = FirstKeyValueMatchingQualifiersFilter { qualifiers: vec!["q".into()] };
    let all = "a1:p,q,qq a2:p,q@5,qq a3:p,qq b1:p,q,qq b2:p,q,qq";
    let only_p = "a1:p a2:p a3:p b1:p b2:p";
    for (filter, expected) in [
        (named("ColumnRangeFilter", &range), only_p),
        (named("ColumnPaginationFilter", &second), "a1:q a2:q@5 a3:qq b1:q b2:q"),
        (value(Greater, "P3"), "a1:q,qq a2:q,qq a3:qq b1:p,q,qq b2:p,q,qq"),
        (single("Q2", false, true), "a3:p,qq"),
        (single("Q2", true, true), ""),
        (single("Q2", true, false), "a2:p,q@5,qq"),
        (
            named("SkipFilter", &of(value(NotEqual, "Q4"))),
            "a1:p,q,qq a2:p,q@5,qq a3:p,qq b2:p,q,qq",
        ),
        (
            named("WhileMatchFilter", &of(value(NotEqual, "Q4"))),
            "a1:p,q,qq a2:p,q@5,qq a3:p,qq b1:p",
        ),
        (named("TimestampsFilter", &at_1), "a1:p,q,qq a2:p,q,qq a3:p,qq b1:p,q,qq b2:p,q,qq"),
        (dependent(false, None), "a1:p,q,qq a2:p,q@5,qq b1:p,q,qq b2:p,q,qq"),
        (dependent(true, Some("Q1")), "a1:p,qq"),
        (
            named("FirstKeyValueMatchingQualifiersFilter", &up_to_q),
            "a1:p,q a2:p,q@5 a3:p,qq b1:p,q b2:p,q",
        ),
        (list(MustPassAll, first_and_key), only_p),
        (list(MustPassOne, vec![prefix("a"), page(1)]), "a1:p,q,qq a2:p,q@5,qq a3:p,qq b1:p,q,qq"),
        (list(MustPassAll, vec![]), all),
        (list(MustPassOne, vec![]), all),
        (prefix("b"), "b1:p,q,qq b2:p,q,qq"),
        (page(2), "a1:p,q,qq a2:p,q@5,qq"),
        (named("ColumnCountGetFilter", &ColumnCountGetFilter { limit: 2 }), "a1:p,q"),
    ] {
        assert_eq!(shown(&mut t, filter.clone()).await, expected, "{}", filter.name);
    }
}

#[tokio::test]
async fn a_filter_that_excludes_all_remaining_rows_ends_the_region_or_the_scan() {
    let mut t = oracle().await;
    let (answer, cells) = filtered(&mut t, page(2)).await.unwrap();
    assert_eq!(cells.len(), 6);
    assert_eq!((answer.more_results, answer.more_results_in_region), (Some(true), Some(false)));
    let (answer, cells) = filtered(&mut t, page(0)).await.unwrap();
    assert_eq!(cells.len(), 0);
    assert_eq!((answer.more_results, answer.more_results_in_region), (Some(false), Some(false)));
}

#[tokio::test]
async fn key_only_can_return_the_length() {
    let mut t = oracle().await;
    let filter = named("KeyOnlyFilter", &KeyOnlyFilter { len_as_val: true });
    let (_, cells) = filtered(&mut t, filter).await.unwrap();
    assert_eq!(cells[0].value(), 2u32.to_be_bytes());
}

#[tokio::test]
async fn invalid_filters_are_rejected() {
    let mut t = oracle().await;
    let unknown = named("NoSuchFilter", &Empty {});
    let error = filtered(&mut t, unknown).await.unwrap_err();
    assert!(error.message.starts_with("java.lang.ClassNotFoundException: "));
    assert!(error.do_not_retry);
    let broken = Filter { serialized_filter: Some(vec![0xFF].into()), ..prefix("a") };
    let error = filtered(&mut t, broken).await.unwrap_err();
    assert!(error.message.contains("DeserializationException") && error.do_not_retry);
    let mut deep = prefix("a");
    for _ in 0..200 {
        deep = named("SkipFilter", &WrappedFilter { filter: deep });
    }
    let error = filtered(&mut t, deep).await.unwrap_err();
    assert!(error.do_not_retry || error.message.contains("recursion"), "{}", error.message);
    let scan = Scan { filter: Some(page(1)), batch_size: Some(2), ..Default::default() };
    let error = t.scan(scan, 1).await.unwrap_err();
    assert!(error.message.starts_with("Cannot set batch on a scan using a filter"));
}

/// A seek by a hint does not see the markers of the family, which are after the newer cells without
/// a qualifier.
#[tokio::test]
async fn a_hint_jumps_over_a_marker_of_the_family() {
    let mut t = Fixture::new(&[]).await;
    t.put("r", "", 5, "v").await;
    t.put("r", "ab", 2, "v").await;
    let marker = crate::frames::delete("r", "", 3, DeleteType::DeleteFamily);
    t.mutate(marker).await.unwrap();
    let filtered = |filter| Get { filter: Some(filter), ..crate::frames::get("r") };
    let prefix = named("ColumnPrefixFilter", &ColumnPrefixFilter { prefix: "a".into() });
    let (_, cells) = t.get(filtered(prefix)).await.unwrap();
    assert_eq!(cells.iter().map(|c| text(c.qualifier())).collect::<String>(), "ab");
    let (_, cells) = t.get(crate::frames::get("r")).await.unwrap();
    assert_eq!(cells.iter().map(|c| text(c.qualifier())).collect::<String>(), "");
}

/// Like HBase: a filter that has counted enough cells of a row ends its family, not the scan.
#[tokio::test]
async fn a_count_of_columns_ends_the_family_in_which_it_is_exceeded() {
    let mut t = Fixture::new(&[]).await;
    let family = ColumnFamilySchema { name: "g".into(), ..Default::default() };
    let table_name = TableName { namespace: "default".into(), qualifier: "t".into() };
    let add = AddColumnRequest { table_name, column_families: family, ..Default::default() };
    t.master.call::<AddColumnResponse>("AddColumn", &add).await.unwrap();
    for row in ["a", "b"] {
        t.put(row, "p", 1, "v").await;
        t.put(row, "q", 1, "v").await;
        let mut put = crate::frames::mutation(MutationType::Put, row, &[("x", 1, "v")]);
        put.column_value[0].family = "g".into();
        t.mutate(put).await.unwrap();
    }
    let two = named("ColumnCountGetFilter", &ColumnCountGetFilter { limit: 2 });
    assert_eq!(shown(&mut t, two).await, "a:p,q b:p,q");
    let one = named("ColumnCountGetFilter", &ColumnCountGetFilter { limit: 1 });
    assert_eq!(shown(&mut t, one).await, "a:p");
}

/// The next column is not sought from an empty qualifier, so that a page counts each of its
/// versions.
#[tokio::test]
async fn a_page_of_columns_counts_the_versions_of_an_empty_qualifier() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    for at in [1, 2] {
        t.put("r", "", at, "v").await;
        t.put("r", "q", at, "v").await;
    }
    let page = ColumnPaginationFilter { limit: 3, offset: Some(0), column_offset: None };
    let get = Get {
        max_versions: Some(3),
        filter: Some(named("ColumnPaginationFilter", &page)),
        ..crate::frames::get("r")
    };
    let (_, cells) = t.get(get).await.unwrap();
    let found: Vec<_> = cells.iter().map(|c| (text(c.qualifier()), c.timestamp())).collect();
    assert_eq!(found, [(String::new(), 2), (String::new(), 1), ("q".into(), 2)]);
}

/// An older mask of nothing but 0 and -1 is taken for one that was rewritten: its zeros stand for
/// any byte.
/// Like HBase: fuzzy masks of both forms.
#[tokio::test]
async fn an_older_fuzzy_mask_may_count_as_rewritten() {
    let mut t = Fixture::new(&[]).await;
    for row in ["aa", "ab", "bb"] {
        t.put(row, "q", 1, "v").await;
    }
    for (mask, v2, expected) in [
        ([0, 1], false, "aa ab"),
        ([0, 0], false, "aa ab bb"),
        ([0xFF, 0], false, "aa ab"),
        ([0, 0], true, "aa"),
        ([0xFF, 2], true, "aa ab"),
    ] {
        let pair =
            BytesBytesPair { first: "aa".into(), second: bytes::Bytes::copy_from_slice(&mask) };
        let fuzzy = FuzzyRowFilter { fuzzy_keys_data: vec![pair], is_mask_v2: Some(v2) };
        let scan = Scan { filter: Some(named("FuzzyRowFilter", &fuzzy)), ..Default::default() };
        let (_, cells) = t.scan(scan, 10).await.unwrap();
        let rows: Vec<_> = cells.iter().map(|c| text(c.row())).collect();
        assert_eq!(rows.join(" "), expected, "{mask:?} {v2}");
    }
}

/// The row `r` with the columns a, b and c.
async fn one_row() -> Fixture {
    let mut t = Fixture::new(&[]).await;
    for qualifier in ["a", "b", "c"] {
        t.put("r", qualifier, 1, "v").await;
    }
    t
}

/// `FilterListWithOR` compares a hint with a cell in the direction of the scan, although the cells
/// of a row are read forward in both directions: what is after the hint counts as before it.
/// Like HBase: hints of filters in reversed scans.
#[tokio::test]
async fn in_a_reversed_scan_a_member_of_a_list_never_arrives_at_its_hint() {
    let mut t = one_row().await;
    let qualifier = |op, value| {
        named("QualifierFilter", &CellPartFilter { compare_filter: compare(op, value) })
    };
    let hinting = named("ColumnPrefixFilter", &ColumnPrefixFilter { prefix: "b".into() });
    let either = vec![hinting, qualifier(CompareType::Equal, "c")];
    let either = list(FilterListOperator::MustPassOne, either);
    assert_eq!(shown(&mut t, either.clone()).await, "r:b,c");
    let scan = Scan { filter: Some(either), reversed: Some(true), ..Default::default() };
    let (_, cells) = t.scan(scan, 10).await.unwrap();
    assert_eq!(cells.iter().map(|c| text(c.qualifier())).collect::<String>(), "c");
}

/// `RegionScannerImpl.nextRow` reads a row that is excluded by its key, and the filters of a list
/// see its cells; `ReversedRegionScannerImpl.nextRow` does not.
/// Like HBase: the cells of a row that is excluded by its key.
#[tokio::test]
async fn a_filter_sees_the_cells_of_a_row_that_is_excluded_by_its_key() {
    let mut t = Fixture::new(&[]).await;
    for (row, value) in [("a", "v"), ("b", "no"), ("c", "v")] {
        t.put(row, "q", 1, value).await;
    }
    let filter =
        named("WhileMatchFilter", &WrappedFilter { filter: value(CompareType::Equal, "v") });
    let not_b = compare(CompareType::NotEqual, "b");
    let not_b = named("RowFilter", &CellPartFilter { compare_filter: not_b });
    let both = list(FilterListOperator::MustPassAll, vec![filter, not_b]);
    assert_eq!(shown(&mut t, both.clone()).await, "a:q");
    let scan = Scan { filter: Some(both), reversed: Some(true), ..Default::default() };
    let (_, cells) = t.scan(scan, 10).await.unwrap();
    assert_eq!(cells.iter().map(|c| text(c.row())).collect::<String>(), "ca");
}

/// `RegionScannerImpl` reads families that the filter does not need (`joinedHeap`) only for rows
/// that pass it, so a filter does not see rows of these families only.
/// Like HBase: families that are loaded on demand.
#[tokio::test]
async fn a_row_of_families_on_demand_only_is_not_read() {
    let mut t = Fixture::new(&[]).await;
    let family = ColumnFamilySchema { name: "g".into(), ..Default::default() };
    let table_name = TableName { namespace: "default".into(), qualifier: "t".into() };
    let add = AddColumnRequest { table_name, column_families: family, ..Default::default() };
    t.master.call::<AddColumnResponse>("AddColumn", &add).await.unwrap();
    t.put("b", "q", 1, "v").await;
    for row in ["a", "b"] {
        let mut put = crate::frames::mutation(MutationType::Put, row, &[("x", 1, "v")]);
        put.column_value[0].family = "g".into();
        t.mutate(put).await.unwrap();
    }
    for (on_demand, expected) in [(true, "b:q b:x"), (false, "")] {
        let scan = Scan {
            filter: Some(named(
                "WhileMatchFilter",
                &WrappedFilter { filter: single("v", true, true) },
            )),
            load_column_families_on_demand: Some(on_demand),
            ..Default::default()
        };
        let (_, cells) = t.scan(scan, 10).await.unwrap();
        let found = cells.iter().map(|c| format!("{}:{}", text(c.row()), text(c.qualifier())));
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{on_demand}");
    }
}

/// `MultiRowRangeFilter` and `FuzzyRowFilter` end the scan after the last row that can match, and
/// then count as ended in a list.
/// Like HBase: the end of filters that seek rows.
#[tokio::test]
async fn filters_that_seek_rows_end_the_scan_after_the_last_row_that_can_match() {
    let mut t = Fixture::new(&[]).await;
    for row in ["aa", "ab", "ba", "ca"] {
        t.put(row, "q", 1, "v").await;
    }
    let range = |start: &str, start_inclusive, stop: &str| RowRange {
        start_row: Some(bytes(start)),
        start_row_inclusive: Some(start_inclusive),
        stop_row: Some(bytes(stop)),
        stop_row_inclusive: Some(true),
    };
    let ranges =
        |row_range_list| named("MultiRowRangeFilter", &MultiRowRangeFilter { row_range_list });
    let fuzzy = |key: &str, mask: [u8; 2]| {
        let second = ::bytes::Bytes::copy_from_slice(&mask);
        let pair = BytesBytesPair { first: bytes(key), second };
        let message = FuzzyRowFilter { fuzzy_keys_data: vec![pair], is_mask_v2: Some(true) };
        named("FuzzyRowFilter", &message)
    };
    for (filter, forward, backward) in [
        (ranges(vec![range("aa", false, "ab")]), "ab", "ab"),
        (ranges(vec![range("ba", true, "ba"), range("a", true, "aa")]), "aa ba", "ba aa"),
        (fuzzy("ab", [0xFF, 0xFF]), "ab", ""),
        (fuzzy("?a", [2, 0xFF]), "aa ba ca", ""),
    ] {
        let scan = Scan { filter: Some(filter.clone()), ..Default::default() };
        let (answer, cells) = t.scan(scan, 10).await.unwrap();
        let rows = |cells: &[tallrow_wire::cell::Cell]| {
            cells.iter().map(|c| text(c.row())).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(rows(&cells), forward, "{filter:?}");
        assert_eq!(answer.more_results_in_region, Some(false));
        // In a list that needs one of two, the other one sees the rest.
        let other = named("PrefixFilter", &PrefixFilter { prefix: Some(bytes("zz")) });
        let both = list(FilterListOperator::MustPassOne, vec![filter.clone(), other]);
        let scan = Scan { filter: Some(both), ..Default::default() };
        assert_eq!(rows(&t.scan(scan, 10).await.unwrap().1), forward, "{filter:?}");
        if !backward.is_empty() {
            let scan = Scan { filter: Some(filter), reversed: Some(true), ..Default::default() };
            assert_eq!(rows(&t.scan(scan, 10).await.unwrap().1), backward);
        }
    }
}
