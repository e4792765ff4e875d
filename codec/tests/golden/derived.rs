//! Keys derived with `compat`, against the rows in the golden files.

use std::fmt::Debug;

use tallrow_codec::compat::Decimal;
use tallrow_codec::schema::{Schema, Value};
use tallrow_codec::{DecodeRowKey, NonNeg, RowKey, RowRanges, show};

const PHOENIX: &str = include_str!("compat/phoenix-keys.tsv");
const STRUCT: &str = include_str!("compat/struct.tsv");

/// Checks that `key` has the bytes in a golden file for `input`, and is decoded from them.
#[track_caller]
fn holds<K: DecodeRowKey + PartialEq + Debug>(file: &str, ty: &str, input: &str, key: K) {
    let start = format!("{ty}\t-\t{input}\t");
    let line = file.lines().find_map(|line| line.split_once('\t')?.1.strip_prefix(&start));
    let golden = line.unwrap_or_else(|| panic!("no line {ty} {input}"));
    let row = key.encode_key().unwrap();
    let row: &[u8] = row.as_ref();
    assert_eq!(show::hex(row).to_string(), golden, "{ty} {input}");
    assert_eq!(K::decode_key(row).unwrap(), key);
}

#[test]
fn phoenix_text_and_number() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Up {
        user: String,
        at: i64,
    }
    holds(PHOENIX, "{VARCHAR asc,BIGINT asc}", r#"["x",5]"#, Up { user: "x".into(), at: 5 });
    holds(PHOENIX, "{VARCHAR asc,BIGINT asc}", r#"["",0]"#, Up { user: "".into(), at: 0 });

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix", salt(buckets = 16))]
    struct Salted {
        user: String,
        #[key(desc)]
        at: i64,
    }
    let ty = "{VARCHAR asc,BIGINT desc} SALT_BUCKETS=16";
    for (user, at) in [("x", 5), ("ab", i64::MIN), ("日本", i64::MAX), ("user1", 1_700_000_000_000)]
    {
        holds(PHOENIX, ty, &format!("[\"{user}\",{at}]"), Salted { user: user.into(), at });
    }
    assert_eq!(Salted::SPLITS.len(), 15);

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Down {
        #[key(desc)]
        user: Option<String>,
        #[key(rev_ts)]
        at: i64,
    }
    let ty = "{VARCHAR desc,BIGINT desc}";
    holds(
        PHOENIX,
        ty,
        r#"["user10",1700000000000]"#,
        Down { user: Some("user10".into()), at: 1_700_000_000_000 },
    );
    holds(PHOENIX, ty, "[null,-1]", Down { user: None, at: -1 });
}

#[test]
fn phoenix_texts() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Up(String, String, String);
    let of = |[a, b, c]: [&str; 3]| Up(a.into(), b.into(), c.into());
    let ty = "{VARCHAR asc,VARCHAR asc,VARCHAR asc}";
    holds(PHOENIX, ty, r#"["a","b","c"]"#, of(["a", "b", "c"]));
    holds(PHOENIX, ty, r#"["ab","","c"]"#, of(["ab", "", "c"]));
    // Phoenix would omit the end of the column before it.
    assert!(of(["a", "b", ""]).encode().is_err());

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Down(#[key(desc)] String, #[key(desc)] Option<String>, #[key(desc)] String);
    let ty = "{VARCHAR desc,VARCHAR desc,VARCHAR desc}";
    holds(PHOENIX, ty, r#"["a","b","c"]"#, Down("a".into(), Some("b".into()), "c".into()));
    holds(PHOENIX, ty, r#"["a",null,"c"]"#, Down("a".into(), None, "c".into()));
    assert!(Down("".into(), None, "c".into()).encode().is_err());

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Char {
        #[key(width = 5)]
        code: String,
        name: Option<String>,
    }
    let ty = "{CHAR(5) asc,VARCHAR asc}";
    holds(PHOENIX, ty, r#"["abc","x"]"#, Char { code: "abc".into(), name: Some("x".into()) });
    assert_eq!(Char { code: "ab".into(), name: None }.encode().unwrap().as_slice(), b"ab   ");
    assert!(Char { code: "é".into(), name: None }.encode().is_err());
    assert!(Char { code: "a".into(), name: Some("".into()) }.encode().is_err());
}

#[test]
fn phoenix_numbers() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Whole(#[key(desc)] i32, i16, #[key(desc)] i8, #[key(desc)] i64);
    let ty = "{INTEGER desc,SMALLINT asc,TINYINT desc,BIGINT desc}";
    holds(PHOENIX, ty, "[-1,-2,-3,-4]", Whole(-1, -2, -3, -4));
    let row: [u8; 15] = Whole(1, 2, 3, 4).encode();
    assert_eq!(row[0], 0x7f);

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Unsigned(u32, #[key(desc)] u16, NonNeg<i8>, #[key(desc, raw_be)] i64);
    let ty = "{UNSIGNED_INT asc,UNSIGNED_SMALLINT desc,UNSIGNED_TINYINT asc,UNSIGNED_LONG desc}";
    holds(PHOENIX, ty, "[1,2,3,4]", Unsigned(1, 2, NonNeg::try_from(3).unwrap(), 4));
    assert!(Unsigned(u32::MAX, 0, NonNeg::try_from(0).unwrap(), 0).encode().is_err());

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Floats(f32, #[key(desc)] f64, bool);
    let ty = "{FLOAT asc,DOUBLE desc,BOOLEAN asc}";
    holds(PHOENIX, ty, "[bits=0x3fc00000,bits=0xbff8000000000000,true]", Floats(1.5, -1.5, true));

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Exact(#[key(desc)] Option<Decimal>, #[key(desc)] Option<String>, #[key(desc)] i32);
    let ty = "{DECIMAL desc,VARCHAR desc,INTEGER desc}";
    holds(
        PHOENIX,
        ty,
        r#"[-15e-1,"b",2]"#,
        Exact(Some(Decimal::new(-15, -1)), Some("b".into()), 2),
    );
    holds(PHOENIX, ty, r#"[null,"f",6]"#, Exact(None, Some("f".into()), 6));
    holds(PHOENIX, ty, "[9999e-2,null,7]", Exact(Some(Decimal::new(9999, -2)), None, 7));

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Last(i32, Option<Decimal>);
    holds(PHOENIX, "{INTEGER asc,DECIMAL asc}", "[2,-10e0]", Last(2, Some(Decimal::new(-10, 0))));
    holds(PHOENIX, "{INTEGER asc,DECIMAL asc}", "[3,null]", Last(3, None));
}

#[test]
fn ordered_structs() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase_ordered")]
    struct Event {
        user: Option<String>,
        #[key(desc)]
        at: i64,
    }
    let of = |user: Option<&str>, at| Event { user: user.map(Into::into), at };
    let ty = "{OrderedString asc,OrderedInt64 desc}";
    holds(STRUCT, ty, r#"["é",9223372036854775807]"#, of(Some("é"), i64::MAX));
    holds(STRUCT, ty, "[null,7]", of(None, 7));
    assert!(of(Some("a\0b"), 1).encode().is_err());

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase_ordered")]
    struct Price(#[key(desc)] i8, String, Option<Decimal>);
    let ty = "{OrderedInt8 desc,OrderedString asc,OrderedNumeric desc}";
    let row = Price(5, "x".into(), Some(Decimal::new(1, -30))).encode().unwrap();
    assert_eq!(row.as_slice()[..5], [0xd6, 0x7a, 0x34, b'x', 0]);
    holds(STRUCT, ty, r#"[0,"",null]"#, Price(0, String::new(), None));

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase_ordered")]
    struct Mixed(i16, f32, #[key(desc)] f64);
    let ty = "{OrderedInt16 asc,OrderedFloat32 asc,OrderedFloat64 desc}";
    holds(STRUCT, ty, "[1,bits=0x3fc00000,bits=0x3ff8000000000000]", Mixed(1, 1.5, 1.5));

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase_ordered")]
    struct Blob(Option<Vec<u8>>, #[key(desc)] i32);
    assert_eq!(Blob(None, 0).encode().as_slice(), [5, 0xd4, 0x7f, 0xff, 0xff, 0xff]);
}

#[test]
fn plain_bytes() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase")]
    struct Plain {
        id: NonNeg<i64>,
        #[key(nul_terminated)]
        name: String,
        on: bool,
        level: i16,
    }
    let key = Plain { id: NonNeg::try_from(1).unwrap(), name: "ab".into(), on: true, level: -2 };
    let row = key.encode().unwrap();
    assert_eq!(row.as_slice(), b"\0\0\0\0\0\0\0\x01ab\0\xff\xff\xfe");
    assert_eq!(Plain::decode(&row).unwrap(), key);

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "hbase")]
    struct Turned {
        id: i32,
        #[key(rev_ts)]
        at: i64,
        name: String,
    }
    let key = Turned { id: -1, at: 1, name: "a".into() };
    let row = key.encode();
    assert_eq!(row.as_slice(), b"\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xfea");
    assert_eq!(Turned::decode(&row).unwrap(), key);
}

#[test]
fn bigtable_structs() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "bigtable")]
    struct Event {
        user: String,
        at: i64,
        shop: NonNeg<i64>,
        note: String,
    }
    let key = Event {
        user: String::new(),
        at: 256,
        shop: NonNeg::try_from(1).unwrap(),
        note: "n".into(),
    };
    let row = key.encode().unwrap();
    let shop = [&[0, 0xff].repeat(7)[..], &[1, 0, 1]].concat();
    let expected = [b"\0\0\0\x01\xc1\0\xff\0\x01", &shop[..], b"n"].concat();
    assert_eq!(row.as_slice(), expected);
    assert_eq!(Event::decode(&row).unwrap(), key);

    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "bigtable", text_sep = '#', allow(unsorted_text))]
    struct Delimited(String, String);
    let row = Delimited("a".into(), "b".into()).encode().unwrap();
    assert_eq!(row.as_slice(), b"a#b");
}

/// Ranges, prefixes and schemas of keys with a compatibility target.
#[test]
fn scans_and_schemas() {
    #[derive(RowKey, Debug, PartialEq)]
    #[row_key(compat = "phoenix")]
    struct Event {
        user: String,
        #[key(desc)]
        at: i64,
    }
    let [range] = Event::scan().user("ab").at(1..5).row_ranges().unwrap();
    for at in [0, 1, 4, 5] {
        let row = Event { user: "ab".into(), at }.encode().unwrap();
        assert_eq!(range.contains(&row), (1..5).contains(&at), "{at}");
    }
    let schema = <Event as RowKey>::SCHEMA;
    assert!(schema.contains("user: text, nul_terminated\nat: i64, desc\n"), "{schema}");

    // A field with the bytes of our own encoding is also read by its schema.
    let read = Schema::parse(schema).unwrap();
    let row = Event { user: "ab".into(), at: 5 }.encode().unwrap();
    assert_eq!(read.decode(&row).unwrap().get("user"), Some(&Value::from("ab")));
    assert!(
        read.phoenix_key().unwrap().to_string().contains("PRIMARY KEY (\"user\", \"at\" DESC)")
    );

    #[derive(RowKey)]
    #[row_key(compat = "native")]
    #[allow(dead_code, reason = "only the layout is tested")]
    struct Native {
        user: u32,
        #[key(desc)]
        at: i64,
    }
    #[derive(RowKey)]
    #[allow(dead_code, reason = "only the layout is tested")]
    struct Same {
        user: u32,
        #[key(desc)]
        at: i64,
    }
    assert_eq!(Native::FINGERPRINT, Same::FINGERPRINT);
}
