//! Invalid schemas, each with its error.

use tallrow_codec::schema::Schema;

#[test]
fn bad_schemas_are_refused_with_a_position() {
    let cases = [
        ("", "line 1, column 1: a schema starts with the name of the key, as in \"row key Event\""),
        (
            "key A\n",
            "line 1, column 1: a schema starts with the name of the key, as in \"row key Event\"",
        ),
        (
            "row key A\n",
            "line 1, column 1: a row key needs at least one field: HBase has no row with an empty key",
        ),
        ("row key A\nlayout x\na: u8\n", "line 2, column 8: \"x\" is not a number that fits here"),
        ("row key A\na u8\n", "line 2, column 1: \"a u8\" is not a field, as in \"user: u32\""),
        ("row key A\n  a: u8\n", "line 2, column 3: 0 spaces are expected before this field"),
        (
            "row key A\na b: u8\n",
            "line 2, column 1: \"a b\" is not a name: use letters, digits and _",
        ),
        ("row key A\na: u8\na: u8\n", "line 3, column 1: `a` is the name of two fields"),
        (
            "row key A\na: u8, upside down\n",
            "line 2, column 8: unknown attribute \"upside down\"; one is compat, md5, rev_ts, escaped, nul_terminated, sep, width, pad, chars, digits, raw_be, floor, reverse, terminated, desc, display_time, tags",
        ),
        ("row key A\na: u8, floor = x\n", "line 2, column 8: \"x\" is not a number that fits here"),
        (
            "row key A\na: text, escaped, nul_terminated\n",
            "line 2, column 19: a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`",
        ),
        (
            "row key A\na: text, sep = 0x1\n",
            "line 2, column 10: \"0x1\" is not a byte, as in \"0x7c\"",
        ),
        (
            "row key A\na: text, sep = 0xff\nb: u8\n",
            "line 2, column 10: padding and separators are ASCII, up to 0x7f",
        ),
        (
            "row key A\na: text, chars = \"é\"\n",
            "line 2, column 10: \"é\" is not a set of ASCII characters in quotes, as in \"abc\"",
        ),
        (
            "row key A\na: text, chars = \"a, b\n",
            "line 2, column 10: \"a, b is not a set of ASCII characters in quotes, as in \"abc\"",
        ),
        (
            "row key A\na: text, width = 0, pad = 0x00\n",
            "line 2, column 10: the minimum width is 1",
        ),
        (
            "row key A\na: text, chars = \"|a\", sep = 0x7c\n",
            "line 2, column 10: `chars` allows '|', which ends the text, so the row key could not be decoded; remove it",
        ),
        (
            "row key A\na: text, chars = \"!a\", width = 2, pad = 0x41\n",
            "line 2, column 35: the padding 'A' sorts above characters in `chars`; use one below them, or none for 00",
        ),
        (
            "row key A\na: text\nb: u8\n",
            "line 2, column 4: only the last field of a row key may be plain text or bytes, because nothing marks its end; give `a` one: `escaped` (any content), `width = N` or `nul_terminated`",
        ),
        (
            "row key A\na: text, desc\n",
            "line 2, column 10: `desc` needs an encoding in which no value is a prefix of another, or `a` would sort before `ab` in descending order: add `escaped` or `width`",
        ),
        (
            "row key A\na: u8, escaped\n",
            "line 2, column 8: `escaped`, `nul_terminated`, `width`, `sep`, `pad` and `chars` are for text and bytes; a number has a fixed width",
        ),
        ("row key A\na: bytes, chars = \"a\"\n", "line 2, column 11: `chars` is for text"),
        (
            "row key A\na: u8, reverse\n",
            "line 2, column 8: `reverse` reverses the characters of text; a number needs `digits = N` with it, or use `desc` (largest first)",
        ),
        (
            "row key A\na: i8, digits = 3\n",
            "line 2, column 8: `digits` is for unsigned numbers: use u8 to u128",
        ),
        ("row key A\na: u8, digits = 40\n", "line 2, column 8: a number has 1 to 39 digits"),
        (
            "row key A\na: u8, raw_be\n",
            "line 2, column 8: `raw_be` is for signed numbers; an unsigned number is plain big-endian already",
        ),
        (
            "row key A\na: i16, floor = 10\n",
            "line 2, column 9: `floor` is for times and other numbers: use u8 to u64, i32 or i64",
        ),
        (
            "row key A\na: u16, floor = 0\n",
            "line 2, column 9: the step of `floor` is 1 to 4294967295; 3600 rounds seconds to hours",
        ),
        (
            "row key A\na: i32, rev_ts\n",
            "line 2, column 4: a reverse timestamp is an i64 or u64 of milliseconds, because it is i64::MAX minus the time; use `desc` for other types",
        ),
        (
            "row key A\na: i64, rev_ts, desc\n",
            "line 2, column 17: `rev_ts` already sorts newest first; with `desc` it would sort oldest first again: keep one",
        ),
        (
            "row key A\na: u128, display_time = ms\n",
            "line 2, column 10: `display_time` is for numbers that count time since 1970; this field is not one",
        ),
        (
            "row key A\na: u64, display_time = h\n",
            "line 2, column 9: \"h\" is not a value of `display_time`; one is d, s, ms, us",
        ),
        (
            "row key A\na: f32, md5(bytes = 4)\n",
            "line 2, column 9: `md5` is for text, bytes and integers, whose plain bytes are the same in every client",
        ),
        (
            "row key A\na: u8, md5(bytes = 17)\n",
            "line 2, column 8: an MD5 has 16 bytes: use 1 to 16",
        ),
        (
            "row key A\na: u8, md5(words = 4)\n",
            "line 2, column 8: how much of the MD5 is \"md5(bytes = 16)\" or \"md5(hex = 8)\"",
        ),
        (
            "row key A\na: u8, md5(bytes = 4), desc\n",
            "line 2, column 24: an `md5` field holds a digest, which has its own encoding: remove this attribute or the `md5`",
        ),
        (
            "row key A\na: optional uid 4\n",
            "line 2, column 4: an optional value needs an encoding that sorts as its values do, or a missing one would not sort first",
        ),
        (
            "row key A\na: optional optional u8\n",
            "line 2, column 4: an optional value holds no optional value and no tag pairs: use one `Option`, or the tag pairs alone",
        ),
        (
            "row key A\na: [u8; 40000]\n",
            "line 2, column 4: a row key in HBase has at most 32767 bytes",
        ),
        (
            "row key A\na: nonneg u8\n",
            "line 2, column 4: \"nonneg u8\" is not a type; one is a number as u32 or i64, f32, f64, bool, char, text, bytes, uuid, [u8; 16], uid 8, digest 16, key, list of u32, 8 tag pairs of uid 3 and uid 3",
        ),
        ("row key A\na: key\nb: u8\n", "line 2, column 4: the key in `a` has no fields"),
        (
            "row key A\na: key\n  b: text\nc: u8\n",
            "line 2, column 4: only the last field of a row key may be a key whose last field is open, because nothing marks its end; give the last field of `a` one",
        ),
        (
            "row key A\na: key\n  b: text\n  c: u8\n",
            "line 3, column 6: only the last field of a row key may be plain text or bytes, because nothing marks its end; give `b` one: `escaped` (any content), `width = N` or `nul_terminated`",
        ),
        (
            "row key A\na: key\n    b: u8\n",
            "line 3, column 5: 2 spaces are expected before this field",
        ),
        (
            "row key A\nsalt of b: buckets = 2, width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 9: there is no field `b` that every row starts with",
        ),
        (
            "row key A\nsalt of a, a: buckets = 2, width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 12: `a` is given twice; remove one",
        ),
        (
            "row key A\nsalt of a: buckets = 2\na: u8\n",
            "line 2, column 12: a salt needs `hash`, as in \"buckets = 16, width = 1, hash = fnv1a\"",
        ),
        (
            "row key A\nsalt of a: buckets = 2, width = 1, hash = sha1\na: u8\n",
            "line 2, column 36: \"sha1\" is not a value of `hash`; one is fnv1a, crc32, murmur3, java_arrays_hash, modulo",
        ),
        (
            "row key A\nsalt of a: buckets = 257, width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 12: 257 buckets do not fit a salt of width 1, which holds 256; add `width = 2`",
        ),
        (
            "row key A\nsalt of a: buckets = 1, width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 12: a salt needs at least 2 buckets; remove it to have none",
        ),
        (
            "row key A\nsalt of a, b: buckets = 2, width = 1, hash = modulo\na: u8\nb: u8\n",
            "line 2, column 39: `hash = modulo` takes a single unsigned number, as in `fields = (id)`",
        ),
        (
            "row key A\nhash_prefix of a: md5(hex 5)\na: u8\n",
            "line 2, column 19: how much of the MD5 is \"md5(bytes = 16)\" or \"md5(hex = 8)\"",
        ),
        (
            "row key A\nhash_prefix of a: md5\na: u8\n",
            "line 2, column 19: how much of the MD5 is \"md5(bytes = 16)\" or \"md5(hex = 8)\"",
        ),
        (
            "row key A\nhash_prefix of a: md5(bytes = 1)\na: u32, floor = 60\n",
            "line 3, column 9: the hash is of the exact value, but the row stores only the rounded value, so it could not be decoded; hash other fields",
        ),
        (
            "row key A\nhash_prefix of a: md5(bytes = 1)\na: bool\n",
            "line 3, column 4: the hash is of the plain bytes of text, bytes and integers; `a` is none of them",
        ),
        (
            "row key A\na: u8, terminated\n",
            "line 2, column 8: `terminated` is for lists; this field is not a `Vec<T>`",
        ),
        (
            "row key A\na: list of text\n",
            "line 2, column 4: the items of a list follow one another, so each needs an end: `escaped`, `width = N` or `nul_terminated`",
        ),
        (
            "row key A\na: list of [u8; 0]\n",
            "line 2, column 4: the items of a list follow one another, so each needs an end: `escaped`, `width = N` or `nul_terminated`",
        ),
        (
            "row key A\na: list of u8\nb: u8\n",
            "line 2, column 4: only the last field of a row key may be a list without an end; add `terminated` to `a`, which writes 01 before each item and 00 after the last",
        ),
        (
            "row key A\na: list of u8, desc\n",
            "line 2, column 16: `desc` needs an encoding in which no list is a prefix of another, or `[1]` would sort before `[1, 2]` in descending order: add `terminated`",
        ),
        (
            "row key A\na: list of u16, floor = 5\n",
            "line 2, column 17: `floor` is for a single number; round the items before they are stored",
        ),
        (
            "row key A\na: list of list of u8\n",
            "line 2, column 4: a list of lists cannot be a field of a row key; put the inner list into a struct of its own, with `terminated`, and derive RowKey for it",
        ),
        (
            "row key A\na: optional list of u8\n",
            "line 2, column 4: a missing list cannot be distinguished from an empty one: use the list without `Option`",
        ),
        (
            "row key A\na: list of optional uid 2\n",
            "line 2, column 4: an optional value needs an encoding that sorts as its values do, or a missing one would not sort first",
        ),
        (
            "row key A\na: list of i64, rev_ts\n",
            "line 2, column 4: a reverse timestamp is an i64 or u64 of milliseconds, because it is i64::MAX minus the time; use `desc` for other types",
        ),
        (
            "row key A\na: list of u8, md5(bytes = 4)\n",
            "line 2, column 16: `md5` is for text, bytes and integers, whose plain bytes are the same in every client",
        ),
        (
            "row key A\na: 8 tag pairs of u8\n",
            "line 2, column 4: \"8 tag pairs of u8\" is not a type of tag pairs, as in \"8 tag pairs of uid 3 and uid 3\"",
        ),
        (
            "row key A\na: 8 tag pairs of text and u8\n",
            "line 2, column 4: tag pairs are of numbers, ids and other values of one width, not of text, keys or lists",
        ),
        (
            "row key A\na: 8 tag pairs of f32 and u8\n",
            "line 2, column 4: tag pairs are of numbers, ids and other values of one width, not of text, keys or lists",
        ),
        (
            "row key A\nsalt random: 2\na: u8\n",
            "line 2, column 14: \"2\" is not a part of a salt, as in \"buckets = 16, width = 1, hash = fnv1a\"",
        ),
        (
            "row key A\na: u8\nB: tag = 256\n",
            "line 3, column 4: tag 256 does not fit one byte; use `tag_type = u16`",
        ),
        (
            "row key A\na: u8\nB: tag = 2, tag_type = u24\n",
            "line 3, column 4: \"tag = 2, tag_type = u24\" is not a tag, as in \"tag = 1\" or \"tag = 1, tag_type = u16\"",
        ),
        (
            "row key A\na: u8\nB: tag = 1\nC: tag = 1\n",
            "line 4, column 4: tag 1 is already used by `B`, so their rows could not be distinguished",
        ),
        (
            "row key A\na: u8\nB: tag = 1\nB: tag = 2\n",
            "line 4, column 1: `B` is the name of two variants",
        ),
        (
            "row key A\na: u8\nB: tag = 1\nC: tag = 2, tag_type = u16\n",
            "line 4, column 4: all tags of a key have one type",
        ),
        (
            "row key A\na: text\nB: tag = 1\n",
            "line 2, column 4: only the last field of a row key may be plain text or bytes, because nothing marks its end; give `a` one: `escaped` (any content), `width = N` or `nul_terminated`",
        ),
        (
            "row key A\na: u8\nB: tag = 1\n  a: u8\n",
            "line 4, column 3: `a` is the name of two fields",
        ),
        (
            "row key A\na: u8\nfingerprint 0\n",
            "line 3, column 13: \"0\" is the fingerprint of another layout, this one has 23b2cad0df3114f0: one of the two was changed",
        ),
        (
            "row key A\na: u8\nB: u8\nC: tag = x\n",
            "line 4, column 4: \"x\" is not a number that fits here",
        ),
        (
            "row key A\na: text, width = 3, pad = 0x7e, escaped\n",
            "line 2, column 10: a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`",
        ),
        (
            "row key A\na: text, pad = 0x20\n",
            "line 2, column 10: `pad` is for a field with `width`; add one",
        ),
        (
            "row key A\na: bytes, sep = 0x7c\n",
            "line 2, column 11: a separator is for text; bytes may contain any value, so use `escaped` or `width`",
        ),
        ("row key A\na: u8, desc, desc\n", "line 2, column 14: `desc` is given twice; remove one"),
        ("row key A\na: u8, desc = 1\n", "line 2, column 8: `desc` takes no value"),
        (
            "row key A\na: text, width\n",
            "line 2, column 10: `width` takes a value, as in \"width = 8\"",
        ),
        (
            "row key A\na: u8, floor = 5000000000\n",
            "line 2, column 8: the step of `floor` is 1 to 4294967295; 3600 rounds seconds to hours",
        ),
        (
            "row key A\na: decimal\n",
            "line 2, column 4: `decimal` has only compatibility encodings: add `compat = phoenix` or `compat = hbase_ordered`",
        ),
        (
            "row key A\na: f32, compat = java\n",
            "line 2, column 9: \"java\" is not a value of `compat`; one is hbase, hbase_ordered, phoenix, bigtable",
        ),
        (
            "row key A\na: i64, compat = hbase, rev_ts\n",
            "line 2, column 25: a hash or a reverse timestamp has no compatibility encoding",
        ),
        (
            "row key A\nsalt of a: buckets = 16, bucket_offset = 250, width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 26: 16 buckets from 250 on do not fit a salt of width 1; add `width = 2` or reduce `bucket_offset`",
        ),
        (
            "row key A\nsalt of a: buckets = 16, width = 9, hash = fnv1a\na: u8\n",
            "line 2, column 26: a salt is 1 to 8 bytes wide",
        ),
        (
            "row key A\nsalt of a: width = 1, hash = fnv1a\na: u8\n",
            "line 2, column 12: a salt needs `buckets`, as in \"buckets = 16, width = 1, hash = fnv1a\"",
        ),
        (
            "row key A\nhash_prefix of a: sep = 0x7c\na: u8\n",
            "line 2, column 19: a hash prefix needs its hash, as in \"md5(hex = 5)\"",
        ),
        (
            "row key A\na: u8\nB b: tag = 1\n",
            "line 3, column 1: \"B b\" is not a name: use letters, digits and _",
        ),
        ("row key A\na: text, chars = \"\"\n", "line 2, column 10: `chars` is empty"),
        (
            "row key A\na: i8\n B: tag = 1\n",
            "line 3, column 2: 0 spaces are expected before this field",
        ),
        (
            "row key A\na: u8\nB: tag = 99999999999\n",
            "line 3, column 4: tag 99999999999 is too large: the maximum is 4294967295",
        ),
        (
            "row key A\na: u8, tags = 1 A\n",
            "line 2, column 8: \"1 A\" are not tags with their variants, as in \"1:Open 2:Closed\" or \"0x4f50:Open\"",
        ),
        (
            "row key A\na: u8, tags = 1:A, tags = 1:A\n",
            "line 2, column 20: `tags` is given twice; remove one",
        ),
        (
            "row key A\na: u8, tags = 1:A 1:B\n",
            "line 2, column 4: tag 1 is already used by `A`, so their rows could not be distinguished",
        ),
        (
            "row key A\na: u8, tags = 1:A 2:A\n",
            "line 2, column 4: \"A\" is not a name, or that of two variants",
        ),
        (
            "row key A\na: u8, tags = 256:A\n",
            "line 2, column 4: tag 256 does not fit a u8; use `tag_type = u16`",
        ),
        (
            "row key A\na: optional [u8; 2], tags = 0x4142:A 0x41:B\n",
            "line 2, column 4: all tags of an enum have the same length: this one has 1 bytes, not 2",
        ),
        (
            "row key A\na: u8, tags = 0x41:A\n",
            "line 2, column 4: the tags of an enum are all numbers or all texts",
        ),
        (
            "row key A\na: i64, tags = 1:A\n",
            "line 2, column 4: only u8, u16, u32 and [u8; N] hold the tags of an enum",
        ),
        (
            "row key A\na: text, tags = 1:A\n",
            "line 2, column 4: only u8, u16, u32 and [u8; N] hold the tags of an enum",
        ),
        (
            "row key A\na: u8, display_time = s, tags = 1:A\n",
            "line 2, column 8: `display_time` is for numbers that count time since 1970; this field is an enum",
        ),
    ];
    for (text, expected) in cases {
        let error = match Schema::parse(text) {
            Ok(schema) => panic!("accepted: {text}\nas\n{schema}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(error, format!("read a schema: {expected}"), "{text}");
    }
    let mut deep = String::from("row key A\n");
    for depth in 0..20 {
        deep += &format!("{}a: key\n", "  ".repeat(depth));
    }
    let error = Schema::parse(&deep).unwrap_err();
    assert_eq!(error.to_string(), "read a schema: line 18, column 36: keys nest at most 16 deep");
}

/// Variations by hand are accepted, and displayed as the derive writes them.
#[test]
fn a_schema_by_hand_is_normalized() {
    let text =
        "row key A\r\na: text, desc,  chars = \"cab\", escaped\r\n0: optional nonzero u8\r\n";
    let schema = Schema::parse(text).unwrap();
    let own = "row key A\na: text, escaped, chars = \"abc\", desc\n0: optional nonzero u8\n";
    assert!(schema.to_string().starts_with(own), "{schema}");
    assert_eq!(Schema::parse(&schema.to_string()), Ok(schema));
}
