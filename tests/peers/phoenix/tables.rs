//! The row types of the tables in `tables.sql`, and of two that this client creates.

use tallrow::key::RowRanges;
use tallrow::key::compat::Decimal;
use tallrow::key::compat::phoenix::{Char, Timestamp, UnsignedFloat};
use tallrow::value::KeyEncoded;
use tallrow::{RowKey, Table};

use crate::Sample;
use crate::shown::Shown;

/// `ID BIGINT PRIMARY KEY`
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(compat = "phoenix")]
pub(crate) struct WideKey {
    pub(crate) id: i64,
}

/// The same, `SALT_BUCKETS = 4`.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(compat = "phoenix", salt(buckets = 4))]
pub(crate) struct SaltedKey {
    pub(crate) id: i64,
}

/// A value of a column in a row: null in each fifth, and in the last row.
fn pick<T: Clone>(number: usize, column: usize, values: &[T]) -> Option<T> {
    let null = (number + column).is_multiple_of(5) || number + 1 == Two::ROWS;
    if null { None } else { values.get(number % values.len()).cloned() }
}

/// A table with a column of each type.
macro_rules! wide {
    ($row:ident($key:ident), $table:literal, bytes = $bytes:literal, families = [$($family:literal)*]:
     $ti:meta, $si:meta, $i:meta, $bi:meta, $ut:meta, $us:meta, $ui:meta, $ul:meta, $f:meta, $d:meta, $uf:meta, $ud:meta,
     $dec:meta, $b:meta, $vc:meta, $c:meta, $vb:meta, $bin:meta, $dt:meta, $udt:meta, $ts:meta) => {
        #[derive(Table, Debug, PartialEq)]
        #[table(name = $table, compat = "phoenix", column_encoded_bytes = $bytes)]
        $(#[family($family)])*
        pub(crate) struct $row {
            #[key]
            key: $key,
            #[$ti]
            ti: Option<i8>,
            #[$si]
            pub(crate) si: Option<i16>,
            #[$i]
            pub(crate) i: Option<i32>,
            #[$bi]
            bi: Option<i64>,
            #[$ut]
            ut: Option<u8>,
            #[$us]
            us: Option<u16>,
            #[$ui]
            ui: Option<u32>,
            #[$ul]
            pub(crate) ul: Option<u64>,
            #[$f]
            f: Option<f32>,
            #[$d]
            d: Option<f64>,
            #[$uf]
            uf: Option<f32>,
            #[$ud]
            ud: Option<f64>,
            #[$dec]
            dec: Option<Decimal>,
            #[$b]
            b: Option<bool>,
            #[$vc]
            pub(crate) vc: Option<String>,
            #[$c]
            c: Option<String>,
            #[$vb]
            vb: Option<Vec<u8>>,
            #[$bin]
            bin: Option<[u8; 3]>,
            #[$dt]
            dt: Option<i64>,
            #[$udt]
            udt: Option<u64>,
            #[$ts]
            ts: Option<Timestamp>,
        }

        impl Sample for $row {
            fn sample(number: usize) -> Self {
                let text = |texts: &[&str]| texts.iter().map(|t| t.to_string()).collect::<Vec<_>>();
                let decimals = [(0, 0), (15, -1), (-15, -1), (1, 30), (-1, -30), (i128::from(i64::MAX), -4)];
                let decimals = decimals.map(|(unscaled, exponent)| Decimal::new(unscaled, exponent));
                let times = [(0, 0), (-1, 999_999), (1_763_800_000_123, 456_789)];
                let times = times.map(|(ms, ns)| Timestamp::new(ms, ns).unwrap_or_default());
                Self {
                    key: $key { id: 100 + number as i64 },
                    ti: pick(number, 0, &[0, 1, -1, i8::MIN, i8::MAX]),
                    si: pick(number, 1, &[0, 1, -1, i16::MIN, i16::MAX]),
                    i: pick(number, 2, &[0, 1, -1, i32::MIN, i32::MAX]),
                    bi: pick(number, 3, &[0, 1, -1, i64::MIN, i64::MAX]),
                    ut: pick(number, 4, &[0, 1, 127]),
                    us: pick(number, 5, &[0, 1, 32_767]),
                    ui: pick(number, 6, &[0, 1, i32::MAX as u32]),
                    ul: pick(number, 7, &[0, 1, i64::MAX as u64]),
                    f: pick(number, 8, &[0.0, 1.5, -1.5, f32::MIN, f32::INFINITY]),
                    d: pick(number, 9, &[0.0, 1.5, -1.5, f64::MAX, f64::NEG_INFINITY]),
                    uf: pick(number, 10, &[0.0, 1.5, f32::MAX]),
                    ud: pick(number, 11, &[0.0, 1.5, f64::MAX]),
                    dec: pick(number, 12, &decimals),
                    b: pick(number, 13, &[true, false]),
                    vc: pick(number, 14, &text(&["ab", "h\u{e9}llo \u{1f600}", "a\0b", " x "])),
                    c: pick(number, 15, &text(&["a", "abcd", "x y"])),
                    vb: pick(number, 16, &[vec![0], vec![1, 0, 255], b"text".to_vec()]),
                    bin: pick(number, 17, &[[0, 0, 0], [1, 2, 3], [255, 0, 255]]),
                    dt: pick(number, 18, &[0, -1, 1_763_800_000_123]),
                    udt: pick(number, 19, &[0, 1, 1_763_800_000_123]),
                    ts: pick(number, 20, &times),
                }
            }

            fn shown(&self) -> String {
                let mut all = vec![format!("ID={}", self.key.id)];
                let fields: [(&str, &dyn Shown); 21] = [
                    ("TI", &self.ti), ("SI", &self.si), ("I", &self.i), ("BI", &self.bi),
                    ("UT", &self.ut), ("US", &self.us), ("UI", &self.ui), ("UL", &self.ul),
                    ("F", &self.f), ("D", &self.d), ("UF", &self.uf), ("UD", &self.ud),
                    ("DEC", &self.dec), ("B", &self.b), ("VC", &self.vc), ("C", &self.c),
                    ("VB", &self.vb), ("BIN", &self.bin), ("DT", &self.dt), ("UDT", &self.udt),
                    ("TS", &self.ts),
                ];
                all.extend(fields.iter().map(|(name, value)| format!("{name}={}", value.shown())));
                all.join(" ")
            }

            fn all() -> impl RowRanges<Key = $key> {
                $key::scan()
            }
        }
    };
}

macro_rules! numbered {
    ($row:ident($key:ident), $table:literal, bytes = $bytes:literal,
     families = [$($family:literal)*], $first:literal, $second:literal) => {
        wide! {
            $row($key), $table, bytes = $bytes, families = [$($family)*]:
            cell($first, encoded = 11), cell($first, encoded = 12), cell($first, encoded = 13),
            cell($first, encoded = 14), cell($first, encoded = 15), cell($first, encoded = 16),
            cell($first, encoded = 17), cell($first, encoded = 18), cell($first, encoded = 19),
            cell($first, encoded = 20), cell($first, encoded = 21, codec = KeyEncoded::<UnsignedFloat>),
            cell($first, encoded = 22, codec = KeyEncoded::<UnsignedFloat>), cell($first, encoded = 23),
            cell($first, encoded = 24), cell($first, encoded = 25),
            cell($first, encoded = 26, codec = KeyEncoded::<Char<4>>), cell($first, encoded = 27),
            cell($first, encoded = 28), cell($second, encoded = 29), cell($second, encoded = 30),
            cell($second, encoded = 31)
        }
    };
}

macro_rules! named {
    ($row:ident($key:ident), $table:literal) => {
        wide! {
            $row($key), $table, bytes = 0, families = ["0"]:
            cell("0:TI"), cell("0:SI"), cell("0:I"), cell("0:BI"), cell("0:UT"), cell("0:US"),
            cell("0:UI"), cell("0:UL"), cell("0:F"), cell("0:D"),
            cell("0:UF", codec = KeyEncoded::<UnsignedFloat>), cell("0:UD", codec = KeyEncoded::<UnsignedFloat>),
            cell("0:DEC"), cell("0:B"), cell("0:VC"), cell("0:C", codec = KeyEncoded::<Char<4>>),
            cell("0:VB"), cell("0:BIN"), cell("0:DT"), cell("0:UDT"), cell("0:TS")
        }
    };
}

numbered! { One(WideKey), "ONE", bytes = 1, families = ["0"], "0", "0" }
numbered! { Two(WideKey), "TWO", bytes = 2, families = ["0"], "0", "0" }
numbered! { Three(WideKey), "THREE", bytes = 3, families = ["0"], "0", "0" }
numbered! { Four(SaltedKey), "FOUR", bytes = 4, families = ["P" "Q"], "P", "Q" }
named! { Named(SaltedKey), "NAMED" }
numbered! { Mine(SaltedKey), "MINE", bytes = 2, families = ["P" "Q"], "P", "Q" }
named! { MineNamed(WideKey), "MINE_NAMED" }
