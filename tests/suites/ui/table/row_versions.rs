//! A row has at most one version, a u64.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Two {
    #[key]
    id: Id,
    #[cell("d:a", row_version)]
    a: u64,
    #[cell("d:b", row_version)]
    b: u64,
    #[cell("d:c", row_version, codec = json)]
    c: u64,
}

fn main() {}
