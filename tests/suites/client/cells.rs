//! What the cells of a row type may contain.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tallrow::{
    CellGroup, Counter, Delete, ErrorKind, Put, RowKey, Table, Timestamp,
    key::FloorOffset,
    value::{DecodeCell, EncodeCell, ValueError, Versions},
};
use tallrow_tests::Place;

use super::typed::table;

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Id {
    id: u32,
}

/// The access logs of the cases: what a user did on two sites, by period.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_cells_access")]
#[family("fb")]
#[family("tw")]
#[family("d")]
struct Access {
    #[key]
    id: Id,
    #[cells("fb:*")]
    facebook: BTreeMap<String, i64>,
    #[cells("tw:*")]
    twitter: Vec<(i32, String)>,
    #[cell("d:n")]
    name: String,
    #[cells("d:a/*", codec = json)]
    a: BTreeMap<u16, Vec<u8>>,
    #[cells("d:b/*")]
    b: BTreeMap<u16, bool>,
}

fn access(id: u32) -> Access {
    Access {
        id: Id { id },
        facebook: [("202610".to_owned(), 3), ("202611".to_owned(), -4)].into(),
        twitter: vec![(-7, "before".into()), (0, "at".into()), (7, "after".into())],
        name: "Ada".into(),
        a: [(1, vec![1, 2]), (256, vec![])].into(),
        b: [(2, true)].into(),
    }
}

pub(crate) async fn qualifiers_are_the_keys_of_a_map(place: Place) {
    let rows = table::<Access>(&place, &[] as &[&str]).await;
    let row = access(1);
    rows.put(&row).await.unwrap();
    assert_eq!(rows.get(&row.id).await.unwrap(), Some(row.clone()));

    let raw = rows.raw().unwrap().get(row.id.encode()).await.unwrap().unwrap();
    assert_eq!(raw.value("fb", "202611"), Some(&(-4_i64).to_be_bytes()[..]));
    assert_eq!(raw.value("tw", [0x7F, 0xFF, 0xFF, 0xF9]), Some(&b"before"[..]));
    assert_eq!(raw.value("d", b"a/\x01\x00"), Some(&b"[]"[..]));

    // Vec and map are in the order of the qualifiers, whatever order they were written in.
    let mut mixed = access(2);
    mixed.twitter.reverse();
    rows.put(&mixed).await.unwrap();
    assert_eq!(rows.get(&mixed.id).await.unwrap().unwrap().twitter, row.twitter);

    let empty = Access {
        facebook: BTreeMap::new(),
        twitter: Vec::new(),
        a: BTreeMap::new(),
        b: BTreeMap::new(),
        ..access(3)
    };
    rows.put(&empty).await.unwrap();
    assert_eq!(rows.get(&empty.id).await.unwrap(), Some(empty));
}

