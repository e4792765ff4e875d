//! The rows and cells that each filter returns.

use tallrow::key::compat::{Decimal, hbase};
use tallrow::key::schema::{Schema, Value};
use tallrow::value::{EncodeCell, KeyEncoded};
use tallrow::{
    ErrorKind, Filter, Get, Put, RawTable, Scan, Timestamp,
    filter::{
        BitwiseOp, Comparator, CompareOperator, DependentColumn, FuzzyRow, RegexPattern,
        SingleColumnValue,
    },
    key::RowRange,
    op::Check,
};
use tallrow_tests::Place;

/// Rows a1, a2, a3, b1, b2 over two regions; a2 has a newer version of `f:q`, a3 has none.
async fn filled(place: &Place) -> RawTable {
    let table = place.table(&["b"]).await;
    let at = Timestamp::from_millis;
    for (i, row) in ["a1", "a2", "a3", "b1", "b2"].iter().enumerate() {
        let n = i + 1;
        let put = Put::new(row)
            .cell_at("f", "p", at(1), format!("P{n}"))
            .cell_at("f", "qq", at(1), "x")
            .cell_at("g", "n", at(1), (n as i64 - 3).to_be_bytes());
        let put = if n == 3 { put } else { put.cell_at("f", "q", at(1), format!("Q{n}")) };
        let put = if n == 2 { put.cell_at("f", "q", at(5), "NEW") } else { put };
        table.put(put).await.unwrap();
    }
    table
}

/// The rows of a scan, each as its key and its cells' qualifiers and values; the numbers of `g:n`
/// as numbers.
async fn seen(table: &RawTable, scan: Scan) -> String {
    let mut rows = table.scan(scan).unwrap();
    let mut lines = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        let cells = row.cells().iter().map(|cell| {
            let value = match <[u8; 8]>::try_from(cell.value()) {
                Ok(number) => i64::from_be_bytes(number).to_string(),
                Err(_) => cell.value().escape_ascii().to_string(),
            };
            format!("{}={value}", cell.qualifier().escape_ascii())
        });
        let cells: Vec<_> = cells.collect();
        lines.push(format!("{} {}", row.key().escape_ascii(), cells.join(",")));
    }
    lines.join(" | ")
}

