//! Schemas as JSON, which other programs read.

use tallrow_codec::schema::Schema;

const TEXT: &str = r#"row key Event
table ns:events
layout 2
salt of place, code: buckets = 16, bucket_offset = 4, width = 2, hash = crc32
place: key, desc
  shop: nonzero u16
  shelf: optional text, escaped
code: text, width = 6, pad = 0x20, chars = "\"0\x7f", reverse
host: text, md5(hex = 8)
part: [u8; 3]
Note: tag = 7, tag_type = u16
  at: i64, rev_ts, display_time = us
Line: tag = 300, tag_type = u16
  number: u32, digits = 5, floor = 10
  raw: i16, raw_be
  name: text, sep = 0x7c
"#;

#[test]
fn a_schema_has_one_json() {
    let schema = Schema::parse(TEXT).unwrap();
    assert_eq!(schema.to_json(), include_str!("event.json").trim_end());
    assert_eq!(Schema::from_json(&schema.to_json()), Ok(schema));
}

#[test]
fn every_key_prefix_goes_through_json() {
    for prefix in [
        "salt random: buckets = 16, width = 1",
        "hash_prefix of a: md5(bytes = 8), sep = 0x7c",
        "hash_prefix of a: md5(hex = 5)",
        "salt of a: buckets = 2, width = 8, hash = modulo",
    ] {
        let schema = Schema::parse(&format!("row key A\n{prefix}\na: u8\n")).unwrap();
        assert_eq!(Schema::from_json(&schema.to_json()), Ok(schema));
    }
}

