//! Schemas as JSON, a shape other programs read.

use tallrow_codec::schema::Schema;

const TEXT: &str = r#"row key Event
table ns:events
version 2
salt of place, code: 16 buckets from 4 on in 2 bytes by crc32
place: key, descending
  shop: nonzero u16
  shelf: optional text, escaped
code: text, width 6 filled with 0x20, chars "\"0\x7f", reversed
host: text, md5 8 hex digits
part: [u8; 3]
Note: tag 7 in 2 bytes
  at: i64, reverse timestamp, time us
Line: tag 300 in 2 bytes
  number: u32, 5 digits, floor 10
  raw: i16, two's complement
  name: text, ended by 0x7c
"#;

#[test]
fn a_schema_has_one_json() {
    let schema = Schema::parse(TEXT).unwrap();
    assert_eq!(schema.to_json(), include_str!("event.json").trim_end());
    assert_eq!(Schema::from_json(&schema.to_json()), Ok(schema));
}

#[test]
fn every_lead_goes_through_json() {
    for lead in [
        "salt at random: 16 buckets in 1 byte",
        "hash prefix of a: 8 bytes of md5, then 0x7c",
        "hash prefix of a: 5 hex digits of md5",
        "salt of a: 2 buckets in 8 bytes by modulo",
    ] {
        let schema = Schema::parse(&format!("row key A\n{lead}\na: u8\n")).unwrap();
        assert_eq!(Schema::from_json(&schema.to_json()), Ok(schema));
    }
}

#[test]
fn bad_json_is_refused_where_it_is_bad() {
    let field = |rest: &str| {
        format!(r#"{{"key": "A", "fields": [{{"name": "a", "type": "u8"}}, {{{rest}}}]}}"#)
    };
    let lead = |rest: &str| {
        format!(r#"{{"key": "A", "lead": {{{rest}}}, "fields": [{{"name": "a", "type": "u8"}}]}}"#)
    };
    let cases = [
        ("{".to_owned(), "EOF while parsing an object at line 1 column 1"),
        ("[]".to_owned(), "an object is expected"),
        ("{}".to_owned(), "key: it is missing"),
        (r#"{"key": 1}"#.to_owned(), "key: a text is expected"),
        (r#"{"key": "A\nB", "fields": []}"#.to_owned(), "\"A\\nB\" is no name: it has a line end"),
        (r#"{"key": "A"}"#.to_owned(), "lead: a row key has at least one field"),
        (r#"{"key": "A", "fields": 1}"#.to_owned(), "fields: a list is expected"),
        (r#"{"key": "A", "fields": [1]}"#.to_owned(), "fields[0]: an object is expected"),
        (
            field(r#""name": "a b", "type": "u8""#),
            "fields[1].name: \"a b\" is no name: letters, digits and _",
        ),
        (field(r#""name": "a", "type": "u8""#), "fields[1]: a names two fields"),
        (field(r#""name": "b""#), "fields[1].type: it is missing"),
        (field(r#""name": "b", "type": "u33""#), "fields[1].type: \"u33\" is no type; one is"),
        (
            field(r#""name": "b", "type": "u8", "flor": 3"#),
            "fields[1].flor: no schema has such a member here",
        ),
        (
            field(r#""name": "b", "type": "u8", "floor": -3"#),
            "fields[1].floor: a number that fits here is expected",
        ),
        (
            field(r#""name": "b", "type": "u8", "descending": 1"#),
            "fields[1].descending: true or false is expected",
        ),
        (
            field(r#""name": "b", "type": "u8", "time": "h""#),
            "fields[1].time: s, ms or us is expected",
        ),
        (
            field(r#""name": "b", "type": "i64", "timestamp": "x""#),
            "fields[1].timestamp: reverse or inverted is expected",
        ),
        (
            field(r#""name": "b", "type": "text", "chars": "é""#),
            "fields[1].chars: a text of ASCII characters is expected",
        ),
        (
            field(r#""name": "b", "type": "text", "width": 3, "end": 0"#),
            "fields[1]: one of escaped, end and width is expected",
        ),
        (
            field(r#""name": "b", "type": "u8", "md5": {}"#),
            "fields[1].md5: one of bytes and hex is expected",
        ),
        (
            field(r#""name": "b", "type": "u8", "md5": {"hex": 40}"#),
            "fields[1]: an md5 has 1 to 16 bytes",
        ),
        (
            field(
                r#""name": "b", "type": "key", "fields": [{"name": "c", "type": "u8", "floor": 0}]"#,
            ),
            "fields[1].fields[0]: the step of floor is",
        ),
        (lead(""), "lead.salt: it is missing"),
        (lead(r#""salt": "fnv1a""#), "lead.buckets: it is missing"),
        (lead(r#""salt": "fnv1a", "buckets": 2"#), "lead.of: it is missing"),
        (lead(r#""salt": "sha1", "buckets": 2"#), "lead.salt: \"sha1\" is no hash function"),
        (
            lead(r#""salt": "fnv1a", "buckets": 2, "of": ["b"]"#),
            "lead: \"b\" is no field that every row starts with",
        ),
        (
            lead(r#""salt": "random", "buckets": 2, "of": ["a"]"#),
            "lead.of: a random salt is of no fields",
        ),
        (
            r#"{"key": "A", "fields": [{"name": "a", "type": "u8"}], "fingerprint": "0"}"#
                .to_owned(),
            "fingerprint: \"0\" is the fingerprint of another layout",
        ),
        (
            r#"{"key": "A", "fields": [], "records": [{"name": "B", "fields": []}]}"#.to_owned(),
            "records[0].tag: it is missing",
        ),
    ];
    for (json, expected) in cases {
        let error = Schema::from_json(&json).map(|s| s.to_string()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("read a schema: {expected}")), "{json}\n  {error}");
    }
}