/// Fails with all differences, not only the first.
async fn expect(table: &RawTable, cases: impl IntoIterator<Item = (Scan, &str)>) {
    let mut wrong = Vec::new();
    for (scan, expected) in cases {
        let found = seen(table, scan.clone()).await;
        if found != expected {
            wrong.push(format!("{scan:?}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn p(filter: impl Into<Filter>) -> Scan {
    Scan::all().column("f", "p").filter(filter)
}

pub(crate) async fn rows_are_chosen_by_their_keys(place: Place) {
    use CompareOperator::*;
    let table = filled(&place).await;
    let range = |start: &[u8]| RowRange::prefix(start);
    let fuzzy = |key: &str, mask: &[u8]| Filter::fuzzy_rows([FuzzyRow::new(key, mask)]);
    expect(
        &table,
        [
            (p(Filter::row(Equal, "a2")), "a2 p=P2"),
            (p(Filter::row(NotEqual, "a2")), "a1 p=P1 | a3 p=P3 | b1 p=P4 | b2 p=P5"),
            (p(Filter::row(Greater, "a3")), "b1 p=P4 | b2 p=P5"),
            (p(Filter::row(LessOrEqual, "a1")), "a1 p=P1"),
            (p(Filter::row(Equal, Comparator::regex("2$"))), "a2 p=P2 | b2 p=P5"),
            (p(Filter::row(Equal, Comparator::substring("B"))), "b1 p=P4 | b2 p=P5"),
            (p(Filter::row(Equal, Comparator::binary_component("2", 1))), "a2 p=P2 | b2 p=P5"),
            (p(Filter::prefix("b")), "b1 p=P4 | b2 p=P5"),
            (p(Filter::prefix("b")).reversed(), "b2 p=P5 | b1 p=P4"),
            (p(Filter::inclusive_stop("a2")), "a1 p=P1 | a2 p=P2"),
            (p(Filter::inclusive_stop("b1")).reversed(), "b2 p=P5 | b1 p=P4"),
            (p(fuzzy("?2", &[1, 0])), "a2 p=P2 | b2 p=P5"),
            (p(fuzzy("a?", &[0, 1])).limit(2), "a1 p=P1 | a2 p=P2"),
            (p(fuzzy("b1", &[0, 0])), "b1 p=P4"),
            (p(Filter::row_ranges([range(b"a3"), range(b"a1")])), "a1 p=P1 | a3 p=P3"),
            (p(Filter::row_ranges([range(b"b"), range(b"a2")])).limit(2), "a2 p=P2 | b1 p=P4"),
            (p(Filter::row_ranges([range(b"b1"), range(b"a2")])).reversed(), "b1 p=P4 | a2 p=P2"),
            (p(Filter::random_row(2.0)).limit(1), "a1 p=P1"),
            (p(Filter::random_row(-1.0)), ""),
        ],
    )
    .await;
}

pub(crate) async fn cells_are_chosen_by_their_parts(place: Place) {
    use CompareOperator::*;
    let table = filled(&place).await;
    let a = |filter: Filter| Scan::range("a1".."a3").filter(filter);
    let n = |filter: Filter| Scan::all().column("g", "n").filter(filter);
    let at = |times: &[u64]| Filter::timestamps(times.iter().map(|t| Timestamp::from_millis(*t)));
    let seek = |times: &[u64]| {
        Filter::timestamps_by_seeking(times.iter().map(|t| Timestamp::from_millis(*t)))
    };
    let nine = Comparator::bit(BitwiseOp::And, 1i64.to_be_bytes());
    expect(
        &table,
        [
            (a(Filter::family(Equal, "g")), "a1 n=-2 | a2 n=-1"),
            (a(Filter::family(Less, "g")), "a1 p=P1,q=Q1,qq=x | a2 p=P2,q=NEW,qq=x"),
            (a(Filter::qualifier(GreaterOrEqual, "q")), "a1 q=Q1,qq=x | a2 q=NEW,qq=x"),
            (
                a(Filter::qualifier(Equal, Comparator::binary_prefix("q"))),
                "a1 q=Q1,qq=x | a2 q=NEW,qq=x",
            ),
            // The newest version of a2's q is filtered out, and the next older one is returned.
            (a(Filter::value(Equal, Comparator::binary_prefix("Q"))), "a1 q=Q1 | a2 q=Q2"),
            (a(Filter::value(Equal, Comparator::regex("[12]$"))), "a1 p=P1,q=Q1 | a2 p=P2,q=Q2"),
            (
                a(Filter::value(Equal, Comparator::regex(RegexPattern::new("new").ignore_case()))),
                "a2 q=NEW",
            ),
            (
                a(Filter::value(Equal, Comparator::regex(RegexPattern::quote([0xFF, 0xFE])))),
                "a1 n=-2",
            ),
            (
                a(Filter::value(Equal, Comparator::regex(RegexPattern::new("^.{8}$").latin_1()))),
                "a1 n=-2 | a2 n=-1",
            ),
            (
                a(Filter::value(Equal, Comparator::regex(RegexPattern::new("\\xfe$").latin_1()))),
                "a1 n=-2",
            ),
            (n(Filter::value(Greater, Comparator::long(-1))), "a3 n=0 | b1 n=1 | b2 n=2"),
            (n(Filter::value(LessOrEqual, Comparator::long(-1))), "a1 n=-2 | a2 n=-1"),
            (n(Filter::value(Equal, nine.clone())), "a2 n=-1 | b1 n=1"),
            (n(Filter::value(NotEqual, nine)), "a1 n=-2 | a3 n=0 | b2 n=2"),
            (a(Filter::column_prefix("q")), "a1 q=Q1,qq=x | a2 q=NEW,qq=x"),
            (a(Filter::column_prefixes(["qq", "p"])), "a1 p=P1,qq=x | a2 p=P2,qq=x"),
            (
                a(Filter::column_range("p".."qq").and(Filter::family(Equal, "f"))),
                "a1 p=P1,q=Q1 | a2 p=P2,q=NEW",
            ),
            (
                a(Filter::column_range::<&str>("q"..).and(Filter::family(Equal, "f"))),
                "a1 q=Q1,qq=x | a2 q=NEW,qq=x",
            ),
            (
                a(Filter::column_range::<&str>(..="p").and(Filter::family(Equal, "f"))),
                "a1 p=P1 | a2 p=P2",
            ),
            (a(Filter::column_pagination(1, 1)), "a1 q=Q1 | a2 q=NEW"),
            (a(Filter::column_pagination_from(2, "q")), "a1 q=Q1,qq=x | a2 q=NEW,qq=x"),
            (a(Filter::first_key_only()), "a1 p=P1 | a2 p=P2"),
            (a(Filter::first_key_matching(["q", "qq"])), "a1 p=P1,q=Q1 | a2 p=P2,q=NEW"),
            (
                a(Filter::first_key_matching(["z"])),
                "a1 p=P1,q=Q1,qq=x,n=-2 | a2 p=P2,q=NEW,qq=x,n=-1",
            ),
            (a(Filter::first_key_only().and(Filter::key_only())), "a1 p= | a2 p="),
            (
                a(Filter::qualifier(Equal, "p").and(Filter::value_lengths())),
                "a1 p=\\x00\\x00\\x00\\x02 | a2 p=\\x00\\x00\\x00\\x02",
            ),
            (a(at(&[5])), "a2 q=NEW"),
            (a(at(&[1, 9])), "a1 p=P1,q=Q1,qq=x,n=-2 | a2 p=P2,q=Q2,qq=x,n=-1"),
            (a(seek(&[5])), "a2 q=NEW"),
            (a(seek(&[1, 9])), "a1 p=P1,q=Q1,qq=x,n=-2 | a2 p=P2,q=Q2,qq=x,n=-1"),
            (a(Filter::column_value("f", "q", Equal, "Q1")), "a1 q=Q1"),
            (a(Filter::column_value("f", "q", NotEqual, Comparator::null())), "a1 q=Q1 | a2 q=NEW"),
        ],
    )
    .await;
}

pub(crate) async fn rows_are_chosen_by_one_of_their_columns(place: Place) {
    use CompareOperator::*;
    let table = filled(&place).await;
    let q = |compare, value: &str| SingleColumnValue::new("f", "q", compare, value);
    let scan = |test: SingleColumnValue| Scan::all().column("f", "p").column("f", "q").filter(test);
    let depends = |test: DependentColumn| Scan::range("a1".."b").family("f").filter(test);
    expect(
        &table,
        [
            (scan(q(Equal, "Q1")), "a1 p=P1,q=Q1 | a3 p=P3"),
            (scan(q(Equal, "Q1").filter_if_missing(true)), "a1 p=P1,q=Q1"),
            (scan(q(Equal, "Q2").filter_if_missing(true)), ""),
            (
                scan(q(Equal, "Q2").filter_if_missing(true).latest_version_only(false)),
                "a2 p=P2,q=NEW",
            ),
            (scan(q(GreaterOrEqual, "Q4").filter_if_missing(true).exclude()), "b1 p=P4 | b2 p=P5"),
            (scan(q(NotEqual, "Q1").exclude()), "a2 p=P2 | a3 p=P3 | b1 p=P4 | b2 p=P5"),
            (depends(DependentColumn::new("f", "q").value(Equal, "NEW")), "a2 q=NEW"),
            (
                depends(DependentColumn::new("f", "q").value(Equal, "Q1").drop_column()),
                "a1 p=P1,qq=x",
            ),
            (
                depends(DependentColumn::new("f", "p").drop_column()),
                "a1 q=Q1,qq=x | a2 qq=x | a3 qq=x",
            ),
        ],
    )
    .await;
}

pub(crate) async fn filters_are_combined(place: Place) {
    use CompareOperator::*;
    let table = filled(&place).await;
    let q = |compare, value: &str| {
        Filter::from(SingleColumnValue::new("f", "q", compare, value).filter_if_missing(true))
    };
    let keys = |filter: Filter| Scan::all().column("f", "p").column("f", "q").filter(filter);
    let of_f = |filter: Filter| Scan::range("a1".."b").family("f").filter(filter);
    let qq = || Filter::from(SingleColumnValue::new("f", "qq", Equal, "x").filter_if_missing(true));
    let newest = Filter::value(Equal, Comparator::binary_prefix("P"));
    expect(
        &table,
        [
            (keys(q(Equal, "Q1").or(q(Equal, "Q5"))), "a1 p=P1,q=Q1 | b2 p=P5,q=Q5"),
            (keys(q(Greater, "Q1").and(q(Less, "Q5"))), "b1 p=P4,q=Q4"),
            (keys(q(Greater, "Q1").inverse().unwrap()), "a1 p=P1,q=Q1 | a2 p=P2,q=NEW | a3 p=P3"),
            (
                keys(q(Equal, "Q1").or(q(Equal, "Q5")).inverse().unwrap()),
                "a2 p=P2,q=NEW | a3 p=P3 | b1 p=P4,q=Q4",
            ),
            (
                keys(q(Equal, "Q1").or(Filter::prefix("b"))),
                "a1 p=P1,q=Q1 | b1 p=P4,q=Q4 | b2 p=P5,q=Q5",
            ),
            (
                keys(q(Equal, "Q1").or(Filter::prefix("b")).inverse().unwrap()),
                "a2 p=P2,q=NEW | a3 p=P3",
            ),
            (keys(Filter::prefix("a").and(newest.clone())), "a1 p=P1 | a2 p=P2 | a3 p=P3"),
            (keys(newest.inverse().unwrap().and(Filter::prefix("b"))), "b1 q=Q4 | b2 q=Q5"),
            (keys(newest.clone().skip()), "a3 p=P3"),
            // What a later filter passes over is not shown to the one that decides.
            (of_f(q(Equal, "Q1").and(Filter::column_range::<&str>("q"..))), "a1 q=Q1,qq=x"),
            (of_f(q(Equal, "Q1").and(Filter::column_range::<&str>("qq"..))), ""),
            (of_f(q(Equal, "Q1").and(Filter::column_prefix("p"))), "a1 p=P1"),
            (of_f(q(Equal, "Q1").and(Filter::first_key_only())), "a1 p=P1"),
            (of_f(qq().and(Filter::first_key_only())), "a3 p=P3"),
            (of_f(qq().and(Filter::family(NotEqual, "f"))), ""),
            (of_f(qq().and(Filter::qualifier(Equal, "p"))), "a1 p=P1 | a2 p=P2 | a3 p=P3"),
            // The longer one of two prefixes hides nothing of the shorter one.
            (of_f(Filter::column_prefixes(["q", "qa"]).and(Filter::prefix("a1"))), "a1 q=Q1,qq=x"),
            (
                p(Filter::value(NotEqual, "P3").while_match()),
                "a1 p=P1 | a2 p=P2 | b1 p=P4 | b2 p=P5",
            ),
            // One row of each region.
            (p(Filter::page(1)), "a1 p=P1 | b1 p=P4"),
            (p(Filter::page(1)).limit(1), "a1 p=P1"),
            (p(Filter::page(1)).reversed(), "b2 p=P5 | a3 p=P3"),
            (
                p(Filter::row(Greater, "a1")).filter(Filter::row(Less, "b2")),
                "a2 p=P2 | a3 p=P3 | b1 p=P4",
            ),
        ],
    )
    .await;
}

pub(crate) async fn a_get_and_a_check_take_filters(place: Place) {
    use CompareOperator::*;
    let table = filled(&place).await;
    let cells = async |get: Get| {
        let row = table.get(get).await.unwrap();
        row.map_or(0, |row| row.cells().len())
    };
    assert_eq!(cells(Get::new("a1").filter(Filter::column_count(2))).await, 2);
    assert_eq!(cells(Get::new("a1").filter(Filter::column_pagination(5, 3))).await, 1);
    assert_eq!(cells(Get::new("a1").filter(Filter::value(Equal, "nothing"))).await, 0);
    assert!(!table.exists(Get::new("a1").filter(Filter::prefix("b"))).await.unwrap());

    let q = |value: &str| SingleColumnValue::new("f", "q", Equal, value).filter_if_missing(true);
    let n = SingleColumnValue::new("g", "n", Less, Comparator::long(0)).filter_if_missing(true);
    let mark = |row: &str| Put::new(row).cell("f", "mark", "x");
    let check = async |row: &str, filter: Filter| {
        let check = Check::if_row_matches(row, filter).then(mark(row));
        table.check_and_mutate(check).await.unwrap().is_applied()
    };
    assert!(check("a1", Filter::from(q("Q1")).and(n.clone())).await);
    assert!(!check("b1", Filter::from(q("Q4")).and(n)).await);
    assert!(check("a2", q("NEW").into()).await);
    assert!(!check("a3", q("Q3").into()).await);
    assert!(check("a3", Filter::from(q("Q3")).inverse().unwrap()).await);
    assert!(!check("none", Filter::from(q("Q3")).inverse().unwrap()).await, "no row, no cell");
    assert_eq!(
        seen(&table, Scan::all().column("f", "mark")).await,
        "a1 mark=x | a2 mark=x | a3 mark=x"
    );
}

pub(crate) async fn a_filter_that_hbase_misinterprets_is_not_sent(place: Place) {
    use CompareOperator::*;
    let table = place.table(&[]).await;
    let f = SingleColumnValue::new("f", "q", Equal, "x");
    let deep = (0..70).fold(Filter::prefix("a"), |filter, _| filter.skip());
    let cases: [(Scan, &str); 14] = [
        (p(Filter::row(Less, Comparator::substring("a"))), "Less does not apply to a substring"),
        (p(Filter::all([] as [Filter; 0])), "an empty list of filters"),
        (p(Filter::prefix("a").and(Filter::any([] as [Filter; 0]))), "an empty list of filters"),
        (p(Filter::timestamps([])), "an empty list of timestamps"),
        (p(Filter::row_ranges([])), "no range with rows"),
        (p(Filter::column_prefixes([] as [&str; 0])), "an empty list of column prefixes"),
        (p(Filter::column_range("b".."a")), "a range of columns from \"b\" to \"a\""),
        (p(Filter::fuzzy_rows([FuzzyRow::new("abc", [0, 1])])), "3 bytes has a mask of 2"),
        (p(Filter::fuzzy_rows([FuzzyRow::new("ab", [0, 7])])), "a mask holds 7"),
        (p(Filter::fuzzy_rows([FuzzyRow::new("ab", [0, 1])])).reversed(), "scan forwards"),
        (p(f), "tests column f:q, which is not read"),
        (p(Filter::column_count(3)), "use column_pagination"),
        (p(Filter::column_pagination(0, 3)), "a limit of columns of 0"),
        (p(deep), "nested more than 64 deep"),
    ];
    for (scan, text) in cases {
        let error = table.scan(scan).err().unwrap();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0));
        assert!(error.to_string().contains(text), "{error}");
    }
    let check =
        Check::if_row_matches("r", Filter::timestamps([])).then(Put::new("r").cell("f", "q", "v"));
    assert_eq!(table.check_and_mutate(check).await.unwrap_err().kind(), ErrorKind::InvalidArgument);
}

pub(crate) async fn a_pattern_that_java_rejects_is_an_error_of_the_server(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    for bad in ["(", "a)", "[a", "a\\", "*a", "(?", "((a)"] {
        let filter = Filter::row(CompareOperator::Equal, Comparator::regex(bad));
        let error = table.get(Get::new("a").filter(filter.clone())).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::DoNotRetry, 1), "{bad}: {error}");
        let mut rows = table.scan(Scan::all().filter(filter)).unwrap();
        let error = rows.next_row().await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::DoNotRetry, 1), "{bad}: {error}");
    }
}

