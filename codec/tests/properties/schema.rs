//! The schema alone returns what the types return: values, bytes and errors.

use proptest::prelude::*;
use tallrow_codec::schema::{FieldValues, Schema, Value};
use tallrow_codec::{DecodeRowKey, Digest, Md5, RandomSalted as InBucket, RowKey};

use crate::keys::*;

fn schema<K: RowKey>() -> Schema {
    let schema = Schema::of::<K>().unwrap();
    assert_eq!(schema.to_string(), K::SCHEMA);
    assert_eq!(schema.fingerprint(), K::FINGERPRINT);
    assert_eq!(Schema::from_json(&schema.to_json()).as_ref(), Ok(&schema));
    schema
}

/// Checks that the type and the schema decode `bytes` alike, and that the result encodes to the
/// same bytes.
fn alike<K: Key + DecodeRowKey>(schema: &Schema, bytes: &[u8]) {
    match (K::decode_key(bytes), schema.decode(bytes)) {
        (Ok(_), Ok(fields)) => {
            assert_eq!(schema.encode(&fields).as_deref(), Ok(bytes));
            let text = fields.to_string();
            assert_eq!(schema.encode_text(&text).as_deref(), Ok(bytes), "{text}");
            let text = text.replace(": ", " = ");
            let again = schema.encode_text(&text);
            // The replacement also changes quoted text, which is then another value.
            assert!(text.contains('"') || again.as_deref() == Ok(bytes), "{text}");
        }
        (Err(typed), Err(named)) => assert_eq!(typed, named),
        (typed, named) => panic!("{bytes:02x?}: {typed:?} by the type, {named:?} by the schema"),
    }
}

macro_rules! alike {
    ($($test:ident: $key:ty;)*) => {
        proptest! {
            #![proptest_config(crate::cases(500))]
            $(
                #[test]
                fn $test(key in <$key>::any(), at: prop::sample::Index, flip: u8, noise in bytes(40)) {
                    let schema = schema::<$key>();
                    let row = key.row();
                    alike::<$key>(&schema, &row);
                    alike::<$key>(&schema, &row[..at.index(row.len() + 1)]);
                    alike::<$key>(&schema, &[&row[..], &[flip]].concat());
                    let mut changed = row.clone();
                    changed[at.index(row.len())] ^= flip;
                    alike::<$key>(&schema, &changed);
                    alike::<$key>(&schema, &noise);
                }
            )*
        }
    };
}

with_every_key!(alike);

#[derive(RowKey)]
#[row_key(salt(buckets = 5, fields = (host)))]
struct Log<'a> {
    #[key(md5)]
    host: &'a str,
    #[key(md5(hex = 6))]
    code: i16,
    parent: Digest<4>,
    #[key(desc, display_time = "us")]
    at: i64,
    rest: &'a [u8],
}

#[test]
fn a_hashed_field_is_given_by_its_digest() {
    let schema = schema::<Log<'_>>();
    let parent = Digest::from([1, 2, 3, 4]);
    let row = Log { host: "host1", code: -2, parent, at: -7, rest: b"\0," }.encode();
    let fields = schema.decode(&row).unwrap();
    assert_eq!(
        fields.to_string(),
        format!(
            "host: #{}, code: #{}, parent: #01020304, at: 1969-12-31T23:59:59.999993Z (-7), rest: 0x002c",
            Digest::<16>::of::<Md5<16>, _>("host1"),
            &Digest::<16>::of::<Md5<16>, _>(&-2_i16).to_string()[..6],
        )
    );
    assert_eq!(schema.encode(&fields).unwrap(), &row[..]);
    assert_eq!(schema.encode_text(&fields.to_string()).unwrap(), &row[..]);
    let clear = "host=host1, code=-2, parent=#01020304, at=-7, rest=\"\\u{0},\"";
    assert_eq!(schema.encode_text(clear).unwrap(), &row[..]);

    let mut wrong = row.to_vec();
    wrong[0] = (wrong[0] + 1) % 5;
    let error = schema.decode(&wrong).unwrap_err();
    assert_eq!(error, Log::view(&wrong).map(|_| ()).unwrap_err());
}

#[test]
fn values_are_those_of_the_type() {
    let key = Small {
        a: true,
        b: 'é',
        c: -0.5,
        d: f32::INFINITY,
        e: None,
        f: [0, 1, 2],
        g: b"\xff".to_vec(),
    };
    let fields = schema::<Small>().decode(&key.row()).unwrap();
    let expected: FieldValues = [
        ("a", Value::Bool(true)),
        ("b", Value::Char('é')),
        ("c", Value::Float64(-0.5)),
        ("d", Value::Float32(f32::INFINITY)),
        ("e", Value::None),
        ("f", Value::Bytes(vec![0, 1, 2])),
        ("g", Value::Bytes(vec![0xff])),
    ]
    .into();
    assert_eq!(fields, expected);
    assert_eq!(
        fields.to_string(),
        "a: true, b: \"é\", c: -0.5, d: inf, e: none, f: 0x000102, g: 0xff"
    );
    let line = CustomerRow::Line { customer: "none".into(), region: 1, order: -3, line: 9 };
    let fields = schema::<CustomerRow>().decode(&line.row()).unwrap();
    assert_eq!(fields.to_string(), "customer: \"none\", region: 1, tag: Line, order: -3, line: 9");
    let tags = "metric=5, at=7200, tags=[2=9, 1 = 7]";
    let row = schema::<Metric>().encode_text(tags).unwrap();
    assert_eq!(
        schema::<Metric>().decode(&row).unwrap().to_string(),
        "metric: 5, at: 7200, tags: [1=7, 2=9]"
    );
    let nested = "place={shop=1,shelf=\"a, \\\"b}\"}, other: {shelf: c, shop: 2}, at: 3";
    let row = schema::<Nested>().encode_text(nested).unwrap();
    let key = Nested::decode_key(&row).unwrap();
    assert_eq!((key.place.shelf.as_str(), key.other.shelf.as_str(), key.at), ("a, \"b}", "c", 3));
}

