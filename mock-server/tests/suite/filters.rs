//! Filters, compared with the results of a real server on the same table.

use prost::Message;
use tallrow_wire::proto::*;

use crate::conditions::binary;
use crate::frames::{Answer, Fixture, bytes, text};

fn named(name: &str, message: &impl Message) -> Filter {
    Filter {
        name: format!("org.apache.hadoop.hbase.filter.{name}"),
        serialized_filter: Some(message.encode_to_vec().into()),
    }
}

fn compare(op: CompareType, value: &str) -> CompareFilter {
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