#[test]
fn bad_json_is_refused_with_a_position() {
    let field = |rest: &str| {
        format!(r#"{{"key": "A", "fields": [{{"name": "a", "type": "u8"}}, {{{rest}}}]}}"#)
    };
    let prefix = |rest: &str| {
        format!(r#"{{"key": "A", {rest}, "fields": [{{"name": "a", "type": "u8"}}]}}"#)
    };
    let cases = [
        ("{".to_owned(), "line 1, column 1: EOF while parsing an object"),
        ("[]".to_owned(), "line 1, column 2: invalid length 0, expected a schema"),
        ("{}".to_owned(), "line 1, column 2: missing field `key`"),
        (
            r#"{"key": 1}"#.to_owned(),
            "line 1, column 9: invalid type: integer `1`, expected a string",
        ),
        (
            r#"{"key": "A\nB", "fields": []}"#.to_owned(),
            "key: \"A\\nB\" contains a control character, which a name cannot",
        ),
        (
            r#"{"key": "A"}"#.to_owned(),
            "key: a row key needs at least one field: HBase has no row with an empty key",
        ),
        (
            r#"{"key": "A", "fields": 1}"#.to_owned(),
            "line 1, column 24: invalid type: integer `1`, expected a sequence",
        ),
        (
            r#"{"key": "A", "fields": [1]}"#.to_owned(),
            "line 1, column 25: invalid type: integer `1`, expected a field",
        ),
        (
            field(r#""name": "a b", "type": "u8""#),
            "fields[1].name: \"a b\" is not a name: use letters, digits and _",
        ),
        (field(r#""name": "a", "type": "u8""#), "fields[1].name: `a` is the name of two fields"),
        (field(r#""name": "b""#), "line 1, column 66: missing field `type`"),
        (
            field(r#""name": "b", "type": "u33""#),
            "fields[1].type: \"u33\" is not a type; one is a number as u32 or i64, f32, f64, bool, char, text, bytes, uuid, [u8; 16], uid 8, digest 16, key, list of u32, 8 tag pairs of uid 3 and uid 3",
        ),
        (
            field(r#""name": "b", "type": "u8", "flor": 3"#),
            "line 1, column 87: unknown field `flor`, expected one of `name`, `type`, `fields`, `compat`, `md5`, `rev_ts`, `escaped`, `nul_terminated`, `sep`, `width`, `pad`, `chars`, `digits`, `raw_be`, `floor`, `reverse`, `terminated`, `desc`, `display_time`, `tags`",
        ),
        (
            field(r#""name": "b", "type": "u8", "floor": -3"#),
            "line 1, column 92: invalid value: integer `-3`, expected u64",
        ),
        (
            field(r#""name": "b", "type": "u8", "desc": 1"#),
            "line 1, column 90: invalid type: integer `1`, expected a boolean",
        ),
        (
            field(r#""name": "b", "type": "u8", "display_time": "h""#),
            "line 1, column 101: \"h\" is not one of d, s, ms, us",
        ),
        (
            field(r#""name": "b", "type": "i64", "rev_ts": "x""#),
            "line 1, column 96: \"x\" is not one of max, inverted",
        ),
        (
            field(r#""name": "b", "type": "text", "chars": "é""#),
            "line 1, column 96: \"é\" is not of ASCII characters",
        ),
        (
            field(r#""name": "b", "type": "text", "width": 3, "sep": 0"#),
            "fields[1].width: a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`",
        ),
        (field(r#""name": "b", "type": "u8", "md5": {}"#), "line 1, column 90: expected value"),
        (
            field(r#""name": "b", "type": "u8", "md5": {"hex": 40}"#),
            "fields[1].md5: an MD5 has 32 hex digits: use 1 to 32",
        ),
        (
            field(r#""name": "b", "type": "u8", "fields": [{"name": "c", "type": "u8"}]"#),
            "fields[1].fields: only a key has fields",
        ),
        (
            field(
                r#""name": "b", "type": "key", "fields": [{"name": "c", "type": "u8", "floor": 0}]"#,
            ),
            "fields[1].fields[0].floor: the step of `floor` is 1 to 4294967295; 3600 rounds seconds to hours",
        ),
        (prefix(r#""salt": {}"#), "line 1, column 23: missing field `buckets`"),
        (prefix(r#""salt": {"hash": "fnv1a"}"#), "line 1, column 38: missing field `buckets`"),
        (
            prefix(r#""salt": {"hash": "fnv1a", "buckets": 2}"#),
            "salt: a salt has `random`, or `hash` and the `fields` it is of",
        ),
        (
            prefix(r#""salt": {"hash": "sha1", "buckets": 2}"#),
            "line 1, column 36: \"sha1\" is not one of fnv1a, crc32, murmur3, java_arrays_hash, modulo",
        ),
        (
            prefix(r#""salt": {"hash": "fnv1a", "buckets": 2, "fields": ["b"]}"#),
            "salt.fields[0]: there is no field `b` that every row starts with",
        ),
        (
            prefix(r#""salt": {"hash": "fnv1a", "buckets": 300, "fields": ["a"]}"#),
            "salt.buckets: 300 buckets do not fit a salt of width 1, which holds 256; add `width = 2`",
        ),
        (
            prefix(r#""salt": {"random": true, "buckets": 2, "fields": ["a"]}"#),
            "salt: a salt has `random`, or `hash` and the `fields` it is of",
        ),
        (
            prefix(
                r#""salt": {"random": true, "buckets": 2}, "hash_prefix": {"md5": {"hex": 4}, "fields": ["a"]}"#,
            ),
            "hash_prefix: a key has a salt or a hash prefix, not both",
        ),
        (
            prefix(r#""hash_prefix": {"md5": {"hex": 40}, "fields": ["a"]}"#),
            "hash_prefix.md5: an MD5 has 32 hex digits: use 1 to 32",
        ),
        (
            prefix(r#""fingerprint": "0""#),
            "fingerprint: \"0\" is the fingerprint of another layout, this one has 23b2cad0df3114f0: one of the two was changed",
        ),
        (
            r#"{"key": "A", "records": [{"name": "B", "fields": []}]}"#.to_owned(),
            "line 1, column 52: missing field `tag`",
        ),
        (
            r#"{"key": "A", "records": [{"name": "B", "tag": 256, "fields": []}]}"#.to_owned(),
            "records[0].tag: tag 256 does not fit one byte; use `tag_type = u16`",
        ),
        (
            field(r#""name": "b", "type": "u8", "tags": "1""#),
            "fields[1].tags: \"1\" are not tags with their variants, as in \"1:Open 2:Closed\" or \"0x4f50:Open\"",
        ),
        (
            field(r#""name": "b", "type": "u8", "tags": "1:A 1:B""#),
            "fields[1].type: tag 1 is already used by `A`, so their rows could not be distinguished",
        ),
    ];
    for (json, expected) in cases {
        let error = Schema::from_json(&json).map(|s| s.to_string()).unwrap_err().to_string();
        assert_eq!(error, format!("read a schema: {expected}"), "{json}");
    }
}
