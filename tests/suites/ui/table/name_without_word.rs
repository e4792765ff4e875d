//! A literal where an attribute expects a name.
use tallrow::{RowKey, Table};

#[derive(RowKey)]
#[row_key(salt(4))]
struct Salted {
    id: u32,
}

#[derive(RowKey)]
struct Quoted {
    id: u32,
    #[key("rev_ts")]
    at: i64,
}

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table("t")]
#[family("d")]
struct T {
    #[key]
    id: Id,
    #[cell("d:a")]
    a: u32,
}

fn main() {}
