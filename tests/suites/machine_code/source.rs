//! The code that is compiled: one function for each key, named after the expected result.

#![allow(missing_docs)]

use tallrow_codec::{RowBuf, RowKey};

#[derive(RowKey)]
pub struct Metric {
    pub host: [u8; 16],
    pub event: u64,
    #[key(rev_ts)]
    pub at: i64,
}

#[inline(never)]
pub fn straight_metric(key: &Metric) -> [u8; 32] {
    key.encode()
}

#[inline(never)]
pub fn straight_metric_into(key: &Metric, row: &mut [u8; 32]) {
    key.encode_into(row);
}

#[inline(never)]
pub fn straight_metric_stamp(prefix: &MetricPrefix<2>, at: i64) -> [u8; 32] {
    prefix.at(at)
}

#[derive(RowKey)]
pub struct Numbers {
    pub a: u8,
    pub b: u16,
    pub c: u32,
    pub d: u128,
    pub e: i8,
    pub f: i16,
    pub g: i32,
    pub h: i64,
    pub i: i128,
}

#[inline(never)]
pub fn straight_numbers(key: &Numbers) -> [u8; Numbers::LEN] {
    key.encode()
}

#[derive(RowKey)]
pub struct Descending {
    #[key(desc)]
    pub a: u64,
    #[key(desc)]
    pub b: i32,
    #[key(desc)]
    pub c: [u8; 8],
}

#[inline(never)]
pub fn straight_descending(key: &Descending) -> [u8; Descending::LEN] {
    key.encode()
}

#[derive(RowKey)]
pub struct Small {
    pub a: bool,
    pub b: char,
    pub c: core::num::NonZero<u32>,
}

#[inline(never)]
pub fn straight_small(key: &Small) -> [u8; Small::LEN] {
    key.encode()
}

#[derive(RowKey)]
pub struct Times {
    #[key(floor = 3600)]
    pub hour: u32,
    #[key(rev_ts)]
    pub at: i64,
    #[key(rev_ts = "inverted")]
    pub seen: u64,
}

#[inline(never)]
pub fn straight_times(key: &Times) -> [u8; Times::LEN] {
    key.encode()
}

#[derive(RowKey)]
pub struct Nested {
    pub metric: Metric,
    pub part: u8,
}

#[inline(never)]
pub fn straight_nested(key: &Nested) -> [u8; 33] {
    key.encode()
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, hash = modulo, fields = (user)))]
pub struct Salted {
    pub user: u32,
    pub at: u64,
}

#[inline(never)]
pub fn straight_salted(key: &Salted) -> [u8; Salted::LEN] {
    key.encode()
}

#[derive(RowKey)]
pub struct Text {
    #[key(escaped)]
    pub text: String,
    pub number: u64,
}

#[inline(never)]
pub fn crooked_text(key: &Text, row: &mut RowBuf<72>) {
    key.encode_into(row);
}

/// What the code of a derive would be if it indexed the row at run time.
#[inline(never)]
pub fn crooked_index(row: &mut [u8; 32], at: usize, value: u64) {
    row[at..at + 8].copy_from_slice(&value.to_be_bytes());
}
