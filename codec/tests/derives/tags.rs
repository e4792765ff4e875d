//! Enums of variants without fields, each written as its tag.

use tallrow_codec::schema::Schema;
use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    #[key(tag = 1)]
    Open,
    #[key(tag = b'p')]
    Paid,
    #[key(tag = 200)]
    Closed,
}

/// Its values sort in the order of their tags, since the discriminants are the tags.
#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[row_key(tag_type = u16)]
enum Level {
    #[key(tag = 300)]
    High = 300,
    #[key(tag = 2)]
    Low = 2,
}

#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    #[key(tag = "SE")]
    Sell,
    #[key(tag = "BU")]
    r#Buy,
}

#[derive(RowKey, Clone, Copy, Debug, PartialEq, Eq)]
enum Mixed {
    #[key(tag = 2)]
    Two,
    #[key(tag = 3)]
    Three,
    #[key(tag = 1)]
    One,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 4, fields = (side)))]
struct Order {
    status: Status,
    #[key(desc)]
    level: Level,
    side: Side,
    before: Option<Status>,
    #[key(digits = 3)]
    shown: Status,
    mixed: Mixed,
    #[key(terminated_list)]
    all: Vec<Side>,
    id: u8,
}

const ORDER: Order = Order {
    status: Status::Paid,
    level: Level::Low,
    side: Side::Buy,
    before: Some(Status::Open),
    shown: Status::Closed,
    mixed: Mixed::One,
    all: Vec::new(),
    id: 9,
};

#[test]
fn a_variant_is_written_as_its_tag() {
    let mut order = ORDER;
    order.all = vec![Side::Sell];
    let row = order.encode().unwrap();
    assert_eq!(row[1..], *b"p\xff\xfdBU\x01\x01200\x01\x01SE\0\x09");
    assert_eq!(Order::decode(&row), Ok(order));
}

#[test]
fn the_schema_names_the_variants() {
    assert_eq!(
        Order::SCHEMA,
        "row key Order\n\
         salt of side: buckets = 4, width = 1, hash = fnv1a\n\
         status: u8, tags = 1:Open 112:Paid 200:Closed\n\
         level: u16, desc, tags = 2:Low 300:High\n\
         side: [u8; 2], tags = 0x5345:Sell 0x4255:Buy\n\
         before: optional u8, tags = 1:Open 112:Paid 200:Closed\n\
         shown: u8, digits = 3, tags = 1:Open 112:Paid 200:Closed\n\
         mixed: u8, tags = 2:Two 3:Three 1:One\n\
         all: list of [u8; 2], terminated, tags = 0x5345:Sell 0x4255:Buy\n\
         id: u8\n\
         fingerprint 1e1c1060f2497940\n"
    );
    let schema = Schema::of::<Order>().unwrap();
    assert_eq!(schema.fingerprint(), Order::FINGERPRINT);
    assert_eq!(schema.to_string(), Order::SCHEMA);
    assert_eq!(Schema::from_json(&schema.to_json()).unwrap(), schema);
}

#[test]
fn the_schema_reads_and_writes_variants_by_name() {
    let schema = Schema::of::<Order>().unwrap();
    let order = Order { before: None, all: vec![Side::Sell, Side::Buy], ..ORDER };
    let row = order.encode().unwrap();
    let fields = schema.decode(&row).unwrap();
    let text = "status: Paid, level: Low, side: Buy, before: none, shown: Closed, mixed: One, all: [Sell, Buy], id: 9";
    assert_eq!(fields.to_string(), text);
    assert_eq!(schema.encode_text(text).unwrap(), &row[..]);
    assert_eq!(schema.encode(&fields).unwrap(), &row[..]);
    let error = schema.encode_text(&text.replace("Low", "Medium")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "encode Order: field level: the value must be the name of a variant"
    );
}

#[test]
fn a_hash_prefix_is_computed_from_the_tag() {
    #[derive(RowKey)]
    #[row_key(hash_prefix(md5, hex = 4, fields = (status)))]
    struct Hashed {
        status: Status,
    }
    #[derive(RowKey)]
    #[row_key(hash_prefix(md5, hex = 4, fields = (status)))]
    struct Number {
        status: u8,
    }
    let row = Hashed { status: Status::Paid }.encode();
    assert_eq!(row, Number { status: b'p' }.encode());
    let schema = Schema::of::<Hashed>().unwrap();
    assert_eq!(schema.decode(&row).unwrap().to_string(), "status: Paid");
    assert_eq!(schema.encode_text("status=Paid").unwrap(), row);
}

#[test]
fn the_class_of_an_enum_is_that_of_its_tags() {
    use tallrow_codec::OrderClass;

    let schema = Schema::of::<Order>().unwrap();
    let class = |name| schema.fields().iter().find(|field| field.name() == name).unwrap().order();
    let classes = ["status", "level", "side", "mixed"].map(class);
    let (natural, reversed) = (OrderClass::Natural, OrderClass::Reversed);
    assert_eq!(classes, [natural, reversed, reversed, OrderClass::Grouped]);
}

#[test]
fn an_unknown_tag_is_an_error_that_shows_it() {
    let row = ORDER.encode().unwrap();
    let error = |at: usize, byte| {
        let mut row = row.to_vec();
        row[at] = byte;
        let error = Order::decode(&row).unwrap_err();
        let by_schema = Schema::of::<Order>().unwrap().decode(&row).unwrap_err();
        assert_eq!(by_schema.to_string(), error.to_string());
        error.to_string()
    };
    assert_eq!(error(1, 7), "decode Order: field status at byte 1: no variant has the tag 7");
    assert_eq!(error(2, 0), "decode Order: field level at byte 2: no variant has the tag 65282");
    assert_eq!(
        error(5, b'V'),
        "decode Order: field side at byte 4: no variant has the tag b\"BV\""
    );
}

#[derive(RowKey, Clone, Debug, PartialEq, Eq)]
struct ByStatus {
    status: Status,
    level: Level,
    id: u8,
}

#[derive(RowKey)]
struct BySide {
    side: Side,
}

#[test]
fn a_range_of_variants_is_one_of_tags() {
    let row = |status| ByStatus { status, level: Level::Low, id: 1 }.encode();
    let range = &ByStatus::scan().status(Status::Paid..).row_ranges().unwrap()[0];
    let hits = [Status::Open, Status::Paid, Status::Closed].map(|s| range.contains(&row(s)));
    assert_eq!(hits, [false, true, true]);
    let range =
        &ByStatus::scan().status(Status::Open).level(Level::Low..Level::High).row_ranges().unwrap()
            [0];
    assert!(range.contains(&row(Status::Open)));
    // The later variant has the smaller tag.
    let range = &BySide::scan().side(Side::Buy..).row_ranges().unwrap()[0];
    assert!(range.contains(&BySide { side: Side::Buy }.encode()));
    assert!(!range.contains(&BySide { side: Side::Sell }.encode()));
}