pub(crate) async fn a_pattern_that_java_accepts_is_sent_unchanged(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    let good = [
        "",
        "a*",
        "a+?",
        "(?i)A",
        "a{1,3}?",
        "^a$",
        "(a|b)*",
        "\\(|a",
        "a|b",
        "^\\Qa\\E$",
        "\\Qa",
        "\\Q.\\E|\\\\Q|a",
    ];
    for pattern in good {
        let filter = Filter::row(CompareOperator::Equal, Comparator::regex(pattern));
        let found = table.exists(Get::new("a").filter(filter)).await.unwrap();
        assert!(found, "{pattern}");
    }
}

pub(crate) async fn rows_are_found_by_fields_that_are_not_first(place: Place) {
    let table = place.table(&["\x01", "\x02"]).await;
    let layouts = [
        "row key Log\nhost: u16\nevent: u16\nuser: text, escaped\nat: u64\n",
        "row key Log\nsalt of host: buckets = 4, width = 1, hash = fnv1a\nhost: u16\nevent: u16\nuser: text, escaped\nat: u64\n",
    ];
    for layout in layouts {
        let schema = Schema::parse(layout).unwrap_or_else(|e| panic!("{e}"));
        let mut keys = Vec::new();
        for i in 0..60 {
            let (host, event, user) = (i % 5, i % 3 * 127, ["", "a", "ab"][i % 3]);
            let text = format!("host={host}, event={event}, user={user}, at={i}");
            keys.push(schema.encode_text(&text).unwrap().to_vec());
        }
        keys.sort();
        let puts = keys.iter().map(|key| Put::new(key).cell("f", "q", "v"));
        table.put_all(puts).await.into_iter().for_each(|put| put.unwrap());
        let wanted: [&[(&str, Value)]; 4] = [
            &[("event", Value::from(127))],
            &[("host", Value::from(3))],
            &[("host", Value::from(3)), ("event", Value::from(254))],
            &[],
        ];
        for fields in wanted {
            let matching = schema.select_rows(fields).unwrap();
            let expected: Vec<_> = keys.iter().filter(|key| matching.contains(key)).collect();
            assert!(!expected.is_empty());
            let mut rows = table.scan(Scan::all().filter(matching.clone())).unwrap();
            let mut found = Vec::new();
            while let Some(row) = rows.next_row().await.unwrap() {
                found.push(row.key().to_vec());
            }
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{fields:?} of {layout}");
        }
        for key in &keys {
            table.delete(key).await.unwrap();
        }
    }
}

