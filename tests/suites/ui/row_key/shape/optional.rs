//! What may be missing, with attributes that are for what is there.

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Newest {
    user: u32,
    #[key(rev_ts)]
    at: Option<i64>,
}

#[derive(RowKey)]
struct Text {
    name: Option<String>,
    at: u64,
}

#[derive(RowKey)]
struct Twice {
    id: Option<Option<u32>>,
}

fn main() {}
