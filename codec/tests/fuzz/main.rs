//! The fuzz targets of `fuzz/` as tests: the same functions with seeded mutations of valid inputs.
//! CONTRIBUTING.md describes how to fuzz with coverage.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

mod decode;
mod keys;
mod schema;

use std::path::Path;

use tallrow_codec::RowKey;
use tallrow_codec::schema::Schema;

use keys::{Access, Bytes, Nested, Numbers, Place, Rows, Salted, Small, Texts};

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    /// Returns an input with up to three changes of its bytes.
    fn changed(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut input = inputs[self.below(inputs.len())].clone();
        for _ in 0..=self.below(3) {
            let edges = [0x00, 0x01, 0x02, 0x7c, 0x7f, 0x80, 0xfe, 0xff, b'\n', b' ', b'9'];
            let (at, byte) = (self.below(input.len() + 1), edges[self.below(edges.len())]);
            match self.below(5) {
                0 if at < input.len() => input[at] = byte,
                1 if at < input.len() => input[at] ^= 1 << self.below(8),
                2 => input.truncate(at),
                3 => {
                    let other = &inputs[self.below(inputs.len())];
                    input.truncate(at);
                    input.extend_from_slice(&other[self.below(other.len() + 1)..]);
                }
                _ => input.insert(at, byte),
            }
        }
        input
    }
}

/// Runs a target with `inputs`, changes of them, and changes of some of those.
///
/// With `TALLROW_FUZZ_SEEDS` in the environment, writes the inputs below that folder instead, for a
/// fuzzer to start from.
fn run(name: &str, target: fn(&[u8]), mut inputs: Vec<Vec<u8>>, times: usize) {
    if let Some(folder) = std::env::var_os("TALLROW_FUZZ_SEEDS") {
        let folder = Path::new(&folder).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (i, input) in inputs.iter().enumerate() {
            std::fs::write(folder.join(format!("seed{i}")), input).unwrap();
        }
        return;
    }
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    inputs.iter().for_each(|input| target(input));
    for time in 0..times {
        let input = random.changed(&inputs);
        target(&input);
        if time % 16 == 0 && inputs.len() < 500 {
            inputs.push(input);
        }
    }
}

/// The schemas of the keys, in the order of their numbers in the target, and the values of a row.
const KEYS: [(&str, &str); 9] = [
    (Numbers::SCHEMA, "a=-1, b=7, c=1, d=-5, e=258, f=3, g=99, h=42, i=120, j=-20"),
    (Small::SCHEMA, "a=true, b=a, c=1.5, d=-0.5, e=0x0061, f=9, g=#00ff, h=7, i=none"),
    (Texts::SCHEMA, r#"a="a\u{0}b", b=ab, c=c, d=de, e=rest"#),
    (Bytes::SCHEMA, "a=0x6100ff, b=0x00, c=abc, d=0x0001"),
    (Place::SCHEMA, "shop=7, shelf=shelf"),
    (Nested::SCHEMA, "place={shop: 1, shelf: a}, other={shop: 2, shelf: b}, at=3"),
    (Salted::SCHEMA, "tenant=7, user=bob, at=1"),
    (Access::SCHEMA, "system=jericho, user=dave, period=15"),
    (Rows::SCHEMA, "customer=7, tag=Order, order=first, place=a"),
];

fn schema_of(text: &str) -> Schema {
    Schema::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn row_of(schema: &Schema, values: &str) -> Vec<u8> {
    schema.encode_text(values).unwrap_or_else(|error| panic!("{error}: {values}"))
}

#[test]
fn decode() {
    let row = |(which, (text, values)): (u8, (&str, &str))| {
        [&[which], &row_of(&schema_of(text), values)[..]].concat()
    };
    run("decode", decode::decode, (0..).zip(KEYS).map(row).collect(), 60_000);
}

#[test]
fn schema() {
    // Found by fuzzing: a line end takes one CR with it.
    let mut inputs = vec![b"row key A\r\r\nb: u8\n\xff\x07".to_vec()];
    for (text, values) in KEYS {
        let schema = schema_of(text);
        // Without the fingerprint, which no changed text keeps.
        let end = text.find("fingerprint").unwrap_or(text.len());
        let json = schema.to_json();
        for text in [&text[..end], &json] {
            for row in [&row_of(&schema, values)[..], values.as_bytes()] {
                inputs.push([text.as_bytes(), &[0xff], row].concat());
            }
        }
    }
    run("schema", schema::schema, inputs, 30_000);
}
