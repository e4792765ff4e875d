//! Attributes of a field on the type, and the other way round.

use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(rev_ts)]
struct Newest {
    at: i64,
    id: u64,
}

#[derive(RowKey)]
#[key(salt(buckets = 4))]
struct Spread {
    id: u64,
}

#[derive(RowKey)]
struct Event {
    #[key(salt(buckets = 4))]
    id: u64,
    #[row_key(rev_ts)]
    at: i64,
    #[key(skip)]
    note: u8,
    #[key(rename = "k")]
    kind: u8,
}

#[derive(RowKey)]
enum Record {
    #[row_key(tag = 1)]
    #[key(tag = 1)]
    One { id: u64 },
}

fn main() {}
