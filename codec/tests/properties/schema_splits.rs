//! With the split keys of a schema, no region is empty.

use tallrow_codec::DecodeRowKey;
use tallrow_codec::schema::{Schema, Value};

use crate::thorough;

/// Encodes rows of a schema whose fields take numbers.
fn rows(schema: &Schema, count: u64) -> Vec<Vec<u8>> {
    let random = schema.to_string().contains("salt random: ");
    let row = |number: u64| {
        let value = |name: &str| match name {
            "text" => Value::from(format!("host{number}")),
            _ => Value::from(number),
        };
        let mut fields: Vec<(&str, Value)> =
            schema.fields().iter().map(|field| (field.name(), value(field.name()))).collect();
        fields.push(("salt", Value::from(number % 16)));
        fields.truncate(fields.len() - usize::from(!random));
        schema.encode(&fields).unwrap()
    };
    (0..count).map(row).collect()
}

/// Returns the number of rows in each region.
fn regions(splits: &[Vec<u8>], rows: &[Vec<u8>]) -> Vec<usize> {
    assert!(splits.is_sorted_by(|a, b| a < b), "{splits:02x?}");
    let mut counts = vec![0; splits.len() + 1];
    for row in rows {
        counts[splits.partition_point(|split| split <= row)] += 1;
    }
    counts
}

#[test]
fn every_region_gets_its_share() {
    let cases = [
        ("salt of n: buckets = 16, width = 1, hash = fnv1a\nn: u64", &[2, 4, 8, 16][..]),
        ("salt of n: buckets = 16, width = 2, hash = crc32\nn: u64", &[2, 16]),
        ("salt of n: buckets = 12, width = 1, hash = murmur3\nn: u64", &[2, 3, 4, 6, 12]),
        ("salt of n: buckets = 7, width = 1, hash = java_arrays_hash\nn: u64", &[7]),
        ("salt of n: buckets = 100, width = 8, hash = modulo\nn: u64", &[10, 100]),
        ("salt random: buckets = 16, width = 1\nn: u64", &[4, 16]),
        (
            "salt of n: buckets = 4, width = 1, hash = fnv1a\ntext: text, md5(bytes = 16)\nn: u64",
            &[2, 4, 12, 20],
        ),
        ("salt of n: buckets = 4, width = 1, hash = fnv1a\ntext: text, md5(hex = 3)\nn: u64", &[8]),
        ("hash_prefix of n: md5(hex = 5)\nn: u64", &[2, 3, 7, 16, 100]),
        ("hash_prefix of n: md5(hex = 1), sep = 0x7c\nn: u64", &[2, 3, 9, 16]),
        ("hash_prefix of n: md5(bytes = 1)\nn: u64", &[5, 200, 256]),
        ("hash_prefix of n: md5(bytes = 16)\nn: u64", &[33]),
        ("text: text, md5(bytes = 16)\nn: u64", &[2, 31, 64]),
        ("text: text, md5(hex = 2)\nn: u64", &[2, 31, 64, 256]),
        ("n: u64, digits = 12, reverse", &[2, 10, 16, 64]),
    ];
    for (layout, counts) in cases {
        let schema = Schema::parse(&format!("row key A\n{layout}\n")).unwrap();
        let rows = rows(&schema, if thorough() { 40_000 } else { 10_000 });
        for count in counts {
            let found = regions(&schema.split_keys(*count).unwrap(), &rows);
            assert_eq!(found.len(), *count, "{layout}");
            // Shares of whole buckets and digits are uneven, up to 1 to 2 if there are only a few
            // more of them than regions; random variation adds to it.
            let even = rows.len() / count;
            let good = found.iter().all(|rows| *rows > even * 2 / 5 && *rows < even * 5 / 2);
            assert!(good, "{layout}\n{count} regions: {found:?}");
        }
    }
}

#[test]
fn splits_of_a_salt_are_those_of_the_type() {
    use crate::keys::{Partitioned, Salted, Sorted};

    fn check<K: DecodeRowKey, const N: usize>(buckets: usize, splits: &[[u8; N]]) {
        assert_eq!(Schema::parse(K::SCHEMA).unwrap().split_keys(buckets).unwrap(), splits);
    }
    check::<Salted, 1>(7, &Salted::SPLITS);
    check::<Partitioned, 8>(100, &Partitioned::SPLITS);
    check::<Sorted, 1>(4, &Sorted::SPLITS);
}

#[test]
fn splits_that_would_leave_regions_empty_are_refused() {
    let refused = |layout: &str, regions: usize| {
        let schema = Schema::parse(&format!("row key A\n{layout}\n")).unwrap();
        schema.split_keys(regions).unwrap_err().to_string()
    };
    let clear = "split a table: its rows start with unhashed values of unknown distribution; \
                 cut samples of them with split::sampled";
    for layout in [
        "n: u64",
        "n: text",
        "n: uid 8",
        "n: u64, digits = 12",
        "n: text, width = 8, pad = 0x00, reverse",
        "n: optional u8",
        "n: u64, digits = 3, reverse, desc",
    ] {
        assert_eq!(refused(layout, 4), clear, "{layout}");
    }
    let salted = "salt of n: buckets = 6, width = 1, hash = fnv1a\nn: u64";
    assert_eq!(
        refused(salted, 4),
        "split a table: 4 regions do not share 6 buckets evenly; take one of 2, 3, 6, or a multiple of 6"
    );
    assert_eq!(
        refused(salted, 12),
        "split a table: 12 regions cut through 6 buckets, whose rows start with unhashed values of unknown \
         distribution; take 6, or cut samples with split::sampled"
    );
    assert_eq!(refused(salted, 1), "split a table: 1 regions, where 2 to 4294967295 can be made");
    assert_eq!(
        refused("n: u64, md5(hex = 1)", 17),
        "split a table: 17 regions, where 2 to 16 can be made"
    );
    let schema = Schema::parse("row key A\nn: u64\n").unwrap();
    assert_eq!(
        schema.shell_create_command(&["d"], 1).unwrap_err().to_string(),
        "split a table: the schema names no table; add `schema_table = \"..\"` to the key, or `table ..` to the schema"
    );
    let schema = Schema::parse("row key A\ntable o'b\nn: u64\n").unwrap();
    assert_eq!(schema.shell_create_command(&["d"], 1).unwrap(), r"create 'o\'b', 'd'");
}