/// Encoding refuses what the type refuses, with the same message.
#[test]
fn errors_of_encoding_are_those_of_the_type() {
    let same = |typed: String, named: Result<Vec<u8>, tallrow_codec::schema::TextError>| {
        assert_eq!(typed, named.unwrap_err().to_string());
    };
    let key = Texts { a: String::new(), b: "abcde".into(), c: String::new(), d: String::new() };
    same(
        key.encode().unwrap_err().to_string(),
        schema::<Texts>().encode_text("a=\"\", b=abcde, c=\"\", d=\"\""),
    );
    let key = Access { system: "x".into(), user: "a".into(), period: "01".into(), rest: 1 };
    same(
        key.encode().unwrap_err().to_string(),
        schema::<Access>().encode_text("system=x, user=a, period=01, rest=1"),
    );
    let text = "place={shop=1,shelf=a}, other={shop=70000,shelf=a}, at=1";
    assert_eq!(
        schema::<Nested>().encode_text(text).unwrap_err().to_string(),
        "encode Nested: field other: its field shop: the value must be a number that fits the field's type"
    );
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let check = |schema: &Schema, text: &str, expected: &str| {
        assert_eq!(schema.encode_text(text).unwrap_err().to_string(), expected, "{text}");
    };
    let numbers = schema::<Numbers>();
    let cases = [
        ("a=1", "encode Numbers: field b: it has no value"),
        (
            "a=1, b=2, c=3, d=4, e=5, f=6",
            "encode Numbers: field f: the key has no such field, or has its value already",
        ),
        (
            "a=1, b=2, c=3, d=4, e=5, a=1",
            "encode Numbers: field a: the key has no such field, or has its value already",
        ),
        (
            "a=128, b=2, c=3, d=4, e=5",
            "encode Numbers: field a: the value must be a number that fits the field's type",
        ),
        (
            "a=1, b=-2, c=3, d=4, e=5",
            "encode Numbers: field b: the value must be a number that fits the field's type",
        ),
        ("a=x", "read the values of a row key: field a: found \"x\", expected a whole number"),
        (
            "a=1 b=2",
            "read the values of a row key: expected a comma between two values at character 5",
        ),
        (
            "a",
            "read the values of a row key: expected = or : after the name of a field at character 1",
        ),
        ("a=1, ", "read the values of a row key: expected the name of a field at character 5"),
        ("a=\"1", "read the values of a row key: expected a closing quote at character 4"),
        (
            "é=1, a=\"\\q\"",
            "read the values of a row key: expected an escape: \\\", \\\\ or \\u{e9} at character 8",
        ),
        (
            "a={b=1",
            "read the values of a row key: expected a comma or a closing brace at character 6",
        ),
        (
            "a=1}",
            "read the values of a row key: expected a comma between two values at character 3",
        ),
    ];
    for (text, expected) in cases {
        check(&numbers, text, expected);
    }
    let rows = schema::<CustomerRow>();
    check(&rows, "customer=a, region=1", "encode CustomerRow: field tag: it has no value");
    check(
        &rows,
        "customer=a, region=1, tag=Order",
        "read the values of a row key: field tag: found \"Order\", expected a record variant of the key",
    );
    let deep = "a={".repeat(100);
    assert!(numbers.encode_text(&deep).is_err());
}

proptest! {
    #![proptest_config(crate::cases(1000))]

    /// Any changed text of a schema is either read as the schema that it then is or refused, and
    /// any row is decoded by it or refused.
    #[test]
    fn any_text_is_a_schema_or_none(
        which in 0_usize..10,
        at: prop::sample::Index,
        len in 0_usize..12,
        put in "[ -~\n]{0,8}|[0-9]{1,12}|, [a-z]{1,9}|\n  |é",
        row in bytes(30),
    ) {
        let schemas = [
            Lists::SCHEMA,
            Metric::SCHEMA,
            Wide::SCHEMA, InBucket::<Click>::SCHEMA,
            Numbers::SCHEMA, Nested::SCHEMA, Access::SCHEMA, CustomerRow::SCHEMA, Partitioned::SCHEMA,
            Log::SCHEMA,
        ];
        let text = schemas[which].rsplit_once("fingerprint").unwrap().0;
        let from = at.index(text.len());
        let to = (from + len).min(text.len());
        let changed = [&text[..from], &put, &text[to..]].concat();
        if let Ok(schema) = Schema::parse(&changed) {
            let shown = schema.to_string();
            prop_assert_eq!(Schema::parse(&shown), Ok(schema.clone()));
            if let Ok(fields) = schema.decode(&row) {
                prop_assert_eq!(schema.encode(&fields), Ok(row));
            }
        }
    }

    #[test]
    fn any_text_is_values_or_none(text in "([a-f{}=:,\" 0-9#]|place|shop|\\\\){0,40}") {
        let _ = schema::<Nested>().encode_text(&text);
        let _ = schema::<CustomerRow>().encode_text(&text);
    }
}
