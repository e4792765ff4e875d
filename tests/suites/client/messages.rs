//! What errors say about a server's exception: the cause and the way out in one line, the server's
//! text as their source.

use std::error::Error as _;

use tallrow::{
    Append, Error, FamilyDescriptor, Get, Increment, PageToken, Put, RowKey, Scan, Table,
    TableDescriptor, Timestamp,
};
use tallrow_tests::Place;

#[derive(RowKey)]
struct ReadingKey {
    sensor: u32,
}

#[derive(Table)]
#[table(name = "readings")]
#[family("f")]
struct Reading {
    #[key]
    key: ReadingKey,
    #[cell("f:n")]
    name: Option<String>,
    #[cell("f:t")]
    at: Option<u32>,
}

/// Returns the message after the operation, its table and its server.
fn message(error: &Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.len() < 400, "{text}");
    assert!(text.contains(&*error.message()), "{text}");
    error.message().into_owned()
}

fn source(error: &Error) -> String {
    error.source().map(ToString::to_string).unwrap_or_default()
}

pub(crate) async fn a_missing_family_is_named_with_those_of_the_table(place: Place) {
    let table = place.table(&[]).await;
    let errors = [
        table.put(Put::new("r").cell("zz", "q", "v")).await.unwrap_err(),
        table.get(Get::new("r").family("zz")).await.unwrap_err(),
        table.scan(Scan::all().family("zz")).unwrap().next_row().await.unwrap_err(),
    ];
    for error in errors {
        let text = "the table has no family \"zz\", but f";
        assert!(message(&error).starts_with(text), "{error}");
        assert!(message(&error).ends_with("`Admin::alter`"), "{error}");
        assert!(source(&error).contains("BLOOMFILTER"), "{:?}", source(&error));
    }
}

pub(crate) async fn a_table_in_another_state_is_explained(place: Place) {
    let table = place.table(&[]).await;
    let (admin, name) = (place.client.admin(), table.name().as_str());
    let hbase = admin.hbase().unwrap();
    let again = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
    let error = admin.create_table(&again).await.unwrap_err();
    assert_eq!(
        message(&error),
        "there is a table of this name already (TableExistsException); open it, or create it with `create_if_missing`"
    );
    for error in
        [admin.delete_table(name).await.unwrap_err(), hbase.enable_table(name).await.unwrap_err()]
    {
        assert!(
            message(&error).starts_with("the table is not disabled (TableNotDisabled"),
            "{error}"
        );
        assert!(source(&error).contains("state=ENABLED"), "{:?}", source(&error));
    }
    hbase.disable_table(name).await.unwrap();
    let error = hbase.disable_table(name).await.unwrap_err();
    assert!(message(&error).starts_with("the table is not enabled (TableNotEnabled"), "{error}");

    let wanted = TableDescriptor::new("nosuch:t").unwrap().family(FamilyDescriptor::new("f"));
    let error = admin.create_table(&wanted).await.unwrap_err();
    assert!(message(&error).starts_with("there is no namespace nosuch ("), "{error}");
}

/// Asserts what an error says after the operation, the table and the server.
fn says<T: std::fmt::Debug>(result: tallrow::Result<T>, text: &str) {
    let error = result.unwrap_err();
    assert!(message(&error).starts_with(text), "{error}\n    instead of\n{text}");
}

pub(crate) async fn a_missing_table_is_explained_by_every_operation(place: Place) {
    let (name, admin) = (place.table_name().await, place.client.admin());
    let (table, hbase) = (place.client.raw_table(&name).unwrap(), admin.hbase().unwrap());
    let missing = "the table does not exist; create it first";
    says(table.get("r").await, missing);
    says(table.put(Put::new("r").cell("f", "q", "v")).await, missing);
    says(table.scan(Scan::all()).unwrap().next_row().await, missing);
    says(admin.describe(&name).await, missing);
    says(place.client.open_named::<Reading>(&name).await.map(|_| ()), missing);
    for error in [
        hbase.disable_table(&name).await.unwrap_err(),
        admin.delete_table(&name).await.unwrap_err(),
        admin.truncate_table(&name).await.unwrap_err(),
    ] {
        let text = "the table does not exist (TableNotFoundException); check its name";
        assert!(message(&error).starts_with(text), "{error}");
    }
}

pub(crate) async fn a_bad_name_is_reported_with_the_rule(place: Place) {
    let client = &place.client;
    for (name, rule) in [
        ("a b", "' ' is not allowed; use letters, digits, '_', '-' and '.'"),
        ("a/b", "'/' is not allowed; use letters, digits, '_', '-' and '.'"),
        ("a:b:c", "':' is not allowed; use letters, digits, '_', '-' and '.'"),
        (".a", "it must not start with '-' or '.'"),
        ("", "it must not be empty; write \"table\" or \"namespace:table\""),
    ] {
        let error = client.raw_table(name).unwrap_err();
        assert_eq!(error.to_string(), format!("table name {name:?}: {rule}"));
    }
    let table = place.table_name().await;
    let with = |families: &[&str]| {
        let table = TableDescriptor::new(&table).unwrap();
        families.iter().fold(table, |table, name| table.family(FamilyDescriptor::new(*name)))
    };
    let admin = client.admin();
    says(admin.create_table(&with(&[])).await, "a table needs at least one family");
    says(
        admin.create_table(&with(&["d:x"])).await,
        "family name \"d:x\": ':' is not allowed; a family is named without its qualifier",
    );
    says(admin.create_table(&with(&["d", "d"])).await, "family \"d\" is given twice; keep one");
    let splits = |keys: &'static [&'static str]| admin_splits(&admin, with(&["d"]), keys);
    says(splits(&["m", "m"]).await, "split key \"m\" is given twice");
    says(splits(&["", "m"]).await, "a split key must not be empty");
}