pub(crate) async fn a_qualifier_prefix_separates_maps(place: Place) {
    let rows = table::<Access>(&place, &[] as &[&str]).await;
    let row = access(1);
    rows.put(&row).await.unwrap();
    // Cells without a field are left unchanged.
    let raw = rows.raw().unwrap();
    let stray = Put::new(row.id.encode()).cell("d", "a", "x").cell("d", "c/zz", "x");
    raw.put(stray).await.unwrap();
    assert_eq!(rows.get(&row.id).await.unwrap(), Some(row.clone()));

    // A qualifier that does not have the field's type is an error.
    raw.put(Put::new(row.id.encode()).cell("d", "b/x", "?")).await.unwrap();
    let error = rows.get(&row.id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(
        error.to_string(),
        format!(
            "decode row {}/{{id: 1}}: column d:b/x: qualifier expected 2 bytes, found 1; it is \"x\"",
            raw.name()
        )
    );
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Hour {
    metric: u32,
    #[key(floor = 3600)]
    base: u32,
}

/// The points of an hour, as OpenTSDB packs them.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_cells_points")]
#[family("t")]
struct Points {
    #[key]
    hour: Hour,
    #[cells("t:*")]
    points: BTreeMap<FloorOffset<3600>, f32>,
}

pub(crate) async fn offsets_pack_the_points_of_an_hour(place: Place) {
    let rows = table::<Points>(&place, &[] as &[&str]).await;
    for (at, value) in [(7_250, 1.5), (3_599, 0.5), (3_600, 1.0), (7_199, 1.25)] {
        let hour = Hour { metric: 7, base: at };
        let points = [(FloorOffset::split(at).1, value)].into();
        rows.put(&Points { hour, points }).await.unwrap();
    }
    let mut found = Vec::new();
    let mut scan = rows.scan(Hour::scan().metric(7)).rows();
    while let Some(row) = scan.next_row().await.unwrap() {
        found.extend(row.points.iter().map(|(at, value)| (row.hour.base + at.get(), *value)));
    }
    assert_eq!(found, [(3_599, 0.5), (3_600, 1.0), (7_199, 1.25), (7_250, 1.5)]);

    let raw = rows.raw().unwrap();
    let row = raw.get(Hour { metric: 7, base: 3_600 }.encode()).await.unwrap().unwrap();
    let qualifiers: Vec<&[u8]> = row.cells().iter().map(|c| c.qualifier()).collect();
    assert_eq!(qualifiers, [&[0, 0][..], &[0x0E, 0x0F]], "two bytes for each point");
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_cells_prices")]
#[family("d", versions = 3)]
struct Price {
    #[key]
    id: Id,
    #[cell("d:p")]
    price: f64,
    #[cell("d:p", versions)]
    past: Versions<f64>,
    #[cell("d:p", read_timestamp)]
    since: Timestamp,
    #[cell("d:n")]
    note: Option<String>,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(projection_of = Price)]
struct LastTwo {
    #[cell("d:p", versions = 2)]
    past: Versions<f64>,
}

pub(crate) async fn the_versions_of_a_cell_are_read_newest_first(place: Place) {
    let rows = table::<Price>(&place, &[] as &[&str]).await;
    let at = Timestamp::from_millis;
    for (time, price) in [(30, 3.0), (10, 1.0), (40, 4.0), (20, 2.0)] {
        let row = Price {
            id: Id { id: 1 },
            price,
            past: Versions::default(),
            since: Timestamp::default(),
            note: (time == 10).then(|| "first".into()),
        };
        rows.clone().with_timestamp(at(time)).put(&row).await.unwrap();
    }
    let row = rows.get(&Id { id: 1 }).await.unwrap().unwrap();
    assert_eq!((row.price, row.since), (4.0, at(40)));
    assert_eq!(
        row.past[..],
        [(at(40), 4.0), (at(30), 3.0), (at(20), 2.0)],
        "the family retains three"
    );
    assert_eq!(row.past.as_of(at(35)), Some(&3.0));
    assert_eq!(row.note.as_deref(), Some("first"));

    let two = place.same::<LastTwo, _>(&rows).get(&Id { id: 1 }).await.unwrap().unwrap();
    assert_eq!(two.past[..], [(at(40), 4.0), (at(30), 3.0)]);

    let then = rows.clone().as_of(at(35)).get(&Id { id: 1 }).await.unwrap().unwrap();
    assert_eq!((then.price, &then.past[..2]), (3.0, &[(at(30), 3.0), (at(20), 2.0)][..]));
    assert_eq!(rows.clone().as_of(at(5)).get(&Id { id: 1 }).await.unwrap(), None);
    let mut scan = rows.clone().as_of(at(20)).scan(Id::scan()).rows();
    assert_eq!(scan.next_row().await.unwrap().unwrap().price, 2.0);
}

#[derive(CellGroup, Clone, Debug, PartialEq)]
struct Address {
    #[cell("d:st")]
    street: String,
    #[cell("d:ci")]
    city: Option<String>,
    #[cells("d:x/*")]
    extra: BTreeMap<String, u8>,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_cells_people")]
#[family("d", as = "details")]
#[family("w")]
struct Person {
    #[key]
    id: Id,
    #[cell("details:st")]
    state: String,
    #[flatten(prefix = "h_")]
    home: Address,
    #[flatten(family = "w")]
    work: Option<Address>,
    #[cell("details:n")]
    seen: Counter,
}

pub(crate) async fn groups_are_flattened_into_the_row(place: Place) {
    let rows = table::<Person>(&place, &[] as &[&str]).await;
    let home =
        Address { street: "Main St".into(), city: None, extra: [("floor".to_owned(), 3)].into() };
    let work = Address { city: Some("Ulm".into()), ..home.clone() };
    let alone = Person {
        id: Id { id: 1 },
        state: "new".into(),
        home: home.clone(),
        work: None,
        seen: Counter(0),
    };
    let busy = Person { id: Id { id: 2 }, work: Some(work), ..alone.clone() };
    for person in [&alone, &busy] {
        rows.put(person).await.unwrap();
        assert_eq!(rows.get(&person.id).await.unwrap().as_ref(), Some(person));
    }
    let raw = rows.raw().unwrap().get(Id { id: 2 }.encode()).await.unwrap().unwrap();
    let columns: Vec<_> = raw.cells().iter().map(|c| format!("{c:?}")).collect();
    assert_eq!(raw.value("d", "h_st"), Some(&b"Main St"[..]), "{columns:?}");
    assert_eq!(raw.value("d", "h_x/floor"), Some(&[3][..]), "{columns:?}");
    assert_eq!(raw.value("w", "ci"), Some(&b"Ulm"[..]), "{columns:?}");
    let city = Person::WORK.column(Address::CITY);
    rows.delete_cell(&Id { id: 2 }, city).await.unwrap();
    let work = rows.get(&Id { id: 2 }).await.unwrap().unwrap().work.unwrap();
    assert_eq!(work, home);
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Extra {
    tags: Vec<String>,
    size: Option<u32>,
}

/// Text of decimal digits.
enum Decimal {}

impl EncodeCell<u64> for Decimal {
    fn encode(value: &u64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        out.extend_from_slice(value.to_string().as_bytes());
        Ok(())
    }
}

impl DecodeCell<u64> for Decimal {
    fn decode(bytes: &[u8]) -> Result<u64, ValueError> {
        let number = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| ValueError::new("decimal digits", "something else"))
    }
}

fn unit() -> String {
    "C".into()
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "t_cells_values")]
#[family("d")]
struct Values {
    #[key]
    id: Id,
    #[cell("d:j", codec = json)]
    json: Extra,
    #[cell("d:c", codec = cbor)]
    cbor: Option<Extra>,
    #[cell("d:o", codec = ordered)]
    ordered: i32,
    #[cell("d:p", codec = protobuf)]
    protobuf: Option<u32>,
    #[cell("d:t", codec = Decimal)]
    text: u64,
    #[cell("d:u", default = unit())]
    unit: String,
    #[cell("d:n", default)]
    number: i32,
}

fn values(id: u32) -> Values {
    let extra = Extra { tags: vec!["a".into()], size: Some(7) };
    Values {
        id: Id { id },
        json: extra.clone(),
        cbor: (id % 2 == 1).then_some(extra),
        ordered: -1,
        protobuf: Some(300),
        text: 1999,
        unit: "F".into(),
        number: 7,
    }
}

pub(crate) async fn values_are_encoded_by_their_codec(place: Place) {
    let rows = table::<Values>(&place, &[] as &[&str]).await;
    for id in 1..=2 {
        rows.put(&values(id)).await.unwrap();
        assert_eq!(rows.get(&Id { id }).await.unwrap(), Some(values(id)));
    }
    let raw = rows.raw().unwrap().get(Id { id: 1 }.encode()).await.unwrap().unwrap();
    assert_eq!(raw.value("d", "j"), Some(&br#"{"tags":["a"],"size":7}"#[..]));
    assert_eq!(raw.value("d", "c"), Some(&b"\xA2\x64tags\x81\x61a\x64size\x07"[..]));
    assert_eq!(raw.value("d", "o"), Some(&[0x7F, 0xFF, 0xFF, 0xFF][..]));
    assert_eq!(raw.value("d", "p"), Some(&[8, 0xAC, 2][..]));
    assert_eq!(raw.value("d", "t"), Some(&b"1999"[..]));

    // One value that is short-lived.
    rows.clone().with_ttl(Duration::from_millis(1)).put(&values(3)).await.unwrap();
    while rows.get(&Id { id: 3 }).await.unwrap().is_some() {}
}

pub(crate) async fn a_default_replaces_only_an_absent_cell(place: Place) {
    let rows = table::<Values>(&place, &[] as &[&str]).await;
    let id = Id { id: 1 };
    rows.put(&values(1)).await.unwrap();
    rows.delete_cell(&id, Values::UNIT).await.unwrap();
    rows.delete_cell(&id, Values::NUMBER).await.unwrap();
    let row = rows.get(&id).await.unwrap().unwrap();
    assert_eq!((&row.unit[..], row.number), ("C", 0));

    let raw = rows.raw().unwrap();
    // Later than the delete marker, also within its millisecond.
    let later = Timestamp::from_millis(Timestamp::now().as_millis() + 60_000);
    raw.put(Put::new(id.encode()).cell_at("d", "n", later, "12345")).await.unwrap();
    let error = rows.get(&id).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "an invalid cell is not an absent one");
    assert!(
        error
            .to_string()
            .ends_with("column d:n: expected 4 bytes, found 5; the cell holds \"12345\"")
    );
}

pub(crate) async fn an_invalid_cell_is_reported_with_its_column(place: Place) {
    let rows = table::<Values>(&place, &[] as &[&str]).await;
    let id = Id { id: 1 };
    let raw = rows.raw().unwrap();
    let error_of = async |qualifier: &str, bytes: &[u8]| {
        rows.put(&values(1)).await.unwrap();
        raw.put(Put::new(id.encode()).cell("d", qualifier, bytes)).await.unwrap();
        let error = rows.get(&id).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(error.row(), Some(&id.encode()[..]));
        let text = error.to_string();
        let start = format!("decode row {}/{{id: 1}}: column d:", raw.name());
        text.strip_prefix(&start).map(str::to_owned).ok_or(text).unwrap()
    };
    let json = error_of("j", b"{}").await;
    assert!(json.starts_with(
        "j: expected JSON of the field's type, found something else: missing field `tags`"
    ));
    assert!(json.ends_with(r#"; the cell holds "{}""#), "{json}");
    assert!(error_of("c", b"\xFF").await.ends_with(r#"; the cell holds "\xFF""#));
    let ordered = error_of("o", &[1, 2]).await;
    assert!(ordered.starts_with("o: expected an ordered value, found "), "{ordered}");
    assert!(error_of("p", &[8]).await.starts_with("p: expected a message of the field's type"));
    assert_eq!(
        error_of("t", b"1e3").await,
        "t: expected decimal digits, found something else; the cell holds \"1e3\""
    );

    rows.put(&values(1)).await.unwrap();
    let error = rows.delete_cell(&id, Values::TEXT).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "delete cell {}/{{id: 1}}: column d:t: without this cell the row cannot be read; \
             make its field an Option or give it a default, or delete the row",
            raw.name()
        )
    );
    assert!(rows.get(&id).await.unwrap().is_some(), "nothing was sent");
    raw.delete(Delete::new(id.encode()).column("d", "t")).await.unwrap();
    let absent = rows.get(&id).await.unwrap_err().to_string();
    assert!(absent.ends_with(
        "column d:t: expected a value, found no such cell; an Option field may be absent"
    ));
}
