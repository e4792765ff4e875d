//! Tables of Phoenix.
use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: i64,
}

#[derive(Table)]
#[table(name = "numbers", compat = "phoenix")]
#[family("0")]
struct Numbers {
    #[key]
    id: Id,
    #[cell("0", encoded = 10)]
    low: i32,
    #[cell("0", encoded = 65536)]
    high: i32,
    #[cell("0:A", encoded = 11)]
    named: i32,
    #[cell(b"0:\0\0\0\0")]
    empty: i32,
    #[cell("0", encoded = 12)]
    first: i32,
    #[cell(b"0:\x80\x0c")]
    second: i32,
}

#[derive(Table)]
#[table(name = "names", compat = "phoenix", column_encoded_bytes = 0)]
#[family("0")]
struct Names {
    #[key]
    id: Id,
    #[cell("0", encoded = 11)]
    number: i32,
}

#[derive(Table)]
#[table(name = "wide", compat = "phoenix", column_encoded_bytes = 5)]
#[family("0")]
struct Wide {
    #[key]
    id: Id,
    #[cell("0", encoded = 11)]
    number: i32,
}

#[derive(Table)]
#[table(name = "other", compat = "hbase")]
#[family("0")]
struct Other {
    #[key]
    id: Id,
    #[cell("0:a")]
    a: i32,
}

#[derive(Table)]
#[table(name = "ours", column_encoded_bytes = 2)]
#[family("0")]
struct Ours {
    #[key]
    id: Id,
    #[cell("0", encoded = 11)]
    number: i32,
}

#[derive(Table)]
#[table(name = "unsigned", compat = "phoenix")]
#[family("0")]
struct NoType {
    #[key]
    id: Id,
    #[cell("0", encoded = 11)]
    letter: char,
}

#[derive(Table)]
#[table(name = "enum", compat = "phoenix")]
#[family("0")]
enum Rows {
    Names(Names),
}

fn main() {}
