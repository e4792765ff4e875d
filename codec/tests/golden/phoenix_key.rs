//! Which keys are primary keys of Phoenix, and which are not.

use tallrow_codec::schema::{Schema, Value};
use tallrow_codec::{Encoding, RowBuf, compat::phoenix};

fn schema(layout: &str) -> Schema {
    Schema::parse(&format!("row key A\ntable ns:a\n{layout}\n")).unwrap()
}

#[test]
fn each_encoding_has_its_column() {
    let layout = "salt of a, b, c, d, e, f, g, h, i, j, k, l: buckets = 8, width = 1, hash = java_arrays_hash\n\
                  a: i16\nb: u32, desc\nc: nonneg i64\nd: i8, raw_be\ne: bool\nf: [u8; 3]\n\
                  g: text, md5(hex = 5)\nh: u64, rev_ts = inverted\ni: u64, digits = 6, reverse\n\
                  j: key, desc\n  x: uid 4\n  y: text, nul_terminated, desc\n  z: i64, rev_ts\n\
                  k: text, width = 4, pad = 0x20, chars = \"ab\"\nl: bytes";
    assert_eq!(
        schema(layout).phoenix_key().unwrap().create_table_statement().unwrap(),
        "CREATE TABLE \"ns\".\"a\" (\"a\" SMALLINT NOT NULL, \"b\" UNSIGNED_INT NOT NULL, \"c\" UNSIGNED_LONG NOT NULL, \
         \"d\" UNSIGNED_TINYINT NOT NULL, \"e\" BOOLEAN NOT NULL, \"f\" BINARY(3) NOT NULL, \"g\" CHAR(5) NOT NULL, \
         \"h\" UNSIGNED_LONG NOT NULL, \"i\" CHAR(6) NOT NULL, \"j_x\" UNSIGNED_INT NOT NULL, \"j_y\" VARCHAR NOT NULL, \
         \"j_z\" BIGINT NOT NULL, \"k\" CHAR(4) NOT NULL, \"l\" VARBINARY NOT NULL CONSTRAINT pk PRIMARY KEY \
         (\"a\", \"b\" DESC, \"c\", \"d\", \"e\", \"f\", \"g\", \"h\" DESC, \"i\", \"j_x\" DESC, \"j_y\", \"j_z\", \"k\", \
         \"l\")) SALT_BUCKETS = 8"
    );
}

#[test]
fn other_keys_are_refused() {
    let cases = [
        ("a: u8\nB: tag = 1", "describe a key to Phoenix: its tables have no record variants"),
        (
            "salt of a: buckets = 8, width = 1, hash = fnv1a\na: u8",
            "describe a key to Phoenix: its salt is one byte, by java_arrays_hash",
        ),
        (
            "salt of a: buckets = 8, width = 1, hash = java_arrays_hash\na: u8\nb: u8",
            "describe a key to Phoenix: its salt is one byte",
        ),
        ("a: u128", "describe a key to Phoenix: field a: its numbers have up to 64 bits"),
        ("a: f64", "describe a key to Phoenix: field a: its FLOAT and DOUBLE have other bytes"),
        ("a: char", "describe a key to Phoenix: field a: it has no type of one character"),
        ("a: optional u8", "describe a key to Phoenix: field a: its nulls have other bytes"),
        ("a: list of u16", "describe a key to Phoenix: field a: its columns hold one value"),
        (
            "a: text, escaped",
            "describe a key to Phoenix: field a: its VARCHAR ends with 00: `nul_terminated`",
        ),
        (
            "a: u8\nb: text, nul_terminated",
            "describe a key to Phoenix: field b: the last VARCHAR has no end",
        ),
        (
            "a: text, width = 3, pad = 0x00",
            "describe a key to Phoenix: field a: its CHAR is padded with spaces",
        ),
        (
            "a: key\n  b: bytes, escaped",
            "describe a key to Phoenix: field a_b: its VARBINARY is the last column",
        ),
    ];
    for (layout, expected) in cases {
        let error = schema(layout).phoenix_key().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{layout}: {error}");
    }
}

