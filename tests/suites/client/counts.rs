//! Rows that are counted, or of which only the keys are read.

use tallrow::{
    Counter, Delete, Filter, Put, RawTable, RowKey, Scan, Table, Timestamp,
    filter::{Comparator, CompareOperator, DependentColumn, FuzzyRow, SingleColumnValue},
    key::RowRange,
    key::schema::{Schema, Value},
};
use tallrow_tests::Place;

use crate::typed::table;

/// Rows over three regions, with cells in one family, the other, or both, and several versions.
async fn filled(place: &Place) -> RawTable {
    let table = place.table(&["r3", "r6"]).await;
    for i in 0..9_u8 {
        let at = |t: u8| Timestamp::from_millis(t.into());
        let row = format!("r{i}");
        let put = Put::new(&row);
        let put = if i % 3 != 0 { put.cell_at("f", "a", at(i), [b'0' + i]) } else { put };
        let put = if i % 3 != 1 { put.cell_at("g", "b", at(i + 1), "x") } else { put };
        let last = if i % 2 == 0 { "even" } else { "odd" };
        let put = put.cell_at("f", "m", at(2), "x").cell_at("f", "n", at(2), "y");
        let put = put.cell_at("f", "z", at(5), [b'9' - i]).cell_at("f", "z", at(9), last);
        table.put(put).await.unwrap();
    }
    table
}

fn test(family: &str, qualifier: &str, value: &str) -> SingleColumnValue {
    SingleColumnValue::new(family, qualifier, CompareOperator::Equal, value)
}

/// Filters by key, by cell and by both.
fn filters() -> Vec<Filter> {
    let row = || Filter::row(CompareOperator::GreaterOrEqual, "r4");
    vec![
        row(),
        row().or(Filter::prefix("r1")),
        row().and(Filter::row_ranges([RowRange::prefix(b"r1"), RowRange::prefix(b"r7")])),
        Filter::inclusive_stop("r4"),
        Filter::value(CompareOperator::Equal, "x"),
        Filter::value(CompareOperator::Less, Comparator::binary("3")),
        Filter::qualifier(CompareOperator::Equal, "z"),
        Filter::family(CompareOperator::Equal, "g"),
        Filter::column_prefix("b"),
        Filter::column_range("b".."c"),
        Filter::column_pagination(1, 1),
        Filter::column_value("g", "b", CompareOperator::Equal, "x"),
        Filter::timestamps([3, 6].map(Timestamp::from_millis)),
        test("f", "a", "4").into(),
        test("f", "a", "4").filter_if_missing(true).into(),
        Filter::from(test("g", "b", "x").filter_if_missing(true)).and(row()),
        Filter::from(test("g", "b", "x").filter_if_missing(true).exclude()),
        test("f", "z", "even").into(),
        Filter::from(test("f", "z", "odd")).or(Filter::value(CompareOperator::Equal, "4")),
        DependentColumn::new("f", "a").into(),
        Filter::value(CompareOperator::NotEqual, "x").skip(),
        Filter::value(CompareOperator::Equal, "5").or(Filter::prefix("r2")),
        Filter::row(CompareOperator::NotEqual, "r5").while_match(),
        Filter::value_lengths().and(row()),
        Filter::first_key_only().and(Filter::value(CompareOperator::Equal, "x")),
    ]
}

/// The scans of every filter, also of some columns, of an earlier time and backwards.
fn scans() -> Vec<Scan> {
    let filters = filters().into_iter().chain([
        Filter::fuzzy_rows([FuzzyRow::new("??", [1, 1])]),
        Filter::fuzzy_rows([FuzzyRow::new("?4", [1, 0]), FuzzyRow::new("?7", [1, 0])]),
    ]);
    let at = Timestamp::from_millis;
    let mut scans = vec![Scan::all(), Scan::all().column("f", "a"), Scan::all().family("g")];
    for scan in [
        Scan::all(),
        Scan::range("r1".."r8"),
        Scan::all().time_range(..at(6)),
        Scan::all().versions(3),
    ] {
        scans.push(scan.clone());
        scans.push(scan.clone().limit(3));
        scans.extend(filters.clone().map(|filter| scan.clone().filter(filter)));
    }
    let narrow = Scan::all().column("f", "a").column("f", "z").column("g", "b");
    scans.extend(filters.map(|filter| narrow.clone().filter(filter)));
    let backwards = scans.iter().filter(|scan| !format!("{scan:?}").contains("Fuzzy"));
    let backwards: Vec<_> = backwards.map(|scan| scan.clone().reversed()).collect();
    scans.extend(backwards);
    scans
}

pub(crate) async fn keys_are_those_of_the_whole_rows(place: Place) {
    let table = filled(&place).await;
    let mut found = 0;
    for scan in scans() {
        let whole = Place::keys(&table, scan.clone()).await;
        assert_eq!(Place::keys(&table, scan.clone().keys_only()).await, whole, "{scan:?}");
        assert_eq!(table.count(scan.clone()).await.unwrap(), whole.len() as u64, "{scan:?}");
        found += whole.len();
    }
    assert!(found > 500, "{found}");
}

