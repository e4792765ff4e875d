//! What a new user writes before reading about the attributes.

use tallrow_codec::RowKey;

#[derive(RowKey)]
#[table(name = "visits")]
struct TableAttribute {
    user: u32,
}

#[derive(RowKey)]
struct CellAttribute {
    #[cell("d:u")]
    user: u32,
}

#[derive(RowKey)]
struct KeyAlone {
    #[key]
    user: u32,
}

#[derive(RowKey)]
#[row_key(salt = 16)]
struct SaltNumber {
    user: u32,
}

#[derive(RowKey)]
struct Quoted {
    #[key(width = "16")]
    user: String,
    #[key(reverse_timestamp)]
    at: i64,
}

#[derive(RowKey)]
struct Value {
    #[key(escaped = true)]
    user: String,
    #[key(descending)]
    at: i64,
}

#[derive(RowKey)]
struct Prefix {
    #[key(len = 8)]
    user: String,
    at: i64,
}

#[derive(RowKey)]
#[row_key(separator = "|")]
struct Separator {
    user: String,
    at: i64,
}

#[derive(RowKey)]
#[row_key(name = "visits", version = 2)]
struct Named {
    user: u32,
}

#[derive(RowKey)]
struct Milliseconds {
    user: u32,
    #[key(unit = ms)]
    at: i64,
}

fn main() {}