/// The bytes of a key are those of Phoenix's columns one after the other.
#[test]
fn the_bytes_are_those_of_the_columns() {
    fn put<F: Encoding<A>, A: ?Sized>(value: &A, row: &mut RowBuf) {
        assert!(F::encode(value, row).is_ok());
    }
    use phoenix::{Char, Column, Separated};
    use tallrow_codec::Desc;

    let layout = "a: i16\nb: u32, desc\nc: text, nul_terminated\nd: i64, rev_ts\n\
                  e: u64, rev_ts = inverted\nf: text, width = 4, pad = 0x20, chars = \"ab\", desc\ng: bool\n\
                  h: text, nul_terminated, desc\ni: text";
    let schema = schema(layout);
    assert!(schema.phoenix_key().is_ok());
    let mut row = RowBuf::new();
    put::<Column, _>(&-7_i16, &mut row);
    put::<Desc<Column>, _>(&9_u32, &mut row);
    put::<Separated, str>("user", &mut row);
    put::<Desc<Column>, _>(&1_700_000_000_000_i64, &mut row);
    put::<Desc<Column>, _>(&5_u64, &mut row);
    put::<Desc<Char<4>>, str>("ab", &mut row);
    put::<Column, _>(&true, &mut row);
    put::<Desc<Separated>, str>("x", &mut row);
    put::<Column, str>("rest", &mut row);
    let values = [
        ("a", Value::from(-7)),
        ("b", Value::from(9)),
        ("c", Value::from("user")),
        ("d", Value::from(1_700_000_000_000_i64)),
        ("e", Value::from(5)),
        ("f", Value::from("ab")),
        ("g", Value::from(true)),
        ("h", Value::from("x")),
        ("i", Value::from("rest")),
    ];
    assert_eq!(schema.encode(&values).unwrap(), row.as_slice());
}

/// A key with Phoenix's own bytes also has columns; its values are decoded only by the type.
#[test]
fn a_key_with_the_bytes_of_phoenix_has_its_columns() {
    use tallrow_codec::RowKey;
    use tallrow_codec::compat::Decimal;

    #[derive(RowKey)]
    #[row_key(schema_table = "bills", compat = "phoenix", salt(buckets = 16))]
    #[allow(dead_code, reason = "only the layout is tested")]
    struct Bill {
        shop: String,
        #[key(width = 3)]
        currency: String,
        sum: Decimal,
        rate: f64,
        #[key(rev_ts)]
        at: i64,
        #[key(desc)]
        note: Option<String>,
    }

    let schema = Schema::of::<Bill>().unwrap();
    assert_eq!(schema.to_string(), Bill::SCHEMA);
    assert_eq!(Schema::from_json(&schema.to_json()).as_ref(), Ok(&schema));
    assert_eq!(
        schema.phoenix_key().unwrap().create_table_statement().unwrap(),
        "CREATE TABLE \"bills\" (\"shop\" VARCHAR NOT NULL, \"currency\" CHAR(3) NOT NULL, \"sum\" DECIMAL NOT NULL, \
         \"rate\" DOUBLE NOT NULL, \"at\" BIGINT NOT NULL, \"note\" VARCHAR CONSTRAINT pk PRIMARY KEY (\"shop\", \
         \"currency\", \"sum\", \"rate\", \"at\" DESC, \"note\" DESC)) SALT_BUCKETS = 16"
    );
    assert_eq!(schema.split_keys(16).unwrap(), Bill::SPLITS);
    assert_eq!(
        schema.decode(b"\x01x\0abc").unwrap_err().to_string(),
        "decode Bill: field sum at byte 6: the field has a compatibility encoding, which a schema cannot read; use the type of the key"
    );
    assert!(schema.encode(&[("shop", Value::from("x"))]).is_err());

    #[derive(RowKey)]
    #[row_key(compat = "hbase_ordered")]
    #[allow(dead_code, reason = "only the layout is tested")]
    struct Ordered {
        shop: String,
        at: i64,
    }
    assert_eq!(
        Schema::of::<Ordered>().unwrap().phoenix_key().unwrap_err().to_string(),
        "describe a key to Phoenix: field shop: it has the encoding of another system"
    );
}