pub(crate) async fn decimal_numbers_are_compared_as_numbers(place: Place) {
    use CompareOperator::*;
    let table = place.table(&[]).await;
    let number = |text: &str| text.parse::<Decimal>().unwrap();
    let wide = format!("{}.5", "9".repeat(60));
    for text in ["-1e3", "-2.50", "-2.4", "0", "1e-9", "1.50", "12", "1.2e2", &wide] {
        let mut cell = Vec::new();
        KeyEncoded::<hbase::Bytes>::encode(&number(text), &mut cell).unwrap();
        table.put(Put::new(text).cell("f", "n", cell)).await.unwrap();
    }
    for (compare, to, count) in [
        (Equal, "1.5", 1),
        (Equal, "-2.5000", 1),
        (Equal, "0e7", 1),
        (NotEqual, "120", 8),
        (Less, "0", 3),
        (LessOrEqual, "-2.5", 2),
        (Greater, "1.49999999999999999999", 4),
        (GreaterOrEqual, &wide, 1),
        (Greater, "1e60", 0),
    ] {
        let filter = Filter::value(compare, Comparator::big_decimal(number(to)));
        let found = table.count(Scan::all().filter(filter)).await.unwrap();
        assert_eq!(found, count, "{compare:?} {to}");
    }
}

