//! Negative numbers sort after positive ones in HBase's bytes of a signed integer.

use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "hbase")]
struct Visit {
    user: u32,
    at: i64,
}

fn main() {
    let _ = Visit::scan().user(1).at(10..20);
}
