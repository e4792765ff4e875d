//! Which keys have a row key schema of Bigtable, which have none, and why. Their bytes are those of
//! an encoder that follows the rules in Google's description of the messages, and that shares no
//! code with the library.

use proptest::prelude::*;
use tallrow_codec::schema::{
    BigtableColumn, BigtableInteger, BigtableJoin, BigtableKey, BigtableType, Schema,
};
use tallrow_codec::{NonNeg, RandomSalted, RowKey, Uid};

fn described<K: RowKey>() -> Result<String, String> {
    let key = Schema::of::<K>().unwrap().bigtable_key();
    let prefix = "describe a key to Bigtable: ";
    key.map(|key| key.to_string())
        .map_err(|reason| reason.to_string().strip_prefix(prefix).unwrap().to_owned())
}

/// The layouts of `docs/choosing-a-row-key.md`.
mod patterns {
    use super::*;

    #[derive(RowKey)]
    pub(super) struct UserFirst {
        pub(super) user: u32,
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    #[row_key(salt(buckets = 16, fields = (user)))]
    pub(super) struct SaltOfUser {
        pub(super) user: u32,
        #[key(rev_ts)]
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    pub(super) struct HashOfUser {
        #[key(md5(bytes = 8))]
        pub(super) user: String,
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    #[row_key(hash_prefix(md5, hex = 5, sep = '_', fields = (user)))]
    pub(super) struct HashPrefix {
        #[key(nul_terminated)]
        pub(super) user: String,
        pub(super) at: i64,
    }
    pub(super) enum Users {}
    #[derive(RowKey)]
    pub(super) struct IdOfUser {
        pub(super) user: Uid<Users>,
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    pub(super) struct ReversedDigits {
        #[key(digits = 11, reverse)]
        pub(super) user: u64,
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    pub(super) struct NewestFirst {
        #[key(nul_terminated)]
        pub(super) user: String,
        #[key(rev_ts)]
        pub(super) at: i64,
    }
    #[derive(RowKey)]
    #[row_key(salt(buckets = 16))]
    pub(super) struct SaltOfAll {
        pub(super) at: i64,
        pub(super) user: u32,
    }
    #[derive(RowKey)]
    #[row_key(salt(random, buckets = 16))]
    pub(super) struct RandomSalt {
        pub(super) at: i64,
        pub(super) user: u32,
    }
    #[derive(RowKey)]
    pub(super) struct Hours {
        pub(super) metric: u32,
        #[key(floor = 3600)]
        pub(super) hour: u32,
    }
    #[derive(RowKey)]
    #[row_key(shared(customer))]
    pub(super) enum Records {
        #[key(tag = 1)]
        Customer { customer: u64 },
        #[key(tag = 2)]
        Order { customer: u64, order: u64 },
    }
    #[derive(RowKey)]
    #[row_key(text_sep = '|', allow(unsorted_text))]
    pub(super) struct OfMapper {
        pub(super) user: String,
        pub(super) page: String,
    }
    #[derive(RowKey)]
    #[row_key(compat = "phoenix", salt(buckets = 8))]
    pub(super) struct OfPhoenix {
        pub(super) user: String,
        pub(super) at: i64,
    }
}

#[test]
fn each_pattern_of_the_page_has_a_schema_or_a_reason() {
    use patterns::*;
    let next = "field user: the next field follows without a delimiter";
    let salt = "the key begins with a salt";
    let attribute = "field user: an attribute changes its bytes";
    for (pattern, found, reason) in [
        ("user first", described::<UserFirst>(), next),
        ("salt of the user", described::<SaltOfUser>(), salt),
        ("hash of the user", described::<HashOfUser>(), attribute),
        ("hash prefix", described::<HashPrefix>(), "the key begins with a hash"),
        ("id of the user", described::<IdOfUser>(), next),
        ("reversed digits", described::<ReversedDigits>(), attribute),
        ("newest first", described::<NewestFirst>(), "field at: an attribute changes its bytes"),
        ("salt of all", described::<SaltOfAll>(), salt),
        ("random salt", described::<RandomSalted<RandomSalt>>(), salt),
        ("hours", described::<Hours>(), "field metric: the next field follows"),
        ("records", described::<Records>(), "the fields differ by record type"),
        ("texts with |", described::<OfMapper>(), "field user: it may have characters up to"),
        ("phoenix", described::<OfPhoenix>(), salt),
    ] {
        let found = found.expect_err(pattern);
        assert!(found.starts_with(reason), "{pattern}: {found}");
    }
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(compat = "bigtable")]
struct Event {
    user: String,
    at: i64,
    shop: NonNeg<i64>,
    data: Vec<u8>,
    note: String,
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(compat = "bigtable")]
struct Numbers {
    at: i64,
    shop: NonNeg<i64>,
    last: i64,
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(compat = "bigtable")]
struct At {
    at: i64,
}

#[derive(RowKey, Debug, PartialEq)]
struct Plain {
    at: NonNeg<i64>,
}

#[derive(RowKey, Debug, PartialEq)]
struct Word {
    word: String,
}

#[derive(RowKey, Debug, PartialEq)]
struct Data {
    id: [u8; 4],
}

#[derive(RowKey, Debug, PartialEq)]
#[row_key(compat = "bigtable", text_sep = '#')]
struct Visit {
    #[key(chars = "a-z0-9")]
    user: String,
    #[key(chars = "A-Z-")]
    page: String,
    #[key(digits = 10)]
    number: u32,
}

#[derive(RowKey, Debug, PartialEq)]
struct Lines {
    #[key(nul_terminated)]
    first: String,
    #[key(chars = "a-z")]
    last: String,
}

#[test]
fn keys_that_bigtable_reads_have_a_schema() {
    let shown = |found: Result<String, String>| found.unwrap();
    assert_eq!(
        shown(described::<Event>()),
        "user STRING, at INT64 in ordered code, shop INT64 in 8 bytes, data BYTES, note STRING; \
         joined in ordered code"
    );
    assert_eq!(shown(described::<At>()), "at INT64 in ordered code; the row key is this column");
    assert_eq!(shown(described::<Plain>()), "at INT64 in 8 bytes; the row key is this column");
    assert_eq!(shown(described::<Word>()), "word STRING; the row key is this column");
    assert_eq!(shown(described::<Data>()), "id BYTES; the row key is this column");
    assert_eq!(
        shown(described::<Visit>()),
        "user STRING, page STRING, number STRING; joined by \"#\""
    );
    assert_eq!(shown(described::<Lines>()), "first STRING, last STRING; joined by \"\\x00\"");
}

fn schema(text: &str) -> Schema {
    Schema::parse(&format!("row key K\n{text}")).unwrap()
}

#[test]
fn a_layout_without_a_schema_has_a_reason() {
    for (text, field, reason) in [
        ("a: u64\n", Some("a"), "it may be larger than an i64"),
        ("a: i64\n", Some("a"), "its sign bit is inverted"),
        ("a: u32\n", Some("a"), "it has 4 bytes"),
        ("a: f64\n", Some("a"), "its type is none"),
        ("a: optional u8\n", Some("a"), "its type is none"),
        ("a: i64, rev_ts\n", Some("a"), "an attribute changes its bytes"),
        ("a: text, escaped\nb: i64\n", Some("a"), "an attribute changes its bytes"),
        ("a: text, nul_terminated\n", Some("a"), "its end is marked"),
        (
            "a: text, sep = 0x23, chars = \"abc\"\nb: text\n",
            Some("b"),
            "it may have characters up to the delimiter \"#\"",
        ),
        (
            "a: text, sep = 0x23, chars = \"!ab\"\nb: text, chars = \"abc\"\n",
            Some("a"),
            "it may have characters up to the delimiter \"#\"",
        ),
        (
            "a: text, sep = 0x23, chars = \"abc\"\nb: i64, raw_be\n",
            Some("b"),
            "its bytes may contain the delimiter \"#\"",
        ),
        (
            "a: text, sep = 0x23, chars = \"abc\"\nb: text, sep = 0x7c, chars = \"abc\"\nc: bytes\n",
            Some("b"),
            "it does not end as a column before \"#\" does",
        ),
        (
            "a: text, sep = 0x3a, chars = \"abc\"\nb: u32, digits = 10\n",
            Some("b"),
            "its digits are not above the delimiter \":\"",
        ),
        ("_key: text\n", Some("_key"), "Bigtable has a column of this name"),
    ] {
        let error = schema(text).bigtable_key().unwrap_err();
        let shown = error.to_string();
        assert_eq!(error.field(), field, "{text}: {shown}");
        assert!(shown.contains(reason), "{text}: {shown}");
    }
}

#[test]
fn a_schema_of_the_service_becomes_the_layout_of_its_bytes() {
    let column = |name: &str, ty| BigtableColumn { name: name.into(), ty };
    let text = |name| column(name, BigtableType::Text);
    let ordered = BigtableType::Int64(BigtableInteger::OrderedCode);
    let time = BigtableType::Timestamp(BigtableInteger::BigEndian);
    let by = |bytes: &[u8]| BigtableJoin::Delimited(bytes.to_vec());
    let layout = |columns: &[BigtableColumn], join: BigtableJoin| {
        let key = BigtableKey::new(columns.to_vec(), join);
        Schema::from_bigtable_key("K", &key).map(|schema| schema.to_string())
    };
    let same = |columns: &[BigtableColumn], join, expected: &str| {
        assert_eq!(layout(columns, join).unwrap(), schema(expected).to_string());
    };
    same(&[text("a")], BigtableJoin::Singleton, "a: text\n");
    same(&[text("a")], by(b"#"), "a: text\n");
    same(&[column("a", time)], BigtableJoin::Singleton, "a: nonneg i64\n");
    same(&[column("a", ordered)], BigtableJoin::Singleton, "a: i64, compat = bigtable\n");
    same(&[text("a"), text("b")], by(b"#"), "a: text, sep = 0x23\nb: text\n");
    same(
        &[text("a"), column("b", time), column("c", BigtableType::Bytes)],
        BigtableJoin::OrderedCode,
        "a: text, compat = bigtable\nb: nonneg i64, compat = bigtable\nc: bytes, compat = bigtable\n",
    );
    for (columns, join, reason) in [
        (&[][..], BigtableJoin::Singleton, "has no columns"),
        (&[text("a")], BigtableJoin::OrderedCode, "its only column is in ordered code"),
        (&[text("a"), text("b")], BigtableJoin::Singleton, "says how they are joined"),
        (&[text("a"), text("b")], by(b"::"), "its delimiter \"::\" has 2 bytes"),
        (&[text("a"), text("b")], by(b""), "has 0 bytes"),
        (&[text("a"), column("b", ordered)], by(b"#"), "field b: only texts are joined"),
        (&[text("a b")], BigtableJoin::Singleton, "a b"),
        (&[text("a"), text("a")], by(b"#"), "a"),
    ] {
        let error = layout(columns, join).unwrap_err().to_string();
        assert!(error.contains(reason), "{columns:?}: {error}");
    }
}

/// What is compared with a table has what the service stores, and not what only the layout says.
#[test]
fn what_a_layout_and_its_schema_have_in_common_is_the_same_layout() {
    for schema in [
        Schema::of::<Event>(),
        Schema::of::<At>(),
        Schema::of::<Plain>(),
        Schema::of::<Data>(),
        Schema::of::<Visit>(),
        Schema::of::<Lines>(),
    ] {
        let schema = schema.unwrap();
        let of_service =
            Schema::from_bigtable_key("Other", &schema.bigtable_key().unwrap()).unwrap();
        assert_eq!(schema.round_trip_through_bigtable().fingerprint(), of_service.fingerprint());
        assert_eq!(of_service.round_trip_through_bigtable(), of_service);
    }
    let any = schema("a: text, sep = 0x23\nb: text\n");
    assert!(any.bigtable_key().is_err());
    assert_eq!(any.round_trip_through_bigtable().fingerprint(), any.fingerprint());
    let none = schema("a: u64\n");
    assert_eq!(none.round_trip_through_bigtable(), none);
}

/// A value of a column, for the encoder of the tests.
enum V<'v> {
    Int(i64),
    Bytes(&'v [u8]),
}

/// The bytes of a value, by the rules of its column's type.
fn value_bytes(ty: BigtableType, value: &V<'_>) -> Vec<u8> {
    match (ty, value) {
        (BigtableType::Text | BigtableType::Bytes, V::Bytes(bytes)) => bytes.to_vec(),
        (BigtableType::Int64(BigtableInteger::BigEndian), V::Int(n)) => n.to_be_bytes().to_vec(),
        (BigtableType::Int64(BigtableInteger::OrderedCode), V::Int(n)) => {
            // Of a negative number, the bytes of its complement, inverted.
            let (positive, flip) = if *n < 0 { (!*n as u128, 0xFF) } else { (*n as u128, 0) };
            let len = (1..=10).find(|len| positive < 1 << (7 * len - 1)).unwrap();
            let ones = ((1_u128 << len) - 1) << (7 * len);
            let all = (positive | ones).to_be_bytes();
            all[16 - len..].iter().map(|byte| byte ^ flip).collect()
        }
        _ => panic!("a value of another type"),
    }
}

/// The row key with these values, by the rules of a row key schema.
fn row_of(key: &BigtableKey, values: &[V<'_>]) -> Vec<u8> {
    let encoded = key.columns().iter().zip(values).map(|(column, v)| value_bytes(column.ty, v));
    let mut encoded: Vec<Vec<u8>> = encoded.collect();
    assert_eq!(encoded.len(), values.len());
    match key.join() {
        BigtableJoin::Singleton => encoded.remove(0),
        BigtableJoin::Delimited(by) => encoded.join(&by[..]),
        BigtableJoin::OrderedCode => {
            while encoded.last().is_some_and(Vec::is_empty) {
                encoded.pop();
            }
            let escaped = |bytes: &Vec<u8>| match bytes.is_empty() {
                true => vec![0, 0],
                false => bytes
                    .iter()
                    .flat_map(|b| if *b == 0 { vec![0, 0xFF] } else { vec![*b] })
                    .collect(),
            };
            let parts: Vec<Vec<u8>> = encoded.iter().map(escaped).collect();
            if parts.is_empty() { vec![0, 0] } else { parts.join(&[0, 1][..]) }
        }
        other => panic!("{other:?}"),
    }
}

fn integers() -> impl Strategy<Value = i64> {
    let bits = (any::<i64>(), 0..64_u32).prop_map(|(n, shift)| n >> shift);
    prop_oneof![bits, any::<i64>(), Just(i64::MIN), Just(i64::MAX), -70..70_i64]
}

fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![Just('\0'), Just('\u{1}'), Just('ÿ'), any::<char>()],
        0..5,
    )
    .prop_map(String::from_iter)
}

fn key_of<K: RowKey>() -> BigtableKey {
    Schema::of::<K>().unwrap().bigtable_key().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_bytes_are_those_of_the_service(
        user in texts(), at in integers(), shop in 0..=i64::MAX,
        data in proptest::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(255)], 0..4),
        note in texts(), number: u32, id: [u8; 4],
    ) {
        let note = note + "n";
        let shop_shift = shop >> (number % 63);
        let nonneg = |n: i64| NonNeg::try_from(n).unwrap();
        let bytes = |text: &'static str| V::Bytes(text.as_bytes());
        let event = Event {
            user: user.clone(), at, shop: nonneg(shop_shift), data: data.clone(), note: note.clone(),
        };
        let values = [
            V::Bytes(user.as_bytes()), V::Int(at), V::Int(shop_shift), V::Bytes(&data),
            V::Bytes(note.as_bytes()),
        ];
        let row = event.encode().unwrap();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Event>(), &values));

        let numbers = Numbers { at, shop: nonneg(shop), last: !at };
        let row = numbers.encode();
        let values = [V::Int(at), V::Int(shop), V::Int(!at)];
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Numbers>(), &values));

        let row = At { at }.encode();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<At>(), &[V::Int(at)]));
        let row = Plain { at: nonneg(shop) }.encode();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Plain>(), &[V::Int(shop)]));
        let row = Word { word: note.clone() }.encode();
        let expected = row_of(&key_of::<Word>(), &[V::Bytes(note.as_bytes())]);
        prop_assert_eq!(row.as_slice(), expected);
        let row = Data { id }.encode();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Data>(), &[V::Bytes(&id)]));

        let visit = Visit { user: "ada7".into(), page: "A-Z".into(), number };
        let digits = format!("{number:010}");
        let values = [bytes("ada7"), bytes("A-Z"), V::Bytes(digits.as_bytes())];
        let row = visit.encode().unwrap();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Visit>(), &values));
        let row = Lines { first: "é x".into(), last: "z".into() }.encode().unwrap();
        prop_assert_eq!(row.as_slice(), row_of(&key_of::<Lines>(), &[bytes("é x"), bytes("z")]));
    }
}
