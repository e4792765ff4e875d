//! Bytes of Bigtable: the examples of its protocol, and numbers that Google's `orderedcode` writes.

use tallrow_codec::compat::bigtable::{LastText, OrderedCodeInt64, Part, Text};
use tallrow_codec::{Encoding, Native, NonNeg, RowBuf};

const INT64: &[(i64, &str)] = &[
    (-8193, "1fdfff"),
    (-8192, "2000"),
    (-257, "3eff"),
    (-256, "3f00"),
    (-65, "3fbf"),
    (-64, "40"),
    (-1, "7f"),
    (0, "80"),
    (1, "81"),
    (63, "bf"),
    (64, "c040"),
    (255, "c0ff"),
    (256, "c100"),
    (8191, "dfff"),
    (8192, "e02000"),
    (0x42_4242, "f0424242"),
    (0x0a0b_0c0d, "f80a0b0c0d"),
    (0x0102_0304_0506_0708, "ff8102030405060708"),
    ((1 << 34) - 1, "fbffffffff"),
    (-(1 << 48), "01000000000000"),
    (-(1 << 55), "0080000000000000"),
    (-(1 << 55) - 1, "007f7fffffffffffff"),
    (-(1 << 62), "004000000000000000"),
    (i64::MIN, "003f8000000000000000"),
    (i64::MAX, "ffc07fffffffffffffff"),
];

#[test]
fn numbers_are_those_of_ordered_code() {
    for (value, hex) in INT64 {
        let mut row = RowBuf::<16>::new();
        let Ok(()) = OrderedCodeInt64::encode(value, &mut row);
        assert_eq!(tallrow_codec::show::hex(&row).to_string(), *hex, "{value}");
    }
}

/// The structs in the text of the protocol: ("", "B"), ("A", "", "C") and more.
#[test]
fn structs_are_those_of_the_protocol() {
    let join = |fields: &[&str]| {
        let mut row = RowBuf::<16>::new();
        let (last, rest) = fields.split_last().unwrap();
        for field in rest {
            let Ok(()) = Text::encode(*field, &mut row);
        }
        LastText::encode(*last, &mut row).unwrap();
        row
    };
    assert_eq!(join(&["", "B"]).as_slice(), b"\0\0\0\x01B");
    assert_eq!(join(&["A", "", "C"]).as_slice(), b"A\0\x01\0\0\0\x01C");
    assert_eq!(join(&["A", "B"]).as_slice(), b"A\0\x01B");
    assert_eq!(join(&["A\0", "B"]).as_slice(), b"A\0\xff\0\x01B");
    let mut row = RowBuf::<32>::new();
    let Ok(()) = Part::<Native>::encode(&NonNeg::try_from(1_i64).unwrap(), &mut row);
    assert_eq!(row.as_slice(), [&[0, 0xff].repeat(7)[..], &[1, 0, 1]].concat());
}
