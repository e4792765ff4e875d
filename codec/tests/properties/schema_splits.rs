//! Split keys of a schema leave no region without rows.

use tallrow_codec::DecodeRowKey;
use tallrow_codec::schema::{Schema, Value};

/// Writes so many rows of a schema whose fields take numbers.
fn rows(schema: &Schema, count: u64) -> Vec<Vec<u8>> {
    let row = |number: u64| {
        let value = |name: &str| match name {
            "text" => Value::from(format!("host{number}")),
            _ => Value::from(number),
        };
        let mut fields: Vec<(&str, Value)> =
            schema.fields().iter().map(|field| (field.name(), value(field.name()))).collect();
        fields.push(("salt", Value::from(number % 16)));
        let random = schema.to_string().contains("at random");
        fields.truncate(fields.len() - usize::from(!random));
        schema.encode(&fields).unwrap()
    };
    (0..count).map(row).collect()
}

/// Returns how many rows each region gets.
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
        ("salt of n: 16 buckets in 1 byte by fnv1a\nn: u64", &[2, 4, 8, 16][..]),
        ("salt of n: 16 buckets in 2 bytes by crc32\nn: u64", &[2, 16]),
        ("salt of n: 12 buckets in 1 byte by murmur3\nn: u64", &[2, 3, 4, 6, 12]),
        ("salt of n: 7 buckets in 1 byte by java_arrays_hash\nn: u64", &[7]),
        ("salt of n: 100 buckets in 8 bytes by modulo\nn: u64", &[10, 100]),
        ("salt at random: 16 buckets in 1 byte\nn: u64", &[4, 16]),
        (
            "salt of n: 4 buckets in 1 byte by fnv1a\ntext: text, md5 16 bytes\nn: u64",
            &[2, 4, 12, 20],
        ),
        ("salt of n: 4 buckets in 1 byte by fnv1a\ntext: text, md5 3 hex digits\nn: u64", &[8]),
        ("hash prefix of n: 5 hex digits of md5\nn: u64", &[2, 3, 7, 16, 100]),
        ("hash prefix of n: 1 hex digit of md5, then 0x7c\nn: u64", &[2, 3, 9, 16]),
        ("hash prefix of n: 1 byte of md5\nn: u64", &[5, 200, 256]),
        ("hash prefix of n: 16 bytes of md5\nn: u64", &[33]),
        ("text: text, md5 16 bytes\nn: u64", &[2, 31, 64]),
        ("text: text, md5 2 hex digits\nn: u64", &[2, 31, 64, 256]),
        ("n: u64, 12 digits, reversed", &[2, 10, 16, 64]),
    ];
    for (layout, counts) in cases {
        let schema = Schema::parse(&format!("row key A\n{layout}\n")).unwrap();
        let rows = rows(&schema, 40_000);
        for count in counts {
            let found = regions(&schema.split_keys(*count).unwrap(), &rows);
            assert_eq!(found.len(), *count, "{layout}");
            // Whole buckets and whole digits make uneven shares, at most of 1 to 2 where there are
            // barely more of them than regions; chance adds to it.
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
    let clear = "split a table: its rows start with clear values, which no one knows to be spread evenly; \
                 cut samples of them with split::sampled";
    for layout in [
        "n: u64",
        "n: text",
        "n: id 8",
        "n: u64, 12 digits",
        "n: text, width 8 filled with 0x00, reversed",
        "n: optional u8",
        "n: u64, 3 digits, reversed, descending",
    ] {
        assert_eq!(refused(layout, 4), clear, "{layout}");
    }
    let salted = "salt of n: 6 buckets in 1 byte by fnv1a\nn: u64";
    assert_eq!(
        refused(salted, 4),
        "split a table: 4 regions do not share 6 buckets evenly; take one of 2, 3, 6, or a multiple of 6"
    );
    assert_eq!(
        refused(salted, 12),
        "split a table: 12 regions cut through 6 buckets, whose rows start with clear values that no one knows \
         to be spread evenly; take 6, or cut samples with split::sampled"
    );
    assert_eq!(refused(salted, 1), "split a table: 1 regions, where 2 to 4294967295 can be made");
    assert_eq!(
        refused("n: u64, md5 1 hex digit", 17),
        "split a table: 17 regions, where 2 to 16 can be made"
    );
    let schema = Schema::parse("row key A\nn: u64\n").unwrap();
    assert_eq!(
        schema.shell_create(&["d"], 1).unwrap_err().to_string(),
        "split a table: the schema names none; say `table = \"..\"` on the key, or `table ..` in the schema"
    );
    let schema = Schema::parse("row key A\ntable o'b\nn: u64\n").unwrap();
    assert_eq!(schema.shell_create(&["d"], 1).unwrap(), r"create 'o\'b', 'd'");
}