pub(crate) async fn classes_of_the_servers_are_named_with_their_bytes(place: Place) {
    let table = filled(&place).await;
    let package = |class: &str| format!("org.apache.hadoop.hbase.filter.{class}");
    // A PrefixFilter's one field, and a BinaryComparator's, by hand.
    let prefix = Filter::custom(package("PrefixFilter"), b"\x0a\x01b");
    let binary = Comparator::custom(package("BinaryComparator"), b"\x0a\x04\x0a\x02P5");
    expect(
        &table,
        [
            (p(prefix.clone()), "b1 p=P4 | b2 p=P5"),
            (p(prefix.and(Filter::value(CompareOperator::Equal, binary))), "b2 p=P5"),
        ],
    )
    .await;

    let none = "org.example.NoSuchClass";
    // HBase 2.4 says of a comparator only that it could not be made.
    let version = place.client.admin().hbase().unwrap().version().await.unwrap().unwrap();
    let said = if version.starts_with("2.4") { "InvocationTargetException" } else { none };
    let unknown = [
        Filter::custom(none, [1]),
        Filter::value(CompareOperator::Equal, Comparator::custom(none, [1])),
    ];
    for filter in unknown {
        let error = table.get(Get::new("a1").filter(filter.clone())).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::DoNotRetry, 1), "{error}");
        let mut rows = table.scan(Scan::all().filter(filter)).unwrap();
        let error = rows.next_row().await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::DoNotRetry, 1), "{error}");
        let text = format!("{error:?}");
        assert!(text.contains(none) || text.contains(said), "{error:?}");
    }
    for filter in
        [Filter::custom("", []), Filter::value(CompareOperator::Less, Comparator::custom("", []))]
    {
        let error = table.get(Get::new("a1").filter(filter)).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
    }
}

pub(crate) async fn filter_strings_keep_what_they_say(place: Place) {
    let table = filled(&place).await;
    let a = |text: &str| Scan::range("a1".."b").filter(Filter::parse(text).unwrap());
    expect(
        &table,
        [
            (a("ColumnPrefixFilter('qq') OR ValueFilter(=, 'regexstringnocase:^new$')"), "a1 qq=x | a2 q=NEW,qq=x | a3 qq=x"),
            (a("FamilyFilter(=, 'binary:f') AND (RowFilter(>, 'binary:a1') AND SKIP ValueFilter(!=, 'binary:NEW'))"), "a3 p=P3,qq=x"),
            (a("SingleColumnValueFilter('f', 'q', =, 'substring:1', true, true) AND ColumnRangeFilter('p', true, 'q', true)"), "a1 p=P1,q=Q1"),
            (a("DependentColumnFilter('f', 'p', true) AND WHILE RowFilter(<, 'binary:a3')"), "a1 q=Q1,qq=x,n=-2 | a2 qq=x,n=-1"),
            (a("TimestampsFilter(5, 9) OR (ColumnPaginationFilter(1, 1) AND PrefixFilter('a3'))"), "a2 q=NEW | a3 qq=x"),
        ],
    )
    .await;
}