async fn admin_splits(
    admin: &tallrow::Admin,
    table: TableDescriptor,
    keys: &[&str],
) -> tallrow::Result<()> {
    admin.create_table_with_splits(&table, keys).await
}

pub(crate) async fn an_operation_that_asks_for_nothing_says_so(place: Place) {
    let table = place.table(&[]).await;
    let none = "it has no cells; name at least one column";
    says(table.put(Put::new("r")).await, none);
    says(table.increment(Increment::new("r")).await, none);
    says(table.append(Append::new("r")).await, none);
    says(table.get("").await, "a row key must not be empty");
    says(table.get(vec![b'r'; 40_000]).await, "a row key of 40000 bytes, more than 32767");
    says(table.get(Get::new("r").versions(0)).await, "at least one version must be requested");
    says(
        table.scan_page(Scan::all(), 0).await.map(|_| ()),
        "a page of 0 rows; it needs at least one",
    );
    let backwards = Timestamp::from_millis(9)..Timestamp::from_millis(3);
    says(
        table.scan(Scan::all().time_range(backwards)).map(|_| ()),
        "a time range from 9 to 3 ms, which is before its start",
    );
    let large = Put::new("r").cell("f", "q", vec![0; 11 << 20]);
    says(table.put(large).await, "a cell of 11534363 bytes, more than max_cell_bytes, 10485760");
}

pub(crate) async fn a_cell_of_another_width_is_no_counter(place: Place) {
    let table = place.table(&[]).await;
    table.put(Put::new("r").cell("f", "q", "abc")).await.unwrap();
    says(
        table.increment(Increment::new("r").add("f", "q", 1)).await,
        "the cell is not a counter, which is 8 bytes wide (",
    );
    let row = table.get("r").await.unwrap().unwrap();
    let error = row.counter("f", "q").unwrap_err().to_string();
    assert!(error.contains("\"abc\" is not a counter, which is 8 bytes wide"), "{error}");
}

pub(crate) async fn a_page_token_that_does_not_fit_says_why(place: Place) {
    let (table, other) = (place.table(&[]).await, place.table(&[]).await);
    for row in ["a", "b", "c"] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    let token = table.scan_page(Scan::all(), 2).await.unwrap().next.unwrap();
    for page in [
        other.scan_page(Scan::all().resume(&token), 2).await,
        table.scan_page(Scan::all().reversed().resume(&token), 2).await,
        table.scan_page(Scan::prefix("b").resume(&token), 2).await,
    ] {
        let text = "the page token is of another scan; the table, the key type, the ranges and the direction must be";
        says(page.map(|_| ()), text);
    }
    let text = token.to_string();
    for (text, why) in
        [("hello", "it is not one"), (&text[..text.len() - 4], "it was cut or changed")]
    {
        let error = text.parse::<PageToken>().unwrap_err();
        assert_eq!(error.to_string(), format!("page token {text:?}: {why}"));
    }
}

pub(crate) async fn a_row_of_another_type_is_shown_with_its_column_and_bytes(place: Place) {
    let table = place.table(&[]).await;
    let readings = place.client.table_named::<Reading>(table.name()).unwrap();
    let put = |sensor: u32, column, value: &'static [u8]| {
        table.put(Put::new(ReadingKey { sensor }.encode()).cell("f", column, value))
    };
    put(1, "t", b"12").await.unwrap();
    put(2, "n", b"\xFF").await.unwrap();
    for (sensor, text) in [
        (1, "column f:t: expected 4 bytes, found 2; the cell holds \"12\""),
        (
            2,
            "column f:n: expected text in UTF-8, found a byte that is none, at 0; the cell holds \"\\xFF\"",
        ),
    ] {
        says(readings.get(&ReadingKey { sensor }).await.map(|_| ()), text);
    }
    table.put(Put::new("abc").cell("f", "n", "x")).await.unwrap();
    let error = readings
        .scan(ReadingKey::scan().sensor(0x6162_0000..))
        .rows()
        .next_row()
        .await
        .map(|_| ())
        .unwrap_err();
    let text = "decode ReadingKey: field sensor at byte 0: need 4 bytes, found 3";
    assert_eq!(
        message(&error),
        format!(
            "the row key is not one of this table's type: {text}; were rows written with another type of keys, or before the \
             layout was changed?"
        )
    );
    assert_eq!(source(&error), text);
}
