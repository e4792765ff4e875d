//! A table whose primary key has a column of each type that a row key can have.

use tallrow::key::RowRanges;
use tallrow::key::compat::Decimal;
use tallrow::key::compat::phoenix::Timestamp;
use tallrow::{RowKey, Table};

use crate::Sample;
use crate::shown::Shown;

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(compat = "phoenix", salt(buckets = 16))]
pub(crate) struct Key {
    vc: String,
    #[key(desc)]
    i: i32,
    #[key(width = 4)]
    c: String,
    ti: i8,
    #[key(desc)]
    si: i16,
    bi: i64,
    ut: u8,
    #[key(desc)]
    us: u16,
    ui: u32,
    ul: u64,
    f: f32,
    #[key(desc)]
    d: f64,
    dec: Decimal,
    #[key(desc)]
    dec2: Decimal,
    b: bool,
    bin: [u8; 3],
    ts: Timestamp,
    #[key(desc)]
    dt: i64,
    vcn: Option<String>,
    #[key(desc)]
    vcd: Option<String>,
    decn: Option<Decimal>,
    #[key(desc)]
    tsd: Timestamp,
    vb: Vec<u8>,
}

/// Only the empty column has a cell in each row.
#[derive(Table, Debug, PartialEq)]
#[table(name = "KEYS", compat = "phoenix")]
#[family("0")]
pub(crate) struct Keys {
    #[key]
    key: Key,
    #[cell("0", encoded = 11)]
    v: Option<i32>,
}

fn pick<T: Clone + Default>(number: usize, values: &[T]) -> T {
    values.get(number % values.len()).cloned().unwrap_or_default()
}

impl Sample for Keys {
    fn sample(number: usize) -> Self {
        let decimal = |unscaled, exponent| Decimal::new(unscaled, exponent);
        let decimals = [decimal(0, 0), decimal(15, -1), decimal(-15, -1), decimal(-1, 30)];
        let times = [(0, 0), (-1, 999_999), (1_763_800_000_123, 456_789)];
        let times = times.map(|(ms, ns)| Timestamp::new(ms, ns).unwrap_or_default());
        let some = |text: &str| Some(text.to_owned());
        let key = Key {
            vc: format!("r{number}"),
            i: pick(number, &[0, 1, -1, i32::MIN, i32::MAX]),
            c: pick(number, &["a".into(), "abcd".into(), "x y".into()]),
            ti: pick(number, &[0, 1, -1, i8::MIN, i8::MAX]),
            si: pick(number, &[0, 1, -1, i16::MIN, i16::MAX]),
            bi: pick(number, &[0, 1, -1, i64::MIN, i64::MAX]),
            ut: pick(number, &[0, 1, 127]),
            us: pick(number, &[0, 1, 32_767]),
            ui: pick(number, &[0, 1, i32::MAX as u32]),
            ul: pick(number, &[0, 1, i64::MAX as u64]),
            f: pick(number, &[0.0, 1.5, -1.5, f32::MIN, f32::MAX]),
            d: pick(number, &[0.0, 1.5, -1.5, f64::MAX, f64::MIN_POSITIVE]),
            dec: pick(number, &decimals),
            dec2: pick(number + 1, &decimals),
            b: pick(number, &[true, false]),
            bin: pick(number, &[[0, 0, 0], [1, 2, 3], [255, 0, 255]]),
            ts: pick(number, &times),
            dt: pick(number, &[0, -1, 1_763_800_000_123]),
            vcn: pick(number, &[some("h\u{e9}"), None, some("b")]),
            vcd: pick(number, &[None, some("a"), some("ab")]),
            decn: pick(number, &[Some(decimal(7, 0)), None]),
            tsd: pick(number + 1, &times),
            // At the end of a key Phoenix reads a VARBINARY without a last FF.
            vb: pick(number, &[vec![0], vec![1, 0, 255, 5], b"text".to_vec()]),
        };
        Self { key, v: number.is_multiple_of(3).then_some(number as i32) }
    }

    fn shown(&self) -> String {
        let k = &self.key;
        let fields: [(&str, &dyn Shown); 24] = [
            ("VC", &k.vc),
            ("I", &k.i),
            ("C", &k.c),
            ("TI", &k.ti),
            ("SI", &k.si),
            ("BI", &k.bi),
            ("UT", &k.ut),
            ("US", &k.us),
            ("UI", &k.ui),
            ("UL", &k.ul),
            ("F", &k.f),
            ("D", &k.d),
            ("DEC", &k.dec),
            ("DEC2", &k.dec2),
            ("B", &k.b),
            ("BIN", &k.bin),
            ("TS", &k.ts),
            ("DT", &k.dt),
            ("VCN", &k.vcn),
            ("VCD", &k.vcd),
            ("DECN", &k.decn),
            ("TSD", &k.tsd),
            ("VB", &k.vb),
            ("V", &self.v),
        ];
        let fields = fields.map(|(name, value)| format!("{name}={}", value.shown()));
        fields.join(" ")
    }

    fn all() -> impl RowRanges<Key = Key> {
        Key::scan()
    }
}
