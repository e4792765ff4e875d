//! Texts that are no schema, each with what is said about it.

use tallrow_codec::schema::Schema;

#[test]
fn bad_schemas_are_refused_where_they_are_bad() {
    let cases = [
        ("", "line 1, column 1: a schema starts with the name of the key, as in \"row key Event\""),
        (
            "key A\n",
            "line 1, column 1: a schema starts with the name of the key, as in \"row key Event\"",
        ),
        ("row key A\n", "line 1, column 1: a row key has at least one field"),
        ("row key A\nversion x\na: u8\n", "line 2, column 9: \"x\" is no number that fits here"),
        ("row key A\na u8\n", "line 2, column 1: \"a u8\" is no field, as in \"user: u32\""),
        ("row key A\n  a: u8\n", "line 2, column 3: 0 spaces are expected in front of this field"),
        ("row key A\na b: u8\n", "line 2, column 1: \"a b\" is no name: letters, digits and _"),
        ("row key A\na: u8\na: u8\n", "line 3, column 1: a names two fields"),
        ("row key A\na: u8, upside down\n", "line 2, column 8: \"upside down\" is no form"),
        ("row key A\na: u8, floor x\n", "line 2, column 8: \"x\" is no number that fits here"),
        (
            "row key A\na: text, escaped, ended by 0x00\n",
            "line 2, column 19: the field has a form of the kind of \"ended by 0x00\" already",
        ),
        (
            "row key A\na: text, ended by 0x1\n",
            "line 2, column 10: \"0x1\" is no byte, as in \"0x7c\"",
        ),
        (
            "row key A\na: text, ended by 0xff\nb: u8\n",
            "line 2, column 1: padding and ends are ASCII, up to 0x7f",
        ),
        (
            "row key A\na: text, chars \"é\"\n",
            "line 2, column 10: \"é\" is no set of ASCII characters in quotes, as in \"abc\"",
        ),
        (
            "row key A\na: text, chars \"a, b\n",
            "line 2, column 10: \"a, b is no set of ASCII characters in quotes, as in \"abc\"",
        ),
        (
            "row key A\na: text, width 0 filled with 0x00\n",
            "line 2, column 1: a width is 1 to 32767",
        ),
        (
            "row key A\na: text, chars \"|a\", ended by 0x7c\n",
            "line 2, column 1: the field ends by 0x7c, so chars cannot hold it",
        ),
        (
            "row key A\na: text, chars \"!a\", width 2 filled with 0x41\n",
            "line 2, column 1: padding sorts below all chars",
        ),
        (
            "row key A\na: text\nb: u8\n",
            "line 2, column 1: only the last field may be open at its end: a needs escaped, ended by or width",
        ),
        (
            "row key A\na: text, descending\n",
            "line 2, column 1: descending needs a field with an end: escaped, ended by or width",
        ),
        (
            "row key A\na: u8, escaped\n",
            "line 2, column 1: escaped, ended by and width are forms of text and bytes",
        ),
        ("row key A\na: bytes, chars \"a\"\n", "line 2, column 1: chars is for text"),
        ("row key A\na: u8, reversed\n", "line 2, column 1: reversed is a form of text and digits"),
        ("row key A\na: i8, 3 digits\n", "line 2, column 1: digits are of u8 to u128"),
        ("row key A\na: u8, 40 digits\n", "line 2, column 1: a number has 1 to 39 digits"),
        (
            "row key A\na: u8, two's complement\n",
            "line 2, column 1: two's complement is a form of i8 to i128",
        ),
        ("row key A\na: i16, floor 10\n", "line 2, column 1: floor is for u8 to u64, i32 and i64"),
        ("row key A\na: u16, floor 0\n", "line 2, column 1: the step of floor is 1 to 4294967295"),
        (
            "row key A\na: i32, reverse timestamp\n",
            "line 2, column 1: a reverse timestamp is of i64 or u64, an inverted one of u64",
        ),
        (
            "row key A\na: i64, reverse timestamp, descending\n",
            "line 2, column 1: a reverse timestamp has no other form",
        ),
        ("row key A\na: u128, time ms\n", "line 2, column 1: a time is a number of up to 64 bits"),
        (
            "row key A\na: u64, time h\n",
            "line 2, column 9: \"h\" is no unit of time; one is s, ms, us",
        ),
        ("row key A\na: f32, md5 4 bytes\n", "line 2, column 1: no md5 is taken of this type"),
        (
            "row key A\na: u8, md5 17 bytes\n",
            "line 2, column 1: an md5 has 1 to 16 bytes or 1 to 32 hex digits",
        ),
        (
            "row key A\na: u8, md5 4 words\n",
            "line 2, column 8: how much of the md5 is \"16 bytes\" or \"8 hex digits\"",
        ),
        (
            "row key A\na: u8, md5 4 bytes, descending\n",
            "line 2, column 1: an md5 has no other form",
        ),
        (
            "row key A\na: optional id 4\n",
            "line 2, column 1: an optional value is of a type and form that keep the order",
        ),
        (
            "row key A\na: optional optional u8\n",
            "line 2, column 1: an optional value holds no optional value",
        ),
        ("row key A\na: [u8; 40000]\n", "line 2, column 1: a row key has at most 32767 bytes"),
        ("row key A\na: nonneg u8\n", "line 2, column 4: \"nonneg u8\" is no type"),
        ("row key A\na: key\nb: u8\n", "line 2, column 1: the key in a has no fields"),
        (
            "row key A\na: key\n  b: text\nc: u8\n",
            "line 2, column 1: only the last field may be open at its end: a needs",
        ),
        (
            "row key A\na: key\n  b: text\n  c: u8\n",
            "line 3, column 1: only the last field may be open at its end: b needs",
        ),
        (
            "row key A\na: key\n    b: u8\n",
            "line 3, column 5: 2 spaces are expected in front of this field",
        ),
        (
            "row key A\nsalt of b: 2 buckets in 1 byte by fnv1a\na: u8\n",
            "line 2, column 1: \"b\" is no field that every row starts with",
        ),
        (
            "row key A\nsalt of a, a: 2 buckets in 1 byte by fnv1a\na: u8\n",
            "line 2, column 1: a is named twice",
        ),
        (
            "row key A\nsalt of a: 2 buckets\na: u8\n",
            "line 2, column 12: \"2 buckets\" is no salt, as in \"16 buckets in 1 byte by fnv1a\"",
        ),
        (
            "row key A\nsalt of a: 2 buckets in 1 byte by sha1\na: u8\n",
            "line 2, column 12: \"sha1\" is no hash function of a salt; one is fnv1a, crc32, murmur3, java_arrays_hash, modulo",
        ),
        (
            "row key A\nsalt of a: 257 buckets in 1 byte by fnv1a\na: u8\n",
            "line 2, column 1: 257 buckets from 0 on do not fit 1 bytes",
        ),
        (
            "row key A\nsalt of a: 1 buckets in 1 byte by fnv1a\na: u8\n",
            "line 2, column 1: a salt has 2 to 65536 buckets",
        ),
        (
            "row key A\nsalt of a, b: 2 buckets in 1 byte by modulo\na: u8\nb: u8\n",
            "line 2, column 1: modulo takes one field",
        ),
        (
            "row key A\nhash prefix of a: 5 hex of md5\na: u8\n",
            "line 2, column 19: how much of the md5 is",
        ),
        (
            "row key A\nhash prefix of a: md5\na: u8\n",
            "line 2, column 19: \"md5\" is no hash prefix",
        ),
        (
            "row key A\nhash prefix of a: 1 byte of md5\na: u32, floor 60\n",
            "line 2, column 1: a cannot be hashed",
        ),
        (
            "row key A\nhash prefix of a: 1 byte of md5\na: bool\n",
            "line 2, column 1: a cannot be hashed",
        ),
        ("row key A\na: u8, marked\n", "line 2, column 1: marked is a form of lists"),
        (
            "row key A\na: list of text\n",
            "line 2, column 1: the items of a list need an end: escaped, ended by or width",
        ),
        (
            "row key A\na: list of [u8; 0]\n",
            "line 2, column 1: the items of a list need an end: escaped, ended by or width",
        ),
        (
            "row key A\na: list of u8\nb: u8\n",
            "line 2, column 1: only the last field may be open at its end",
        ),
        (
            "row key A\na: list of u8, descending\n",
            "line 2, column 1: descending needs a field with an end",
        ),
        (
            "row key A\na: list of u16, floor 5\n",
            "line 2, column 1: floor is for one number, not for a list",
        ),
        ("row key A\na: list of list of u8\n", "line 2, column 1: a list holds no lists or tags"),
        (
            "row key A\na: optional list of u8\n",
            "line 2, column 1: an optional value holds no optional value, list or tags",
        ),
        (
            "row key A\na: list of optional id 2\n",
            "line 2, column 1: an optional value is of a type and form that keep the order",
        ),
        (
            "row key A\na: list of i64, reverse timestamp\n",
            "line 2, column 1: a reverse timestamp has no other form",
        ),
        (
            "row key A\na: list of u8, md5 4 bytes\n",
            "line 2, column 1: no md5 is taken of this type",
        ),
        (
            "row key A\na: 8 tags of u8\n",
            "line 2, column 4: \"8 tags of u8\" are no tags, as in \"8 tags of id 3 and id 3\"",
        ),
        (
            "row key A\na: 8 tags of text and u8\n",
            "line 2, column 1: tags are pairs of numbers, bytes of one length, ids and the like",
        ),
        (
            "row key A\na: 8 tags of f32 and u8\n",
            "line 2, column 1: tags are pairs of numbers, bytes of one length, ids and the like",
        ),
        (
            "row key A\nsalt at random: 2\na: u8\n",
            "line 2, column 17: \"2\" is no random salt, as in \"16 buckets in 1 byte\"",
        ),
        ("row key A\na: u8\nB: tag 256\n", "line 3, column 1: tag 256 does not fit 1 bytes"),
        (
            "row key A\na: u8\nB: tag 2 in 3 bytes\n",
            "line 3, column 1: a tag takes 1, 2 or 4 bytes",
        ),
        (
            "row key A\na: u8\nB: tag 1\nC: tag 1\n",
            "line 4, column 1: tag 1 is taken by another kind of rows",
        ),
        ("row key A\na: u8\nB: tag 1\nB: tag 2\n", "line 4, column 1: B names two kinds of rows"),
        (
            "row key A\na: u8\nB: tag 1\nC: tag 2 in 2 bytes\n",
            "line 4, column 4: all tags of a key have one width",
        ),
        (
            "row key A\na: text\nB: tag 1\n",
            "line 2, column 1: only the last field may be open at its end",
        ),
        ("row key A\na: u8\nB: tag 1\n  a: u8\n", "line 4, column 1: a names two fields"),
        (
            "row key A\na: u8\nfingerprint 0\n",
            "line 3, column 13: \"0\" is the fingerprint of another layout, this one has 23b2cad0df3114f0: one of the two was changed",
        ),
        (
            "row key A\na: u8\nB: u8\nC: tag x\n",
            "line 4, column 4: \"x\" is no number that fits here",
        ),
    ];
    for (text, expected) in cases {
        let error = match Schema::parse(text) {
            Ok(schema) => panic!("accepted: {text}\nas\n{schema}"),
            Err(error) => error.to_string(),
        };
        let expected = format!("read a schema: {expected}");
        assert!(error.starts_with(&expected), "{text}\n  {error}\n  {expected}");
    }
    let mut deep = String::from("row key A\n");
    for depth in 0..20 {
        deep += &format!("{}a: key\n", "  ".repeat(depth));
    }
    let error = Schema::parse(&deep).unwrap_err();
    assert_eq!(error.to_string(), "read a schema: line 18, column 36: keys nest at most 16 deep");
}

/// What people write differently is read, and shown as the derive writes it.
#[test]
fn a_schema_by_hand_is_put_in_order() {
    let text =
        "row key A\r\na: text, descending,  chars \"cab\", escaped\r\n0: optional nonzero u8\r\n";
    let schema = Schema::parse(text).unwrap();
    let own = "row key A\na: text, escaped, chars \"abc\", descending\n0: optional nonzero u8\n";
    assert!(schema.to_string().starts_with(own), "{schema}");
    assert_eq!(Schema::parse(&schema.to_string()), Ok(schema));
}