pub(crate) async fn no_values_are_sent(place: Place) {
    let table = filled(&place).await;
    let of = async |scan: Scan| {
        let row = table.scan(scan.keys_only()).unwrap().next_row().await.unwrap().unwrap();
        assert!(row.cells().iter().all(|cell| cell.value().is_empty()), "{row:?}");
        row.cells().len()
    };
    assert_eq!(of(Scan::range("r2"..="r2")).await, 1);
    assert_eq!(of(Scan::range("r2"..="r2").filter(Filter::prefix("r2"))).await, 1);
    assert_eq!(of(Scan::range("r2"..="r2").filter(test("g", "b", "x"))).await, 5);
}

pub(crate) async fn deleted_rows_are_not_counted(place: Place) {
    let table = filled(&place).await;
    table.delete("r1").await.unwrap();
    table.delete(Delete::new("r2").family("f")).await.unwrap();
    table.delete(Delete::new("r3").column("f", "z")).await.unwrap();
    assert_eq!(table.count(Scan::all()).await.unwrap(), 8);
    assert_eq!(table.count(Scan::all().family("f")).await.unwrap(), 7);
    assert_eq!(table.count(Scan::all().column("f", "z")).await.unwrap(), 6);
    // Markers are rows of a raw scan.
    assert_eq!(table.count(Scan::all().raw()).await.unwrap(), 9);
    assert_eq!(Place::keys(&table, Scan::range(..="r1").raw().keys_only()).await, ["r0", "r1"]);
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4, fields = (host)))]
struct LogKey {
    host: u16,
    event: u8,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_counts_log")]
#[family("d")]
#[family("c")]
struct Log {
    #[key]
    key: LogKey,
    #[cell("d:n")]
    note: Option<String>,
    #[cell("d:p")]
    price: u32,
    #[cell("c:s")]
    seen: Counter,
}

pub(crate) async fn typed_rows_are_counted_and_their_keys_decoded(place: Place) {
    let logs = table::<Log>(&place, &LogKey::SPLITS).await;
    let row = |host: u16, event: u8| Log {
        key: LogKey { host, event },
        note: event.is_multiple_of(2).then(|| "even".into()),
        price: u32::from(host) * 10,
        seen: Counter(0),
    };
    let rows: Vec<_> = (0..8).flat_map(|host| (0..5).map(move |event| row(host, event))).collect();
    logs.put_all(&rows).await.into_iter().for_each(|put| put.unwrap());
    let keys = async |scan: tallrow::table::TableScan<Log>| {
        let mut keys = scan.keys();
        let mut found = Vec::new();
        while let Some(key) = keys.next_key().await.unwrap() {
            found.push((key.host, key.event));
        }
        found
    };
    let all: Vec<_> = (0..8).flat_map(|host| (0..5).map(move |event| (host, event))).collect();
    let scan = || logs.scan(LogKey::scan());
    assert_eq!(scan().count().await.unwrap(), 40);
    assert_eq!(keys(scan()).await, all);
    assert_eq!(keys(scan().reversed().limit(2)).await, [(7, 4), (7, 3)]);
    assert_eq!(keys(scan().after(&LogKey { host: 7, event: 2 })).await, [(7, 3), (7, 4)]);
    assert_eq!(scan().limit(7).count().await.unwrap(), 7);
    assert_eq!(logs.scan(LogKey::scan().host(3)).count().await.unwrap(), 5);
    assert_eq!(logs.scan(LogKey::scan().host(9)).count().await.unwrap(), 0);

    let dear = || Log::PRICE.gt(50);
    assert_eq!(keys(scan().filter(dear())).await, all[30..]);
    let noted = || scan().filter(dear() & Log::NOTE.eq("even"));
    assert_eq!(noted().count().await.unwrap(), 6);
    assert_eq!(keys(noted().limit(1)).await, [(6, 0)]);
    assert_eq!(scan().filter(Log::NOTE.is_absent()).count().await.unwrap(), 16);
    let third = Schema::parse(LogKey::SCHEMA).unwrap();
    let third = third.select_rows(&[("event", Value::from(3))]).unwrap();
    assert_eq!(scan().select_keys(third).count().await.unwrap(), 8);

    // A row that does not match the type is a row; a key that does not is an error, and does not
    // end the scan.
    let raw = logs.raw().unwrap();
    raw.put(Put::new([0, 0]).cell("d", "n", "x")).await.unwrap();
    raw.put(Put::new(LogKey { host: 3, event: 9 }.encode()).cell("d", "n", "x")).await.unwrap();
    assert_eq!(scan().count().await.unwrap(), 42);
    assert_eq!(logs.scan(LogKey::scan().host(3)).count().await.unwrap(), 6);
    let mut keys = scan().keys();
    let error = keys.next_key().await.unwrap_err();
    assert_eq!(error.kind(), tallrow::ErrorKind::Decode, "{error:?}");
    assert_eq!(keys.next_key().await.unwrap(), Some(LogKey { host: 0, event: 0 }));
}
