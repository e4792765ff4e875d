//! One struct for the key and the row.

use tallrow::{Counter, RowKey, Table};

#[derive(RowKey, Table)]
#[table(name = "t")]
#[family("d")]
struct Post {
    #[key]
    author: String,
    #[key(rev_ts)]
    at: i64,
    #[cell("d:t")]
    text: String,
}

#[derive(RowKey)]
struct Counted {
    id: u64,
    seen: Counter,
}

fn main() {}
