//! A row version is a u64.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", row_version)]
    version: i64,
}

fn main() {}
